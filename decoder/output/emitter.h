/* emitter.h -- the output of reports: the same calls make text, Markdown or HTML for people, JSON
 * or CSV for programs.
 *
 * A report is an object of values, objects, lists of objects and tables.  In JSON every value
 * stands under its key, numbers are exact integers (EMIT_REAL apart), and the first member is
 * "schema".  In text titles, labels and units are shown; keys are not.  Markdown shows the same as
 * text.  So does HTML, a page that has the exact numbers besides (html.h).
 *
 * CSV is a series of tables, named by the keys around them, such as allocations.types.  The values
 * of an object are a table of one row, those of a list of objects a table of a row an object.  A
 * table in a list or in a row begins with the first value of each object, or the name of the row,
 * so that all of them make up one table.  Values in a row, besides its cells, are columns after
 * these.  Tables of one name whose columns differ are several, each with its head.
 */
#ifndef PROFLOG_EMITTER_H
#define PROFLOG_EMITTER_H

#include "decoder/core/wide.h"
#include "decoder/output/emitter-values.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

enum emitter_format { EMITTER_TEXT, EMITTER_JSON, EMITTER_CSV, EMITTER_MARKDOWN, EMITTER_HTML };

enum emitter_type {
  EMIT_NUMBER,    /* unsigned */
  EMIT_CHANGE,    /* signed, shown with its sign */
  EMIT_ADDRESS,   /* shown in hexadecimal; a number in JSON too would lose bits in many readers, so
                     a string "0x..." */
  EMIT_NS,        /* unsigned, shown in ms */
  EMIT_TIME,      /* when: signed ns, shown in ms; may lie before the time that is called 0 */
  EMIT_NS_CHANGE, /* signed, shown in ms with its sign */
  EMIT_SHARE,     /* unsigned thousandths, shown in percent */
  EMIT_REAL,      /* in as few digits as distinguish it from all others; NaN is null */
  EMIT_ANY,       /* each cell has a type of its own */
  EMIT_TEXT,
};

union emitter_value {
  uint64_t number;
  int64_t change;
  double real;
  const struct emitter_any *any; /* valid as long as the table is; NULL: null */
  const char *text;              /* any bytes; those that are not UTF-8 are replaced.  NULL: null */
};

/* A value of a type of its own, none of them EMIT_ANY. */
struct emitter_any {
  enum emitter_type type;
  union emitter_value value;
  const char *shown; /* shown in its place; NULL: the value */
};

static inline struct emitter_any
emitter_any_number (enum emitter_type type, uint64_t number)
{
  return (struct emitter_any){ .type = type, .value.number = number };
}

/* The value of EMIT_SHARE: a part of a whole in thousandths, rounded to the nearest; 0 of nothing.
 */
static inline uint64_t
emitter_share (uint64_t part, uint64_t whole)
{
  return whole != 0 ? wide_scale (part, 1000, whole / 2, whole) : 0;
}

struct emitter_column {
  const char *key;   /* NULL: for people only */
  const char *label; /* NULL: for programs only */
  enum emitter_type type;
};

struct emitter;

/* The style of formats for people; of zeros: exact figures, and nothing folded. */
struct emitter_style {
  bool has_units; /* figures are short and have units */
  bool folds;     /* text: an object of few values is one paragraph */
};

/* Is the format for people, not for programs? */
bool emitter_format_is_for_people (enum emitter_format format);

/* Makes an emitter that appends to `out` (borrowed; its contents may be removed between reports).
 * CSV and HTML are appended when the emitter is freed. */
struct emitter *emitter_new (enum emitter_format format, GString *out);
void emitter_free (struct emitter *emitter);

enum emitter_format emitter_get_format (const struct emitter *emitter);

/* Before anything is put; JSON and CSV have no style. */
void emitter_set_style (struct emitter *emitter, const struct emitter_style *style);

/* HTML: the title of the page. */
void emitter_set_title (struct emitter *emitter, const char *title);

/* CSV: objects that have tables show only these, not their values, unless all of the tables stand
 * aside. */
void emitter_set_tables_only (struct emitter *emitter);

/* Text: no line is wider than this, as far as figures allow: sentences are broken into lines, names
 * are shortened; 0: any width. */
void emitter_set_columns (struct emitter *emitter, unsigned columns);

/* Text: titles and heads have the colours of a terminal. */
void emitter_set_color (struct emitter *emitter, bool has_color);

/* For people: moments are times of day (UTC), from here on.  `zero` is that of the time 0, in ns
 * since 1970; NULL: moments are offsets. */
void emitter_set_clock (struct emitter *emitter, const uint64_t *zero);

/* For reports of several logs: the next one is of this log.  In CSV rows begin with its name. */
void emitter_set_log (struct emitter *emitter, const char *log_name);
bool emitter_has_log (const struct emitter *emitter);

/* The outermost object, of a schema such as "proflog.report/1". */
void emitter_begin (struct emitter *emitter, const char *schema);
void emitter_end (struct emitter *emitter);

/* An object; key NULL in a list.  title NULL: for programs only, with all that is in it. */
void emitter_open (struct emitter *emitter, const char *key, const char *title);
void emitter_close (struct emitter *emitter);

/* A list of objects; title NULL: no heading in text. */
void emitter_open_list (struct emitter *emitter, const char *key, const char *title);
void emitter_close_list (struct emitter *emitter);

/* One value.  label NULL: for programs only. */
void emitter_value (struct emitter *emitter, const char *key, const char *label,
                    enum emitter_type type, union emitter_value value);
void emitter_number (struct emitter *emitter, const char *key, const char *label, uint64_t number);
void emitter_ns (struct emitter *emitter, const char *key, const char *label, uint64_t ns);
void emitter_text (struct emitter *emitter, const char *key, const char *label, const char *text);
void emitter_truth (struct emitter *emitter, const char *key, const char *label, bool truth);

/* A list of texts. */
void emitter_texts (struct emitter *emitter, const char *key, const char *label,
                    const GPtrArray *texts);

/* A list of texts, for people without a label and a line each. */
void emitter_lines (struct emitter *emitter, const char *key, const GPtrArray *texts);

/* A line for people only. */
void emitter_note (struct emitter *emitter, const char *text);

/* A table: open, rows of one value a column, close.  `more`: rows that were left out.  In text an
 * empty table is not shown, nor are columns of text without any. */
void emitter_open_table (struct emitter *emitter, const char *key, const char *title,
                         const struct emitter_column *columns, size_t n_columns);

/* Of the table that is open: rows that have this text in this column are grey, where there are
 * colours.  Both are borrowed until it is closed. */
void emitter_grey_rows (struct emitter *emitter, const char *column, const char *text);

/* JSON: the names of methods in this column of the table that is open have their words beside them
 * (method-words.h), under the key "words", where those differ. */
void emitter_set_words (struct emitter *emitter, const char *column);

/* A row may hold more than its cells: values, lists, tables, up to close_row. */
void emitter_open_row (struct emitter *emitter, const union emitter_value *values);
void emitter_close_row (struct emitter *emitter);

void emitter_close_table (struct emitter *emitter, uint64_t more);

/* CSV: the objects of the list that is open, or the rows of the table, will have a table, if there
 * are any; `id` is their first value, or the table's key.  So the tables do not depend on the log.
 * `details` are keys of the values in its rows besides the cells, up to NULL; NULL: none. */
void emitter_expect_table (struct emitter *emitter, const char *key, const char *id,
                           const struct emitter_column *columns, size_t n_columns,
                           const char *const *details);

/* The same of the table that is open and has no rows yet: the values that will stand in these. */
void emitter_expect_details (struct emitter *emitter, const char *const *details);

/* CSV: the table that is open stands aside. */
void emitter_set_aside (struct emitter *emitter);

#endif
