/* convert-to-ghc.h -- events of a Mono log, in order of time, as an eventlog: those that the module
 * records with format=eventlog. */
#ifndef PROFLOG_CONVERT_TO_GHC_H
#define PROFLOG_CONVERT_TO_GHC_H

#include "decoder/convert/convert-caps.h"
#include "decoder/convert/convert-losses.h"
#include "decoder/mlpd/model/symbols.h"

#include <proflog/mlpd-reader.h>

/* The collection of the thread that has stopped the world; see mono-eventlog.c.  Capabilities of
 * several processes may have one each. */
struct convert_collection {
  bool is_open;   /* GC_START was written, GC_END was not */
  bool has_ended; /* one of the stop, of which GC_END is not written */
  uint64_t began; /* when the one that was begun last was; 0: it is written */
  bool has_locks; /* the log states when the collector's lock is released */
};

/* A thread of the log. */
struct convert_thread {
  uint64_t id;
  uint32_t number; /* in the eventlog; 0: not there (yet) */
  struct convert_cap *cap;
  bool is_cap;   /* of an eventlog that the log was: it is none in this one */
  uint64_t live; /* bytes, that it reported last */
  bool is_stopped;
  bool is_over;
  struct convert_collection collection;
  uint64_t type_time;
  const char *type; /* that was announced just before: of the next object; NULL: none */
};

/* The heap as of its last resize. */
struct convert_heap {
  uint64_t size; /* 0: unknown */
  uint64_t time;
  struct convert_thread *thread;
  bool is_due; /* the eventlog does not have it yet */
};

struct convert_to_ghc {
  struct convert_caps caps;
  struct convert_losses losses;
  struct symbols *names;    /* of the whole log; borrowed */
  GHashTable *threads;      /* id -> struct convert_thread */
  GHashTable *thread_names; /* id -> text */
  GHashTable *types;        /* of objects: address -> const char * */
  GHashTable *marks;        /* index of a counter -> name */
  GHashTable *allocated;    /* indices of counters of the bytes that capabilities allocated */
  GHashTable *live;         /* of those of live bytes */
  struct convert_heap heap;
  bool is_sampled; /* allocations are */
  bool has_hole;   /* damaged bytes of the log are left out */
  uint64_t lost;   /* events that the log states as lost at its end */
  int lost_error;  /* with this error number; 0: none */
  uint32_t n_threads;
};

void convert_to_ghc_init (struct convert_to_ghc *convert, const struct convert_origin *origin,
                          struct symbols *names);
void convert_to_ghc_clear (struct convert_to_ghc *convert);

/* Converts an event.  The bytes are those of `caps.out`, which may be emptied; an error is
 * `caps.error`. */
void convert_to_ghc_event (struct convert_to_ghc *convert, const struct mlpd_item *item,
                           uint64_t time);

/* Ends the log, with a message about `lost` events. */
void convert_to_ghc_end (struct convert_to_ghc *convert);

#endif
