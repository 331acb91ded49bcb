/* validate.c -- runs the selected validators, and prints their verdicts. */
#include "config.h"

#include "decoder/views/ghc/validate.h"
#include "decoder/views/ghc/ghc-fields.h"
#include "decoder/views/section.h"
#include "decoder/views/validate-log.h"

static const struct emitter_column verdict_columns[] = {
  { "name", "Machine", EMIT_TEXT },    { "verdict", "Verdict", EMIT_TEXT },
  { "events", "Events", EMIT_NUMBER }, { "offset", "Offset", EMIT_ANY },
  { "time_ns", "Time ms", EMIT_ANY },  { "cap", "Capability", EMIT_ANY },
  { "event", "Event", EMIT_TEXT },     { "reason", "Why", EMIT_TEXT },
};
static const struct table_shape verdicts_shape
    = { .key = "machines", .title = NULL, TABLE_SHAPE_COLUMNS (verdict_columns), .whole = true };

static const struct emitter_column state_columns[] = {
  { "machine", "Machine", EMIT_TEXT },
  { "id", "Thread or task", EMIT_ANY },
  { "state", "State", EMIT_TEXT },
  { "cap", "Capability", EMIT_ANY },
  { "os_thread", "Thread of the system", EMIT_ANY },
};
static const struct table_shape states_shape
    = { .key = "states", .title = "What is left", TABLE_SHAPE_COLUMNS (state_columns) };

void
validate_init (struct validate *v, unsigned selected, bool reminders)
{
  *v = (struct validate){ .going = 0 };
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    if (selected & 1u << i) {
      v->validators[i] = ghc_validator_new (i, reminders, true);
      v->going++;
    }
}

void
validate_clear (struct validate *v)
{
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++) {
    g_clear_pointer (&v->validators[i], ghc_validator_free);
    g_free (v->verdicts[i].event);
    g_free (v->verdicts[i].reason);
  }
}

static void
refuse (struct validate *v, struct validate_verdict *verdict, const struct ghc_item *item,
        char *reason)
{
  GString *event = g_string_new (ghc_fields_name (item));
  ghc_fields_append (event, item, false);
  verdict->refused = true;
  verdict->offset = item->offset;
  verdict->time = item->time;
  verdict->cap = item->cap;
  verdict->event = g_string_free (event, FALSE);
  verdict->reason = reason;
  v->going--;
}

bool
validate_item (struct validate *v, const struct ghc_item *item)
{
  char *reason;
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    if (v->validators[i] != NULL && !v->verdicts[i].refused
        && !ghc_validator_item (v->validators[i], item, &reason))
      refuse (v, &v->verdicts[i], item, reason);
  return v->going != 0;
}

bool
validate_is_valid (const struct validate *v)
{
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    if (v->verdicts[i].refused)
      return false;
  return true;
}

static void
put_verdicts (struct emitter *e, const struct validate *v, const struct view *view)
{
  struct emitter_any cells[GHC_VALIDATIONS][3];
  struct table *t = table_new (&verdicts_shape, view);
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++) {
    const struct validate_verdict *verdict = &v->verdicts[i];
    if (v->validators[i] == NULL)
      continue;
    cells[i][0] = emitter_any_number (EMIT_NUMBER, verdict->offset);
    cells[i][1] = emitter_any_number (EMIT_NS, verdict->time);
    cells[i][2] = emitter_any_number (EMIT_NUMBER, verdict->cap);
    const bool has_cap = verdict->refused && verdict->cap != GHC_NO_CAP;
    SECTION_ROW (
        t, { .text = ghc_validation_name (i) }, { .text = verdict->refused ? "invalid" : "valid" },
        { .number = ghc_validator_events (v->validators[i]) },
        { .any = verdict->refused ? &cells[i][0] : NULL },
        { .any = verdict->refused ? &cells[i][1] : NULL }, { .any = has_cap ? &cells[i][2] : NULL },
        { .text = verdict->event }, { .text = verdict->reason });
  }
  table_write (t, e);
}

static void
put_states_of (struct table *t, enum ghc_validation type, const GArray *states,
               struct emitter_any *cells)
{
  const bool are_tasks = type == GHC_VALIDATE_TASKS || type == GHC_VALIDATE_TASKPOOL;
  for (guint i = 0; i < states->len; i++, cells += 3) {
    const struct ghc_validator_state *s = &g_array_index (states, struct ghc_validator_state, i);
    cells[0] = emitter_any_number (are_tasks ? EMIT_ADDRESS : EMIT_NUMBER, s->id);
    cells[1] = emitter_any_number (EMIT_NUMBER, s->cap);
    cells[2] = emitter_any_number (EMIT_NUMBER, s->other);
    SECTION_ROW (t, { .text = ghc_validation_name (type) }, { .any = &cells[0] },
                 { .text = s->state }, { .any = s->cap != GHC_NO_CAP ? &cells[1] : NULL },
                 { .any = type == GHC_VALIDATE_TASKS ? &cells[2] : NULL });
  }
}

static void
put_states (struct emitter *e, const struct validate *v, const struct view *view)
{
  struct table *t = table_new (&states_shape, view);
  GArray *states[GHC_VALIDATIONS] = { 0 };
  gsize n = 0;
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    if (v->validators[i] != NULL) {
      states[i] = ghc_validator_states (v->validators[i]);
      n += states[i]->len;
    }
  struct emitter_any *cells = g_new (struct emitter_any, 3 * n + 1), *next = cells;
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    if (states[i] != NULL) {
      put_states_of (t, i, states[i], next);
      next += 3 * (gsize) states[i]->len;
      g_array_unref (states[i]);
    }
  table_write (t, e);
  g_free (cells);
}

void
validate_write (struct emitter *e, const char *log_name, const struct validate *v,
                const struct view *view)
{
  const enum emitter_format format = emitter_get_format (e);
  const bool for_programs = format == EMITTER_JSON || format == EMITTER_CSV;
  validate_begin_log (e, log_name, validate_is_valid (v));
  put_verdicts (e, v, view);
  if (for_programs || view->verbose)
    put_states (e, v, view);
  emitter_end (e);
}
