/* bins.h -- allocations and events of each interval of a log: with the cells of calls (calls.h), a
 * timeline's figures of the events that come in bulk.
 *
 * Thus all that depends on one thread alone is added up on all cores; scan-bins.h has the bins.
 */
#ifndef PROFLOG_BINS_H
#define PROFLOG_BINS_H

#include "decoder/core/id-map.h"
#include "decoder/mlpd/model/recording.h"
#include "decoder/mlpd/model/threads.h"
#include "decoder/mlpd/scan/scan-bins.h"

/* Allocations of a type in a bin. */
struct bin_type {
  guint type; /* a class or vtable, as in allocations.h */
  guint bin;
  struct type_sum sum;
};

/* Events of a thread in a bin, but for samples and their companions. */
struct bin_thread {
  const struct thread *thread; /* the summary's */
  guint bin;
  uint64_t events;
};

/* Of zeros: no bins are requested. */
struct bins {
  GArray *calls; /* of struct scan_binned_enters; a bin may have several */
  GArray *types; /* of struct bin_type: each type and bin once */
  struct id_map type_numbers;
  GArray *threads; /* of struct bin_thread, in file order */
  GArray *buffers; /* of struct scan_binned_buffer, likewise */
  /* Names that addresses had first, and code of the recording: for those that read the buffers. */
  struct symbols *names;
  struct recording recording;
};

extern const struct analysis bins_analysis;

/* The item states a name of something that had none yet. */
void bins_note_name (struct symbols *names, enum mlpd_kind kind, const union mlpd_payload *payload);

#endif
