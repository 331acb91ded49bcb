/* ghc-start.h -- facts about the start of an eventlog: the process, the time of day, and whether it
 * has the program's start.
 */
#ifndef PROFLOG_GHC_START_H
#define PROFLOG_GHC_START_H

#include <proflog/ghc-reader.h>

/* If the item states the time of day: true, and in *start that of time 0, in ns since 1970.  A time
 * that no clock can have reported counts as none. */
bool ghc_clock_of (const struct ghc_item *item, uint64_t *start);

struct ghc_start {
  bool has_clock;
  uint64_t clock;    /* the time of day, in ns since 1970, of time 0 */
  uint64_t clock_at; /* the time of the log at which it is stated */
  uint32_t pid;      /* of the process; 0: unknown */
  bool is_over;      /* another log follows in the file */
};

/* The next item of the log: a header, the time of day or the process; others are of no use. */
void ghc_start_item (struct ghc_start *start, const struct ghc_item *item);

/* Inspects the reader's bytes, up to where both are known.  Runtimes state the process directly
 * before the time of day, or directly after it. */
void ghc_start_read (struct ghc_start *start, struct ghc_reader *reader);

/* Whether an event about a thread, the first one of a log, is the first one of the program: the
 * creation of its first thread.  Else the log begins in the middle of the program, as a part of one
 * does. */
static inline bool
ghc_is_first_of_program (enum ghc_kind kind, const union ghc_payload *payload)
{
  return kind == GHC_CREATE_THREAD && payload->create_thread.thread == 1;
}

#endif
