/* log-check.h -- faults of a log: damage, and events that make no sense together. */
#ifndef PROFLOG_LOG_CHECK_H
#define PROFLOG_LOG_CHECK_H

#include "decoder/core/check-level.h"
#include "decoder/core/id-map.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-span.h"
#include "decoder/mlpd/model/threads.h"

#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <stdbool.h>

/* A fault in many places is counted, with the first place. */
enum check_finding_kind {
#define FINDING(ID, name, level, text) CHECK_##ID,
#include "decoder/mlpd/analyses/log-check.def"
  CHECK_FINDINGS
};

struct check_buffer {
  uint64_t offset;
  uint64_t length; /* of its events */
  uint64_t thread;
  uint64_t base;  /* its time base */
  uint64_t start; /* earliest and latest time; of no event: the base */
  uint64_t end;
  uint64_t events;
  uint64_t skipped;
  bool is_loss_mark, is_check_mark;
  guint damage; /* place in the damages + 1; 0: none */
};

struct log_check {
  struct log log;  /* without the events of scans */
  bool keep_all;   /* buffers, not those with damage only */
  GArray *buffers; /* of struct check_buffer */
  GArray *damages; /* of struct check_damage */
  uint64_t damaged_buffers;
  struct check_finding findings[CHECK_FINDINGS];
  struct threads
      lifetimes; /* threads as reports count them: an id that is used again is another one */

  /* While it reads. */
  struct check_buffer buffer; /* that is open */
  bool in_buffer;
  bool is_part;                /* the log is one of another */
  GHashTable *threads;         /* id -> struct check_thread */
  struct check_thread *thread; /* of the buffer */
  struct thread *lifetime;     /* likewise */
  struct check_symbols {
    struct id_map numbers; /* of addresses */
    GArray *all;           /* of struct check_symbol */
  } symbols[3];            /* classes, methods, vtables */
  struct recent *recent;   /* methods and types that are known to be used */
  GHashTable *counters;    /* indices that were described */
  uint64_t lost_events;    /* by their counter */
};

void log_check_init (struct log_check *check, bool keep_all);
void log_check_clear (struct log_check *check);

/* The next item of the log. */
void log_check_item (struct log_check *check, const struct mlpd_item *item);

/* Events of the buffer that is open, as far as they come in bulk: the span begins after them then.
 * The same as if they came as items. */
void log_check_span (struct log_check *check, struct mlpd_span *span);

/* Damage outside the items: a compressed log that ends early. */
void log_check_damage (struct log_check *check, bool truncated, const char *message);

/* After the last item. */
void log_check_finish (struct log_check *check);

/* The worst that was found; CHECK_NOTE if nothing was. */
enum check_level log_check_level (const struct log_check *check);

/* The findings, by check_finding_kind. */
extern const struct check_finding_type check_finding_types[CHECK_FINDINGS];

#endif
