/* joint.c -- sorts spans, and intersects those of processes. */
#include "config.h"

#include "decoder/core/joint.h"

static void
free_process (void *data)
{
  struct joint_process *p = data;
  g_free (p->log);
  g_free (p->name);
  g_array_unref (p->pauses);
  g_array_unref (p->waits);
  g_free (p);
}

static void
clear_mark (void *data)
{
  struct joint_mark *mark = data;
  g_free (mark->text);
}

struct joint *
joint_new (void)
{
  struct joint *joint = g_new0 (struct joint, 1);
  joint->processes = g_ptr_array_new_with_free_func (free_process);
  joint->marks = g_array_new (FALSE, FALSE, sizeof (struct joint_mark));
  g_array_set_clear_func (joint->marks, clear_mark);
  return joint;
}

void
joint_free (struct joint *joint)
{
  g_ptr_array_unref (joint->processes);
  g_array_unref (joint->marks);
  g_free (joint);
}

struct joint_process *
joint_add (struct joint *joint, const char *log, uint32_t pid)
{
  struct joint_process *p = g_new0 (struct joint_process, 1);
  p->log = g_strdup (log);
  p->name = g_strdup (log);
  p->pid = pid;
  p->first = UINT64_MAX;
  p->pauses = g_array_new (FALSE, FALSE, sizeof (struct joint_span));
  p->waits = g_array_new (FALSE, FALSE, sizeof (struct joint_span));
  g_ptr_array_add (joint->processes, p);
  return p;
}

/* ---- sorting ---- */

static gint
compare_spans (gconstpointer a, gconstpointer b)
{
  const struct joint_span *x = a, *y = b;
  return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1)
                              : (x->end < y->end ? -1 : x->end > y->end);
}

static gint
compare_marks (gconstpointer a, gconstpointer b)
{
  const struct joint_mark *x = a, *y = b;
  return x->time != y->time ? (x->time < y->time ? -1 : 1) : (gint) x->process - (gint) y->process;
}

static void
merge_spans (GArray *spans)
{
  guint kept = 0;
  for (guint i = 0; i < spans->len; i++) {
    const struct joint_span span = g_array_index (spans, struct joint_span, i);
    struct joint_span *last
        = kept != 0 ? &g_array_index (spans, struct joint_span, kept - 1) : NULL;
    if (last != NULL && span.begin <= last->end)
      last->end = MAX (last->end, span.end);
    else
      g_array_index (spans, struct joint_span, kept++) = span;
  }
  g_array_set_size (spans, kept);
}

void
joint_finish (struct joint *joint)
{
  g_array_sort (joint->marks, compare_marks);
  for (guint i = 0; i < joint->processes->len; i++) {
    struct joint_process *p = g_ptr_array_index (joint->processes, i);
    g_array_sort (p->pauses, compare_spans);
    g_array_sort (p->waits, compare_spans);
    merge_spans (p->pauses);
    for (guint k = 0; k < p->pauses->len; k++) {
      const struct joint_span *span = &g_array_index (p->pauses, struct joint_span, k);
      p->pause_ns += span->end - span->begin;
      p->pause_max_ns = MAX (p->pause_max_ns, span->end - span->begin);
    }
    if (p->collections == 0) /* an eventlog: each is a pause */
      p->collections = p->pauses->len;
  }
}

int64_t
joint_clock_error (const struct joint *joint)
{
  int64_t error = 0;
  for (guint i = 0; i < joint->processes->len; i++) {
    const struct joint_process *p = g_ptr_array_index (joint->processes, i);
    if (p->clock_error_ns < 0)
      return p->clock_error_ns;
    error = MAX (error, p->clock_error_ns);
  }
  return joint->begins_together ? -1 : error;
}

/* ---- overlaps ---- */

static uint64_t
longest (const GArray *spans)
{
  uint64_t ns = 0;
  for (guint i = 0; i < spans->len; i++) {
    const struct joint_span *span = &g_array_index (spans, struct joint_span, i);
    ns = MAX (ns, span->end - span->begin);
  }
  return ns;
}

/* The first span that begins at this time or later. */
static guint
first_from (const GArray *spans, uint64_t time)
{
  guint low = 0, high = spans->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (spans, struct joint_span, middle).begin < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
add_overlap (GArray *overlaps, struct joint_overlap overlap, const GArray *pauses,
             const GArray *others)
{
  const uint64_t most = longest (others);
  for (guint i = 0; i < pauses->len; i++) {
    const struct joint_span *pause = &g_array_index (pauses, struct joint_span, i);
    for (guint k = first_from (others, pause->begin - MIN (pause->begin, most)); k < others->len;
         k++) {
      const struct joint_span *other = &g_array_index (others, struct joint_span, k);
      if (other->begin >= pause->end)
        break;
      const uint64_t begin = MAX (pause->begin, other->begin), end = MIN (pause->end, other->end);
      if (end <= begin)
        continue;
      overlap.count++;
      overlap.total_ns += end - begin;
      overlap.max_ns = MAX (overlap.max_ns, end - begin);
    }
  }
  if (overlap.count != 0)
    g_array_append_val (overlaps, overlap);
}

GArray *
joint_overlaps (const struct joint *joint)
{
  GArray *overlaps = g_array_new (FALSE, FALSE, sizeof (struct joint_overlap));
  for (guint i = 0; i < joint->processes->len; i++)
    for (guint k = 0; k < joint->processes->len; k++) {
      const struct joint_process *paused = g_ptr_array_index (joint->processes, i);
      const struct joint_process *other = g_ptr_array_index (joint->processes, k);
      if (i < k) /* those of pauses go both ways */
        add_overlap (overlaps, (struct joint_overlap){ .paused = i, .other = k }, paused->pauses,
                     other->pauses);
      if (i != k)
        add_overlap (overlaps, (struct joint_overlap){ .paused = i, .other = k, .is_wait = true },
                     paused->pauses, other->waits);
    }
  return overlaps;
}
