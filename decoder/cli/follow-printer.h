/* follow-printer.h -- the items of a log that is being written, as lines in order of time. */
#ifndef PROFLOG_FOLLOW_PRINTER_H
#define PROFLOG_FOLLOW_PRINTER_H

#include "decoder/cli/log-command.h"
#include "decoder/live/live-feed.h"
#include "decoder/live/live-order.h"
#include "decoder/views/mlpd/dump.h"
#include "decoder/views/ghc/ghc-dump.h"

struct follow_lines {
  struct log_command *command;
  struct live_order order;
  bool shows_delays;    /* in text, too */
  bool is_past;         /* what comes passed before: it is learnt, and no lines are made */
  uint64_t passed;      /* events of that */
  const uint64_t *came; /* when what comes came: the caller's */
  uint64_t events;      /* since */
  uint64_t lost;        /* that the log states are missing, since */
  struct dump dump;     /* of logs of Mono */
  struct buffer_filter filter;
  struct threads threads; /* that are known */
  struct ghc_dump ghc;
  struct ghc_filter ghc_filter;
  GHashTable *ghc_threads; /* guint number -> char * label or "": those that live */
  uint64_t time;           /* of the last event, on the log's clock */
  uint64_t first_time;
  GString *text;
};

/* `came` is borrowed: when the bytes came that are taken, on the clock of live_reading_now. */
void follow_lines_init (struct follow_lines *lines, struct log_command *command,
                        const uint64_t *came, uint64_t delay_ns, uint64_t settle_ns);
void follow_lines_clear (struct follow_lines *lines);

/* For a feed. */
void follow_lines_mono (void *data, const struct mlpd_item *item);
void follow_lines_ghc (void *data, const struct ghc_item *item);

/* What comes now is new: a line for each thread that lives, and on stderr how much passed. */
void follow_lines_begin_now (struct follow_lines *lines);

/* Writes the lines that are due, with `all` all.  False if the output takes no more. */
bool follow_lines_write (struct follow_lines *lines, bool all);

/* How lines were held and which were late, on stderr. */
void follow_lines_report (const struct follow_lines *lines);

#endif
