/* clickhouse-ledger.h -- which tables of a log are finished, so that a log that is sent again adds
 * nothing.
 *
 * A log without a row is new.  One is written before its first table, with no name of a table, and
 * one after each table.  A table without one may be there in part.
 */
#ifndef PROFLOG_CLICKHOUSE_LEDGER_H
#define PROFLOG_CLICKHOUSE_LEDGER_H

#include "decoder/push/clickhouse-schema.h"

struct clickhouse_ledger {
  bool is_known;    /* a part of the log may be there */
  bool is_other;    /* ... of another version of proflog, whose rows may differ */
  GHashTable *done; /* set of names of tables */
  GString *rows;    /* that are not sent yet */
  uint32_t unsent;
};

/* Reads what a server has of a log. */
bool clickhouse_ledger_read (struct clickhouse_ledger *ledger, struct clickhouse_server *server,
                             const char *cluster, const struct push_log *log, GError **error);
void clickhouse_ledger_clear (struct clickhouse_ledger *ledger);

/* Notes that a table is finished; NULL: that the log begins. */
void clickhouse_ledger_note (struct clickhouse_ledger *ledger, const struct push_log *log,
                             const char *table, uint32_t batches, uint64_t rows);

/* Sends what was noted. */
bool clickhouse_ledger_send (struct clickhouse_ledger *ledger, struct clickhouse_server *server,
                             const char *cluster, GError **error);

#endif
