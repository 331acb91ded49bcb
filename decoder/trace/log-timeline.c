/* log-timeline.c -- logs into timelines. */
#include "config.h"

#include "decoder/trace/log-timeline.h"
#include "decoder/command/cli.h"
#include "decoder/trace/log-trace.h"
#include "decoder/trace/trace-timeline.h"
#include <string.h>

/* `from` and `last` are the times of the first and the last selected event, on the log's clock;
 * `zero` is the beginning of the log. */
static struct timeline *
read_timeline (struct log_command *c, const char *path, uint64_t zero, uint64_t from, uint64_t last,
               uint64_t width, guint bins)
{
  const uint64_t begin = span_ns (zero, from), end = MAX (begin, span_ns (zero, last));
  struct trace_timeline export;
  if (strcmp (path, "-") == 0)
    return NULL;
  struct timeline *timeline
      = timeline_new (begin, end, width != 0 ? width : timeline_width (end - begin, bins));
  trace_timeline_init (&export, timeline, false);
  const int status
      = log_trace_read (c, path, &trace_timeline_format, &export, zero + timeline->begin);
  trace_timeline_clear (&export);
  if (status == CLI_OK)
    return timeline;
  timeline_free (timeline);
  return NULL;
}

static uint64_t
first_selected (const struct threads *threads)
{
  uint64_t first = UINT64_MAX;
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *thread = g_ptr_array_index (threads->all, i);
    if (thread->events != 0)
      first = MIN (first, thread->start);
  }
  return first;
}

struct timeline *
log_timeline_of_mono (struct log_command *c, const char *path, const struct summary *s,
                      uint64_t width, guint bins)
{
  return read_timeline (c, path, s->log.first_time,
                        MIN (first_selected (&s->threads), s->log.last_time), s->log.last_time,
                        width, bins);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const struct timeline_lane *const *x = a, *const *y = b;
  return strverscmp ((*x)->name, (*y)->name);
}

struct timeline *
log_timeline_of_eventlog (struct log_command *c, const char *path, const struct ghc_summary *s,
                          uint64_t width, guint bins)
{
  const struct ghc_times *times = &s->times;
  const uint64_t from = times->from != 0 ? times->from : s->log.first;
  struct timeline *timeline
      = read_timeline (c, path, 0, from, MIN (s->log.latest, times->to), width, bins);
  if (timeline != NULL)
    g_ptr_array_sort (timeline->lanes, compare_names);
  return timeline;
}
