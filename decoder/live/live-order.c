/* live-order.c -- see follow.h: a heap of lines, and how far each writer has come. */
#include "config.h"

#include "decoder/live/follow.h"

/* Writers that are remembered; more than these, and all are forgotten: they are not waited for
 * then. */
#define WRITERS_MAX 65536

struct writer {
  struct live_writer id;
  uint64_t time; /* up to which it has reported all */
  uint64_t came; /* when it reported something last */
};

static guint
hash_writer (gconstpointer id)
{
  const struct live_writer *w = id;
  return g_int64_hash (&w->id) ^ w->log;
}

static gboolean
is_same_writer (gconstpointer a, gconstpointer b)
{
  const struct live_writer *p = a, *q = b;
  return p->id == q->id && p->log == q->log;
}

void
live_order_init (struct live_order *o, uint64_t delay_ns, uint64_t settle_ns)
{
  *o = (struct live_order){ .delay_ns = delay_ns, .settle_ns = MIN (settle_ns, delay_ns) };
  o->heap = g_array_new (FALSE, FALSE, sizeof (struct live_line));
  o->writers = g_hash_table_new_full (hash_writer, is_same_writer, NULL, g_free);
}

void
live_order_clear (struct live_order *o)
{
  for (guint i = 0; i < o->heap->len; i++)
    g_free (g_array_index (o->heap, struct live_line, i).text);
  g_array_unref (o->heap);
  g_hash_table_destroy (o->writers);
}

static bool
is_before (const struct live_line *a, const struct live_line *b)
{
  return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

static struct live_line *
line_at (const struct live_order *o, guint i)
{
  return &g_array_index (o->heap, struct live_line, i);
}

static void
swap (struct live_order *o, guint a, guint b)
{
  const struct live_line line = *line_at (o, a);
  *line_at (o, a) = *line_at (o, b);
  *line_at (o, b) = line;
}

static void
sift_up (struct live_order *o, guint i)
{
  for (guint parent; i != 0 && is_before (line_at (o, i), line_at (o, parent = (i - 1) / 2));
       i = parent)
    swap (o, i, parent);
}

static void
sift_down (struct live_order *o)
{
  for (guint i = 0, child; (child = 2 * i + 1) < o->heap->len; i = child) {
    if (child + 1 < o->heap->len && is_before (line_at (o, child + 1), line_at (o, child)))
      child++;
    if (is_before (line_at (o, i), line_at (o, child)))
      break;
    swap (o, i, child);
  }
}

static struct writer *
writer_of (struct live_order *o, struct live_writer id)
{
  struct writer *w = g_hash_table_lookup (o->writers, &id);
  if (w != NULL)
    return w;
  if (g_hash_table_size (o->writers) >= WRITERS_MAX)
    g_hash_table_remove_all (o->writers);
  w = g_new0 (struct writer, 1);
  w->id = id;
  g_hash_table_insert (o->writers, &w->id, w);
  return w;
}

void
live_order_reached (struct live_order *o, struct live_writer writer, uint64_t time, uint64_t now)
{
  struct writer *w = writer_of (o, writer);
  w->time = MAX (w->time, time);
  w->came = o->last_came = now;
  o->largest = MAX (o->largest, w->time);
  o->mark_at = 0;
}

void
live_order_add (struct live_order *o, struct live_writer writer, uint64_t time, uint64_t now,
                const char *text, size_t length)
{
  live_order_reached (o, writer, time, now);
  /* Those of a writer stay in their order. */
  const struct live_line line = { .time = writer_of (o, writer)->time,
                                  .sequence = o->sequence++,
                                  .came = now,
                                  .text = g_memdup2 (text, length),
                                  .length = length };
  g_array_append_val (o->heap, line);
  sift_up (o, o->heap->len - 1);
  o->bytes += length;
}

static gboolean
is_of_log (void *id, void *writer, void *log)
{
  (void) writer;
  return ((const struct live_writer *) id)->log == *(const guint *) log;
}

void
live_order_forget (struct live_order *o, guint log)
{
  g_hash_table_foreach_remove (o->writers, is_of_log, &log);
  o->mark_at = 0;
}

/* How far all writers have come that reported something as lately as a line may be held. */
static uint64_t
watermark (const struct live_order *o, uint64_t now)
{
  GHashTableIter iter;
  void *value;
  uint64_t mark = UINT64_MAX;
  g_hash_table_iter_init (&iter, o->writers);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct writer *w = value;
    if (now - w->came < o->delay_ns)
      mark = MIN (mark, w->time);
  }
  return mark;
}

static bool
is_due (struct live_order *o, uint64_t now)
{
  if (o->mark_at != now)
    o->mark = watermark (o, now);
  o->mark_at = now;
  const struct live_line *first = line_at (o, 0);
  return now - first->came >= o->delay_ns || now - o->last_came >= o->settle_ns
         || o->bytes > LIVE_ORDER_BYTES_MAX || (first->time < o->mark && now >= o->hold_until);
}

bool
live_order_pop (struct live_order *o, uint64_t now, bool all, struct live_line *line)
{
  if (o->heap->len == 0 || (!all && !is_due (o, now)))
    return false;
  *line = *line_at (o, 0);
  swap (o, 0, o->heap->len - 1);
  g_array_set_size (o->heap, o->heap->len - 1);
  sift_down (o);
  o->bytes -= line->length;
  if (o->has_printed && line->time < o->printed) {
    line->late_ns = o->printed - line->time;
    o->late++;
    o->late_max_ns = MAX (o->late_max_ns, line->late_ns);
  }
  o->printed = o->has_printed ? MAX (o->printed, line->time) : line->time;
  o->has_printed = true;
  o->lines++;
  o->held_max_ns = MAX (o->held_max_ns, now - line->came);
  o->held_total_ns += now - line->came;
  return true;
}

uint64_t
live_order_next (const struct live_order *o)
{
  if (o->heap->len == 0)
    return UINT64_MAX;
  return MIN (line_at (o, 0)->came + o->delay_ns, o->last_came + o->settle_ns);
}
