/* trace-log.c -- marks, and the intervals between them. */
#include "config.h"

#include "decoder/trace/trace-log.h"
#include "decoder/core/marks.h"
#include <string.h>

/* The lane of an interval, and the STARTs in it that have no STOP yet. */
struct interval {
  struct trace_track *lane;
  guint name;
  guint depth;
};

GHashTable *
trace_marks_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static struct interval *
interval_of (struct trace *t, GHashTable *lanes, const struct trace_track *track, const char *name)
{
  struct interval *i = g_hash_table_lookup (lanes, name);
  if (i == NULL) {
    const struct trace_track *process = track;
    while (process->parent != NULL)
      process = process->parent;
    i = g_new0 (struct interval, 1);
    i->lane = trace_add (t, TRACE_LANE, process, name, TRACE_COUNT);
    i->name = trace_name (t, name);
    g_hash_table_insert (lanes, g_strdup (name), i);
  }
  return i;
}

void
trace_mark (struct trace *t, GHashTable *lanes, struct trace_track *track, const char *text,
            uint64_t time)
{
  trace_instant (t, track, text, time);
  if (g_str_has_prefix (text, MARK_START)) {
    struct interval *i = interval_of (t, lanes, track, text + strlen (MARK_START));
    if (i->depth++ == 0)
      trace_slice (t, i->lane, i->name, time);
  } else if (g_str_has_prefix (text, MARK_STOP)) {
    struct interval *i = g_hash_table_lookup (lanes, text + strlen (MARK_STOP));
    if (i != NULL && i->depth != 0 && --i->depth == 0)
      trace_slice_end (t, i->lane, time);
  }
}
