/* follow-output.h -- the lines of all sources that are followed, in one order.
 *
 * Of one source the order is that of its log's clock, and of the logs in turn.  Of several it is
 * the time of day, with which each line begins, and the source's name follows it.  An eventlog may
 * state the time of day after other events: their lines wait for that, no longer than lines wait
 * for their order.
 */
#ifndef PROFLOG_FOLLOW_OUTPUT_H
#define PROFLOG_FOLLOW_OUTPUT_H

#include "decoder/log/log-command.h"
#include "decoder/live/live-order.h"
#include "decoder/views/dump-lines.h"

struct follow_output {
  struct log_command *command;
  struct live_order order;
  uint64_t settle_ns;            /* of the last source that goes on */
  struct follow_stream *streams; /* of each source */
  guint count;
  guint silent;      /* sources of which nothing has come yet */
  bool shows_delays; /* in text, too */
  GString *text;
};

/* The lines of one source. */
struct follow_stream {
  const char *name;
  guint number;
  struct dump_lines form; /* of its lines, as they are added */
  uint64_t base;          /* the order's time of time 0 of the log */
  bool has_clock;         /* which is the time of day */
  bool waits_for_clock;
  bool has_reported;
  GArray *early; /* struct early_line: added before the time of day was known */
  size_t early_bytes;
};

/* For the sources of a command.  Lines are held for `delay_ns` at most, and of one source until
 * nothing has come for `settle_ns`.  False if the output takes nothing. */
bool follow_output_init (struct follow_output *output, struct log_command *command,
                         uint64_t delay_ns, uint64_t settle_ns);
void follow_output_clear (struct follow_output *output);

/* Another log begins, whose clock is another one. */
void follow_output_begin_log (struct follow_output *output, struct follow_stream *stream);

/* Where times of day are needed: that of time 0 of the log, in ns since 1970, or that the log has
 * none. */
void follow_output_set_clock (struct follow_output *output, struct follow_stream *stream,
                              uint64_t clock);
void follow_output_set_no_clock (struct follow_output *output, struct follow_stream *stream);

/* Adds the text of a line or more, of this time on the log's clock, which came at `came` on that of
 * live_reading_now. */
void follow_output_add (struct follow_output *output, struct follow_stream *stream, uint64_t writer,
                        uint64_t time, uint64_t came, const GString *text);

/* This writer of the log has reported all up to a time. */
void follow_output_reached (struct follow_output *output, struct follow_stream *stream,
                            uint64_t writer, uint64_t time, uint64_t came);

/* Nothing more comes of this source; this many go on. */
void follow_output_end (struct follow_output *output, struct follow_stream *stream, guint open);

/* Writes the lines that are due, with `all` all.  False if the output takes no more. */
bool follow_output_write (struct follow_output *output, bool all);

/* When some will be due if nothing comes; UINT64_MAX if none is held. */
uint64_t follow_output_next (const struct follow_output *output);

/* How lines were held and which were late, on stderr. */
void follow_output_report (const struct follow_output *output);

#endif
