/* live-outputs.h -- the figures of a log that is being written, as tables, JSON and metrics. */
#ifndef PROFLOG_LIVE_OUTPUTS_H
#define PROFLOG_LIVE_OUTPUTS_H

#include "decoder/live/live-figures.h"

/* ---- tables by method, type, thread, exception or lock ---- */

enum live_table {
  LIVE_METHODS,
  LIVE_TYPES,
  LIVE_THREADS,
  LIVE_THROWS,
  LIVE_LOCKS,
  LIVE_BANDS,
  LIVE_FRAMES,
  LIVE_TABLES,
};

enum { LIVE_COLUMNS = 8 };

/* The kind of a number. */
enum live_value {
  LIVE_VALUE_NONE, /* there is no such column */
  LIVE_VALUE_RATE, /* per second */
  LIVE_VALUE_COUNT,
  LIVE_VALUE_BYTES,
  LIVE_VALUE_BYTE_RATE,
  LIVE_VALUE_SHARE, /* of the time; 1 is all */
  LIVE_VALUE_MS
};

struct live_column {
  const char *title;
  enum live_value value;
};

struct live_table_form {
  const char *name;
  struct live_column columns[LIVE_COLUMNS];
};

extern const struct live_table_form live_table_forms[LIVE_TABLES];

/* A row.  Texts are the figures'. */
struct live_table_line {
  double values[LIVE_COLUMNS]; /* NAN: not known */
  const char *state;           /* NULL: none.  Of a method: the kind of its wait */
  const char *name;            /* NULL: none is known */
  const char *source;          /* whose it is; NULL: there is one only */
  char id[32];                 /* instead of the name, or before that of a thread; "" */
};

/* The lines of a table, of struct live_table_line, as they come.  Free with g_array_unref. */
GArray *live_table_lines (enum live_table table, const struct live_figures *figures);

/* Which of two lines stands first: that with more in a column, then in those after it, as often all
 * are idle; at last by the name.  Unknown figures are the least. */
int live_table_compare (const struct live_table_line *a, const struct live_table_line *b,
                        unsigned column);

/* Processor time of the process per time, 1 is one processor. */
double live_process_share (const struct live_figures *figures);

/* Part of the interval. */
double live_share (const struct live_figures *figures, uint64_t ns);

/* ---- JSON ---- */

/* Appends the figures that are single numbers as an object of JSON.  Counters are those of the
 * interval, and with _all after their name those of the whole log. */
void live_print_json (const struct live_figures *figures, GString *out);

/* The same of one source among several: the object also has `log`, its name, `pid` and `ended`. */
void live_print_json_of (const struct live_named *source, const char *log, GString *out);

/* Appends the tables as an array of JSON, of each the rows that have most in any column, this many
 * of a column at most. */
void live_print_tables (const struct live_figures *figures, guint rows, GString *out);

/* ---- metrics, for Prometheus ---- */

/* The two ways to write metrics that Prometheus reads. */
enum live_metrics { LIVE_METRICS_TEXT, LIVE_METRICS_OPEN };

/* Appends the figures as metrics.  The source's name is a label: of one source of its format only,
 * of several of each value; of a process the label is `program`, with `pid`.  Figures that a log
 * lacks are left out, and those of ended processes that are no sums. */
void live_metrics_append (const struct live_named *sources, guint n_sources,
                          enum live_metrics metrics, GString *out);

#endif
