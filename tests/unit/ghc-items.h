/* ghc-items.h -- for tests: reads an eventlog from memory in pieces and writes down the items;
 * makes small logs. */
#ifndef PROFLOG_TESTS_GHC_ITEMS_H
#define PROFLOG_TESTS_GHC_ITEMS_H

#include <glib.h>
#include <proflog/ghc-reader.h>

struct ghc_noted {
  enum ghc_item_type type;
  guint64 offset;
  guint64 size;
  enum ghc_damage_reason reason; /* of damage */
  guint64 missing;
  char *
      line; /* "@80+14 cap=0 time=5 run-thread thread=1"; damage ends with " -- " and its message */
  char *event; /* of an event: from its kind on */
};

struct ghc_items {
  GArray *items; /* struct ghc_noted */
  enum proflog_result result;
  GError *error;
};

/* Reads the log: first `first` bytes, then `piece` bytes at a time (0: all the rest).  Each piece
 * is memory of its own, freed as soon as the reader may not need it, so that a sanitizer sees
 * every wrong access. */
struct ghc_items *ghc_items_read (const guint8 *bytes, gsize length, gsize first, gsize piece);
void ghc_items_free (struct ghc_items *items);

#define ghc_items_nth(ghc_items, i) g_array_index ((ghc_items)->items, struct ghc_noted, i)

/* An event from its kind on, as in the lines (transfer full). */
char *ghc_items_event (const struct ghc_item *item);

/* Fails the test unless the items' offsets rise without overlap or gap and, after an END, cover
 * all `length` bytes. */
void ghc_items_check (const struct ghc_items *items, gsize length);

/* Fails the test unless both hold the same. */
void ghc_items_check_equal (const struct ghc_items *a, const struct ghc_items *b);

/* Fails the test unless the log gives the same however it is split, and as much as there is of it
 * however it is cut.  `all`: at every byte; else at some. */
void ghc_items_check_splits (const guint8 *bytes, gsize length, gboolean all);
void ghc_items_check_cuts (const guint8 *bytes, gsize length, gboolean all);

/* Appends a number of this many bytes, big-endian. */
void ghc_put (GByteArray *log, guint64 number, unsigned bytes);

/* A header: begin, the types, end. */
void ghc_put_header_begin (GByteArray *log);
void ghc_put_type (GByteArray *log, guint tag, guint size, const char *description);
void ghc_put_all_types (GByteArray *log); /* of the kinds that are known, without words */
void ghc_put_header_end (GByteArray *log);

/* A block's marker; `size` with the marker. */
void ghc_put_block (GByteArray *log, guint32 size, guint64 time, guint64 end, guint cap);

/* Tag and time of an event. */
void ghc_put_event (GByteArray *log, guint tag, guint64 time);

/* An event with its numbers, each a GHC_NUMBER, and a 0 after them. */
void ghc_put_kind (GByteArray *log, enum ghc_kind kind, guint64 time, ...);
#define GHC_NUMBER(bytes, number) (unsigned) (bytes), (guint64) (number)

#endif
