/* ghc-log.h -- an eventlog as such: headers, sizes, times, events by type, damage. */
#ifndef PROFLOG_GHC_LOG_H
#define PROFLOG_GHC_LOG_H

#include <proflog/ghc-reader.h>

/* Messages that are retained; more are counted only. */
#define GHC_LOG_MESSAGES_MAX 100

struct ghc_log_tag {
  uint64_t events;
  uint64_t bytes;
};

struct ghc_log {
  uint64_t headers;
  guint types;  /* that the first header declares */
  bool is_6_12; /* writers of these, which are read otherwise */
  bool is_7_8_2;
  uint64_t ends;  /* end marks */
  uint64_t bytes; /* of the log, uncompressed */
  uint64_t blocks;
  uint64_t events;          /* without markers of blocks, in the times that count */
  struct ghc_log_tag *tags; /* likewise, of each tag, markers too */
  GHashTable *descriptions; /* of tags that the list of events does not have */
  bool has_time;
  uint64_t first, last;      /* times of events that count; of the interval that is requested */
  uint64_t earliest, latest; /* of any event */
  uint64_t ended;            /* the last time before the last header; 0: it is the first */
  bool overlaps;       /* an event behind a header is before that: no recording that began anew, but
                          logs of several runs, or one twice */
  uint64_t all_events; /* whether they count or not */

  bool truncated;
  uint64_t missing_bytes; /* that should have followed; 0 where it cannot be determined */
  uint64_t skipped_bytes;
  uint64_t lost_events; /* that messages of its writer state */
  uint64_t losses;      /* these messages */
  char *loss;           /* the first one; NULL: none */
  char *limit;          /* the option because of which the log ended early; NULL: none */
  uint64_t damages;
  GPtrArray *messages; /* of char * */
};

void ghc_log_init (struct ghc_log *log);
void ghc_log_clear (struct ghc_log *log);

/* The next item, but for events, which are counted by the next two. */
void ghc_log_item (struct ghc_log *log, const struct ghc_item *item);

/* Notes an event that may state losses, or a limit that the log reached. */
void ghc_log_note_loss (struct ghc_log *log, const struct ghc_item *item);

/* After the last event: losses are damage.  Returns the message for it, the log's; NULL: there are
 * none. */
const char *ghc_log_damage_by_losses (struct ghc_log *log);

/* This many events of a tag were read that count. */
void ghc_log_count (struct ghc_log *log, unsigned tag, uint64_t events, uint64_t bytes);

/* Events between these times were read, whether they count or not. */
void ghc_log_all (struct ghc_log *log, uint64_t events, uint64_t first, uint64_t last);

/* Events between these times were read that count. */
void ghc_log_span (struct ghc_log *log, uint64_t first, uint64_t last);

/* Notes damage outside the items: a compressed log that ends early. */
void ghc_log_damage (struct ghc_log *log, bool truncated, const char *message);

/* The name of the events of a tag: by the list, else by the log's header. */
const char *ghc_log_tag_name (const struct ghc_log *log, unsigned tag);

#endif
