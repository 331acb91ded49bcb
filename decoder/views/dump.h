/* dump.h -- every item of a log, a line each. */
#ifndef PROFLOG_DUMP_H
#define PROFLOG_DUMP_H

#include "decoder/analyses/symbols.h"
#include "decoder/views/emitter.h"
#include <proflog/mlpd-reader.h>

struct dump {
  enum emitter_format format; /* text, JSON or CSV */
  bool json;                  /* fields are written as JSON: in JSON and CSV */
  bool head;                  /* CSV: the names of columns are still to be written */
  GString *fields;            /* CSV: those of an item, to be quoted */
  struct symbols symbols;     /* names as far as they were announced */
  bool has_time;
  uint64_t first_time; /* time base of the first buffer */
  uint64_t time;       /* of the latest event in the buffer */
};

void dump_init (struct dump *dump, enum emitter_format format);
void dump_clear (struct dump *dump);

/* Appends the item's line to `out`. */
void dump_item (struct dump *dump, const struct mlpd_item *item, GString *out);

/* Likewise damage that has no place in the log: of its compression. */
void dump_damage (struct dump *dump, bool truncated, const char *message, GString *out);

#endif
