/* dump.h -- every item of a log, a line each. */
#ifndef PROFLOG_DUMP_H
#define PROFLOG_DUMP_H

#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/dump-lines.h"
#include "decoder/views/mlpd/dump-names.h"
#include <proflog/mlpd-reader.h>

struct dump {
  struct dump_lines lines;
  bool json;                          /* fields are written as JSON: in JSON and CSV */
  GString *fields;                    /* CSV: those of an item, to be quoted */
  const struct selection *selection;  /* NULL: all */
  const struct buffer_filter *filter; /* of threads and times; NULL: all */
  struct dump_names names;
  struct threads threads; /* with their stacks, where --depth requests them */
  struct calls calls;
  uint64_t events, taken; /* and of them those with a line */
  bool is_after_hit;      /* the item before was a hit */
  bool is_accepted;       /* the hit has a line */
  bool has_time;
  uint64_t first_time; /* time base of the first buffer */
  uint64_t time;       /* of the latest event in the buffer */
  uint64_t clock;      /* by the clock: of the item, in ns since 1970 */
};

/* The selection (borrowed, NULL for all) chooses by names, sizes and depth only; `filter`, which is
 * NULL at first, by threads and times. */
void dump_init (struct dump *dump, enum emitter_format format, const struct selection *selection);
void dump_clear (struct dump *dump);

/* Appends the item's line to `out`. */
void dump_item (struct dump *dump, const struct mlpd_item *item, GString *out);

/* The same for an event that does not come in the order of the file: its time on the log's clock,
 * and the time of day. */
void dump_event (struct dump *dump, const struct mlpd_item *item, uint64_t time, uint64_t clock,
                 GString *out);

/* The same apart, for those that write no dump.  Is the next item in the order of the file
 * selected?  Then its line, without an end, can be appended.  Then dump_store_name is to be called
 * (dump-names.h). */
bool dump_selects (struct dump *dump, const struct mlpd_item *item);
void dump_put_line (const struct dump *dump, const struct mlpd_item *item, GString *out);

/* The name of an item in its line; the reason of its damage. */
const char *dump_item_kind (const struct mlpd_item *item);
const char *dump_damage_reason (const struct mlpd_damage *damage);

/* Likewise damage that has no place in the log: of its compression. */
void dump_damage (struct dump *dump, bool truncated, const char *message, GString *out);

#endif
