/* ghc-filter.c -- applies a selection to the items of an eventlog. */
#include "config.h"

#include "decoder/ghc/query/ghc-filter.h"
#include "decoder/core/marks.h"
#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/filter/mark-search.h"

static void
store_label (struct ghc_filter *filter, const struct ghc_item *item)
{
  if (item->kind != GHC_THREAD_LABEL || filter->selection->threads == NULL)
    return;
  const struct ghc_thread_label *event = &item->payload->thread_label;
  g_autofree char *label = g_strndup (event->label.text, event->label.length);
  gpointer key, before = NULL;
  g_hash_table_steal_extended (filter->labels, GUINT_TO_POINTER (event->thread), &key, &before);
  g_hash_table_insert (filter->labels, GUINT_TO_POINTER (event->thread),
                       selection_add_name (before, label));
}

static void
store_mark (struct mark_search *marks, const struct ghc_summary *summary,
            const struct ghc_item *item)
{
  if (item->kind != GHC_USER_MARKER && item->kind != GHC_USER_MSG)
    return;
  const struct ghc_text name = item->kind == GHC_USER_MARKER ? item->payload->user_marker.marker
                                                             : item->payload->user_msg.message;
  mark_search_add (marks, name.text, name.length, item->time, ghc_summary_place (summary, item));
}

/* Handles the items that the reader has at hand. */
static void
survey_some (struct ghc_filter *filter, struct ghc_reader *reader, struct ghc_summary *summary,
             struct mark_search *marks)
{
  const struct ghc_item *item;
  struct ghc_span span;
  do {
    if (ghc_span_of (reader, &span)) {
      ghc_summary_span (summary, &span);
      ghc_span_pass (reader, &span);
    }
    if (ghc_reader_next (reader, &item) != PROFLOG_EVENT)
      return;
    ghc_summary_item (summary, item);
    if (item->type == GHC_ITEM_EVENT) {
      store_label (filter, item);
      store_mark (marks, summary, item);
    }
  } while (true);
}

/* Reads the log for facts that only the whole of it states; its damage is reported when it is read
 * again. */
static bool
survey (struct ghc_filter *filter, struct log_input *input, struct mark_search *marks,
        uint64_t *last, GError **error)
{
  struct ghc_summary summary;
  const unsigned features = selection_has_marks (filter->selection) ? GHC_FEATURE_MARKS : 0;
  const uint8_t *bytes;
  size_t length;
  bool good;
  if (!log_input_make_rewindable (input, error))
    return false;
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_summary_init (&summary, &(struct ghc_times){ 0, UINT64_MAX }, features);
  while ((good = log_input_read (input, &bytes, &length, error)) && length != 0) {
    ghc_reader_push (reader, bytes, length);
    survey_some (filter, reader, &summary, marks);
  }
  ghc_reader_finish (reader);
  survey_some (filter, reader, &summary, marks);
  *last = summary.log.latest;
  ghc_summary_clear (&summary);
  ghc_reader_free (reader);
  log_input_rewind (input);
  return good;
}

bool
ghc_filter_init (struct ghc_filter *filter, const struct selection *selection,
                 struct log_input *input, GError **error)
{
  uint64_t last = 0;
  *filter = (struct ghc_filter){ .selection = selection, .to = UINT64_MAX };
  filter->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  struct mark_search marks;
  mark_search_init (&marks, selection);
  if (selection_has_span (selection)) {
    mark_search_clear (&marks);
    g_set_error (
        error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "--span: only logs of Mono have such spans; --time-range mark:NAME~mark:NAME selects "
        "times between messages");
    return false;
  }
  bool good = !selection_needs_survey (selection) || survey (filter, input, &marks, &last, error);
  /* The clock of an eventlog begins with the program. */
  if (good && selection_has_marks (selection))
    good = mark_search_bounds (&marks, 0, last, &filter->from, &filter->to, error);
  else if (good && selection_has_times (selection))
    selection_time_bounds (selection, 0, last, &filter->from, &filter->to);
  mark_search_clear (&marks);
  return good;
}

void
ghc_filter_init_live (struct ghc_filter *filter, const struct selection *selection)
{
  *filter = (struct ghc_filter){ .selection = selection, .to = UINT64_MAX };
  filter->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (selection_has_times (selection))
    selection_time_bounds (selection, 0, 0, &filter->from, &filter->to);
}

void
ghc_filter_clear (struct ghc_filter *filter)
{
  g_hash_table_unref (filter->labels);
}

/* The requested properties that an event has. */
struct look {
  const struct ghc_filter *filter;
  bool thread, wanted, unwanted, large;
};

static void
match_number (const struct ghc_field *field, uint64_t value, void *data)
{
  struct look *look = data;
  const struct ghc_filter *filter = look->filter;
  if (field->unit == GHC_UNIT_BYTES)
    look->large |= value >= filter->selection->min_bytes;
  if (field->unit == GHC_UNIT_THREAD)
    look->thread |= selection_has_thread (
        filter->selection, value,
        g_hash_table_lookup (filter->labels, GUINT_TO_POINTER ((guint) value)));
}

static void
match_name (struct look *look, struct ghc_text text)
{
  char *name = marks_text (text.text, text.length);
  look->wanted |= selection_filters (look->filter->selection, name);
  look->unwanted |= selection_excludes (look->filter->selection, name);
  g_free (name);
}

static void
match_text (const struct ghc_field *field, struct ghc_text text, void *data)
{
  struct look *look = data;
  (void) field;
  if (selection_has_names (look->filter->selection))
    match_name (look, text);
}

static void
match_texts (const struct ghc_field *field, struct ghc_texts texts, void *data)
{
  struct ghc_text text;
  while (ghc_texts_next (&texts, &text))
    match_text (field, text, data);
}

static void
skip_stack (const struct ghc_field *field, const struct ghc_stack *stack, void *data)
{
  (void) field;
  (void) stack;
  (void) data;
}

static void
skip_bytes (const struct ghc_field *field, struct ghc_text bytes, void *data)
{
  (void) field;
  (void) bytes;
  (void) data;
}

static bool
has_cap (const struct ghc_filter *filter, const struct ghc_item *item)
{
  return selection_has_cap (filter->selection, item->kind == GHC_BLOCK_MARKER
                                                   ? item->payload->block_marker.cap
                                                   : item->cap);
}

bool
ghc_filter_has (const struct ghc_filter *filter, const struct ghc_item *item)
{
  static const struct ghc_visitor visitor
      = { match_number, match_text, match_texts, skip_stack, skip_bytes };
  const struct selection *s = filter->selection;
  if (item->type != GHC_ITEM_EVENT)
    return true;
  if (item->time < filter->from || (item->time >= filter->to && filter->to != UINT64_MAX)
      || !has_cap (filter, item))
    return false;
  if (s->threads == NULL && !selection_has_names (s) && s->min_bytes == 0)
    return true;
  struct look look = { .filter = filter,
                       .thread = s->threads == NULL,
                       .wanted = s->filters == NULL,
                       .large = s->min_bytes == 0 };
  if (item->kind != GHC_UNKNOWN)
    ghc_visit (item->kind, item->payload, item->header, &visitor, &look);
  return look.thread && look.wanted && !look.unwanted && look.large;
}

bool
ghc_filter_accepts (struct ghc_filter *filter, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_EVENT)
    store_label (filter, item);
  return ghc_filter_has (filter, item);
}
