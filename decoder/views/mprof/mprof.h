/* mprof.h -- the text of Debian's mprof-report, and its parts. */
#ifndef PROFLOG_MPROF_H
#define PROFLOG_MPROF_H

#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/model/symbols.h"
#include <glib.h>
#include <stdint.h>

/* ---- the sections, which mprof-sections.def lists ---- */

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

/* ---- texts that several sections have ---- */

/* An address as C's %p prints it: "0x7f11", or "(nil)" for 0. */
void mprof_append_address (GString *out, uint64_t address);

/* Nanoseconds as seconds with `digits` decimals, the last one rounded. */
void mprof_append_seconds (GString *out, double ns, int digits);

/* A real number with `digits` decimals and a point, whatever the locale, in at least `width`
 * characters. */
void mprof_append_real (GString *out, double value, int width, int digits);

/* The head of a table of the columns bytes, count and average, after `indent`. */
void mprof_append_type_head (GString *out, const char *indent, const char *title);

/* Its row, without the end of the line. */
void mprof_append_type_row (GString *out, const char *indent, uint64_t bytes, uint64_t count,
                            const char *name);

/* ---- rows of tables, most first, of equal ones by name ---- */

struct mprof_row {
  guint symbol;
  uint64_t amount;
};

/* An array of struct mprof_row; free it with g_array_unref. */
GArray *mprof_rows_new (void);
void mprof_rows_add (GArray *rows, guint symbol, uint64_t amount);

/* Rows of the types (struct type_sum by class) of which there are objects, in the report's order.
 */
GArray *mprof_rows_of_types (const struct mprof_report *report, const GArray *classes);

/* `kind`: of the symbols. */
void mprof_rows_sort (GArray *rows, const struct symbols *symbols, enum symbol_kind kind);

/* ---- backtraces, outermost frame first ---- */

/* The frames of a trace, a line each, after `indent`; of more than the view's maximum, the
 * outermost. */
void mprof_append_frames (const struct mprof_report *report, guint trace, const char *indent);

/* Sums by backtrace, from any number of analyses, of which those with the same frames in the text
 * are one. */
struct mprof_traces {
  const struct mprof_report *report;
  struct traces traces; /* cut to the view's maximum */
  struct trace_sums sums;
};

void mprof_traces_init (struct mprof_traces *traces, const struct mprof_report *report);
void mprof_traces_clear (struct mprof_traces *traces);

/* Adds the sums of a key.  Events without a backtrace have no row. */
void mprof_traces_add (struct mprof_traces *traces, const struct trace_sums *sums, guint key);

/* Appends them, most first, each below "N WHAT from:"; `order` selects what N is. */
void mprof_traces_append (const struct mprof_traces *traces, const char *what,
                          enum trace_order order);

/* The above for one key, if the view has backtraces. */
void mprof_append_traces (const struct mprof_report *report, const struct trace_sums *sums,
                          guint key, const char *what, enum trace_order order);

/* ---- the objects of --find and --track ---- */

/* Appends the history of the requested objects, if there are any.  Returns whether any were: then
 * there is nothing else. */
bool mprof_put_objects (const struct mprof_report *report);

/* ---- the whole report, of mprof-report 6.8 ---- */

/* The figures are those of the summary; only the text differs from that of `proflog report`. */

/* The sections of a list such as "alloc,call", in its order (transfer container).  NULL: one of the
 * names is none of a section. */
GPtrArray *mprof_sections_parse (const char *list);

/* Appends the report of a summary that is finished. */
void mprof_report_write (GString *out, const struct summary *summary,
                         const struct mprof_view *view);

#endif
