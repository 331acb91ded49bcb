/* object-search.c -- repeats scans until a scan adds nothing to the filter. */
#include "config.h"

#include "decoder/mlpd/analyses/objects.h"
#include "decoder/mlpd/query/object-queries.h"
#include "decoder/mlpd/query/select.h"

bool
object_search (struct summary *summary, struct log_input *input, unsigned threads,
               const struct selection *selection, struct object_filter *filter,
               const struct log_scan_watch *watch, GError **error)
{
  if (filter == NULL)
    return log_selection_scan (summary, input, threads, selection, watch, error);
  const struct log_scan_watch quiet = { .progress = watch->progress, .data = watch->data };
  if (!log_input_make_rewindable (input, error)
      || !log_selection_scan (summary, input, threads, selection, watch, error))
    return false;
  for (guint scans = 1;; scans++) {
    struct objects *objects = SUMMARY_STATE (summary, objects); /* summary_init makes another */
    summary_merge_items (summary);
    objects_resolve (objects, &summary->symbols);
    const bool more = objects_extend_filter (objects, &summary->symbols, filter);
    objects->complete = !more && !filter->is_full && objects->events_left_out == 0;
    if (!more || scans == OBJECT_SCANS_MAX)
      return true;
    const struct scan_options options = summary->options;
    summary_clear (summary);
    summary_init (summary, &options);
    log_input_rewind (input);
    if (!log_selection_scan (summary, input, threads, selection, &quiet, error))
      return false;
  }
}
