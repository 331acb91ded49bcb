/* recent-objects.h -- the types of objects that were allocated lately, by address.
 *
 * Tells the type of an exception or a lock where nothing else in the log does.  Bounded: each
 * address has one place in a table, and a later object may take an earlier one's.  Objects are
 * followed when the collector moves them.
 *
 * A scan (scan.h) keeps a table of its own.  What concerns a place that it has not written yet
 * depends on what was before, so it is noted and done when the scan is merged.
 */
#ifndef PROFLOG_RECENT_OBJECTS_H
#define PROFLOG_RECENT_OBJECTS_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

#define RECENT_BITS 10

/* Types are numbers of the user; in a scan of its own, translated when it is merged. */
struct recent_object {
  uint64_t object; /* 0: none */
  guint32 type;
  guint32 epoch; /* scans: of the table; another: not written yet */
};

struct recent_objects {
  struct recent_object *places; /* made at the first allocation */
};

enum recent_step_type {
  RECENT_SET,    /* a place gets this object */
  RECENT_MOVE,   /* from an object's old place to its new one */
  RECENT_MOVES,  /* the same of objects of the scan's list */
  RECENT_FORGET, /* an object that is no longer there */
};

struct recent_step {
  enum recent_step_type step;
  guint rare; /* events that the scan kept before it */
  guint32 type;
  guint32 place;   /* SET */
  uint64_t object; /* MOVES: where they begin in the list */
  uint64_t to;     /* MOVE; MOVES: and end */
};

struct recent_scan {
  struct recent_object *places;
  bool wrote; /* to any place */
  guint32 epoch;
  struct recent_step *steps;
  guint n_steps;
  guint room;
  GArray *moved; /* of uint64_t: old and new addresses in turn */
};

/* What a scan can say of an object. */
struct recent_answer {
  enum { RECENT_UNKNOWN, RECENT_KNOWN, RECENT_ASK } state; /* ASK: what was before knows */
  guint32 type;
};

void recent_objects_clear (struct recent_objects *recent);

void recent_scan_init (struct recent_scan *scan);
void recent_scan_clear (struct recent_scan *scan);
void recent_scan_start (struct recent_scan *scan);

static inline size_t
recent_place (uint64_t object)
{
  return (size_t) (object >> 3) & ((1 << RECENT_BITS) - 1);
}

static inline void
recent_scan_alloc (struct recent_scan *scan, uint64_t object, guint type)
{
  struct recent_object *place = &scan->places[recent_place (object)];
  scan->wrote = true;
  place->object = object;
  place->type = type;
  place->epoch = scan->epoch;
}

/* Objects got other addresses: old and new one in turn. */
void recent_scan_move (struct recent_scan *scan, struct mlpd_list objects, guint rare);

/* The type of an object now. */
struct recent_answer recent_scan_find (const struct recent_scan *scan, uint64_t object);

/* Merges a scan: its steps from *next on that were before its kept event `rare`; `types`
 * translates. */
void recent_objects_merge_steps (struct recent_objects *recent, const struct recent_scan *scan,
                                 guint *next, guint rare, const guint *types);

/* ... and, after all steps, what it wrote. */
void recent_objects_merge (struct recent_objects *recent, const struct recent_scan *scan,
                           const guint *types);

bool recent_objects_find (const struct recent_objects *recent, uint64_t object, guint *type);

#endif
