/* heapshots.h -- heap snapshots: objects and bytes by class. */
#ifndef PROFLOG_HEAPSHOTS_H
#define PROFLOG_HEAPSHOTS_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/heap/heapshot-state.h"
#include "decoder/mlpd/analyses/roots.h"
#include "decoder/mlpd/scan/scan.h"
#include "decoder/mlpd/analyses/shot-references.h"
#include "decoder/mlpd/model/threads.h"

struct heapshot {
  guint index;     /* from 1, among all of the log, those that were not requested with them */
  uint64_t time;   /* of its START */
  uint64_t thread; /* the id of the thread that recorded it */
  bool is_open;    /* neither its END was seen, nor that it goes on no more */
  enum heapshot_state state;
  uint64_t damages; /* of the log, before it */
  uint64_t objects;
  uint64_t bytes;
  uint64_t references;
  uint64_t classes;
  struct root_sums roots; /* when its END was seen */
  struct type_sums types;
  struct shot_references by_type; /* if that is requested */
};

struct heapshots {
  guint begun;      /* with those that were not requested */
  GPtrArray *shots; /* of struct heapshot */
  struct shot_objects *spare;
  uint64_t stray_objects; /* outside any snapshot: not counted in one */
  bool is_past;           /* a collection has begun after that of the last snapshot */
};

extern const struct analysis heapshots_analysis;

/* `damages`: how many the log had so far. */
void heapshots_start (struct heapshots *heapshots, struct thread *thread, uint64_t time,
                      uint64_t damages);

/* One began that was not requested. */
void heapshots_skip (struct heapshots *heapshots);

/* `roots` (of struct mlpd_root, may be NULL) refer to objects of the snapshot. */
void heapshots_end (struct thread *thread, uint64_t damages, const GArray *roots);

/* The thread's snapshot, if there is one, goes on no more though its END was not seen. */
void heapshots_cut (struct thread *thread);

/* The world stops for a collection.  A snapshot that another thread records may be open: it has the
 * heap as it was before. */
void heapshots_collect (struct heapshots *heapshots, const struct thread *thread, uint64_t time);

/* The index of the open snapshot, if a move now comes after it; else 0. */
guint heapshots_past (const struct heapshots *heapshots);

/* Objects that a scan saw on this thread; `types` translates their types. */
void heapshots_merge (struct heapshots *heapshots, struct thread *thread,
                      const struct scan_heap *scanned, const guint *types);

#endif
