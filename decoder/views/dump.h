/* dump.h -- every item of a log, a line each. */
#ifndef PROFLOG_DUMP_H
#define PROFLOG_DUMP_H

#include "decoder/analyses/symbols.h"
#include "decoder/views/emitter.h"
#include <proflog/mlpd-reader.h>

struct dump {
  enum emitter_format format; /* JSON: an object a line */
  struct symbols symbols;     /* names as far as they were announced */
  bool has_time;
  uint64_t first_time; /* time base of the first buffer */
  uint64_t time;       /* of the latest event in the buffer */
};

void dump_init (struct dump *dump, enum emitter_format format);
void dump_clear (struct dump *dump);

/* Appends the item's line to `out`. */
void dump_item (struct dump *dump, const struct mlpd_item *item, GString *out);

#endif
