/* check-log.h -- declarations for the parts of check-log. */
#ifndef TESTS_CHECK_LOG_H
#define TESTS_CHECK_LOG_H

#include <proflog/mlpd-reader.h>
#include <stdbool.h>

/* ---- check-log.c: problems and counts ---- */

void problem (const char *format, ...) G_GNUC_PRINTF (1, 2);

struct tally {
  uint64_t count;
  uint64_t amount;
};

/* "KIND", "KIND:SUBJECT", "frames:KIND:A;B" -> tally, of the log. */
extern GHashTable *totals;

void add_to (GHashTable *table, const char *key, uint64_t count, uint64_t amount);

/* Counts an event of the log. */
void count (const char *kind, uint64_t thread, uint64_t amount, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

guint hash_u64 (gconstpointer key);
uint64_t *copy_u64 (uint64_t value);

/* ---- check-log-names.c ---- */

/* The name of a vtable is that of its class. */
enum named { NAMED_CLASS, NAMED_IMAGE, NAMED_METHOD, NAMED_VTABLE, NAMED_KINDS };

void names_init (void);
void names_free (void);

/* On the first way through the log: takes the announcements. */
void names_collect (const struct mlpd_item *item);

/* Between the two. */
void names_sort (void);

/* On the second way: a name is announced; a name is used at this time, and must have been. */
void names_announce (enum named named, uint64_t address);
const char *names_use (enum named named, uint64_t address, uint64_t time, uint64_t offset);

/* ---- check-log-items.c: the second way through the log ---- */

/* Checks an item and counts it. */
void items_check (const struct mlpd_item *item);

/* After the last one; whether the log has an end. */
bool items_end (void);

#endif
