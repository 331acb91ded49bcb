/* roots.h -- the retainers of objects: memory that is registered to hold roots, and the roots that
 * collections saw.
 *
 * From data version 15 on a root is an address in registered memory, which states its source;
 * before, it states its kind itself.  The roots of a heap snapshot are those between its start and
 * its end from data version 14 on; before, those of the collection that the snapshot is of, which
 * come in front of it.
 */
#ifndef PROFLOG_ROOTS_H
#define PROFLOG_ROOTS_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* Sources are 0 to 16; the one after them is for all others, and for addresses in no registered
 * memory. */
#define ROOT_SOURCES 18

/* The roots of a heap snapshot are between its start and its end from this data version on. */
#define ROOTS_VERSION_INSIDE 14

/* Kinds of data versions 3 to 14. */
enum root_kind {
  ROOT_STACK,
  ROOT_FINALIZER,
  ROOT_HANDLE,
  ROOT_OTHER,
  ROOT_MISC,
  ROOT_UNKNOWN,
  ROOT_KINDS,
};

/* Low bytes that root_kinds_of distinguishes: 0 to 16, and all others. */
#define ROOT_NUMBERS 18

/* The memory of a root's address. */
struct root_memory {
  uint64_t start;
  uint64_t size;
  guint source;
  uint64_t key;     /* see mlpd-events.def */
  const char *name; /* of the memory; the roots' */
};

/* The object of a root was moved, or was replaced by another one. */
struct root_move {
  guint before; /* roots that had been seen */
  uint64_t from, to;
};

/* Roots of a heap snapshot. */
struct root_sums {
  uint64_t count;
  uint64_t sources[ROOT_SOURCES]; /* data version 15 and later */
  uint64_t numbers[ROOT_NUMBERS]; /* earlier: by low byte */
  uint64_t pinning, weak, interior;
};

struct root_source {
  uint64_t registered;
  uint64_t unregistered;
  uint64_t bytes; /* registered and not yet unregistered */
  uint64_t max_bytes;
};

struct roots {
  struct root_source all;
  struct root_source sources[ROOT_SOURCES];
  GTree *memory;  /* uint64_t start -> struct root_memory: the memory that is registered now */
  GTree *counted; /* those that count */
  uint64_t events;
  struct root_sums pending; /* for the next heap snapshot to end */
  uint64_t collections;     /* that they are of; up to data version 14 */
  GArray *objects;          /* of struct mlpd_root: these roots; NULL: not requested */
  GArray *moves;            /* of struct root_move, since the first of them; NULL likewise */
  GStringChunk *names;
};

extern const struct analysis roots_analysis;

void roots_init (struct roots *roots);
void roots_clear (struct roots *roots);

void roots_register (struct roots *roots, const struct mlpd_heap_root_register *event);
void roots_unregister (struct roots *roots, const struct mlpd_heap_root_unregister *event);

/* The same of memory that does not count, but names roots.  Sums are those of the rest alone, so
 * that it does not matter whether this was read. */
void roots_name (struct roots *roots, const struct mlpd_heap_root_register *event);
void roots_forget (struct roots *roots, uint64_t start);

/* Roots of a collection, in a log of this data version. */
void roots_add (struct roots *roots, const struct mlpd_heap_root *event, unsigned version);

/* Objects were moved: old and new address of each in turn. */
void roots_moved (struct roots *roots, struct mlpd_list moves);

/* The roots that were retained, with their objects where these are now (transfer full). */
GArray *roots_now (const struct roots *roots);

/* A heap snapshot begins, and ends: then these are its roots, and `objects` are until the next
 * event.
 */
void roots_shot_starts (struct roots *roots, unsigned version);
struct root_sums roots_shot_ends (struct roots *roots);

/* The roots by kind, in logs of data versions 3 to 14.  Kinds were numbered 0 to 4 and later had a
 * bit each, 1 to 16: the numbers that occur state which, else the data version does. */
void root_kinds_of (const struct root_sums *sums, unsigned version, uint64_t kinds[ROOT_KINDS]);

/* Does each kind have a bit, as far as these state? */
bool root_kinds_are_bits (const struct root_sums *sums, unsigned version);

/* The sums of these roots (of struct mlpd_root). */
struct root_sums root_sums_of (const GArray *roots);

/* The kind of a root, if kinds are bits or not. */
enum root_kind root_kind_numbered (const struct mlpd_root *root, bool are_bits);

/* The kind of one root by itself. */
enum root_kind root_kind_of (const struct mlpd_root *root, unsigned version);

/* The source of the registered memory that an address is in now; ROOT_SOURCES - 1 if in none. */
guint roots_source (const struct roots *roots, uint64_t address);

/* The registered memory that an address is in now; NULL if in none. */
const struct root_memory *roots_memory (const struct roots *roots, uint64_t address);

/* "stack", "finalizer" ...  Static. */
const char *root_kind_name (enum root_kind kind);

#endif
