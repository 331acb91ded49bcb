/* scan-bins.h -- the sums of a scan by intervals of time (bins), for a timeline of a log.
 *
 * The time between two events of a thread is the self time of the call that is open then, and
 * belongs to the bin of the second event.  Calls have a bin in which they began, and one for each
 * part of their self time.
 */
#ifndef PROFLOG_SCAN_BINS_H
#define PROFLOG_SCAN_BINS_H

#include "decoder/mlpd/model/allocations.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Bins of one width; events before the first or after the last belong to that. */
struct scan_bin_spec {
  uint64_t zero;        /* when the first one begins, on the log's clock */
  uint64_t width;       /* ns */
  guint count;          /* at most SCAN_BIN_NONE */
  bool has_stacks;      /* calls are distinguished by their stacks; else they are only counted */
  bool has_all_buffers; /* else only those with a rest */
};

#define SCAN_BIN_NONE 0xffffu

static inline guint
scan_bin_of (const struct scan_bin_spec *spec, uint64_t time)
{
  const uint64_t since = (int64_t) (time - spec->zero) > 0 ? time - spec->zero : 0;
  return (guint) MIN (since / spec->width, spec->count - 1);
}

/* Calls of a stack (scan_stacks) that began in one bin: their self time in another. */
struct scan_binned_calls {
  guint stack;
  uint16_t begin; /* SCAN_BIN_NONE: a frame of an earlier scan */
  uint16_t end;
  uint64_t calls; /* if both are the same */
  uint64_t self_ns;
};

/* Calls that began in a bin. */
struct scan_binned_enters {
  guint bin;
  uint64_t calls;
};

/* Allocations of a type. */
struct scan_binned_type {
  guint type;
  guint bin;
  struct type_sum sum;
};

/* Events of a thread, but for samples and their companions. */
struct scan_binned_thread {
  guint thread;
  guint bin;
  uint64_t events;
};

/* A buffer.  With other events than calls, allocations, objects and moves it has a rest, which is
 * to be read in order of time. */
struct scan_binned_buffer {
  uint64_t offset; /* of its header */
  uint64_t end;    /* the offset after it */
  uint64_t begin;  /* its time base, or the time of an event if that is earlier */
  bool has_rest;
};

struct scan_bins {
  uint64_t latest;      /* time of the present thread's event before the present one */
  uint64_t events;      /* of that thread; set before each event that is added by itself */
  guint bin;            /* that is added up; SCAN_BIN_NONE: none yet */
  uint64_t begin, span; /* its times, of the thread of the present buffer; span 0: none */
  GArray *self_ns;      /* of uint64_t, by stack: of calls that began and ended in the bin */
  /* Sums before the bin: */
  GArray *calls_before; /* of guint, by stack */
  GArray *types_before; /* of struct type_sum, by type */
  uint64_t enters_before;
  /* Other bins: */
  GArray *calls;                    /* of struct scan_binned_calls, if stacks are requested */
  GArray *enters;                   /* of struct scan_binned_enters */
  GArray *types;                    /* of struct scan_binned_type */
  GArray *threads;                  /* of struct scan_binned_thread */
  GArray *buffers;                  /* of struct scan_binned_buffer */
  struct scan_binned_buffer buffer; /* the present one, to be one of them if is_wanted */
  bool is_wanted;                   /* the present one is, whatever it has */
  uint64_t first_offset;            /* of the first one; UINT64_MAX: there is none yet */
};

void scan_bins_init (struct scan_bins *bins);
void scan_bins_clear (struct scan_bins *bins);
void scan_bins_start (struct scan_bins *bins);

#endif
