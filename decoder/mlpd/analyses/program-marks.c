/* program-marks.c -- reads marks from counters. */
#include "config.h"

#include "decoder/mlpd/analyses/program-marks.h"
#include "decoder/mlpd/analyses/analysis.h"
#include <string.h>

GHashTable *
program_marks_counters_new (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
}

static bool
is_name_selected (const void *selection, const char *name)
{
  return selection_accepts_name (selection, name);
}

static void
init (void *state, const struct scan_options *options)
{
  struct program_marks *p = state;
  marks_init (&p->marks);
  if (options->names != NULL && selection_has_names (options->names))
    marks_choose (&p->marks, (struct mark_choice){ is_name_selected, options->names });
  p->names = program_marks_counters_new ();
}

static void
clear (void *state)
{
  struct program_marks *p = state;
  marks_clear (&p->marks);
  g_hash_table_destroy (p->names);
}

void
program_marks_describe (GHashTable *counters, const struct mlpd_sample_counters_desc *event)
{
  for (size_t i = 0; i < event->counters.count; i++) {
    const struct mlpd_counter *c = &event->counters.items[i];
    if (c->section == MLPD_COUNTER_SECTION_PROFILER && c->name.text != NULL
        && g_str_has_prefix (c->name.text, MLPD_MARK))
      g_hash_table_replace (counters, g_memdup2 (&c->index, sizeof c->index),
                            g_strdup (c->name.text + strlen (MLPD_MARK)));
  }
}

static void
handle_description (void *state, const struct analysis_event *e)
{
  const struct program_marks *p = state;
  program_marks_describe (p->names, &e->payload->sample_counters_desc);
}

/* Adds the marks of an event, to those of the search if it is not selected. */
static void
add_values (struct program_marks *p, const struct analysis_event *e, bool is_selected)
{
  const struct mlpd_sample_counters *event = &e->payload->sample_counters;
  if (g_hash_table_size (p->names) == 0)
    return;
  for (size_t i = 0; i < event->values.count; i++) {
    const char *name = g_hash_table_lookup (p->names, &event->values.items[i].index);
    if (name != NULL && is_selected)
      marks_add (&p->marks,
                 &(const struct mark_event){ .name = name,
                                             .length = strlen (name),
                                             .at = { event->time, e->thread->id, true } });
    else if (name != NULL)
      mark_search_add (p->search, name, strlen (name), event->time, e->thread->id);
  }
}

static void
handle_values (void *state, const struct analysis_event *e)
{
  add_values (state, e, true);
}

static void
handle_other_values (void *state, const struct analysis_event *e)
{
  struct program_marks *p = state;
  if (p->search != NULL)
    add_values (p, e, false);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_SAMPLE_COUNTERS_DESC, handle_description, handle_description },
  { MLPD_SAMPLE_COUNTERS, handle_values, handle_other_values },
};

const struct analysis program_marks_analysis = { .state_bytes = sizeof (struct program_marks),
                                                 .init = init,
                                                 .clear = clear,
                                                 ANALYSIS_HANDLERS (handlers) };
