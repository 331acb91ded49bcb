/* survival.h -- which allocated objects survived which collections, from allocations, moves,
 * collections and heap snapshots in order of time.
 *
 * A collection of Mono copies the survivors among the new objects, and the log states their moves.
 * So a new object that was not moved by the next collection is dead, unless a later move or heap
 * snapshot has it: then it was pinned.  A pinned object of which nothing else is known counts as
 * dead.  Objects that were moved, or that are elsewhere than the objects that minor collections
 * move, are old.  An old object is dead when another object is at its address, or when a whole heap
 * snapshot does not have it; of which collection it was a victim is not known, and the last major
 * one before that counts.  An old object of which nothing is known counts as live.
 *
 * Where allocations are sampled, any object may be at the address of a recorded one: then a new
 * object that one collection did not move is dead.
 *
 * Memory grows with the addresses that objects had, which is with the heap of the program, and with
 * the rows of objects that survived.
 */
#ifndef PROFLOG_SURVIVAL_H
#define PROFLOG_SURVIVAL_H

#include "decoder/core/address-map.h"
#include "decoder/mlpd/model/allocations.h"

#include <proflog/mlpd.h>
#include <stdbool.h>

/* Objects of more bytes are not among the new ones (SGEN_MAX_SMALL_OBJ_SIZE). */
#define SURVIVAL_NEW_BYTES_MAX 8000
/* The memory of new objects begins at a multiple of this, and is a multiple of this large. */
#define SURVIVAL_NURSERY_BYTES ((uint64_t) 4 << 20)

/* In place of the collection in which objects died. */
#define SURVIVAL_LIVE G_MAXUINT32

/* Objects of a row that died in the same collection after the same one. */
struct survival_sum {
  guint row;
  guint born; /* collections that had begun */
  guint died; /* the number of the collection, from 1; SURVIVAL_LIVE */
  struct type_sum sum;
};

struct survival_row {
  guint type;                /* as in allocations.h; after survival_finish a class */
  guint trace;               /* or TRACE_NONE */
  struct type_sum temporary; /* died in the first collection of their generation */
  struct type_sum live;      /* at the end */
  struct type_sum peak;      /* after survival_finish: of those at the peak */
};

struct survival {
  GArray *rows;              /* of struct survival_row */
  struct id_map numbers;     /* of rows, by trace and type */
  struct address_map places; /* address -> place in `objects` */
  GArray *objects;           /* of struct tracked_object: the last one at each address */
  GHashTable *sums;          /* of struct survival_sum: of objects that survived a collection */
  bool is_sampled;           /* not all allocations are recorded */
  guint collections;         /* that began */
  guint majors;              /* among them */
  guint last_major;          /* its number; 0: none */
  guint shots;               /* heap snapshots that began */
  bool is_shot_empty;        /* the last of them has no object so far */
  uint64_t moves;
  bool is_minor;                       /* the last collection */
  uint64_t nursery_start, nursery_end; /* where new objects are, as far as they were moved */

  /* NULL, or called for each dead object when that is known: the first collection after its
   * allocation that can have found it dead, which need not have come. */
  void (*died) (void *data, guint row, guint collection);
  void *died_data;

  /* NULL, or called for each object of a heap snapshot (of that number, from 1) that was allocated.
   */
  void (*in_shot) (void *data, guint shot, uint64_t object, guint row);
  void *in_shot_data;

  /* After survival_finish: in whole objects. */
  struct type_sum temporary, live, peak;
  guint peak_after; /* collections that had begun at the peak */
  GArray *lived;    /* of struct type_sum: dead objects, by the collections that they survived */
};

void survival_init (struct survival *survival);
void survival_clear (struct survival *survival);

/* The row of objects of a type that were allocated at a backtrace. */
guint survival_row_of (struct survival *survival, guint type, guint trace);

/* Events in order of time.  `sum`: the objects and bytes for which it stands. */
void survival_allocate (struct survival *survival, uint64_t object, uint64_t size, guint row,
                        struct type_sum sum);
void survival_move (struct survival *survival, struct mlpd_list objects);
void survival_collect (struct survival *survival, const struct mlpd_gc_event *event);
void survival_begin_shot (struct survival *survival);
void survival_find_in_shot (struct survival *survival, uint64_t object);
void survival_end_shot (struct survival *survival);

/* After the last event.  `symbols` NULL: the types of rows are something else. */
void survival_finish (struct survival *survival, struct symbols *symbols);

#endif
