/* select.c -- makes a filter of a selection, and scans the log with it. */
#include "config.h"

#include "decoder/mlpd/query/select.h"
#include "decoder/mlpd/index/buffer-flags.h"
#include "decoder/mlpd/query/name-search.h"

/* Times count from the first buffer, whether it is read or not. */
static void
begin_with_index (struct buffer_filter *filter, struct summary *summary,
                  const struct buffer_index *index)
{
  const uint64_t first = g_array_index (index->buffers, struct indexed_buffer, 0).time_base;
  buffer_filter_begin (filter, first);
  log_begin (&summary->log, first);
}

/* Time of the last event of the buffers that were marked. */
static uint64_t
last_marked_time (const struct buffer_index *index)
{
  uint64_t last = 0;
  for (guint i = 0; i < index->buffers->len; i++)
    last = MAX (last, g_array_index (index->buffers, struct indexed_buffer, i).latest);
  return last;
}

/* The selection's times, if they are between marks. */
static bool
find_bounds (struct buffer_filter *filter, const struct mark_search *marks, uint64_t first,
             GError **error)
{
  if (!selection_has_marks (filter->selection))
    return true;
  filter->begun = true;
  return mark_search_bounds (marks, first, filter->last_time, &filter->from, &filter->to, error);
}

/* Searches for names of threads, the last time and marks: at all events, or in the buffers of a
 * marked index that have names. */
static bool
survey (struct buffer_filter *filter, struct buffer_index *index, struct log_input *input,
        unsigned threads, GError **error)
{
  if (!log_input_make_rewindable (input, error))
    return false;
  struct buffer_filter names;
  buffer_filter_init (&names, NULL, index);
  names.names_only = true;
  struct summary s;
  const struct scan_options options = { .filter = &names };
  summary_init (&s, &options);
  struct mark_search marks;
  mark_search_init (&marks, filter->selection);
  s.program_marks.search = &marks;
  if (index != NULL)
    begin_with_index (&names, &s, index);
  log_scan (&s, input, threads, NULL, NULL); /* what is wrong is reported when it is read again */
  summary_finish (&s);
  filter->last_time = s.log.latest;
  if (index != NULL)
    filter->last_time = MAX (filter->last_time, last_marked_time (index));
  for (guint i = 0; i < s.threads.all->len && filter->threads != NULL; i++) {
    const struct thread *t = g_ptr_array_index (s.threads.all, i);
    if (t->offset != 0)
      buffer_filter_add_thread (filter, t->id, t->offset, t->name);
  }
  const bool good = find_bounds (filter, &marks, s.log.first_time, error);
  mark_search_clear (&marks);
  summary_clear (&s);
  buffer_filter_clear (&names);
  log_input_rewind (input);
  return good;
}

bool
log_selection_survey (struct buffer_filter *filter, struct log_input *input, GError **error)
{
  struct buffer_index *index = buffer_index_read (input);
  if (index != NULL)
    buffer_flags_make (index, input, 0);
  const bool good = survey (filter, index, input, 0, error);
  buffer_index_free (index);
  return good;
}

/* Must that be read which was not requested?  An address may have stood for something else when it
 * was used than what it was found to be announced for; and heap snapshots are numbered. */
static bool
needs_all (const struct summary *s)
{
  return s->metadata.has_domains || s->heapshots.shots->len != 0;
}

static bool
prepare (struct buffer_filter *filter, struct buffer_index *index, struct log_input *input,
         unsigned threads, GError **error)
{
  const bool needs_last = selection_needs_last_time (filter->selection);
  const bool has_last
      = needs_last && index != NULL && buffer_index_last_time (index, input, &filter->last_time);
  const bool needs_survey = filter->threads != NULL || (needs_last && !has_last)
                            || selection_has_marks (filter->selection);
  if (index != NULL && (filter->needs_flags || needs_survey))
    buffer_flags_make (index, input, threads);
  return !needs_survey || survey (filter, index, input, threads, error);
}

/* Once more, with a view of all names and heap snapshots in turn. */
static bool
scan_all (struct summary *summary, struct log_input *input, unsigned threads,
          struct buffer_filter *filter, struct buffer_index *index, GError **error)
{
  const struct scan_options options = summary->options;
  buffer_flags_make (index, input, threads);
  summary_clear (summary);
  summary_init (summary, &options);
  summary_begin_part (summary, filter);
  begin_with_index (filter, summary, index);
  const bool good = log_scan (summary, input, threads, NULL, error);
  summary_merge_items (summary);
  return good;
}

/* As reports count them: those that have events. */
static guint
count_marked_threads (const struct buffer_index *index)
{
  guint count = 0;
  for (guint i = 0; i < index->buffers->len; i++) {
    const struct indexed_buffer *b = &g_array_index (index->buffers, struct indexed_buffer, i);
    count += (b->flags & BUFFER_BEGINS_THREAD) != 0 && b->length != 0;
  }
  return count;
}

/* Likewise, of those that had buffers.  An end mark is of no thread. */
static guint
count_threads (const struct threads *threads)
{
  guint count = 0;
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *t = g_ptr_array_index (threads->all, i);
    count += t->offset != 0 && t->id != 0;
  }
  return count;
}

/* What the log has of which nothing was chosen. */
static void
count_all (struct summary *s, struct log_input *input, unsigned threads, struct buffer_index *index)
{
  uint64_t last = s->log.latest;
  if (index != NULL) {
    buffer_flags_make (index, input, threads);
    s->log.all_threads = count_marked_threads (index);
    last = MAX (last, last_marked_time (index));
  } else {
    s->log.all_threads = count_threads (&s->threads);
  }
  s->log.all_ns = span_ns (s->log.first_time, last);
}

/* What the chosen ones logged of threads that were not chosen, such as their names, is not of
 * interest by itself. */
static void
forget_others (struct summary *s, const struct selection *selection)
{
  for (guint i = 0; i < s->threads.all->len; i++) {
    struct thread *t = g_ptr_array_index (s->threads.all, i);
    t->announced &= t->events != 0 || selection_has_thread (selection, t->id, t->name);
  }
}

/* How much of the log's time is selected: up to the last selected event, unless a time is stated.
 * What is after that is not read where there is an index. */
static void
set_selected_ns (struct log *log, struct log_input *input, const struct buffer_filter *filter,
                 struct buffer_index *index)
{
  uint64_t end = log->last_time, last;
  if (filter->begun && filter->to != UINT64_MAX) {
    end = MAX (end, log->latest);
    if (index != NULL && buffer_index_last_time (index, input, &last))
      end = MAX (end, last);
  }
  if (filter->begun)
    log->selected_ns = span_ns (MAX (filter->from, log->first_time), MIN (filter->to, end));
}

static bool
scan_selected (struct summary *summary, struct log_input *input, unsigned threads,
               struct buffer_filter *filter, struct buffer_index *index,
               const struct log_scan_watch *watch, GError **error)
{
  if (!prepare (filter, index, input, threads, error))
    return false;
  summary_begin_part (summary, filter);
  if (index != NULL)
    begin_with_index (filter, summary, index);
  bool good = log_scan (summary, input, threads, watch, error);
  summary_merge_items (summary);
  if (good && index != NULL && !index->has_flags) {
    name_search (summary, input, filter);
    if (needs_all (summary))
      good = scan_all (summary, input, threads, filter, index, error);
  }
  if (good && summary->log.events == 0)
    count_all (summary, input, threads, index);
  forget_others (summary, filter->selection);
  set_selected_ns (&summary->log, input, filter, index);
  summary_end_part (summary);
  return good;
}

bool
log_selection_scan (struct summary *summary, struct log_input *input, unsigned threads,
                    const struct selection *selection, const struct log_scan_watch *watch,
                    GError **error)
{
  if (selection->threads == NULL && !selection_has_times (selection))
    return log_scan (summary, input, threads, watch, error);
  struct buffer_index *index = buffer_index_read (input);
  struct buffer_filter filter;
  buffer_filter_init (&filter, selection, index);
  const bool good = scan_selected (summary, input, threads, &filter, index, watch, error);
  buffer_filter_clear (&filter);
  buffer_index_free (index);
  return good;
}
