/* follow-lines.h -- the items of a log that is being written, as lines. */
#ifndef PROFLOG_FOLLOW_LINES_H
#define PROFLOG_FOLLOW_LINES_H

#include "decoder/live/follow-output.h"
#include "decoder/live/live-reading.h"
#include "decoder/views/mlpd/dump.h"
#include "decoder/views/ghc/ghc-dump.h"

struct follow_lines {
  struct log_command *command;
  struct follow_output *output;
  struct follow_stream *stream;
  const struct live_reading *reading;
  char *prefix;     /* of messages: the source's name, or "" if there is one only */
  bool is_past;     /* what comes passed before: it is learnt, and no lines are made */
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

/* What comes now is new: a line for each thread that lives, and on stderr how much passed. */
void follow_lines_begin_now (struct follow_lines *lines);

/* How much was lost, on stderr. */
void follow_lines_report (const struct follow_lines *lines);

#endif
