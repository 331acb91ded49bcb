/* emitter-ops.h -- between emitter.c and the formats. */
#ifndef PROFLOG_EMITTER_OPS_H
#define PROFLOG_EMITTER_OPS_H

#include "decoder/views/emitter.h"

struct emitter {
  const struct emitter_ops *ops;
  GString *out;
  unsigned depth;
  unsigned muted; /* text: objects and lists that are open, from one that is for programs only on */
  bool first;     /* JSON: nothing was put into the innermost object or list yet */
  const struct emitter_column *columns;
  size_t n_columns;
  const char *title; /* of the table, text */
  GPtrArray *cells;  /* of char *, NULL for null: rows wait for the widths of columns, text */
};

/* What a format does.  All are called as the public functions of the same names. */
struct emitter_ops {
  void (*open) (struct emitter *e, const char *key, const char *title, char bracket);
  void (*close) (struct emitter *e, char bracket);
  void (*value) (struct emitter *e, const char *key, const char *label, enum emitter_type type,
                 union emitter_value value);
  void (*truth) (struct emitter *e, const char *key, const char *label, bool truth);
  void (*texts) (struct emitter *e, const char *key, const char *label, const GPtrArray *texts);
  void (*note) (struct emitter *e, const char *text);
  void (*open_table) (struct emitter *e, const char *key, const char *title);
  void (*row) (struct emitter *e, const union emitter_value *values);
  void (*close_table) (struct emitter *e, uint64_t more);
};

extern const struct emitter_ops emitter_text_ops;
extern const struct emitter_ops emitter_json_ops;

/* A value as people read it (transfer full); NULL for null. */
char *emitter_cell_text (enum emitter_type type, union emitter_value value);

/* Text from a log may hold anything; of this nothing acts on a terminal (transfer full). */
char *emitter_printable (const char *text);

#endif
