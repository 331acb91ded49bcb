/* export-heat.h -- a heat map as one page, which loads nothing and sends nothing. */
#ifndef PROFLOG_EXPORT_HEAT_H
#define PROFLOG_EXPORT_HEAT_H

#include "decoder/exports/export-out.h"
#include "decoder/exports/heat-cells.h"
#include "decoder/exports/trace-stacks.h"

enum heat_event_kind { HEAT_COLLECTION, HEAT_CONTENTION, HEAT_EXCEPTION, HEAT_MARK, HEAT_KINDS };

struct heat_event {
  enum heat_event_kind kind;
  guint program;
  guint name;   /* place in the names */
  guint thread; /* the same, plus 1; 0: of the process */
  uint64_t begin, ns;
};

/* The events of a kind: `count` came, of which one in `step` is in the list. */
struct heat_events {
  GArray *list; /* of struct heat_event, of one kind in the order in which they came */
  uint64_t count, step;
};

struct heat_page {
  const char *title;     /* borrowed, as all here */
  const char *selection; /* options that select a part; NULL: the whole log */
  const struct heat_cells *cells;
  const struct trace_stacks *stacks; /* numbers of entries are those of these, from 1 */
  const GPtrArray *names;            /* of char *: of frames and events */
  const GPtrArray *programs;         /* of char * */
  const struct heat_events *events;  /* HEAT_KINDS of them */
  uint64_t start_ns;                 /* when the first column begins, since 1970; 0: unknown */
  uint64_t summed; /* entries whose stacks are not told apart, as there were too many */
};

/* Writes the page. */
void export_heat_write (const struct heat_page *page, struct export_out *out);

#endif
