/* analysis.h -- the interface of an analysis of a Mono log to the summary that runs it.
 *
 * An analysis is one row of analyses.def and one struct analysis: the size of its state, the
 * options that it needs, the events that it handles, and its functions for a scan and the end.
 * Handlers get its state, and the model, which all analyses share.  The state of gc_analysis is a
 * struct gc.
 */
#ifndef PROFLOG_ANALYSIS_H
#define PROFLOG_ANALYSIS_H

#include "decoder/mlpd/mlpd-sample-usage.h"
#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/pending-type.h"
#include "decoder/mlpd/model/threads.h"
#include "decoder/mlpd/model/type-traces.h"
#include "decoder/mlpd/scan/scan.h"

struct heap_builder;
struct heapshots;
struct log;
struct roots;

/* The model that analyses share: the summary's. */
struct analysis_model {
  const struct scan_options *options;
  struct log *log;
  struct symbols *symbols;
  struct threads *threads;
  struct traces *traces;
  struct pending_types *pending_types;
  struct allocations *allocations;
  struct type_traces *allocation_traces;
  struct heapshots *heapshots;
  struct heap_builder *heap_builder;
  struct roots *roots;
};

/* An event that a scan has retained, when the scan is merged. */
struct analysis_event {
  const struct analysis_model *model;
  struct thread *thread; /* whose buffer the event is in */
  enum mlpd_kind kind;
  const union mlpd_payload *payload;
  unsigned version;               /* data version of the log */
  uint64_t time;                  /* of the latest event in the buffer */
  uint64_t offset;                /* in the log */
  bool follows_class;             /* a METADATA CLASS of the same buffer is right before it */
  bool repeated;                  /* its buffer repeats earlier announcements */
  struct mlpd_sample_usage usage; /* of a hit */
};

/* A scan that is merged, with the meanings of its own numbers. */
struct analysis_scan {
  const struct analysis_model *model;
  const struct scan *scan;
  guint *symbols[SCAN_SYMBOL_KINDS];
  guint *types; /* those of the symbols that are types */
  struct thread **threads;
};

typedef void analysis_handler (void *state, const struct analysis_event *event);

struct analysis_handlers {
  enum mlpd_kind kind;
  analysis_handler *event; /* NULL: none */
  analysis_handler *name;  /* of events that do not count, but whose names do; NULL: none */
};

/* Functions that are NULL have nothing to do. */
struct analysis {
  size_t state_bytes; /* 0: it works on the model alone */
  bool is_bounded;    /* its memory does not grow with the events: it is for endless streams, too */
  bool (*is_needed) (const struct scan_options *options); /* NULL: always */
  void (*request) (struct scan_options *options);         /* requests its data from the scan */
  void (*init) (void *state, const struct scan_options *options); /* NULL: zeros */
  void (*clear) (void *state);
  void (*merge) (void *state, const struct analysis_scan *scan); /* after its events */
  void (*finish) (void *state, const struct analysis_model *model);
  const struct analysis_handlers *handlers;
  guint n_handlers;
};

#define ANALYSIS_HANDLERS(array) .handlers = (array), .n_handlers = G_N_ELEMENTS (array)

/* The backtrace's number; TRACE_NONE if backtraces are not requested. */
guint analysis_trace (const struct analysis_event *event, struct mlpd_list backtrace);

/* The type of an object in the event: a class or, in logs that have them, a vtable. */
guint analysis_type (const struct analysis_event *event, uint64_t klass, uint64_t vtable);

/* The type of the object that an event at this time is about: that of the type mark right before
 * it; without one it is pending. */
struct type_ref analysis_object_type (const struct analysis_event *event, uint64_t time);

#endif
