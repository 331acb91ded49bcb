/* dump.h -- every item of a log, a line each. */
#ifndef PROFLOG_DUMP_H
#define PROFLOG_DUMP_H

#include "decoder/analyses/buffer-choice.h"
#include "decoder/analyses/calls.h"
#include "decoder/analyses/symbols.h"
#include "decoder/formats/mlpd-describe.h"
#include "decoder/views/dump-lines.h"
#include <proflog/mlpd-reader.h>

struct dump {
  struct dump_lines lines;
  bool json;                          /* fields are written as JSON: in JSON and CSV */
  GString *fields;                    /* CSV: those of an item, to be quoted */
  const struct selection *selection;  /* NULL: all */
  const struct buffer_choice *choice; /* of threads and times; NULL: all */
  struct symbols symbols;             /* names as far as they were announced */
  struct threads threads;             /* with their stacks, where --depth asks for them */
  struct calls calls;
  uint64_t events, taken; /* and of them those with a line */
  bool has_time;
  uint64_t first_time; /* time base of the first buffer */
  uint64_t time;       /* of the latest event in the buffer */
  uint64_t clock;      /* by the clock: of the item, in ns since 1970 */
};

/* The selection (borrowed, NULL for all) chooses by names, sizes and depth only; `choice`, which is
 * NULL at first, by threads and times. */
void dump_init (struct dump *dump, enum emitter_format format, const struct selection *selection);
void dump_clear (struct dump *dump);

/* Appends the item's line to `out`. */
void dump_item (struct dump *dump, const struct mlpd_item *item, GString *out);

/* The same for an event that does not come in the order of the file: its time on the log's clock,
 * and the time of day. */
void dump_event (struct dump *dump, const struct mlpd_item *item, uint64_t time, uint64_t clock,
                 GString *out);

/* Likewise damage that has no place in the log: of its compression. */
void dump_damage (struct dump *dump, bool truncated, const char *message, GString *out);

/* ---- for the parts of the dump ---- */

/* Is a line to be written of the item?  Each is asked for once, in order. */
bool dump_takes (struct dump *dump, const struct mlpd_item *item);

/* The name that a number has now: of a value or of an address; NULL if none. */
const char *dump_name (const struct dump *dump, enum mlpd_unit unit, uint64_t value);

/* The members of a header's or an event's object, or what follows the kind in text. */
void dump_put_header (struct dump *dump, const struct mlpd_item *item, GString *out);
void dump_put_event (struct dump *dump, const struct mlpd_item *item, GString *out);

#endif
