/* mono-validate.c -- runs the selected validators over a Mono log, and prints their verdicts. */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/views/mlpd/dump-private.h"
#include "decoder/views/mlpd/mono-validate.h"
#include "decoder/views/section.h"
#include "decoder/views/validate-log.h"

static const struct emitter_column verdict_columns[] = {
  { "name", "Machine", EMIT_TEXT },    { "verdict", "Verdict", EMIT_TEXT },
  { "events", "Events", EMIT_NUMBER }, { "offset", "Offset", EMIT_ANY },
  { "time_ns", "Time ms", EMIT_ANY },  { "thread", "Thread", EMIT_ANY },
  { "event", "Event", EMIT_TEXT },     { "reason", "Why", EMIT_TEXT },
};
static const struct table_shape verdicts_shape
    = { .key = "machines", .title = NULL, TABLE_SHAPE_COLUMNS (verdict_columns), .whole = true };

static const struct emitter_column state_columns[] = {
  { "machine", "Machine", EMIT_TEXT },
  { "id", "Thread or handle", EMIT_ADDRESS },
  { "state", "State", EMIT_TEXT },
  { "offset", "Since offset", EMIT_NUMBER },
};
static const struct table_shape states_shape
    = { .key = "states", .title = "What is left", TABLE_SHAPE_COLUMNS (state_columns) };

void
mono_validate_init (struct mono_validate *v, unsigned selected, bool is_part, bool duplicates,
                    const struct symbols *names)
{
  *v = (struct mono_validate){ .going = 0 };
  dump_init (&v->dump, EMITTER_TEXT, NULL);
  v->dump.names.later = names;
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++)
    if (selected & 1u << i) {
      v->validators[i] = log_validator_new (i, is_part, duplicates);
      v->going++;
    }
}

void
mono_validate_clear (struct mono_validate *v)
{
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++) {
    g_clear_pointer (&v->validators[i], log_validator_free);
    g_free (v->verdicts[i].event);
    g_free (v->verdicts[i].reason);
  }
  dump_clear (&v->dump);
}

static void
refuse (struct mono_validate *v, struct mono_verdict *verdict, const struct mlpd_item *item,
        uint64_t time, char *reason)
{
  GString *event = g_string_new (mlpd_describe (item->kind)->name);
  dump_put_event (&v->dump, item, event);
  *verdict = (struct mono_verdict){ .refused = true,
                                    .offset = item->offset,
                                    .time = time,
                                    .thread = item->buffer->thread,
                                    .event = g_string_free (event, FALSE),
                                    .reason = reason };
  v->going--;
}

bool
mono_validate_item (struct mono_validate *v, const struct mlpd_item *item, uint64_t time)
{
  char *reason;
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++)
    if (v->validators[i] != NULL && !v->verdicts[i].refused
        && !log_validator_item (v->validators[i], item, &reason))
      refuse (v, &v->verdicts[i], item, time, reason);
  dump_store_name (&v->dump.names, item);
  return v->going != 0;
}

bool
mono_validate_is_valid (const struct mono_validate *v)
{
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++)
    if (v->verdicts[i].refused)
      return false;
  return true;
}

static void
put_verdicts (struct emitter *e, const struct mono_validate *v, const struct view *view)
{
  struct emitter_any cells[LOG_VALIDATIONS][3];
  struct table *t = table_new (&verdicts_shape, view);
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++) {
    const struct mono_verdict *verdict = &v->verdicts[i];
    const bool refused = verdict->refused;
    if (v->validators[i] == NULL)
      continue;
    cells[i][0] = emitter_any_number (EMIT_NUMBER, verdict->offset);
    cells[i][1] = emitter_any_number (EMIT_TIME, verdict->time - v->dump.first_time);
    cells[i][2] = emitter_any_number (EMIT_ADDRESS, verdict->thread);
    SECTION_ROW (t, { .text = log_validation_name (i) }, { .text = refused ? "invalid" : "valid" },
                 { .number = log_validator_events (v->validators[i]) },
                 { .any = refused ? &cells[i][0] : NULL }, { .any = refused ? &cells[i][1] : NULL },
                 { .any = refused ? &cells[i][2] : NULL }, { .text = verdict->event },
                 { .text = verdict->reason });
  }
  table_write (t, e);
}

static void
put_states (struct emitter *e, const struct mono_validate *v, const struct view *view)
{
  struct table *t = table_new (&states_shape, view);
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++) {
    if (v->validators[i] == NULL)
      continue;
    GArray *states = log_validator_states (v->validators[i]);
    for (guint k = 0; k < states->len; k++) {
      const struct log_validator_state *s = &g_array_index (states, struct log_validator_state, k);
      SECTION_ROW (t, { .text = log_validation_name (i) }, { .number = s->id },
                   { .text = s->state }, { .number = s->offset });
    }
    g_array_unref (states);
  }
  table_write (t, e);
}

void
mono_validate_write (struct emitter *e, const char *log_name, const struct mono_validate *v,
                     const struct view *view)
{
  const enum emitter_format format = emitter_get_format (e);
  const bool for_programs = format == EMITTER_JSON || format == EMITTER_CSV;
  validate_begin_log (e, log_name, mono_validate_is_valid (v));
  put_verdicts (e, v, view);
  if (for_programs || view->verbose)
    put_states (e, v, view);
  emitter_end (e);
}
