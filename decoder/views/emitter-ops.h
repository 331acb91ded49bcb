/* emitter-ops.h -- between emitter.c and the formats. */
#ifndef PROFLOG_EMITTER_OPS_H
#define PROFLOG_EMITTER_OPS_H

#include "decoder/views/emitter.h"

/* A table that is open; the one that a row of it lies in is `outer`. */
struct emitter_table {
  struct emitter_table *outer;
  const struct emitter_column *columns;
  size_t n_columns;
  const char *title;
  size_t row_end;     /* JSON: length of the output behind the row's cells */
  GPtrArray *cells;   /* for people: of char *, NULL for null: rows wait for the widths */
  GPtrArray *details; /* for people: of char *, what stands in each row */
  GString *out;       /* for people: where the table goes; what is in a row is put aside */
};

struct emitter {
  enum emitter_format format;
  const struct emitter_ops *ops;
  GString *out;
  unsigned depth;
  unsigned muted; /* for people: objects and lists that are open, from one that is for programs only
                     on */
  unsigned rows;  /* Markdown: rows that are open */
  unsigned row_depth; /* and the depth of the outermost */
  bool first;         /* JSON: nothing was put into the innermost object or list yet */
  bool has_log;       /* one of several */
  struct emitter_table *table;
  struct emitter_csv *csv;
};

/* What a format does.  All are called as the public functions of the same names. */
struct emitter_ops {
  void (*open) (struct emitter *e, const char *key, const char *title, char bracket);
  void (*close) (struct emitter *e, char bracket);
  void (*value) (struct emitter *e, const char *key, const char *label, enum emitter_type type,
                 union emitter_value value);
  void (*truth) (struct emitter *e, const char *key, const char *label, bool truth);
  void (*texts) (struct emitter *e, const char *key, const char *label, const GPtrArray *texts);
  void (*lines) (struct emitter *e, const char *key, const GPtrArray *texts);
  void (*note) (struct emitter *e, const char *text);
  void (*open_table) (struct emitter *e, const char *key);
  void (*open_row) (struct emitter *e, const union emitter_value *values);
  void (*close_row) (struct emitter *e);
  void (*close_table) (struct emitter *e, uint64_t more);
};

extern const struct emitter_ops emitter_text_ops;
extern const struct emitter_ops emitter_json_ops;
extern const struct emitter_ops emitter_csv_ops;
extern const struct emitter_ops emitter_markdown_ops;

/* What only CSV has. */
struct emitter_csv *emitter_csv_new (void);
void emitter_csv_tables_only (struct emitter *e);
void emitter_csv_log (struct emitter *e, const char *log_name);
void emitter_csv_expect (struct emitter *e, const char *key, const char *id,
                         const struct emitter_column *columns, size_t n_columns,
                         const char *const *details);
void emitter_csv_expect_details (struct emitter *e, const char *const *details);
void emitter_csv_set_aside (struct emitter *e);
void emitter_csv_finish (struct emitter *e); /* appends it all and frees the state */

/* Puts the value of EMIT_ANY in its place, and its type; null is a text. */
void emitter_settle (enum emitter_type *type, union emitter_value *value);

/* A value as people read it (transfer full); NULL for null. */
char *emitter_cell_text (enum emitter_type type, union emitter_value value);

/* What is shown of such a text. */
const char *emitter_shown (const char *cell);

/* For people, rows wait for the end of their table: collects the cells, puts what is in the row
 * aside, frees it all. */
void emitter_start_cells (struct emitter *e);
void emitter_add_cells (struct emitter *e, const union emitter_value *values);
void emitter_end_cells (struct emitter *e);
void emitter_free_cells (struct emitter *e);

#endif
