/* mlpd-program-span.h -- spans that the program itself records (proflog/program.h): how their
 * events are written in a Mono log. */
#ifndef PROFLOG_MLPD_PROGRAM_SPAN_H
#define PROFLOG_MLPD_PROGRAM_SPAN_H

#include <proflog/mlpd.h>
#include <stdbool.h>

enum mlpd_span_edge { MLPD_SPAN_BEGIN, MLPD_SPAN_END, MLPD_SPAN_LEAVE, MLPD_SPAN_ENTER };

struct mlpd_program_span {
  enum mlpd_span_edge edge;
  uint64_t id;
  uint64_t name;                  /* its number; of a begin only */
  uint64_t trace_high, trace_low; /* the trace that it belongs to, likewise; both 0: none */
};

/* The edge of a span that the event is.  False if it is another event. */
bool mlpd_program_span_of (enum mlpd_kind kind, const union mlpd_payload *payload,
                           struct mlpd_program_span *span);

/* The name of spans that the event announces, and its number; NULL: it announces none.  It is the
 * event's. */
const char *mlpd_program_span_announced (enum mlpd_kind kind, const union mlpd_payload *payload,
                                         uint64_t *number);

/* The name of spans in the text of a description, and its number; NULL: it has none.  It is a part
 * of the text. */
const char *mlpd_program_span_name (struct mlpd_string text, uint64_t *number);

#endif
