/* live-marks.c -- the names of marks as they come. */
#include "config.h"

#include "decoder/core/marks.h"
#include "decoder/live/live-model-private.h"
#include "decoder/mlpd/analyses/program-marks.h"
#include <string.h>

void
live_marks_init (struct live_marks *m)
{
  *m = (struct live_marks){ .names = g_ptr_array_new_with_free_func (g_free),
                            .counters = program_marks_counters_new () };
}

void
live_marks_clear (struct live_marks *m)
{
  g_ptr_array_unref (m->names);
  g_hash_table_destroy (m->counters);
}

void
live_marks_reset (struct live_marks *m)
{
  g_hash_table_remove_all (m->counters);
  g_ptr_array_set_size (m->names, 0);
  m->all = 0;
}

static void
add (struct live_marks *m, const char *name, size_t length)
{
  m->all++;
  if (m->names->len < LIVE_MARK_NAMES_MAX)
    g_ptr_array_add (m->names, marks_text (name, MIN (length, LIVE_MARK_BYTES_MAX)));
}

void
live_marks_mono (struct live_marks *m, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  if (kind == MLPD_SAMPLE_COUNTERS_DESC)
    program_marks_describe (m->counters, &payload->sample_counters_desc);
  if (kind != MLPD_SAMPLE_COUNTERS || g_hash_table_size (m->counters) == 0)
    return;
  const struct mlpd_counter_values *values = &payload->sample_counters.values;
  for (size_t i = 0; i < values->count; i++) {
    const char *name = g_hash_table_lookup (m->counters, &values->items[i].index);
    if (name != NULL)
      add (m, name, strlen (name));
  }
}

void
live_marks_ghc (struct live_marks *m, const struct ghc_item *item)
{
  if (item->kind == GHC_USER_MSG)
    add (m, item->payload->user_msg.message.text, item->payload->user_msg.message.length);
  else if (item->kind == GHC_USER_MARKER)
    add (m, item->payload->user_marker.marker.text, item->payload->user_marker.marker.length);
}

void
live_marks_figures (struct live_marks *m, struct live_figures *f)
{
  f->marks.all = m->all;
  for (guint i = 0; i < m->names->len; i++) {
    g_autofree char *name = g_utf8_make_valid (g_ptr_array_index (m->names, i), -1);
    g_ptr_array_add (f->mark_names, (void *) live_figures_name (f, name));
  }
  g_ptr_array_set_size (m->names, 0);
}
