/* check-findings.c -- the state and the table of findings of `proflog check`. */
#include "config.h"

#include "decoder/views/check-findings.h"

static const char *const levels[]
    = { [CHECK_NOTE] = "note", [CHECK_WARNING] = "warning", [CHECK_ERROR] = "error" };

static const struct emitter_column finding_columns[]
    = { { "offset", "Offset", EMIT_NUMBER },
        { "level", "Level", EMIT_TEXT },
        { "kind", NULL, EMIT_TEXT },
        { "count", "Count", EMIT_NUMBER },
        { "skipped_bytes", "Skipped", EMIT_NUMBER },
        { "message", "What", EMIT_TEXT } };
static const struct table_shape findings_shape
    = { .key = "findings", .title = "Findings", TABLE_SHAPE_COLUMNS (finding_columns) };

const char *
check_state (enum check_level level)
{
  switch (level) {
  case CHECK_ERROR:
    return "damaged";
  case CHECK_WARNING:
    return "doubtful";
  default:
    return "good";
  }
}

void
check_put_findings (struct emitter *e, const struct view *view, const GArray *damages,
                    const struct check_finding *findings, const struct check_finding_type *types,
                    guint n_types)
{
  struct table *t = table_new (&findings_shape, view);
  for (guint i = 0; i < damages->len; i++) {
    const struct check_damage *d = &g_array_index (damages, struct check_damage, i);
    table_add (t, (const union emitter_value[]){ { .number = d->offset },
                                                 { .text = levels[CHECK_ERROR] },
                                                 { .text = "damage" },
                                                 { .number = 1 },
                                                 { .number = d->skipped },
                                                 { .text = d->message } });
  }
  for (int level = CHECK_ERROR; level >= CHECK_NOTE; level--)
    for (guint i = 0; i < n_types; i++)
      if (findings[i].count != 0 && (int) types[i].level == level)
        table_add (t, (const union emitter_value[]){ { .number = findings[i].offset },
                                                     { .text = levels[level] },
                                                     { .text = types[i].name },
                                                     { .number = findings[i].count },
                                                     { .number = 0 },
                                                     { .text = types[i].text } });
  table_write (t, e);
}

void
check_put_more (struct emitter *e, uint64_t damages, guint reported, const char *parts)
{
  if (damages <= reported)
    return;
  char *note = g_strdup_printf ("... and %" G_GUINT64_FORMAT
                                " more damaged parts, which are counted only, as are their %s",
                                damages - reported, parts);
  emitter_note (e, note);
  g_free (note);
}
