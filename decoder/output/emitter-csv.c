/* emitter-csv.c -- tables for spreadsheets and databases.
 *
 * Quoting is that of RFC 4180; lines end in LF alone, as the tools that this is piped to want it.
 * Tables are collected up to the end, as those of a name (in each heap snapshot, in each log) are
 * one.  Those of a name with other columns, as logs of Mono and of GHC have, are tables of their
 * own.  One table stands alone.  If there are several, an empty line is between them, and the first
 * column is the table's name.  One without rows is its head.
 */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include <string.h>

/* A table of the output. */
struct csv_table {
  char *path;       /* its name */
  bool of_values;   /* of objects */
  char *columns;    /* their names, each after a comma; NULL: of an object that is open */
  GString *details; /* likewise, of values in rows; they come after these */
  GString *rows;    /* likewise, without the table's name */
  bool aside;       /* does not replace values */
  bool has_details; /* the names of values in rows are known */
};

/* An object, list or row that is open. */
struct csv_level {
  gsize path_length;       /* of the path around it */
  char bracket;            /* '{', '[', or '|' for a row */
  GString *head, *row;     /* object: its values so far, each after a comma */
  struct csv_table *table; /* row or list: whose; object: of its values, NULL before the first */
  char *id_head,
      *id; /* the value that distinguishes it from others, for the tables in it; NULL: none */
};

struct emitter_csv {
  GPtrArray *tables; /* of struct csv_table */
  GArray *levels;    /* of struct csv_level */
  GString *path;
  bool tables_only;
  char *log; /* NULL: no column for it */
};

/* ---- cells ---- */

static void
append_value (GString *out, enum emitter_type type, union emitter_value value)
{
  emitter_resolve_any (&type, &value);
  if (type == EMIT_TEXT && value.text != NULL)
    emitter_append_csv_text (out, value.text);
  else
    emitter_append_exact (out, type, value);
}

/* ---- tables ---- */

static void
free_table (void *data)
{
  struct csv_table *t = data;
  g_free (t->path);
  g_free (t->columns);
  g_string_free (t->details, TRUE);
  g_string_free (t->rows, TRUE);
  g_free (t);
}

/* The table of the path with these columns; NULL: there is none. */
static struct csv_table *
find_table (const struct emitter_csv *csv, bool of_values, const char *columns)
{
  for (guint i = 0; i < csv->tables->len; i++) {
    struct csv_table *t = g_ptr_array_index (csv->tables, i);
    if (t->of_values == of_values && strcmp (t->path, csv->path->str) == 0
        && g_strcmp0 (t->columns, columns) == 0)
      return t;
  }
  return NULL;
}

static struct csv_table *
add_table (struct emitter_csv *csv, bool of_values, const char *columns)
{
  struct csv_table *t = g_new0 (struct csv_table, 1);
  t->path = g_strdup (csv->path->str);
  t->of_values = of_values;
  t->columns = g_strdup (columns);
  t->details = g_string_new (NULL);
  t->rows = g_string_new (NULL);
  g_ptr_array_add (csv->tables, t);
  return t;
}

/* Appends the beginning of every row and head: the log, and the ids around it. */
static void
append_ids (const struct emitter_csv *csv, GString *out, bool head)
{
  if (csv->log != NULL) {
    g_string_append_c (out, ',');
    emitter_append_csv_text (out, head ? "log" : csv->log);
  }
  for (guint i = 0; i < csv->levels->len; i++) {
    const struct csv_level *level = &g_array_index (csv->levels, struct csv_level, i);
    if (level->id != NULL)
      g_string_append_printf (out, ",%s", head ? level->id_head : level->id);
  }
}

/* ---- levels ---- */

static struct csv_level *
top (const struct emitter_csv *csv)
{
  return csv->levels->len > 0 ? &g_array_index (csv->levels, struct csv_level, csv->levels->len - 1)
                              : NULL;
}

static void
push (struct emitter_csv *csv, const char *key, char bracket)
{
  struct csv_level level = { .path_length = csv->path->len, .bracket = bracket };
  if (bracket == '{') {
    level.head = g_string_new (NULL);
    level.row = g_string_new (NULL);
  }
  if (key != NULL)
    g_string_append_printf (csv->path, "%s%s", csv->path->len > 0 ? "." : "", key);
  g_array_append_val (csv->levels, level);
}

/* The values of an object are a row of the table that has these columns. */
static void
add_values (struct emitter_csv *csv, const struct csv_level *object)
{
  GString *columns = g_string_new (NULL);
  append_ids (csv, columns, true);
  g_string_append (columns, object->head->str);
  struct csv_table *t = find_table (csv, true, columns->str);
  if (t != NULL) {
    g_ptr_array_remove (csv->tables, object->table);
  } else {
    t = object->table;
    t->columns = g_strdup (columns->str);
  }
  g_string_free (columns, TRUE);
  append_ids (csv, t->rows, false);
  g_string_append_printf (t->rows, "%s\n", object->row->str);
}

static void
pop (struct emitter_csv *csv)
{
  struct csv_level level = *top (csv);
  g_array_set_size (csv->levels, csv->levels->len - 1);
  if (level.bracket == '{' && level.table != NULL)
    add_values (csv, &level);
  g_string_truncate (csv->path, level.path_length);
  if (level.row != NULL) {
    g_string_free (level.head, TRUE);
    g_string_free (level.row, TRUE);
  }
  g_free (level.id_head);
  g_free (level.id);
}

/* Is the innermost object one of a list? */
static bool
is_in_list (const struct emitter_csv *csv)
{
  return csv->levels->len > 1
         && g_array_index (csv->levels, struct csv_level, csv->levels->len - 2).bracket == '[';
}

/* A value, formatted; the first one of an object in a list distinguishes it from the others. */
static void
put_cell (struct emitter *e, const char *key, const char *cell)
{
  struct csv_level *level = top (e->csv);
  if (level != NULL && level->bracket == '|') {
    if (!level->table->has_details)
      g_string_append_printf (level->table->details, ",%s", key);
    g_string_append_printf (level->table->rows, ",%s", cell);
    return;
  }
  if (level == NULL || level->row == NULL)
    return;
  if (is_in_list (e->csv) && level->row->len == 0) {
    level->id_head = g_strdup (key);
    level->id = g_strdup (cell);
  }
  if (e->csv->levels->len > 1 && level->table == NULL)
    level->table = add_table (e->csv, true, NULL); /* before those of its contents */
  g_string_append_printf (level->head, ",%s", key);
  g_string_append_printf (level->row, ",%s", cell);
}

/* ---- the calls ---- */

static void
csv_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  (void) title;
  push (e->csv, key, bracket);
}

static void
csv_close (struct emitter *e, char bracket)
{
  (void) bracket;
  pop (e->csv);
}

static void
csv_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
           union emitter_value value)
{
  (void) label;
  GString *cell = g_string_new (NULL);
  append_value (cell, type, value);
  put_cell (e, key, cell->str);
  g_string_free (cell, TRUE);
}

static void
csv_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  (void) label;
  put_cell (e, key, truth ? "true" : "false");
}

/* One cell, the texts separated by semicolons. */
static void
csv_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  GString *all = g_string_new (NULL), *cell = g_string_new (NULL);
  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (all, "%s%s", i > 0 ? ";" : "",
                            (const char *) g_ptr_array_index (texts, i));
  emitter_append_csv_text (cell, all->str);
  put_cell (e, key, cell->str);
  g_string_free (all, TRUE);
  g_string_free (cell, TRUE);
}

static void
csv_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  (void) label;
  csv_lines (e, key, texts);
}

static void
csv_note (struct emitter *e, const char *text)
{
  (void) e;
  (void) text;
}

static void
add_details (struct csv_table *t, const char *const *details)
{
  for (; details != NULL && *details != NULL && !t->has_details; details++)
    g_string_append_printf (t->details, ",%s", *details);
  t->has_details = true;
}

/* Begins a table where there is none of its name and columns; `id`: the value that distinguishes
 * the objects of the list around it, if none is open. */
static struct csv_table *
begin_table (struct emitter_csv *csv, const char *id, const struct emitter_column *columns,
             size_t n_columns)
{
  GString *names = g_string_new (NULL);
  append_ids (csv, names, true);
  if (id != NULL)
    g_string_append_printf (names, ",%s", id);
  for (size_t i = 0; i < n_columns; i++)
    if (columns[i].key != NULL)
      g_string_append_printf (names, ",%s", columns[i].key);
  struct csv_table *t = find_table (csv, false, names->str);
  if (t == NULL)
    t = add_table (csv, false, names->str);
  g_string_free (names, TRUE);
  return t;
}

static void
csv_open_table (struct emitter *e, const char *key)
{
  push (e->csv, key, '[');
  struct csv_table *table = begin_table (e->csv, NULL, e->table->columns, e->table->n_columns);
  top (e->csv)->table = table;
}

/* The column that distinguishes rows best: an address, else the last text, else the first. */
static size_t
naming_column (const struct emitter_table *t)
{
  size_t naming = 0;
  for (size_t i = 0; i < t->n_columns; i++) {
    if (t->columns[i].key != NULL && t->columns[i].type == EMIT_ADDRESS)
      return i;
    if (t->columns[i].key != NULL && t->columns[i].type == EMIT_TEXT)
      naming = i;
  }
  return naming;
}

static void
csv_open_row (struct emitter *e, const union emitter_value *values)
{
  const struct emitter_table *t = e->table;
  struct csv_table *table = top (e->csv)->table;
  append_ids (e->csv, table->rows, false);
  for (size_t i = 0; i < t->n_columns; i++) {
    if (t->columns[i].key == NULL)
      continue;
    g_string_append_c (table->rows, ',');
    append_value (table->rows, t->columns[i].type, values[i]);
  }

  size_t naming = naming_column (t);
  GString *id = g_string_new (NULL);
  append_value (id, t->columns[naming].type, values[naming]);
  push (e->csv, NULL, '|');
  top (e->csv)->table = table; /* its line ends with the row, after the values in it */
  const char *dot = strrchr (e->csv->path->str, '.');
  top (e->csv)->id_head = g_strdup (dot != NULL ? dot + 1 : e->csv->path->str);
  top (e->csv)->id = g_string_free (id, FALSE);
}

static void
csv_close_row (struct emitter *e)
{
  struct csv_table *table = top (e->csv)->table;
  table->has_details = true; /* those of the first row */
  g_string_append_c (table->rows, '\n');
  pop (e->csv);
}

static void
csv_close_table (struct emitter *e, uint64_t more)
{
  (void) more;
  pop (e->csv);
}

/* ---- beginning and end ---- */

static void
csv_start (struct emitter *e)
{
  struct emitter_csv *csv = g_new0 (struct emitter_csv, 1);
  csv->tables = g_ptr_array_new_with_free_func (free_table);
  csv->levels = g_array_new (FALSE, FALSE, sizeof (struct csv_level));
  csv->path = g_string_new (NULL);
  e->csv = csv;
}

static void
csv_set_tables_only (struct emitter *e)
{
  e->csv->tables_only = true;
}

static void
csv_set_log (struct emitter *e, const char *log_name)
{
  g_free (e->csv->log);
  e->csv->log = g_strdup (log_name);
}

static void
csv_expect_table (struct emitter *e, const char *key, const char *id,
                  const struct emitter_column *columns, size_t n_columns,
                  const char *const *details)
{
  push (e->csv, key, '[');
  add_details (begin_table (e->csv, id, columns, n_columns), details);
  pop (e->csv);
}

static void
csv_expect_details (struct emitter *e, const char *const *details)
{
  add_details (top (e->csv)->table, details);
}

static void
csv_set_aside (struct emitter *e)
{
  top (e->csv)->table->aside = true;
}

/* Values of an object that has tables are left out where tables alone are requested. */
static bool
is_selected (const struct emitter_csv *csv, const struct csv_table *table)
{
  if (!csv->tables_only || !table->of_values)
    return true;
  size_t length = strlen (table->path);
  for (guint i = 0; i < csv->tables->len; i++) {
    const struct csv_table *t = g_ptr_array_index (csv->tables, i);
    if (!t->of_values && !t->aside && strncmp (t->path, table->path, length) == 0
        && t->path[length] == '.')
      return false;
  }
  return true;
}

/* After the line that begins here.  Quoted values may have ends of lines; a quote in them is two.
 */
static const char *
end_of_line (const char *line)
{
  bool quoted = false;
  for (; *line != '\n' || quoted; line++)
    quoted ^= *line == '"';
  return line + 1;
}

/* Lines begin with a comma, which the table's name is put before, or which is left out. */
static void
append_lines (GString *out, const char *name, const char *lines)
{
  for (const char *line = lines; *line != 0;) {
    const char *end = end_of_line (line);
    if (name != NULL)
      g_string_append (out, name);
    else
      line++;
    g_string_append_len (out, line, end - line);
    line = end;
  }
}

static void
csv_finish (struct emitter *e)
{
  struct emitter_csv *csv = e->csv;
  for (guint i = csv->tables->len; i-- > 0;)
    if (!is_selected (csv, g_ptr_array_index (csv->tables, i)))
      g_ptr_array_remove_index (csv->tables, i);
  bool several = csv->tables->len > 1;
  for (guint i = 0; i < csv->tables->len; i++) {
    struct csv_table *t = g_ptr_array_index (csv->tables, i);
    g_string_append (e->out, e->out->len > 0 ? "\n" : "");
    g_autofree char *head = g_strconcat (t->columns, t->details->str, "\n", NULL);
    append_lines (e->out, several ? "table" : NULL, head);
    append_lines (e->out, several ? t->path : NULL, t->rows->str);
  }
  g_ptr_array_free (csv->tables, TRUE);
  g_array_free (csv->levels, TRUE);
  g_string_free (csv->path, TRUE);
  g_free (csv->log);
  g_free (csv);
}

const struct emitter_ops emitter_csv_ops = {
  .open = csv_open,
  .close = csv_close,
  .value = csv_value,
  .truth = csv_truth,
  .texts = csv_texts,
  .lines = csv_lines,
  .note = csv_note,
  .open_table = csv_open_table,
  .open_row = csv_open_row,
  .close_row = csv_close_row,
  .close_table = csv_close_table,
  .start = csv_start,
  .finish = csv_finish,
  .set_tables_only = csv_set_tables_only,
  .set_log = csv_set_log,
  .expect_table = csv_expect_table,
  .expect_details = csv_expect_details,
  .set_aside = csv_set_aside,
};
