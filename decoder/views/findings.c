/* findings.c -- rules into sentences: figures, texts, lines. */
#include "config.h"

#include "decoder/views/findings.h"
#include "decoder/core/whole-number.h"
#include <string.h>

struct figure {
  const char *name;
  char *path;              /* NULL: computed */
  char *text;              /* of a text; NULL: a number */
  char *shown;             /* as text */
  struct emitter_any cell; /* as a value */
};

struct finding {
  GArray *figures; /* of struct figure */
};

static void
clear_figure (gpointer data)
{
  struct figure *figure = data;
  g_free (figure->path);
  g_free (figure->text);
  g_free (figure->shown);
}

void
finding_add (struct finding *f, const char *name, enum figure_unit unit, uint64_t value,
             const char *path, ...)
{
  struct figure figure = { .name = name,
                           .shown = figure_text (unit, value),
                           .cell = { .type = unit == FIGURE_NS ? EMIT_NS : EMIT_NUMBER,
                                     .value = { .number = value } } };
  va_list args;
  va_start (args, path);
  figure.path = path != NULL ? g_strdup_vprintf (path, args) : NULL;
  va_end (args);
  g_array_append_val (f->figures, figure);
}

void
finding_add_real (struct finding *f, const char *name, double value, const char *path)
{
  const struct figure figure = { .name = name,
                                 .path = g_strdup (path),
                                 .shown = g_strdup_printf ("%.2f", value),
                                 .cell = { .type = EMIT_REAL, .value = { .real = value } } };
  g_array_append_val (f->figures, figure);
}

void
finding_add_text (struct finding *f, const char *name, const char *text, const char *path)
{
  struct figure figure = { .name = name,
                           .path = g_strdup (path),
                           .text = g_strdup (text),
                           .shown = emitter_printable (text) };
  figure.cell = (struct emitter_any){ .type = EMIT_TEXT, .value = { .text = figure.text } };
  g_array_append_val (f->figures, figure);
}

void
finding_add_share (struct finding *f, const char *name, uint64_t part, uint64_t of)
{
  const double share = of != 0 ? (double) part / (double) of : 0;
  const struct figure figure
      = { .name = name,
          .shown = g_strdup_printf (part != 0 && share < 0.01 ? "%.1f %%" : "%.0f %%", 100 * share),
          .cell
          = { .type = EMIT_SHARE, .value = { .number = whole_number (1000 * share + 0.5) } } };
  g_array_append_val (f->figures, figure);
}

/* ---- sentences ---- */

static const char *
figure_shown (const struct finding *f, const char *name, size_t length)
{
  for (guint i = 0; i < f->figures->len; i++) {
    const struct figure *figure = &g_array_index (f->figures, struct figure, i);
    if (strlen (figure->name) == length && memcmp (figure->name, name, length) == 0)
      return figure->shown;
  }
  return NULL;
}

/* A rule's text with its figures (transfer full). */
static char *
print_text (const struct finding *f, const char *text)
{
  GString *out = g_string_new (NULL);
  gsize optional = 0; /* where the part in [] begins */
  bool is_known = true;
  for (const char *p = text; *p != 0; p++) {
    if (*p == '[') {
      optional = out->len;
      is_known = true;
    } else if (*p == ']') {
      if (!is_known)
        g_string_truncate (out, optional);
    } else if (*p == '{') {
      const size_t length = strcspn (p + 1, "}");
      const char *shown = figure_shown (f, p + 1, length);
      is_known &= shown != NULL;
      g_string_append (out, shown != NULL ? shown : "");
      p += length + 1;
    } else {
      g_string_append_c (out, *p);
    }
  }
  return g_string_free (out, FALSE);
}

static bool
needs_quotes (const char *name)
{
  return name[strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,")]
         != 0;
}

/* A name as a shell reads it; "app.*.mlpd" stands for all files of a log (transfer full). */
static char *
shell_name (const char *name)
{
  g_auto (GStrv) pieces = g_strsplit (name, "*", -1);
  for (char **piece = pieces; *piece != NULL; piece++)
    if (needs_quotes (*piece)) {
      char *quoted = g_shell_quote (*piece);
      g_free (*piece);
      *piece = quoted;
    }
  return g_strjoinv ("*", pieces);
}

/* A rule's command with the name of the log, if it has one (transfer full). */
static char *
print_command (const char *command, const char *log_name)
{
  const char *at = strstr (command, "LOG");
  if (at == NULL || log_name == NULL || strcmp (log_name, "-") == 0)
    return g_strdup (command);
  char *name = shell_name (log_name);
  char *text = g_strdup_printf ("%.*s%s%s", (int) (at - command), command, name, at + 3);
  g_free (name);
  return text;
}

/* ---- the section ---- */

static const struct emitter_column figure_columns[] = { { "name", "Name", EMIT_TEXT },
                                                        { "value", "Value", EMIT_ANY },
                                                        { "path", "Path", EMIT_TEXT } };
static const struct table_shape figures_shape
    = { .key = "figures", TABLE_SHAPE_COLUMNS (figure_columns), .whole = true };

/* CSV names the figures of a row by its last text. */
static const struct emitter_column columns[] = { { "text", "Finding", EMIT_TEXT },
                                                 { "command", "More", EMIT_TEXT },
                                                 { "id", "Id", EMIT_TEXT } };
const struct table_shape findings_shape = { .key = "findings",
                                            TABLE_SHAPE_COLUMNS (columns),
                                            .whole = true,
                                            .inner = TABLE_SHAPES (&figures_shape) };

/* The findings of a report: struct finding of rules that hold. */
struct found {
  const struct report *r;
  const struct finding_rule *rules[FINDINGS_MAX];
  struct finding findings[FINDINGS_MAX];
  guint n;
};

static void
put_figures (const void *data, uint64_t i, struct emitter *e)
{
  const struct found *found = data;
  const GArray *figures = found->findings[i].figures;
  struct table *t = section_table (found->r, &figures_shape);
  for (guint k = 0; k < figures->len; k++) {
    const struct figure *figure = &g_array_index (figures, struct figure, k);
    SECTION_ROW (t, { .text = figure->name }, { .any = &figure->cell }, { .text = figure->path });
  }
  table_write (t, e);
}

static void
put_for_programs (const struct found *found)
{
  struct table *t = section_table (found->r, &findings_shape);
  table_set_detail (t, put_figures, found);
  for (guint i = 0; i < found->n; i++) {
    char *text = print_text (&found->findings[i], found->rules[i]->text);
    char *command = print_command (found->rules[i]->command, found->r->log_name);
    SECTION_ROW_ID (t, i, { .text = text }, { .text = command }, { .text = found->rules[i]->id });
    g_free (text);
    g_free (command);
  }
  table_write (t, found->r->e);
}

/* For people, as lists; in text the command has a line of its own, to be copied. */
static void
put_lines (const struct found *found)
{
  struct emitter *e = found->r->e;
  const bool is_text = emitter_get_format (e) == EMITTER_TEXT;
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < found->n; i++) {
    g_autofree char *text = print_text (&found->findings[i], found->rules[i]->text);
    char *command = print_command (found->rules[i]->command, found->r->log_name);
    g_ptr_array_add (lines, is_text ? g_strdup_printf ("- %s", text)
                                    : g_strdup_printf ("%s  %s", text, command));
    if (is_text)
      g_ptr_array_add (lines, g_strdup_printf ("    %s", command));
    g_free (command);
  }
  emitter_lines (e, "findings", lines);
  g_ptr_array_unref (lines);
}

/* In a page, a paragraph each, and its command. */
static void
put_paragraphs (const struct found *found)
{
  for (guint i = 0; i < found->n; i++) {
    g_autofree char *text = print_text (&found->findings[i], found->rules[i]->text);
    g_autofree char *command = print_command (found->rules[i]->command, found->r->log_name);
    emitter_note (found->r->e, text);
    emitter_text (found->r->e, "command", "More", command);
  }
}

/* Figures are those of the report, so the report must be of all. */
static bool
is_whole (const struct selection *s)
{
  return s == NULL
         || (!selection_is_partial (s) && !selection_has_names (s) && s->min_ns == 0
             && s->min_bytes == 0);
}

/* For a request of findings: none, and the number of events that were judged. */
static void
put_none (const struct report *r)
{
  const uint64_t events = r->ghc != NULL ? r->ghc->log.events : r->s->log.events;
  g_autofree char *text
      = g_strdup_printf ("None: nothing unusual in %" G_GUINT64_FORMAT " events", events);
  emitter_note (r->e, !is_whole (r->view->selection) ? "Not searched: of a whole log only"
                      : events == 0                  ? "None: the log has no events"
                                                     : text);
}

static void
put_for_people (const struct found *found)
{
  struct emitter *e = found->r->e;
  const bool is_told = found->n == 0 && found->r->view->sections != NULL;
  emitter_open (e, "findings", found->n != 0 || is_told ? "Findings" : NULL);
  if (is_told)
    put_none (found->r);
  else if (emitter_get_format (e) == EMITTER_HTML)
    put_paragraphs (found);
  else
    put_lines (found);
  emitter_close (e);
}

static void
find (struct found *found, const struct finding_rule *rules)
{
  for (const struct finding_rule *rule = rules; rule->id != NULL && found->n < FINDINGS_MAX;
       rule++) {
    GArray *figures = g_array_new (FALSE, FALSE, sizeof (struct figure));
    g_array_set_clear_func (figures, clear_figure);
    struct finding *finding = &found->findings[found->n];
    finding->figures = figures;
    found->rules[found->n] = rule;
    if (rule->check (found->r, finding))
      found->n++;
    else
      g_array_unref (figures);
  }
}

void
findings_put (const struct report *r, const struct finding_rule *rules)
{
  struct found found = { .r = r };
  if (r->view->hides_findings)
    return;
  if (is_whole (r->view->selection))
    find (&found, rules);
  if (section_is_machine_readable (r))
    put_for_programs (&found);
  else
    put_for_people (&found);
  for (guint i = 0; i < found.n; i++)
    g_array_unref (found.findings[i].figures);
}

char *
findings_first (const struct report *r, const struct finding_rule *rules, const char **id)
{
  struct found found = { .r = r };
  find (&found, rules);
  char *text = found.n != 0 ? print_text (&found.findings[0], found.rules[0]->text) : NULL;
  *id = found.n != 0 ? found.rules[0]->id : NULL;
  for (guint i = 0; i < found.n; i++)
    g_array_unref (found.findings[i].figures);
  return text;
}
