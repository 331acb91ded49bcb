/* ghc-log-check.h -- findings in an eventlog: damage, and events that make no sense together.
 *
 * The states of threads, tasks and sparks are for `proflog validate`.
 */
#ifndef PROFLOG_GHC_LOG_CHECK_H
#define PROFLOG_GHC_LOG_CHECK_H

#include "decoder/core/check-level.h"
#include "decoder/ghc/analyses/ghc-log.h"
#include "decoder/ghc/ghc-span.h"

/* A finding in many places is counted, with the first place. */
enum ghc_finding_kind {
#define FINDING(ID, name, level, text) GHC_CHECK_##ID,
#include "decoder/ghc/analyses/ghc-log-check.def"
  GHC_FINDINGS
};

struct ghc_check_block {
  uint64_t offset;
  uint64_t size; /* as its marker states */
  unsigned cap;
  uint64_t start, end; /* when it was begun and closed */
  uint64_t events;
  uint64_t skipped; /* bytes */
  guint damage;     /* place in the damages + 1; 0: none */
};

struct ghc_log_check {
  struct ghc_log log;
  bool keep_all;   /* blocks, not those with damage only */
  GArray *blocks;  /* of struct ghc_check_block */
  GArray *damages; /* of struct check_damage */
  uint64_t damaged_blocks;
  uint64_t caps; /* that have blocks */
  struct check_finding findings[GHC_FINDINGS];

  /* While it reads. */
  struct ghc_check_block block; /* that is open */
  bool in_block;
  GHashTable *by_cap;           /* number -> struct ghc_check_cap */
  struct ghc_check_cap *recent; /* that was searched for; NULL: none */
  unsigned recent_number;
  uint64_t header;               /* where the last one is */
  uint32_t forms[GHC_SPAN_TAGS]; /* of events that a span may have; of others 0 */
  enum ghc_unit statuses;        /* of stopped threads, as the header's runtime numbers them */
  uint64_t sound_statuses;       /* one bit for each that was looked up */
  bool has_program;
  bool has_thread; /* the first event of a thread, at this time, is the program's: */
  bool has_start;
  uint64_t first_thread;
};

void ghc_log_check_init (struct ghc_log_check *check, bool keep_all);
void ghc_log_check_clear (struct ghc_log_check *check);

/* The next item of the log. */
void ghc_log_check_item (struct ghc_log_check *check, const struct ghc_item *item);

/* Passes the events of the span that only need to be counted, and whose times are in order. */
void ghc_log_check_span (struct ghc_log_check *check, struct ghc_span *span);

/* Damage outside the items: a compressed log that ends early. */
void ghc_log_check_damage (struct ghc_log_check *check, bool truncated, const char *message);

/* After the last item. */
void ghc_log_check_finish (struct ghc_log_check *check);

/* The worst that was found; CHECK_NOTE if nothing was. */
enum check_level ghc_log_check_level (const struct ghc_log_check *check);

/* The findings, by ghc_finding_kind. */
extern const struct check_finding_type ghc_finding_types[GHC_FINDINGS];

#endif
