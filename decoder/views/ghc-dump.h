/* ghc-dump.h -- every item of an eventlog, a line each, in the order of the file. */
#ifndef PROFLOG_GHC_DUMP_H
#define PROFLOG_GHC_DUMP_H

#include "decoder/analyses/ghc-choice.h"
#include "decoder/views/emitter.h"

struct ghc_dump {
  enum emitter_format format; /* text, JSON or CSV */
  const char *log_name;       /* of one among several; NULL: the only one */
  bool head;                  /* CSV: the names of columns are still to be written */
  bool begun;                 /* a line was written, or might have been */
  struct ghc_choice *choice;  /* borrowed */
  uint64_t events, taken;     /* and of them those with a line */
};

/* Appends the item's line to `out`. */
void ghc_dump_item (struct ghc_dump *dump, const struct ghc_item *item, GString *out);

/* Likewise damage that has no place in the log: of its compression. */
void ghc_dump_damage (struct ghc_dump *dump, bool truncated, const char *message, GString *out);

#endif
