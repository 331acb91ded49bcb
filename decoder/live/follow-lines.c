/* follow-lines.c -- makes lines of a dump of live events. */
#include "config.h"

#include "decoder/live/follow.h"
#include "decoder/log/log-open.h"
#include "decoder/live/live-reading.h"
#include "decoder/command/message.h"
#include "decoder/ghc/ghc-losses.h"
#include "decoder/ghc/ghc-start.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-losses.h"
#include <proflog/mlpd.h>
#include <string.h>

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
 * the start, or the end of what came before of the same program. */
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

/* ---- what passed ---- */

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
