/* emitter-private.h -- declarations for emitter.c and the formats. */
#ifndef PROFLOG_EMITTER_PRIVATE_H
#define PROFLOG_EMITTER_PRIVATE_H

#include "decoder/output/emitter.h"
#include "decoder/output/figure.h"
#include "decoder/output/wrap.h"

/* A table that is open; the one that a row of it lies in is `outer`. */
struct emitter_table {
  struct emitter_table *outer;
  const struct emitter_column *columns;
  size_t n_columns;
  const char *title;
  size_t row_end;    /* JSON: length of the output after the row's cells */
  const char *words; /* JSON: column of names whose words are beside them; NULL: none */
  GPtrArray *cells;  /* for people: of char *, NULL for null: rows wait for the widths */
  GArray *figures;   /* and of struct emitter_figure: for the units of columns */
  const char *key;   /* HTML */
  size_t begin;      /* HTML: length of the output before the table */
  GPtrArray *exact;  /* HTML: of char *, the numbers in the cells for programs; NULL: none */
  const char *grey_column, *grey_text; /* for people: of rows without weight; NULL: none */
  char **heads;       /* for people: labels of the columns with units; NULL: none */
  GPtrArray *details; /* for people: of char *, the contents of each row */
  GString *out;       /* for people: where the table goes; the contents of a row are put aside */
};

/* The kind of a number in a cell; FIGURE_NONE: it stays as it is. */
struct emitter_figure {
  enum figure_unit unit;
  char sign; /* that it is shown with; 0: none */
  uint64_t figure;
};

/* Text: an object of few values as one paragraph: "GC  Collections 3; Pauses 3; ...".  It is
 * written as it is, and replaced at its end if it held nothing but values. */
struct text_fold {
  const char *title; /* of the object that may be folded; NULL: none may */
  char *copy;        /* of the title */
  gsize begin;       /* of the object in the output */
  GPtrArray *values; /* of char *: "LABEL VALUE", without those that are 0 */
  unsigned columns;  /* of the screen; 0: unknown */
  bool has_color;
  bool is_last; /* the output ends with such a paragraph */
};

void text_fold_clear (struct text_fold *fold);

/* For people: whether a row of the table is grey. */
bool emitter_row_is_grey (const struct emitter_table *table, guint row);

struct emitter {
  enum emitter_format format;
  struct emitter_style style;
  struct text_fold fold;
  const struct emitter_ops *ops;
  GString *out;
  unsigned columns; /* text: of the screen; 0: unknown */
  bool has_color;
  bool has_clock;      /* moments are times of day */
  uint64_t clock_zero; /* that of the time 0, in ns since 1970 */
  unsigned depth;
  unsigned muted; /* for people: objects and lists that are open, from one that is for programs only
                     on */
  unsigned rows;  /* Markdown and HTML: rows that are open */
  unsigned row_depth; /* and the depth of the outermost */
  bool first;         /* JSON: nothing was put into the innermost object or list yet */
  bool has_log;       /* one of several */
  char *title;        /* of a page; NULL: none */
  struct emitter_table *table;
  struct emitter_csv *csv;
  struct emitter_html *html;
  struct emitter_record *record;
};

/* The functions of a format.  All are called as the public ones of the same names. */
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

  /* The formats that collect their output, as CSV does, have these too; NULL: there is nothing to
   * do. */
  void (*start) (struct emitter *e);
  void (*finish) (struct emitter *e); /* appends the output and frees the state */
  void (*set_tables_only) (struct emitter *e);
  void (*set_log) (struct emitter *e, const char *log_name);
  void (*expect_table) (struct emitter *e, const char *key, const char *id,
                        const struct emitter_column *columns, size_t n_columns,
                        const char *const *details);
  void (*expect_details) (struct emitter *e, const char *const *details);
  void (*set_aside) (struct emitter *e);
  void (*set_words) (struct emitter *e, const char *column);
};

/* The key of the words of a name. */
#define EMITTER_WORDS "words"

extern const struct emitter_ops emitter_text_ops;
extern const struct emitter_ops emitter_json_ops;
extern const struct emitter_ops emitter_csv_ops;
extern const struct emitter_ops emitter_markdown_ops;
extern const struct emitter_ops emitter_html_ops;
extern const struct emitter_ops emitter_record_ops;

/* Puts the value of EMIT_ANY in its place, and its type; null is a text. */
void emitter_resolve_any (enum emitter_type *type, union emitter_value *value);

/* Appends a number, address or time as programs read it.  False, and nothing, for other types and
 * for NaN; EMIT_ANY is resolved before. */
bool emitter_append_exact (GString *out, enum emitter_type type, union emitter_value value);

/* The same as a text (transfer full); NULL: none. */
char *emitter_exact_text (enum emitter_type type, union emitter_value value);

/* A value as people read it (transfer full); NULL for null. */
char *emitter_cell_text (enum emitter_type type, union emitter_value value);

/* A value of this key with its unit, in the emitter's style (transfer full). */
char *emitter_value_text (const struct emitter *e, const char *key, enum emitter_type type,
                          union emitter_value value);

/* The same of its label, without a unit that the value has. */
char *emitter_value_label (const struct emitter *e, const char *key, const char *label);

/* A moment as the time of day (transfer full); NULL: moments are offsets, or the value is none. */
char *emitter_moment_text (const struct emitter *e, const char *key, enum emitter_type type,
                           union emitter_value value);

/* The figure of a column's or value's key. */
struct emitter_figure emitter_figure (const char *key, const char *label, enum emitter_type type,
                                      union emitter_value value);

/* The shown part of such a text. */
const char *emitter_shown (const char *cell);

/* ---- text ---- */

#define TEXT_BOLD "\033[1m"
#define TEXT_HEAD "\033[36m"
#define TEXT_GREY "\033[2m"
#define TEXT_PLAIN "\033[0m"

static inline void
text_indent (struct emitter *e)
{
  for (unsigned i = 1; i < e->depth; i++)
    g_string_append (e->out, "  ");
}

/* ---- rows that wait ---- */

/* For people, rows wait for the end of their table: collects the cells, puts the contents of the
 * row aside, gives columns their heads and units, frees it all. */
void emitter_start_cells (struct emitter *e);
void emitter_add_cells (struct emitter *e, const union emitter_value *values);
void emitter_end_cells (struct emitter *e);
void emitter_scale_cells (struct emitter *e);
void emitter_free_cells (struct emitter *e);

/* Which columns are shown: those of texts if there are any (transfer full). */
bool *emitter_shown_columns (const struct emitter_table *table);

#endif
