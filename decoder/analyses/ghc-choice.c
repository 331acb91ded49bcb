/* ghc-choice.c -- see ghc-choice.h. */
#include "decoder/analyses/ghc-choice.h"
#include "decoder/analyses/ghc-summary.h"
#include "decoder/formats/ghc-describe.h"

static void
learn_label (struct ghc_choice *choice, const struct ghc_item *item)
{
  if (item->kind != GHC_THREAD_LABEL || choice->selection->threads == NULL)
    return;
  const struct ghc_thread_label *event = &item->payload->thread_label;
  g_hash_table_insert (choice->labels, GUINT_TO_POINTER (event->thread),
                       g_strndup (event->label.text, event->label.length));
}

/* Takes what the reader has at hand. */
static void
survey_some (struct ghc_choice *choice, struct ghc_reader *reader, struct ghc_summary *summary)
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
    if (item->type == GHC_ITEM_EVENT)
      learn_label (choice, item);
  } while (true);
}

/* Reads the log for what can be known behind it only; what is wrong with it is told when it is read
 * again. */
static bool
survey (struct ghc_choice *choice, struct log_input *input, uint64_t *last, GError **error)
{
  struct ghc_summary summary;
  const uint8_t *bytes;
  size_t length;
  bool good;
  if (!log_input_keep (input, error))
    return false;
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_summary_init (&summary, &(struct ghc_times){ 0, UINT64_MAX }, false);
  while ((good = log_input_read (input, &bytes, &length, error)) && length != 0) {
    ghc_reader_push (reader, bytes, length);
    survey_some (choice, reader, &summary);
  }
  ghc_reader_finish (reader);
  survey_some (choice, reader, &summary);
  *last = summary.log.latest;
  ghc_summary_clear (&summary);
  ghc_reader_free (reader);
  log_input_rewind (input);
  return good;
}

bool
ghc_choice_init (struct ghc_choice *choice, const struct selection *selection,
                 struct log_input *input, GError **error)
{
  uint64_t last = 0;
  *choice = (struct ghc_choice){ .selection = selection, .to = UINT64_MAX };
  choice->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if ((selection_needs_thread_names (selection) || selection_needs_last_time (selection))
      && !survey (choice, input, &last, error))
    return false;
  /* The clock of an eventlog begins with the program. */
  if (selection_has_times (selection))
    selection_time_bounds (selection, 0, last, &choice->from, &choice->to);
  return true;
}

void
ghc_choice_init_live (struct ghc_choice *choice, const struct selection *selection)
{
  *choice = (struct ghc_choice){ .selection = selection, .to = UINT64_MAX };
  choice->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (selection_has_times (selection))
    selection_time_bounds (selection, 0, 0, &choice->from, &choice->to);
}

void
ghc_choice_clear (struct ghc_choice *choice)
{
  g_hash_table_unref (choice->labels);
}

/* What an event has that is asked for. */
struct look {
  const struct ghc_choice *choice;
  bool thread, wanted, unwanted, large;
};

static void
look_at_number (const struct ghc_field *field, uint64_t value, void *data)
{
  struct look *look = data;
  const struct ghc_choice *choice = look->choice;
  if (field->unit == GHC_UNIT_BYTES)
    look->large |= value >= choice->selection->min_bytes;
  if (field->unit == GHC_UNIT_THREAD)
    look->thread |= selection_has_thread (
        choice->selection, value,
        g_hash_table_lookup (choice->labels, GUINT_TO_POINTER ((guint) value)));
}

static void
look_at_name (struct look *look, struct ghc_text text)
{
  char *name = g_strndup (text.text, text.length);
  look->wanted |= selection_filters (look->choice->selection, name);
  look->unwanted |= selection_excludes (look->choice->selection, name);
  g_free (name);
}

static void
look_at_text (const struct ghc_field *field, struct ghc_text text, void *data)
{
  struct look *look = data;
  (void) field;
  if (selection_has_names (look->choice->selection))
    look_at_name (look, text);
}

static void
look_at_texts (const struct ghc_field *field, struct ghc_texts texts, void *data)
{
  struct ghc_text text;
  while (ghc_texts_next (&texts, &text))
    look_at_text (field, text, data);
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
has_cap (const struct ghc_choice *choice, const struct ghc_item *item)
{
  return selection_has_cap (choice->selection, item->kind == GHC_BLOCK_MARKER
                                                   ? item->payload->block_marker.cap
                                                   : item->cap);
}

bool
ghc_choice_has (const struct ghc_choice *choice, const struct ghc_item *item)
{
  static const struct ghc_visitor visitor
      = { look_at_number, look_at_text, look_at_texts, skip_stack, skip_bytes };
  const struct selection *s = choice->selection;
  if (item->type != GHC_ITEM_EVENT)
    return true;
  if (item->time < choice->from || (item->time >= choice->to && choice->to != UINT64_MAX)
      || !has_cap (choice, item))
    return false;
  if (s->threads == NULL && !selection_has_names (s) && s->min_bytes == 0)
    return true;
  struct look look = { .choice = choice,
                       .thread = s->threads == NULL,
                       .wanted = s->filters == NULL,
                       .large = s->min_bytes == 0 };
  if (item->kind != GHC_UNKNOWN)
    ghc_visit (item->kind, item->payload, item->header, &visitor, &look);
  return look.thread && look.wanted && !look.unwanted && look.large;
}

bool
ghc_choice_takes (struct ghc_choice *choice, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_EVENT)
    learn_label (choice, item);
  return ghc_choice_has (choice, item);
}
