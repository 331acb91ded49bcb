/* follow-output.c -- orders lines, and puts the time of day in front of them. */
#include "config.h"

#include "decoder/command/message.h"
#include "decoder/ghc/ghc-losses.h"
#include "decoder/ghc/ghc-start.h"
#include "decoder/live/follow.h"
#include "decoder/live/live-reading.h"
#include "decoder/log/log-open.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-losses.h"
#include <proflog/mlpd.h>
#include <string.h>

/* Bytes of lines of a source that wait for the time of day. */
#define EARLY_BYTES_MAX ((size_t) 8 << 20)

struct early_line {
  uint64_t writer, time, came;
  GString *text;
};

static void
clear_early_line (void *line)
{
  g_string_free (((struct early_line *) line)->text, TRUE);
}

static bool
are_several (const struct follow_output *o)
{
  return o->count > 1;
}

bool
follow_output_init (struct follow_output *o, struct log_command *command, uint64_t delay_ns,
                    uint64_t settle_ns)
{
  *o = (struct follow_output){ .command = command,
                               .count = g_strv_length (command->logs),
                               .text = g_string_new (NULL) };
  /* That one source has paused says nothing of the others. */
  live_order_init (&o->order, delay_ns, are_several (o) ? delay_ns : settle_ns);
  o->settle_ns = settle_ns;
  o->silent = o->count;
  if (are_several (o))
    o->order.hold_until = live_reading_now () + delay_ns;
  o->streams = g_new0 (struct follow_stream, o->count);
  for (guint i = 0; i < o->count; i++) {
    struct follow_stream *const s = &o->streams[i];
    s->number = i;
    s->name = command->logs[i];
    s->early = g_array_new (FALSE, FALSE, sizeof (struct early_line));
    g_array_set_clear_func (s->early, clear_early_line);
    s->form = (struct dump_lines){ .format = command->format };
    if (are_several (o))
      s->form = (struct dump_lines){ .format = command->format,
                                     .log_name = s->name,
                                     .by_clock = true,
                                     .clock_later = true,
                                     .begun = true };
  }
  if (are_several (o) && command->format == EMITTER_CSV)
    dump_lines_head_by_clock (true, o->text);
  return o->text->len == 0 || output_write (&command->output, o->text);
}

void
follow_output_clear (struct follow_output *o)
{
  for (guint i = 0; i < o->count; i++)
    g_array_unref (o->streams[i].early);
  g_free (o->streams);
  live_order_clear (&o->order);
  g_string_free (o->text, TRUE);
}

/* ---- adding ---- */

/* Logs that begin together are in order from the first line on. */
static void
note_report (struct follow_output *o, struct follow_stream *s)
{
  if (s->has_reported)
    return;
  s->has_reported = true;
  if (--o->silent == 0)
    o->order.hold_until = 0;
}

static void
add (struct follow_output *o, struct follow_stream *s, uint64_t id, uint64_t time, uint64_t came,
     const GString *text)
{
  const struct live_writer writer = { .id = id, .log = s->number };
  note_report (o, s);
  if (!are_several (o)) {
    live_order_add (&o->order, writer, s->base + time, came, text->str, text->len);
    return;
  }
  /* An event without a time of day has no place but its arrival. */
  const uint64_t clock = s->has_clock ? s->base + time : o->order.largest;
  g_string_truncate (o->text, 0);
  dump_lines_add_clock (&s->form, s->has_clock ? clock : 0, text, o->text);
  live_order_add (&o->order, writer, clock, came, o->text->str, o->text->len);
}

static void
add_early_lines (struct follow_output *o, struct follow_stream *s)
{
  s->waits_for_clock = false;
  for (guint i = 0; i < s->early->len; i++) {
    const struct early_line *const line = &g_array_index (s->early, struct early_line, i);
    add (o, s, line->writer, line->time, line->came, line->text);
  }
  g_array_set_size (s->early, 0);
  s->early_bytes = 0;
}

/* Another log begins, whose clock is another one. */
static void
follow_output_begin_log (struct follow_output *o, struct follow_stream *s)
{
  add_early_lines (o, s);
  live_order_forget (&o->order, s->number);
  s->has_clock = false;
  s->waits_for_clock = are_several (o);
  s->base = o->order.largest;
}

/* Where times of day are needed: that of time 0 of the log, in ns since 1970, or that the log has
 * none. */
static void
follow_output_set_clock (struct follow_output *o, struct follow_stream *s, uint64_t clock)
{
  if (!are_several (o))
    return;
  s->has_clock = true;
  s->base = clock;
  add_early_lines (o, s);
}

static void
follow_output_set_no_clock (struct follow_output *o, struct follow_stream *s)
{
  add_early_lines (o, s);
}

/* Adds the text of a line or more, of this time on the log's clock, which came at `came` on that of
 * live_reading_now. */
static void
follow_output_add (struct follow_output *o, struct follow_stream *s, uint64_t writer, uint64_t time,
                   uint64_t came, const GString *text)
{
  if (!s->waits_for_clock) {
    add (o, s, writer, time, came, text);
    return;
  }
  const struct early_line line = { .writer = writer,
                                   .time = time,
                                   .came = came,
                                   .text = g_string_new_len (text->str, (gssize) text->len) };
  g_array_append_val (s->early, line);
  s->early_bytes += text->len;
  if (s->early_bytes > EARLY_BYTES_MAX)
    add_early_lines (o, s);
}

/* This writer of the log has reported all up to a time. */
static void
follow_output_reached (struct follow_output *o, struct follow_stream *s, uint64_t writer,
                       uint64_t time, uint64_t came)
{
  if (are_several (o) && !s->has_clock)
    return;
  note_report (o, s);
  live_order_reached (&o->order, (struct live_writer){ .id = writer, .log = s->number },
                      s->base + time, came);
}

void
follow_output_end (struct follow_output *o, struct follow_stream *s, guint open)
{
  add_early_lines (o, s);
  note_report (o, s);
  live_order_forget (&o->order, s->number);
  if (open == 1)
    o->order.settle_ns = MIN (o->settle_ns, o->order.delay_ns);
}

/* ---- writing ---- */

/* How long the line was held, and how late it is. */
static void
append_line (const struct follow_output *o, const struct live_line *line, uint64_t now,
             GString *out)
{
  const uint64_t held = now - line->came;
  size_t length = line->length;
  if (o->command->format == EMITTER_JSON && length >= 2) {
    g_string_append_len (out, line->text, (gssize) length - 2);
    g_string_append_printf (out, ",\"held_ns\":%" G_GUINT64_FORMAT, held);
    if (line->late_ns != 0)
      g_string_append_printf (out, ",\"late_ns\":%" G_GUINT64_FORMAT, line->late_ns);
    g_string_append (out, "}\n");
    return;
  }
  if (o->shows_delays && o->command->format == EMITTER_TEXT)
    g_string_append_printf (out, "+%.3f%s ", (double) held / 1e9,
                            line->late_ns != 0 ? " late" : "");
  g_string_append_len (out, line->text, (gssize) length);
}

/* When the early lines of a source wait no longer. */
static uint64_t
early_due (const struct follow_output *o, const struct follow_stream *s)
{
  return s->early->len == 0
             ? UINT64_MAX
             : g_array_index (s->early, struct early_line, 0).came + o->order.delay_ns;
}

static void
add_due_lines (struct follow_output *o, uint64_t now, bool all)
{
  for (guint i = 0; i < o->count; i++)
    if (all || early_due (o, &o->streams[i]) <= now)
      add_early_lines (o, &o->streams[i]);
}

bool
follow_output_write (struct follow_output *o, bool all)
{
  struct live_line line;
  bool good = true, any = false;
  const uint64_t now = live_reading_now ();
  add_due_lines (o, now, all);
  g_string_truncate (o->text, 0);
  while (good && live_order_pop (&o->order, now, all, &line)) {
    append_line (o, &line, now, o->text);
    g_free (line.text);
    any = true;
    if (o->text->len > 64 * 1024) {
      good = output_write (&o->command->output, o->text);
      g_string_truncate (o->text, 0);
    }
  }
  if (good && any)
    good = output_write (&o->command->output, o->text) && output_flush (&o->command->output);
  return good;
}

uint64_t
follow_output_next (const struct follow_output *o)
{
  uint64_t next = live_order_next (&o->order);
  for (guint i = 0; i < o->count; i++)
    next = MIN (next, early_due (o, &o->streams[i]));
  return next;
}

void
follow_output_report (const struct follow_output *o)
{
  const struct live_order *order = &o->order;
  if (!o->command->quiet && order->lines != 0)
    cli_message ("proflog follow: %" G_GUINT64_FORMAT
                 " lines, held %.1f ms on average and %.1f ms at "
                 "most; %" G_GUINT64_FORMAT " were late, by %.1f ms at most",
                 order->lines, (double) order->held_total_ns / (double) order->lines / 1e6,
                 (double) order->held_max_ns / 1e6, order->late, (double) order->late_max_ns / 1e6);
}

/* ---- items as lines ---- */

/* Threads of Mono that are remembered; when there are more, those that ended are forgotten. */
#define THREADS_MAX 4096

#define NS_PER_MS UINT64_C (1000000)

/* Threads of GHC; when there are more, no others are learnt until some end. */
#define HASKELL_THREADS_MAX 100000

static void
begin_dumps (struct follow_lines *l)
{
  const struct selection *s = &l->command->selection;
  const struct live_order *order = &l->output->order;
  struct dump_lines form = l->stream->form;
  form.head = !form.begun && order->lines == 0 && order->heap->len == 0;
  dump_init (&l->dump, form.format, s);
  l->dump.lines = form;
  buffer_filter_init (&l->filter, s, NULL);
  if (s->threads != NULL || selection_has_times (s))
    l->dump.filter = &l->filter;
  threads_init (&l->threads);
  l->ghc = (struct ghc_dump){ .lines = form, .filter = &l->ghc_filter };
  ghc_filter_init_live (&l->ghc_filter, s);
  l->ghc_threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  l->time = l->first_time = 0;
}

static void
end_dumps (struct follow_lines *l)
{
  dump_clear (&l->dump);
  buffer_filter_clear (&l->filter);
  threads_clear (&l->threads);
  ghc_filter_clear (&l->ghc_filter);
  g_hash_table_destroy (l->ghc_threads);
}

void
follow_lines_init (struct follow_lines *l, struct follow_output *output, guint number,
                   const struct live_reading *reading)
{
  *l = (struct follow_lines){ .command = output->command,
                              .output = output,
                              .stream = &output->streams[number],
                              .reading = reading,
                              .text = g_string_new (NULL) };
  l->prefix = output->count > 1 ? g_strconcat (l->stream->name, ": ", NULL) : g_strdup ("");
  begin_dumps (l);
}

void
follow_lines_clear (struct follow_lines *l)
{
  end_dumps (l);
  g_string_free (l->text, TRUE);
  g_free (l->prefix);
}

/* Another log begins: its names and threads are others. */
static void
begin_log (struct follow_lines *l)
{
  follow_output_begin_log (l->output, l->stream);
  end_dumps (l);
  begin_dumps (l);
}

/* The text that was made is a line of this writer. */
static void
add_line (struct follow_lines *l, uint64_t writer, uint64_t time)
{
  if (l->text->len != 0)
    follow_output_add (l->output, l->stream, writer, time, l->reading->last_came, l->text);
  g_string_truncate (l->text, 0);
}

static void
add_progress (struct follow_lines *l, uint64_t writer, uint64_t time)
{
  follow_output_reached (l->output, l->stream, writer, time, l->reading->last_came);
}

static void
warn (struct follow_lines *l, const char *message)
{
  log_command_warn (l->command, l->stream->name, message);
}

/* This many events are missing where the last one was. */
static void
handle_loss (struct follow_lines *l, uint64_t lost)
{
  if (lost == 0 || l->is_past)
    return;
  l->lost += lost;
  if (l->command->quiet)
    return;
  if (l->time > l->first_time)
    cli_message ("proflog follow: %s%" G_GUINT64_FORMAT
                 " events are missing, up to %.3f s: this reader was too slow for the program",
                 l->prefix, lost, (double) (l->time - l->first_time) / 1e9);
  else /* they are of before this log, since an unknown time */
    cli_message ("proflog follow: %s%" G_GUINT64_FORMAT
                 " events are missing before these: this reader was too slow for the program",
                 l->prefix, lost);
}

/* ---- logs of Mono ---- */

/* Losses of the reader, or of a log that could not be written, are stated alike. */
static void
handle_mono_damage (struct follow_lines *l, const struct mlpd_damage *damage)
{
  if (damage->reason == MLPD_DAMAGE_LOST && damage->error == 0) {
    handle_loss (l, damage->lost);
    return;
  }
  l->lost += damage->lost;
  warn (l, damage->message);
}

/* Keeps the table of threads small in programs that start one after the other. */
static void
forget_threads (struct follow_lines *l)
{
  struct threads living;
  if (l->threads.all->len < THREADS_MAX)
    return;
  threads_init (&living);
  for (guint i = 0; i < l->threads.all->len; i++) {
    const struct thread *t = g_ptr_array_index (l->threads.all, i);
    if (!t->ended)
      threads_get (&living, t->id)->name = g_strdup (t->name);
  }
  threads_clear (&l->threads);
  l->threads = living;
}

static void
store_thread_name (struct follow_lines *l, const struct mlpd_item *item)
{
  const struct mlpd_metadata_thread *e = &item->payload->metadata_thread;
  forget_threads (l);
  threads_name (&l->threads, e, e->thread == item->buffer->thread);
  if (l->filter.threads != NULL && e->action == MLPD_LOAD_NAME && e->name.text != NULL)
    buffer_filter_add_thread (&l->filter, e->thread, item->offset, e->name.text);
}

static void
handle_mono_event (struct follow_lines *l, const struct mlpd_item *item)
{
  const uint64_t thread = item->buffer->thread;
  if (item->kind == MLPD_METADATA_THREAD)
    store_thread_name (l, item);
  dump_item (&l->dump, item, l->text);
  l->time = l->dump.time;
  handle_loss (l, mlpd_losses_of (item->kind, item->payload));
  if (l->is_past) {
    l->passed++;
    g_string_truncate (l->text, 0);
    return;
  }
  l->events++;
  if (l->text->len != 0)
    add_line (l, thread, l->time);
  else
    add_progress (l, thread, l->time);
}

/* The header states the start by the time of day, and major versions from 3 on by the log's clock:
 * before that it is taken to be the first buffer's time.  Returns the time of the header's line:
 * the start, or the end of the earlier events of the same program. */
static uint64_t
begin_mono_log (struct follow_lines *l, const struct mlpd_file_header *header)
{
  const uint64_t before = l->time;
  begin_log (l);
  l->start_ns = header->start_ms * NS_PER_MS;
  l->has_start = header->major >= LOG_MAJOR_WITH_START_NS;
  const uint64_t start = l->has_start ? header->start_ns : 0;
  if (header->start_ms == 0)
    follow_output_set_no_clock (l->output, l->stream);
  else
    follow_output_set_clock (l->output, l->stream, l->start_ns - start);
  return l->stream->has_clock && l->has_start ? MAX (start, before) : 0;
}

static void
begin_first_buffer (struct follow_lines *l, uint64_t time)
{
  l->first_time = time;
  if (!l->has_start && l->start_ns != 0)
    follow_output_set_clock (l->output, l->stream, l->start_ns - time);
}

void
follow_lines_mono (void *data, const struct mlpd_item *item)
{
  struct follow_lines *l = data;
  uint64_t line_time = 0;
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    line_time = begin_mono_log (l, item->header);
    dump_item (&l->dump, item, l->text);
    break;
  case MLPD_ITEM_BUFFER:
    buffer_filter_begin (&l->filter, item->buffer->time_base);
    if (!l->dump.has_time)
      begin_first_buffer (l, item->buffer->time_base);
    dump_item (&l->dump, item, l->text);
    g_string_truncate (l->text, 0); /* where buffers lie means nothing here */
    threads_get (&l->threads, item->buffer->thread);
    return;
  case MLPD_ITEM_EVENT:
    handle_mono_event (l, item);
    return;
  case MLPD_ITEM_DAMAGE:
    handle_mono_damage (l, item->damage);
    dump_item (&l->dump, item, l->text);
    line_time = l->time;
    break;
  }
  if (!l->is_past)
    add_line (l, 0, line_time);
  g_string_truncate (l->text, 0);
}

/* ---- eventlogs ---- */

/* Takes the name. */
static void
name_ghc_thread (struct follow_lines *l, uint32_t thread, char *name)
{
  if (g_hash_table_size (l->ghc_threads) < HASKELL_THREADS_MAX)
    g_hash_table_insert (l->ghc_threads, GUINT_TO_POINTER (thread), name);
  else
    g_free (name);
}

static void
store_ghc_thread_name (struct follow_lines *l, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  if (item->kind == GHC_CREATE_THREAD)
    name_ghc_thread (l, p->create_thread.thread, g_strdup (""));
  else if (item->kind == GHC_THREAD_LABEL)
    name_ghc_thread (l, p->thread_label.thread,
                     g_strndup (p->thread_label.label.text, p->thread_label.label.length));
  else if (item->kind == GHC_STOP_THREAD && p->stop_thread.status == GHC_STOP_STATUS_FINISHED)
    g_hash_table_remove (l->ghc_threads, GUINT_TO_POINTER (p->stop_thread.thread));
}

static void
handle_ghc_event (struct follow_lines *l, const struct ghc_item *item)
{
  uint64_t clock;
  store_ghc_thread_name (l, item);
  if (ghc_clock_of (item, &clock))
    follow_output_set_clock (l->output, l->stream, clock);
  l->passed += l->is_past;
  l->events += !l->is_past;
  l->time = item->time;
  uint64_t lost;
  if (ghc_losses_of (item, &lost))
    handle_loss (l, lost);
  if (item->kind == GHC_BLOCK_MARKER) { /* it has only the place of its capability */
    add_progress (l, item->payload->block_marker.cap, item->time);
    return;
  }
  ghc_dump_item (&l->ghc, item, l->text);
  if (!l->is_past && l->text->len != 0)
    add_line (l, item->cap, item->time);
  else if (!l->is_past)
    add_progress (l, item->cap, item->time);
  g_string_truncate (l->text, 0);
}

void
follow_lines_ghc (void *data, const struct ghc_item *item)
{
  struct follow_lines *l = data;
  if (item->type == GHC_ITEM_EVENT) {
    handle_ghc_event (l, item);
    return;
  }
  if (item->type == GHC_ITEM_HEADER)
    begin_log (l);
  if (item->type == GHC_ITEM_DAMAGE)
    warn (l, item->damage->message);
  ghc_dump_item (&l->ghc, item, l->text);
  if (!l->is_past)
    add_line (l, GHC_NO_CAP, l->time);
  g_string_truncate (l->text, 0);
}

/* ---- the state when the reader came ---- */

static void
add_state (struct follow_lines *l, const char *id, const char *name)
{
  GString *out = l->text;
  switch (l->command->format) {
  case EMITTER_JSON:
    dump_lines_begin (&l->stream->form, 0, out);
    g_string_append_printf (out, "\"item\":\"state\",\"thread\":%s,\"name\":", id);
    if (name != NULL && *name != 0)
      emitter_append_json_string (out, name, strlen (name));
    else
      g_string_append (out, "null");
    g_string_append (out, "}\n");
    break;
  case EMITTER_TEXT:
    dump_lines_begin (&l->stream->form, 0, out);
    g_string_append_printf (out, "living thread %s ", id);
    if (name != NULL)
      emitter_append_json_string (out, name, strlen (name));
    g_string_append_c (out, '\n');
    break;
  default: /* columns of CSV are those of events */
    break;
  }
  add_line (l, 0, l->time);
}

void
follow_lines_begin_now (struct follow_lines *l)
{
  char id[64];
  GHashTableIter iter;
  void *key, *value;
  l->is_past = false;
  for (guint i = 0; i < l->threads.all->len; i++) {
    const struct thread *t = g_ptr_array_index (l->threads.all, i);
    if (t->ended)
      continue;
    const bool json = l->command->format == EMITTER_JSON;
    g_snprintf (id, sizeof id, json ? "\"0x%" G_GINT64_MODIFIER "x\"" : "0x%" G_GINT64_MODIFIER "x",
                t->id);
    add_state (l, id, t->name);
  }
  g_hash_table_iter_init (&iter, l->ghc_threads);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    g_snprintf (id, sizeof id, "%u", GPOINTER_TO_UINT (key));
    add_state (l, id, value);
  }
  if (!l->command->quiet)
    cli_message ("proflog follow: %s%" G_GUINT64_FORMAT
                 " earlier events, up to %.3f s, are not printed; --start beginning prints them",
                 l->prefix, l->passed, (double) (int64_t) (l->time - l->first_time) / 1e9);
}

void
follow_lines_report (const struct follow_lines *l)
{
  if (!l->command->quiet && l->lost != 0)
    cli_message ("proflog follow: %s%" G_GUINT64_FORMAT " events are missing in total", l->prefix,
                 l->lost);
}
