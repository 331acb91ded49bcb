/* ghc-merge.h -- makes the events of several eventlogs those of one: numbers that do not clash, one
 * clock, one header.
 *
 * Each log is read twice: surveyed, all of them, then its events are changed.
 */
#ifndef PROFLOG_GHC_MERGE_H
#define PROFLOG_GHC_MERGE_H

#include "decoder/ghc/ghc-types.h"

#include <proflog/ghc-writer.h>

/* The kinds of numbers of each log, which follow those of the logs before. */
enum ghc_numbered {
#define NUMBERED(ID, names, most, may_stay) GHC_NUMBERED_##ID,
#include <proflog/ghc-units.def>
  GHC_NUMBERED, /* how many there are */
};

/* One of the logs. */
struct ghc_merged {
  bool has_numbers[GHC_NUMBERED];
  uint64_t lowest[GHC_NUMBERED], highest[GHC_NUMBERED];
  uint64_t shift[GHC_NUMBERED]; /* the number that is added to each of its own */
  GArray *machines;             /* uint16_t: machines of Eden that join in the log */
  bool is_7_8_2, is_6_12;
  bool has_clock;
  uint64_t start; /* its time 0 in ns since 1970 */
  uint64_t later; /* ns that are added to its times */
  uint32_t pid;   /* 0: not known */
  /* Of events but announcements, which each part of a program's log may have. */
  bool has_events;
  uint64_t first, last;
  size_t program; /* the first log of the same program */
  bool is_part;   /* there are several of it */
};

struct ghc_merge {
  struct ghc_merged *logs;
  size_t n_logs;
  struct ghc_types types;    /* the header of all */
  bool knows_7_8_2;          /* numbers of stop statuses are those of other writers than 7.8.2 */
  union ghc_payload payload; /* of the event that was changed last */
};

void ghc_merge_init (struct ghc_merge *merge, size_t n_logs);
void ghc_merge_clear (struct ghc_merge *merge);

/* Takes notice of an item of the nth log. */
void ghc_merge_survey (struct ghc_merge *merge, size_t nth, const struct ghc_item *item);

/* When all logs are surveyed: computes the shifts of their numbers and times.  False and
 * GHC_WRITER_ERROR if that is more than an eventlog has room for. */
bool ghc_merge_plan (struct ghc_merge *merge, GError **error);

/* Logs of one process on one clock, that are not of the same time, are parts of a log: their
 * announcements are written once.  False: another part has the event. */
bool ghc_merge_includes (const struct ghc_merge *merge, size_t nth, const struct ghc_item *item);

/* Is the nth log an earlier part of the same log than the other one? */
bool ghc_merge_precedes (const struct ghc_merge *merge, size_t nth, size_t other);

/* The time of the nth log on the clock of all. */
uint64_t ghc_merge_time (const struct ghc_merge *merge, size_t nth, uint64_t time);

/* An event of the nth log in the output; good until the next call. */
struct ghc_event ghc_merge_event (struct ghc_merge *merge, size_t nth, const struct ghc_item *item);

#endif
