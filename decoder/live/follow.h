/* follow.h -- the lines of 'proflog follow'. */
#ifndef PROFLOG_FOLLOW_H
#define PROFLOG_FOLLOW_H

#include "decoder/live/live-reading.h"
#include "decoder/log/log-command.h"
#include "decoder/views/dump-lines.h"
#include "decoder/views/ghc/ghc-dump.h"
#include "decoder/views/mlpd/dump.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- lines in order of time, within an allowed delay ---- */

/* The events of one writer (a thread of Mono, a capability of GHC) come in order; those of several
 * do not, of one log or of several.  A line is held until all writers that reported something
 * lately have come so far, or nothing has come for a moment, so that all that was flushed together
 * is here, or it was held as long as is allowed.  Lines that come after a later one was given are
 * late; how many, and how much, is counted.
 *
 * Memory is bounded: of too many lines the first are given. */

/* Bytes of text that are held at most. */
#define LIVE_ORDER_BYTES_MAX ((size_t) 32 << 20)

/* A thread or a capability, which is another one in each log. */
struct live_writer {
  uint64_t id;
  guint log;
};

struct live_line {
  uint64_t time;     /* of the event */
  uint64_t sequence; /* of its coming */
  uint64_t came;     /* when, on our clock in ns */
  uint64_t late_ns;  /* this much later lines were given before; 0: none */
  char *text;
  size_t length;
};

struct live_order {
  uint64_t delay_ns;  /* that a line is held at most */
  uint64_t settle_ns; /* without anything new; then all is given */
  uint64_t
      hold_until; /* not all logs have reported: until then, only the delay ends a line's wait */
  GArray *heap;   /* of struct live_line, the earliest first */
  GHashTable *writers;
  size_t bytes; /* of text that is held */
  uint64_t sequence;
  uint64_t last_came; /* when something came last */
  uint64_t mark_at;   /* when `mark` was computed; 0: it is to be */
  uint64_t mark;      /* how far all writers have come */
  uint64_t largest;   /* time that came */
  uint64_t printed;   /* time of the last line that was passed */
  bool has_printed;
  /* Its reports. */
  uint64_t lines, late, late_max_ns, held_max_ns, held_total_ns;
};

void live_order_init (struct live_order *order, uint64_t delay_ns, uint64_t settle_ns);
void live_order_clear (struct live_order *order);

/* A line of an event of this writer came.  The text is copied. */
void live_order_add (struct live_order *order, struct live_writer writer, uint64_t time,
                     uint64_t now, const char *text, size_t length);

/* This writer has reported all up to a time. */
void live_order_reached (struct live_order *order, struct live_writer writer, uint64_t time,
                         uint64_t now);

/* The log ended, or begins anew: its writers are waited for no more. */
void live_order_forget (struct live_order *order, guint log);

/* The next line that may be given now, or with `all` if there is any.  Its text is the caller's,
 * with g_free. */
bool live_order_pop (struct live_order *order, uint64_t now, bool all, struct live_line *line);

/* When there will be one if nothing comes; UINT64_MAX if none is held. */
uint64_t live_order_next (const struct live_order *order);

/* ---- the lines of all sources that are followed, in one order ---- */

/* Of one source the order is that of its log's clock, and of the logs in turn.  Of several it is
 * the time of day, with which each line begins, and the source's name follows it.  An eventlog may
 * state the time of day after other events: their lines wait for that, no longer than lines wait
 * for their order. */

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

/* Nothing more comes of this source; this many go on. */
void follow_output_end (struct follow_output *output, struct follow_stream *stream, guint open);

/* Writes the lines that are due, with `all` all.  False if the output takes no more. */
bool follow_output_write (struct follow_output *output, bool all);

/* When some will be due if nothing comes; UINT64_MAX if none is held. */
uint64_t follow_output_next (const struct follow_output *output);

/* How lines were held and which were late, on stderr. */
void follow_output_report (const struct follow_output *output);

/* ---- the items of a log that is being written, as lines ---- */

struct follow_lines {
  struct log_command *command;
  struct follow_output *output;
  struct follow_stream *stream;
  const struct live_reading *reading;
  char *prefix;     /* of messages: the source's name, or "" if there is one only */
  bool is_past;     /* events are of earlier: they are learnt, and no lines are made */
  uint64_t passed;  /* events of that */
  uint64_t events;  /* since */
  uint64_t lost;    /* that the log states are missing, since */
  struct dump dump; /* of logs of Mono */
  struct buffer_filter filter;
  struct threads threads; /* that are known */
  uint64_t start_ns;      /* the time of day; 0: the header has none */
  bool has_start;         /* which the log's clock has, too */
  struct ghc_dump ghc;
  struct ghc_filter ghc_filter;
  GHashTable *ghc_threads; /* guint number -> char * label or "": those that live */
  uint64_t time;           /* of the last event, on the log's clock */
  uint64_t first_time;
  GString *text;
};

/* For the source of this number; the output and the reading are borrowed. */
void follow_lines_init (struct follow_lines *lines, struct follow_output *output, guint number,
                        const struct live_reading *reading);
void follow_lines_clear (struct follow_lines *lines);

/* For a feed. */
void follow_lines_mono (void *data, const struct mlpd_item *item);
void follow_lines_ghc (void *data, const struct ghc_item *item);

/* Later events are new: a line for each thread that lives, and on stderr how much passed. */
void follow_lines_begin_now (struct follow_lines *lines);

/* How much was lost, on stderr. */
void follow_lines_report (const struct follow_lines *lines);

#endif
