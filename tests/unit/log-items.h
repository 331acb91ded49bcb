/* log-items.h -- for tests: reads a log from memory in pieces and writes down the items. */
#ifndef PROFLOG_TESTS_LOG_ITEMS_H
#define PROFLOG_TESTS_LOG_ITEMS_H

#include <glib.h>
#include <proflog/mlpd-reader.h>

struct log_item {
  enum mlpd_item_type type;
  guint64 offset;
  guint64 size;
  enum mlpd_damage_reason reason; /* of damage */
  guint64 missing;
  char *line; /* "@80+9 alloc time=... ..."; damage ends with " -- " and its message */
};

struct log_items {
  GArray *items; /* struct log_item */
  enum proflog_result result;
  GError *error;
};

/* Reads the log: first `first` bytes, then `piece` bytes at a time (0: all the rest).  Each piece
 * is memory of its own, freed as soon as the reader may not need it, so that a sanitizer sees
 * every wrong access. */
struct log_items *log_items_read (const guint8 *bytes, gsize length, gsize first, gsize piece);
void log_items_free (struct log_items *items);

/* Kind and fields of an event as they stand in its line. */
char *log_items_event_text (enum mlpd_kind kind, const union mlpd_payload *payload,
                            unsigned version);

#define log_items_nth(log_items, i) g_array_index ((log_items)->items, struct log_item, i)

/* Fails the test unless the items' offsets rise without overlap or gap and, after an END, cover
 * all `length` bytes. */
void log_items_check (const struct log_items *items, gsize length);

/* Fails the test unless both hold the same. */
void log_items_check_equal (const struct log_items *a, const struct log_items *b);

#endif
