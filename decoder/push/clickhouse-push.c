/* clickhouse-push.c -- which tables go to which server, in which batches.
 *
 * A batch is a number of rows that the same log always has: after an interruption the same batches
 * are made again, and those that are there are left out.  A batch is one block of ClickHouse, which
 * a server stores whole or not at all; where the outcome of one is unknown, its rows are counted,
 * and an incomplete one is deleted.
 */
#include "config.h"

#include "decoder/command/command-table.h"
#include "decoder/push/clickhouse.h"
#include <string.h>

/* ---- rows in the format RowBinary ---- */

struct clickhouse_rows {
  GString *bytes;
  GString *key;         /* of the rows, without their number */
  GString *log;         /* the values of all rows of a log */
  uint32_t batch, rows; /* the number of the batch, and its rows */
  size_t value_bytes;   /* of `bytes`, those that are not the same in all rows */
};

enum { DAY_SECONDS = 24 * 60 * 60 };

/* ---- values ---- */

/* Values of other tables. */
static void
clickhouse_put_number (GString *to, uint64_t number, size_t bytes)
{
  const uint64_t little = GUINT64_TO_LE (number);
  g_string_append_len (to, (const char *) &little, (gssize) bytes);
}

static void
put_varint (GString *to, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    g_string_append_c (to, (char) (number | 0x80));
  g_string_append_c (to, (char) number);
}

static void
clickhouse_put_text (GString *to, const char *text, size_t length)
{
  put_varint (to, length);
  g_string_append_len (to, text, (gssize) length);
}

static void
put_string (GString *to, const char *text)
{
  clickhouse_put_text (to, text, strlen (text));
}

/* Every second label: names from 0, values from 1. */
static void
put_labels (GString *to, const GPtrArray *labels, guint from)
{
  put_varint (to, labels->len / 2);
  for (guint i = from; i < labels->len; i += 2)
    put_string (to, labels->pdata[i]);
}

static void
put_value (GString *to, const char *type, sqlite3_stmt *statement, int i)
{
  const int stored = sqlite3_column_type (statement, i);
  g_string_append_c (to, stored == SQLITE_NULL);
  if (stored == SQLITE_NULL)
    return;
  if (strcmp (type, "INTEGER") == 0)
    clickhouse_put_number (to, (uint64_t) sqlite3_column_int64 (statement, i), 8);
  else if (strcmp (type, "REAL") == 0) {
    const double real = sqlite3_column_double (statement, i);
    uint64_t bits;
    memcpy (&bits, &real, sizeof bits);
    clickhouse_put_number (to, bits, 8);
  } else {
    const char *text = sqlite3_column_blob (statement, i); /* NULL: it is empty */
    clickhouse_put_text (to, text != NULL ? text : "",
                         (size_t) sqlite3_column_bytes (statement, i));
  }
}

/* ---- rows ---- */

static void
clickhouse_rows_init (struct clickhouse_rows *rows, const struct push_log *log)
{
  *rows = (struct clickhouse_rows){
    .bytes = g_string_new (NULL),
    .key = g_string_new (log->id),
    .log = g_string_new (NULL),
  };
  GString *const to = rows->log;
  clickhouse_put_number (to, log->start_s / DAY_SECONDS, 2);
  clickhouse_put_number (to, log->start_s, 4);
  put_string (to, log->name);
  put_string (to, log->host);
  put_string (to, log->program);
  put_string (to, log->version);
  clickhouse_put_number (to, log->pid, 8);
  put_labels (to, log->labels, 0);
  put_labels (to, log->labels, 1);
}

static void
clickhouse_rows_clear (struct clickhouse_rows *rows)
{
  g_string_free (rows->bytes, TRUE);
  g_string_free (rows->key, TRUE);
  g_string_free (rows->log, TRUE);
}

/* Begins a batch of this number. */
static void
clickhouse_rows_begin (struct clickhouse_rows *rows, uint32_t batch)
{
  rows->batch = batch;
  rows->rows = 0;
  rows->value_bytes = 0;
  g_string_truncate (rows->bytes, 0);
  g_string_truncate (rows->key, PUSH_ID_LENGTH);
  clickhouse_put_number (rows->key, batch, 4);
}

/* Adds the row that a statement is at, which selects all columns of the table. */
static void
clickhouse_rows_add (struct clickhouse_rows *rows, const struct sql_table *table,
                     sqlite3_stmt *statement)
{
  g_string_append_len (rows->bytes, rows->key->str, (gssize) rows->key->len);
  clickhouse_put_number (rows->bytes, rows->rows++, 4);
  g_string_append_len (rows->bytes, rows->log->str, (gssize) rows->log->len);
  const size_t begin = rows->bytes->len;
  for (guint i = 1; i < table->columns->len; i++)
    put_value (rows->bytes, g_array_index (table->columns, struct sql_column, i).type, statement,
               (int) i);
  rows->value_bytes += rows->bytes->len - begin;
}

/* ---- the ledger ---- */

/* A log without a row is new.  One is written before its first table, with no name of a table, and
 * one after each table.  A table without one may be there in part. */

struct clickhouse_ledger {
  bool is_known;    /* a part of the log may be there */
  bool is_other;    /* that part is of another version of proflog, whose rows may differ */
  GHashTable *done; /* set of names of tables */
  GString *rows;    /* that are not sent yet */
  uint32_t unsent;
};

#define WRITER PACKAGE_NAME " " PACKAGE_VERSION

/* Reads the state of a log on a server. */
static bool
clickhouse_ledger_read (struct clickhouse_ledger *ledger, struct clickhouse_server *server,
                        const char *cluster, const struct push_log *log, GError **error)
{
  g_autofree char *table = clickhouse_local_name (CLICKHOUSE_LEDGER, cluster);
  g_autofree char *sql
      = g_strdup_printf ("SELECT table_name, writer FROM `%s`.`%s` WHERE log_id = '%s'",
                         server->database, table, log->id);
  g_auto (GStrv) lines = clickhouse_ask (server, sql, error);
  *ledger = (struct clickhouse_ledger){
    .done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .rows = g_string_new (NULL),
  };
  if (lines == NULL)
    return false;
  for (char **line = lines; *line != NULL; line++) {
    char *const tab = strchr (*line, '\t');
    if (tab == NULL)
      continue;
    *tab = 0;
    ledger->is_known = true;
    if (**line != 0)
      g_hash_table_add (ledger->done, g_strdup (*line));
    else
      ledger->is_other = strcmp (tab + 1, WRITER) != 0;
  }
  return true;
}

static void
clickhouse_ledger_clear (struct clickhouse_ledger *ledger)
{
  g_hash_table_unref (ledger->done);
  g_string_free (ledger->rows, TRUE);
}

/* Notes that a table is finished; NULL: that the log begins. */
static void
clickhouse_ledger_note (struct clickhouse_ledger *ledger, const struct push_log *log,
                        const char *table, uint32_t batches, uint64_t rows)
{
  GString *const to = ledger->rows;
  const char *const name = table != NULL ? table : "";
  g_string_append (to, log->id);
  clickhouse_put_text (to, name, strlen (name));
  clickhouse_put_number (to, batches, 4);
  clickhouse_put_number (to, rows, 8);
  clickhouse_put_text (to, log->name, strlen (log->name));
  clickhouse_put_text (to, log->host, strlen (log->host));
  clickhouse_put_text (to, WRITER, strlen (WRITER));
  clickhouse_put_number (to, (uint64_t) (g_get_real_time () / G_USEC_PER_SEC), 4);
  ledger->unsent++;
}

/* Sends the noted rows. */
static bool
clickhouse_ledger_send (struct clickhouse_ledger *ledger, struct clickhouse_server *server,
                        const char *cluster, GError **error)
{
  if (ledger->unsent == 0)
    return true;
  g_autofree char *table = clickhouse_local_name (CLICKHOUSE_LEDGER, cluster);
  g_autofree char *sql = g_strdup_printf (
      "INSERT INTO `%s`.`%s` (log_id,table_name,batches,rows,log_name,log_host,writer,at)"
      " FORMAT RowBinary",
      server->database, table);
  g_autofree char *id = g_uuid_string_random ();
  struct push_wait wait;
  enum push_outcome outcome;
  push_wait_begin (&wait, server->http);
  do {
    GError *problem = NULL;
    outcome = clickhouse_insert (server, sql, id, ledger->rows, &problem);
    outcome = push_wait_after (&wait, outcome, &problem, error);
  } while (outcome == PUSH_UNSURE);
  if (outcome != PUSH_DONE)
    return false;
  g_string_truncate (ledger->rows, 0);
  ledger->unsent = 0;
  return true;
}

/* ---- batches on their way ---- */

enum {
  BATCH_ROWS = 1 << 16,
  BATCH_BYTES = 8 << 20, /* of values: these are the same wherever the log lies */
  LEDGER_ROWS = 64,      /* that wait to be sent together */
};

/* A log on its way. */
struct sending {
  struct clickhouse_push *push;
  struct clickhouse_server *server;
  const struct push_log *log;
  struct clickhouse_ledger ledger;
  struct clickhouse_result *result;
};

/* A table on its way. */
struct stream {
  struct sending *sending;
  const struct sql_table *table;
  char *local;       /* its name there */
  char *insert;      /* the statement */
  GHashTable *there; /* batch -> rows, of an interrupted push; NULL: none */
  struct clickhouse_rows rows;
  uint64_t total;
};

/* ---- which tables ---- */

/* Names of several tables. */
#define GROUP_REPORTS "reports"
#define GROUP_ALL "all"

static bool
is_group (const char *word)
{
  return strcmp (word, GROUP_REPORTS) == 0 || strcmp (word, GROUP_ALL) == 0;
}

static bool
is_selected (const struct clickhouse_push *push, const struct sql_table *table)
{
  for (char **word = push->tables; *word != NULL; word++)
    if (strcmp (*word, GROUP_ALL) == 0 || (strcmp (*word, GROUP_REPORTS) == 0 && table->is_small)
        || g_pattern_match_simple (*word, table->name))
      return true;
  return false;
}

static bool
selects_any (const struct query *query, const char *word)
{
  for (guint i = 0; i < query->module->tables->len; i++) {
    const struct sql_table *table = g_ptr_array_index (query->module->tables, i);
    if (g_pattern_match_simple (word, table->name))
      return true;
  }
  return false;
}

bool
clickhouse_push_check (const struct push_values *values, const struct query *query, GError **error)
{
  const char *const list = values->tables != NULL ? values->tables : GROUP_REPORTS;
  g_auto (GStrv) words = g_strsplit (list, ",", -1);
  if (*list == 0)
    return cli_refuse (error, "--tables: no table is named");
  for (char **word = words; *word != NULL; word++)
    if (!is_group (*word) && !selects_any (query, *word))
      return cli_refuse (
          error, "--tables: there is no table %s; proflog query lists them with .tables", *word);
  return true;
}

/* ---- which server ---- */

/* The weight of a server for a log: each log goes to the one where it is highest, so that another
 * server takes over no more than its share. */
static uint64_t
weight_of (const struct clickhouse_server *server, const struct push_log *log)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize length = sizeof digest;
  uint64_t weight;
  g_checksum_update (sum, (const guchar *) log->id, -1);
  g_checksum_update (sum, (const guchar *) server->url, -1);
  g_checksum_get_digest (sum, digest, &length);
  memcpy (&weight, digest, sizeof weight);
  return weight;
}

/* The server that has a part of the log, or else the one that it belongs to. */
static bool
find_server (struct sending *s, GError **error)
{
  struct clickhouse_push *push = s->push;
  uint64_t highest = 0;
  s->server = NULL;
  for (guint i = 0; i < push->n_servers; i++) {
    struct clickhouse_server *server = &push->servers[i];
    struct clickhouse_ledger ledger;
    const bool good
        = clickhouse_ledger_read (&ledger, server, push->values->cluster, s->log, error);
    const uint64_t weight = weight_of (server, s->log);
    if (good && (s->server == NULL || ledger.is_known || weight > highest)) {
      if (s->server != NULL)
        clickhouse_ledger_clear (&s->ledger);
      s->server = server;
      s->ledger = ledger;
      highest = weight;
    } else
      clickhouse_ledger_clear (&ledger);
    if (!good) {
      if (s->server != NULL)
        clickhouse_ledger_clear (&s->ledger);
      return false;
    }
    if (s->ledger.is_known)
      break;
  }
  return true;
}

/* ---- batches ---- */

/* The condition of the rows of a batch; of all of the log if it is negative (transfer full). */
static char *
condition_of (const struct push_log *log, int64_t batch)
{
  return batch < 0
             ? g_strdup_printf ("log_id = '%s'", log->id)
             : g_strdup_printf ("log_id = '%s' AND log_batch = %" G_GINT64_FORMAT, log->id, batch);
}

/* After an interruption: which batches of the table are there. */
static bool
read_batches (struct stream *t, GError **error)
{
  const struct sending *s = t->sending;
  if (!s->ledger.is_known || !clickhouse_has_table (s->server, t->local))
    return true;
  if (s->ledger.is_other) {
    g_autofree char *all = condition_of (s->log, -1);
    return clickhouse_delete (s->server, t->local, all, error);
  }
  g_autofree char *sql
      = g_strdup_printf ("SELECT log_batch, count() FROM `%s`.`%s` WHERE log_id = '%s'"
                         " GROUP BY log_batch",
                         s->server->database, t->local, s->log->id);
  g_auto (GStrv) lines = clickhouse_ask (s->server, sql, error);
  if (lines == NULL)
    return false;
  t->there = g_hash_table_new (g_direct_hash, g_direct_equal);
  for (char **line = lines; *line != NULL; line++) {
    g_auto (GStrv) words = g_strsplit (*line, "\t", 2);
    uint64_t batch, rows;
    if (g_strv_length (words) == 2
        && g_ascii_string_to_unsigned (words[0], 10, 0, G_MAXUINT32, &batch, NULL)
        && g_ascii_string_to_unsigned (words[1], 10, 0, G_MAXUINT32, &rows, NULL))
      g_hash_table_insert (t->there, GUINT_TO_POINTER ((guint) batch),
                           GUINT_TO_POINTER ((guint) rows));
  }
  return true;
}

/* Rows of a batch that are there now.  An incomplete batch is deleted. */
static bool
check_batch (struct stream *t, bool *is_there, GError **error)
{
  const struct sending *s = t->sending;
  g_autofree char *condition = condition_of (s->log, t->rows.batch);
  g_autofree char *sql = g_strdup_printf ("SELECT count() FROM `%s`.`%s` WHERE %s",
                                          s->server->database, t->local, condition);
  uint64_t rows;
  if (!clickhouse_count (s->server, sql, &rows, error))
    return false;
  *is_there = rows == t->rows.rows;
  return rows == 0 || *is_there || clickhouse_delete (s->server, t->local, condition, error);
}

/* Sends the batch until it is known to be there. */
static bool
insert_batch (struct stream *t, GError **error)
{
  const struct sending *s = t->sending;
  g_autofree char *id
      = g_strdup_printf ("%s-%s-%" G_GUINT32_FORMAT, s->log->id, t->table->name, t->rows.batch);
  struct push_wait wait;
  enum push_outcome outcome;
  bool is_there = false;
  push_wait_begin (&wait, s->server->http);
  do {
    GError *problem = NULL;
    outcome = clickhouse_insert (s->server, t->insert, id, t->rows.bytes, &problem);
    outcome = push_wait_after (&wait, outcome, &problem, error);
    if (outcome == PUSH_UNSURE && !check_batch (t, &is_there, error))
      return false;
  } while (outcome == PUSH_UNSURE && !is_there);
  return outcome == PUSH_DONE || is_there;
}

static bool
send_batch (struct stream *t, GError **error)
{
  const struct sending *s = t->sending;
  gpointer number = GUINT_TO_POINTER (t->rows.batch);
  const guint there
      = t->there != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (t->there, number)) : 0;
  if (there != t->rows.rows) {
    g_autofree char *condition = condition_of (s->log, t->rows.batch);
    if ((there != 0 && !clickhouse_delete (s->server, t->local, condition, error))
        || !insert_batch (t, error))
      return false;
    s->result->rows += t->rows.rows;
  }
  t->total += t->rows.rows;
  clickhouse_rows_begin (&t->rows, t->rows.batch + 1);
  return true;
}

/* ---- tables ---- */

static bool
refuse_statement (const struct stream *t, const struct query *query, GError **error)
{
  t->sending->result->is_no_log = true;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", t->table->name,
               sqlite3_errmsg (query->db));
  return false;
}

/* On all servers: a query of the cluster's table fails where one lacks it. */
static bool
create_table (const struct clickhouse_push *push, const struct sql_table *table, GError **error)
{
  for (guint i = 0; i < push->n_servers; i++)
    if (!clickhouse_create_table (&push->servers[i], push->values->cluster, table, error))
      return false;
  return true;
}

static bool
send_rows (struct stream *t, struct query *query, sqlite3_stmt *statement, GError **error)
{
  const struct sending *s = t->sending;
  int result;
  clickhouse_rows_begin (&t->rows, 0);
  while ((result = sqlite3_step (statement)) == SQLITE_ROW) {
    if (t->total == 0 && t->rows.rows == 0 && !create_table (s->push, t->table, error))
      return false;
    clickhouse_rows_add (&t->rows, t->table, statement);
    if ((t->rows.rows == BATCH_ROWS || t->rows.value_bytes >= BATCH_BYTES)
        && !send_batch (t, error))
      return false;
  }
  if (result != SQLITE_DONE)
    return refuse_statement (t, query, error);
  return t->rows.rows == 0 || send_batch (t, error);
}

static bool
select_rows (struct stream *t, struct query *query, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM \"%s\"", t->table->name);
  sqlite3_stmt *statement = NULL;
  const bool good = sqlite3_prepare_v2 (query->db, sql, -1, &statement, NULL) == SQLITE_OK
                        ? send_rows (t, query, statement, error)
                        : refuse_statement (t, query, error);
  sqlite3_finalize (statement);
  return good;
}

static bool
send_table (struct sending *s, struct query *query, const struct sql_table *table, GError **error)
{
  const char *const cluster = s->push->values->cluster;
  g_autofree char *columns = clickhouse_columns (table);
  struct stream t = { .sending = s, .table = table };
  t.local = clickhouse_local_name (table->name, cluster);
  t.insert = g_strdup_printf ("INSERT INTO `%s`.`%s` (%s) FORMAT RowBinary", s->server->database,
                              t.local, columns);
  clickhouse_rows_init (&t.rows, s->log);
  const bool good = read_batches (&t, error) && select_rows (&t, query, error);
  if (good) {
    clickhouse_ledger_note (&s->ledger, s->log, table->name, t.rows.batch, t.total);
    s->result->tables += t.total != 0;
  }
  clickhouse_rows_clear (&t.rows);
  g_clear_pointer (&t.there, g_hash_table_unref);
  g_free (t.local);
  g_free (t.insert);
  return good
         && (s->ledger.unsent < LEDGER_ROWS
             || clickhouse_ledger_send (&s->ledger, s->server, cluster, error));
}

static bool
send_log (struct sending *s, struct query *query, GError **error)
{
  const char *const cluster = s->push->values->cluster;
  if (!s->ledger.is_known) {
    clickhouse_ledger_note (&s->ledger, s->log, NULL, 0, 0);
    if (!clickhouse_ledger_send (&s->ledger, s->server, cluster, error))
      return false;
  }
  for (guint i = 0; i < query->module->tables->len; i++) {
    const struct sql_table *table = g_ptr_array_index (query->module->tables, i);
    if (!sql_table_is_exported (table, s->log->sql) || !is_selected (s->push, table))
      continue;
    if (g_hash_table_contains (s->ledger.done, table->name))
      s->result->tables_before++;
    else if (!send_table (s, query, table, error))
      return false;
  }
  return clickhouse_ledger_send (&s->ledger, s->server, cluster, error);
}

bool
clickhouse_push_log (struct clickhouse_push *push, struct query *query, const struct push_log *log,
                     struct clickhouse_result *result, GError **error)
{
  struct sending s = { .push = push, .log = log, .result = result };
  *result = (struct clickhouse_result){ .rows = 0 };
  if (!find_server (&s, error))
    return false;
  const bool good = send_log (&s, query, error);
  clickhouse_ledger_clear (&s.ledger);
  return good;
}

/* ---- all ---- */

bool
clickhouse_push_init (struct clickhouse_push *push, const struct push_values *values,
                      struct push_http *http, GError **error)
{
  *push = (struct clickhouse_push){ .values = values, .n_servers = values->urls->len };
  push->servers = g_new0 (struct clickhouse_server, push->n_servers);
  push->tables = g_strsplit (values->tables != NULL ? values->tables : GROUP_REPORTS, ",", -1);
  for (guint i = 0; i < push->n_servers; i++)
    clickhouse_server_init (&push->servers[i], http, values->urls->pdata[i], values->database);
  for (guint i = 0; i < push->n_servers; i++)
    if (!clickhouse_create (&push->servers[i], values->cluster, error))
      return false;
  return true;
}

void
clickhouse_push_clear (struct clickhouse_push *push)
{
  for (guint i = 0; i < push->n_servers; i++)
    clickhouse_server_clear (&push->servers[i]);
  g_free (push->servers);
  g_strfreev (push->tables);
}
