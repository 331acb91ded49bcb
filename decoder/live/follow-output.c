/* follow-output.c -- orders lines, and puts the time of day in front of them. */
#include "config.h"

#include "decoder/live/follow.h"
#include "decoder/live/live-reading.h"
#include "decoder/command/message.h"

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
  /* What has no time of day comes when it comes. */
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

void
follow_output_begin_log (struct follow_output *o, struct follow_stream *s)
{
  add_early_lines (o, s);
  live_order_forget (&o->order, s->number);
  s->has_clock = false;
  s->waits_for_clock = are_several (o);
  s->base = o->order.largest;
}

void
follow_output_set_clock (struct follow_output *o, struct follow_stream *s, uint64_t clock)
{
  if (!are_several (o))
    return;
  s->has_clock = true;
  s->base = clock;
  add_early_lines (o, s);
}

void
follow_output_set_no_clock (struct follow_output *o, struct follow_stream *s)
{
  add_early_lines (o, s);
}

void
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

void
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
