/* clickhouse-ledger.c -- reads and writes the ledger of a log. */
#include "config.h"

#include "decoder/push/clickhouse-ledger.h"
#include "decoder/push/clickhouse-rows.h"
#include <string.h>

#define WRITER PACKAGE_NAME " " PACKAGE_VERSION

bool
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

void
clickhouse_ledger_clear (struct clickhouse_ledger *ledger)
{
  g_hash_table_unref (ledger->done);
  g_string_free (ledger->rows, TRUE);
}

void
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

/* The same row twice is one: they are replaced by their key. */
bool
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
