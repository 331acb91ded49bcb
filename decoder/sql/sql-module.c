/* sql-module.c -- SQLite's calls, for all tables. */
#include "config.h"

#include "decoder/sql/sql-module.h"
#include "decoder/sql/sql-events.h"
#include "decoder/sql/sql-groups.h"
#include "decoder/sql/sql-module-private.h"
#include "decoder/sql/sql-sqlite.h"
#include <string.h>

/* ---- views over the tables ---- */

const struct sql_view sql_views[] = {
#define VIEW(name, doc, sql) { name, doc },
#include "decoder/sql/sql-views.def"
  { NULL, NULL },
};

/* Creates them in the temporary database of the connection.  An SQLite result code. */
static int
sql_views_create (sqlite3 *db)
{
  static const char *const statements[] = {
#define VIEW(name, doc, sql) "CREATE TEMP VIEW " name " AS " sql,
#include "decoder/sql/sql-views.def"
  };
  int result = SQLITE_OK;
  for (gsize i = 0; i < G_N_ELEMENTS (statements) && result == SQLITE_OK; i++)
    result = sqlite3_exec (db, statements[i], NULL, NULL, NULL);
  return result;
}

/* ---- conditions ---- */

/* Those that a cursor gets are two characters each in the text of an index, before the columns that
 * are used, in hexadecimal, and those that rows are grouped by, with a comma each. */
static const char role_letters[] = {
  [SQL_ROLE_NONE] = '-',    [SQL_ROLE_NAME] = '-',   [SQL_ROLE_LOG] = 'l',    [SQL_ROLE_TIME] = 't',
  [SQL_ROLE_ELAPSED] = 'e', [SQL_ROLE_THREAD] = 'h', [SQL_ROLE_CAP] = 'c',    [SQL_ROLE_KIND] = 'k',
  [SQL_ROLE_METHOD] = 'm',  [SQL_ROLE_SHOT] = 's',   [SQL_ROLE_OBJECT] = 'o',
};
G_STATIC_ASSERT (G_N_ELEMENTS (role_letters) == SQL_ROLE_OBJECT + 1);

static char
letter_of (int op)
{
  switch (op) {
  case SQLITE_INDEX_CONSTRAINT_EQ:
    return '=';
  case SQLITE_INDEX_CONSTRAINT_GT:
  case SQLITE_INDEX_CONSTRAINT_GE:
    return '>';
  case SQLITE_INDEX_CONSTRAINT_LT:
  case SQLITE_INDEX_CONSTRAINT_LE:
    return '<';
  default:
    return 0;
  }
}

static bool
is_time (enum sql_role role)
{
  return role == SQL_ROLE_TIME || role == SQL_ROLE_ELAPSED;
}

static bool
is_for_conditions (enum sql_role role)
{
  return role != SQL_ROLE_NONE && role != SQL_ROLE_NAME;
}

/* Those whose values are few in any log. */
static bool
is_for_groups (enum sql_role role)
{
  return role == SQL_ROLE_NAME || role == SQL_ROLE_LOG || role == SQL_ROLE_THREAD
         || role == SQL_ROLE_CAP || role == SQL_ROLE_KIND || role == SQL_ROLE_METHOD;
}

static int64_t
floor_of (sqlite3_value *value)
{
  const double real = sqlite3_value_double (value);
  return real <= -9.2e18 ? INT64_MIN : real >= 9.2e18 ? INT64_MAX : (int64_t) real;
}

/* A bound of a time; a row more at either end does not matter. */
static void
bound_time (int64_t *from, int64_t *to, char op, sqlite3_value *value)
{
  const int type = sqlite3_value_type (value);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
    return;
  const bool is_real = type == SQLITE_FLOAT;
  const int64_t bound = is_real ? floor_of (value) : sqlite3_value_int64 (value);
  if (op != '<')
    *from = MAX (*from, is_real && bound > INT64_MIN ? bound - 1 : bound);
  if (op != '>')
    *to = MIN (*to, is_real && bound < INT64_MAX ? bound + 1 : bound);
}

static void
require_number (bool *has, uint64_t *number, sqlite3_value *value)
{
  if (sqlite3_value_type (value) != SQLITE_INTEGER)
    return;
  *has = true;
  *number = (uint64_t) sqlite3_value_int64 (value);
}

static const char *
text_of (sqlite3_value *value)
{
  return sqlite3_value_type (value) == SQLITE_TEXT ? (const char *) sqlite3_value_text (value)
                                                   : NULL;
}

/* ---- a cursor over all logs ---- */

/* How rows are handed out: each as it comes; those that are the same one after the other; these
 * once. */
enum { BY_ROWS, BY_GROUPS, BY_GROUPS_ONCE };

struct module_table {
  sqlite3_vtab base;
  struct sql_module *module;
  const struct sql_table *table;
};

struct module_cursor {
  sqlite3_vtab_cursor base;
  struct sql_request request;
  char *kind, *log_name; /* of conditions; NULL: none */
  guint log;             /* of the next one */
  const char *name;      /* of the log that is read */
  void *rows;            /* NULL: at the end */
  sqlite3_int64 row;
  struct sql_groups *groups; /* that are handed out in place of the rows; NULL: none */
  bool is_over;              /* of them */
  unsigned columns[SQL_GROUPS_COLUMNS], n_columns; /* that they have */
};

static const struct module_table *
table_of (const struct module_cursor *c)
{
  return (const struct module_table *) (const void *) c->base.pVtab;
}

static void
end_log (struct module_cursor *c)
{
  if (c->rows != NULL)
    table_of (c)->table->cursor->close (c->rows);
  c->rows = NULL;
}

static int
fail (struct module_cursor *c, GError *error)
{
  sqlite3_free (c->base.pVtab->zErrMsg);
  c->base.pVtab->zErrMsg = sqlite3_mprintf ("%s: %s", c->name, error->message);
  g_error_free (error);
  end_log (c);
  return SQLITE_ERROR;
}

static bool
is_requested_log (const struct module_cursor *c, const struct sql_log *log)
{
  const struct sql_table *table = table_of (c)->table;
  return sql_table_is_of (table, log)
         && (c->log_name == NULL || strcmp (c->log_name, log->name) == 0);
}

/* The next row, of this log or of those after it. */
static int
read_row (struct module_cursor *c)
{
  const struct module_table *t = table_of (c);
  const GPtrArray *logs = t->module->logs;
  GError *error = NULL;
  c->row++;
  for (;;) {
    if (c->rows != NULL && t->table->cursor->next (c->rows, &error))
      return SQLITE_OK;
    if (error != NULL)
      return fail (c, error);
    end_log (c);
    struct sql_log *log = NULL;
    while (c->log < logs->len && log == NULL) {
      log = g_ptr_array_index (logs, c->log++);
      log = is_requested_log (c, log) ? log : NULL;
    }
    if (log == NULL)
      return SQLITE_OK;
    c->name = log->name;
    c->rows = t->table->cursor->open (t->table, log, &c->request, &error);
    if (c->rows == NULL)
      return fail (c, error);
  }
}

static void
take_condition (struct module_cursor *c, char role, char op, sqlite3_value *value)
{
  struct sql_request *r = &c->request;
  switch (role) {
  case 't':
    bound_time (&r->from, &r->to, op, value);
    break;
  case 'e':
    bound_time (&r->elapsed_from, &r->elapsed_to, op, value);
    break;
  case 'h':
    require_number (&r->has_thread, &r->thread, value);
    break;
  case 'c':
    require_number (&r->has_cap, &r->cap, value);
    break;
  case 'm':
    require_number (&r->has_method, &r->method, value);
    break;
  case 's':
    require_number (&r->has_shot, &r->shot, value);
    break;
  case 'o':
    require_number (&r->has_object, &r->object, value);
    break;
  case 'k':
    g_free (c->kind);
    r->kind = c->kind = g_strdup (text_of (value));
    break;
  case 'l':
    g_free (c->log_name);
    c->log_name = g_strdup (text_of (value));
    break;
  }
}

static void
get_value (struct module_cursor *c, unsigned n, struct sql_value *value)
{
  const struct sql_table *table = table_of (c)->table;
  const struct sql_column *column = &g_array_index (table->columns, struct sql_column, n);
  if (column->role == SQL_ROLE_LOG)
    sql_value_text (value, c->name);
  else
    table->cursor->column (c->rows, column, value);
}

/* ---- groups ---- */

static bool
add_row (struct module_cursor *c)
{
  struct sql_value row[SQL_GROUPS_COLUMNS];
  /* The bytes of a value remain until the next one only. */
  for (unsigned i = 0; i < c->n_columns; i++) {
    row[i] = (struct sql_value){ .type = SQL_NULL };
    get_value (c, c->columns[i], &row[i]);
    if (c->n_columns > 1 && row[i].type >= SQL_TEXT && row[i].owned == NULL)
      row[i].bytes = row[i].owned = g_memdup2 (row[i].bytes, row[i].length);
  }
  const bool good = sql_groups_add (c->groups, row);
  for (unsigned i = 0; i < c->n_columns; i++)
    sql_value_clear (&row[i]);
  return good;
}

/* Counts all rows. */
static int
begin_groups (struct module_cursor *c, bool is_once)
{
  int result;
  c->groups = sql_groups_new (c->n_columns, is_once);
  if (c->groups == NULL)
    return SQLITE_NOMEM;
  while ((result = read_row (c)) == SQLITE_OK && c->rows != NULL)
    if (!add_row (c))
      return SQLITE_NOMEM;
  c->is_over = result != SQLITE_OK || !sql_groups_next (c->groups);
  return result;
}

static void
end_groups (struct module_cursor *c)
{
  sql_groups_free (g_steal_pointer (&c->groups));
  c->n_columns = 0;
}

/* ---- rows ---- */

static int
next_row (sqlite3_vtab_cursor *cursor)
{
  struct module_cursor *c = (struct module_cursor *) (void *) cursor;
  if (c->groups == NULL)
    return read_row (c);
  c->is_over = !sql_groups_next (c->groups);
  return SQLITE_OK;
}

/* `mode` and `text` are those of choose_index. */
static int
begin_rows (sqlite3_vtab_cursor *cursor, int mode, const char *text, int n, sqlite3_value **values)
{
  struct module_cursor *c = (struct module_cursor *) (void *) cursor;
  char *at;
  end_log (c);
  end_groups (c);
  g_clear_pointer (&c->kind, g_free);
  g_clear_pointer (&c->log_name, g_free);
  c->request = (struct sql_request){
    .from = INT64_MIN, .to = INT64_MAX, .elapsed_from = INT64_MIN, .elapsed_to = INT64_MAX
  };
  for (int i = 0; i < n; i++)
    take_condition (c, text[2 * i], text[2 * i + 1], values[i]);
  c->request.columns = g_ascii_strtoull (text + 2 * n, &at, 16);
  while (*at == ',' && c->n_columns < SQL_GROUPS_COLUMNS)
    c->columns[c->n_columns++] = (unsigned) g_ascii_strtoull (at + 1, &at, 10);
  c->log = 0;
  c->row = 0;
  return mode == BY_ROWS ? read_row (c) : begin_groups (c, mode == BY_GROUPS_ONCE);
}

static int
is_at_end (sqlite3_vtab_cursor *cursor)
{
  const struct module_cursor *c = (struct module_cursor *) (void *) cursor;
  return c->groups != NULL ? c->is_over : c->rows == NULL;
}

static const struct sql_value *
value_of_group (const struct module_cursor *c, int n)
{
  static const struct sql_value null = { .type = SQL_NULL };
  for (unsigned i = 0; i < c->n_columns; i++)
    if (c->columns[i] == (unsigned) n)
      return sql_groups_value (c->groups, i);
  return &null;
}

static int
put_column (sqlite3_vtab_cursor *cursor, sqlite3_context *to, int n)
{
  struct module_cursor *c = (struct module_cursor *) (void *) cursor;
  if (c->groups != NULL) {
    sql_value_put (value_of_group (c, n), to);
    return SQLITE_OK;
  }
  struct sql_value value = { .type = SQL_NULL };
  get_value (c, (unsigned) n, &value);
  sql_value_put (&value, to);
  sql_value_clear (&value);
  return SQLITE_OK;
}

static int
put_row_id (sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
  struct module_cursor *c = (struct module_cursor *) (void *) cursor;
  *row = c->row;
  if (c->groups == NULL)
    return SQLITE_OK;
  sqlite3_free (c->base.pVtab->zErrMsg);
  c->base.pVtab->zErrMsg
      = sqlite3_mprintf ("rowid of rows that are grouped: group by more than a name");
  return SQLITE_ERROR;
}

static int
open_cursor (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  struct module_cursor *c = g_new0 (struct module_cursor, 1);
  (void) table;
  *cursor = &c->base;
  return SQLITE_OK;
}

static int
close_cursor (sqlite3_vtab_cursor *cursor)
{
  struct module_cursor *c = (struct module_cursor *) (void *) cursor;
  end_log (c);
  end_groups (c);
  g_free (c->kind);
  g_free (c->log_name);
  g_free (c);
  return SQLITE_OK;
}

/* ---- tables ---- */

/* The statement that would create the table (transfer full). */
static char *
schema_of (const struct sql_table *table)
{
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "CREATE TABLE %s (", table->name);
  for (guint i = 0; i < table->columns->len; i++) {
    const struct sql_column *c = &g_array_index (table->columns, struct sql_column, i);
    g_string_append_printf (text, "%s\n  \"%s\" %s", i > 0 ? "," : "", c->name, c->type);
  }
  g_string_append (text, "\n)");
  return g_string_free (text, FALSE);
}

/* The type of a module's pointer: of a table, as each has a module of its own. */
struct registration {
  struct sql_module *module;
  const struct sql_table *table;
};

static int
connect_table (sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **vtab,
               char **message)
{
  const struct registration *r = data;
  (void) argc;
  (void) argv;
  (void) message;
  g_autofree char *schema = schema_of (r->table);
  r->module->is_connecting = true;
  const int result = sqlite3_declare_vtab (db, schema);
  r->module->is_connecting = false;
  if (result != SQLITE_OK)
    return result;
  struct module_table *t = g_new0 (struct module_table, 1);
  t->module = r->module;
  t->table = r->table;
  *vtab = &t->base;
  return SQLITE_OK;
}

static int
disconnect_table (sqlite3_vtab *vtab)
{
  g_free (vtab);
  return SQLITE_OK;
}

/* Are all columns that are used among those by which rows are grouped, and have these few values?
 * If so adds them to the text. */
static bool
add_groups (const struct sql_table *table, const sqlite3_index_info *info, GString *text)
{
  uint64_t rest = info->colUsed;
  if (info->nOrderBy == 0 || info->nOrderBy > SQL_GROUPS_COLUMNS)
    return false;
  for (int i = 0; i < info->nOrderBy; i++) {
    const int column = info->aOrderBy[i].iColumn;
    if (column < 0 || column > 62
        || !is_for_groups (g_array_index (table->columns, struct sql_column, column).role))
      return false;
    rest &= ~(UINT64_C (1) << column);
  }
  for (int i = 0; rest == 0 && i < info->nOrderBy; i++)
    g_string_append_printf (text, ",%d", info->aOrderBy[i].iColumn);
  return rest == 0;
}

static int
choose_mode (const struct sql_table *table, sqlite3_index_info *info, GString *text)
{
  /* A program that loads the extension may have an SQLite that does not state it. */
  const int distinct = sqlite3_libversion_number () >= 3038000 ? sqlite3_vtab_distinct (info) : 0;
  if ((distinct != 1 && distinct != 2) || !add_groups (table, info, text))
    return BY_ROWS;
  info->orderByConsumed = 1;
  return distinct == 1 ? BY_GROUPS : BY_GROUPS_ONCE;
}

/* All conditions that a cursor can use go to it. */
static int
choose_index (sqlite3_vtab *vtab, sqlite3_index_info *info)
{
  const struct sql_table *table = ((const struct module_table *) (const void *) vtab)->table;
  GString *text = g_string_new (NULL);
  int n = 0;
  info->estimatedCost = table->is_small ? 1e3 : 1e9;
  for (int i = 0; i < info->nConstraint; i++) {
    if (!info->aConstraint[i].usable || info->aConstraint[i].iColumn < 0)
      continue;
    const enum sql_role role
        = g_array_index (table->columns, struct sql_column, info->aConstraint[i].iColumn).role;
    const char op = letter_of (info->aConstraint[i].op);
    if (!is_for_conditions (role) || op == 0 || (op != '=' && !is_time (role)))
      continue;
    g_string_append_c (text, role_letters[role]);
    g_string_append_c (text, op);
    info->aConstraintUsage[i].argvIndex = ++n;
    info->estimatedCost /= role == SQL_ROLE_OBJECT ? 1e6 : op == '=' ? 100 : 3;
  }
  info->estimatedRows = (sqlite3_int64) (info->estimatedCost / 10) + 1;
  g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", (guint64) info->colUsed);
  info->idxNum = choose_mode (table, info, text);
  info->idxStr = sqlite3_mprintf ("%s", text->str);
  info->needToFreeIdxStr = 1;
  g_string_free (text, TRUE);
  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

int
sql_module_register (struct sql_module *module, sqlite3 *db)
{
  /* Without a function to create: such tables are there by themselves. */
  static const sqlite3_module calls = {
    .xConnect = connect_table,
    .xBestIndex = choose_index,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin_rows,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = put_column,
    .xRowid = put_row_id,
  };
  for (guint i = 0; i < module->tables->len; i++) {
    const struct sql_table *table = g_ptr_array_index (module->tables, i);
    struct registration *r = g_new (struct registration, 1);
    *r = (struct registration){ module, table };
    const int result = sqlite3_create_module_v2 (db, table->name, &calls, r, g_free);
    if (result != SQLITE_OK)
      return result;
  }
  return sql_views_create (db);
}

/* ---- the module ---- */

static void
free_log (void *data)
{
  sql_log_free (data);
}

static void
free_table (void *data)
{
  sql_table_free (data);
}

static GPtrArray *
new_tables (void)
{
  GPtrArray *tables = g_ptr_array_new_with_free_func (free_table);
  sql_add_event_tables (tables);
  sql_add_call_tables (tables);
  sql_add_heap_tables (tables);
  sql_add_report_tables (tables);
  sql_add_logs_table (tables);
  sql_add_stacks_table (tables);
  return tables;
}

struct sql_module *
sql_module_new (void)
{
  struct sql_module *module = g_new0 (struct sql_module, 1);
  module->logs = g_ptr_array_new_with_free_func (free_log);
  module->tables = new_tables ();
  return module;
}

void
sql_module_free (struct sql_module *module)
{
  g_ptr_array_unref (module->logs);
  g_ptr_array_unref (module->tables);
  g_free (module);
}

const struct sql_table *
sql_module_table (const struct sql_module *module, const char *name)
{
  return sql_table_find (module->tables, name);
}

bool
sql_module_has_rows (const struct sql_module *module, const struct sql_table *table)
{
  for (guint i = 0; i < module->logs->len; i++) {
    const struct sql_log *log = g_ptr_array_index (module->logs, i);
    if (sql_table_is_of (table, log))
      return true;
  }
  return false;
}
