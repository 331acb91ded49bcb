/* mprof-section.h -- the sections of mprof-report's text: mprof-sections.def lists them. */
#ifndef PROFLOG_MPROF_SECTION_H
#define PROFLOG_MPROF_SECTION_H

#include "decoder/mlpd/analyses/summary.h"

/* The order of methods, most first. */
enum mprof_method_order { MPROF_METHODS_BY_TOTAL, MPROF_METHODS_BY_SELF, MPROF_METHODS_BY_CALLS };

/* The order of types, most first. */
enum mprof_type_order { MPROF_TYPES_BY_BYTES, MPROF_TYPES_BY_COUNT };

/* Whether counters stand below their times, or times below their counters; with `verbose` only. */
enum mprof_counter_order { MPROF_COUNTERS_BY_TIME, MPROF_COUNTERS_BY_CATEGORY };

struct mprof_view {
  const GPtrArray *sections; /* of const struct mprof_section; NULL: the usual ones */
  bool traces;
  bool verbose;
  guint max_frames;
  const struct selection *selection; /* its objects; NULL: none */
  enum mprof_method_order method_order;
  enum mprof_type_order type_order;
  enum mprof_counter_order counter_order;
};

/* A report that is being written. */
struct mprof_report {
  GString *out;
  const struct summary *s;
  const struct mprof_view *view;
};

struct mprof_section {
  const char *name; /* for --reports */
  bool is_usual;
  void (*put) (const struct mprof_report *report);
};

#define MPROF_SECTION(name) extern const struct mprof_section mprof_section_##name;
#include "decoder/views/mprof/mprof-sections.def"

#endif
