/* table.h -- rows of a report on their way to the emitter.
 *
 * Every table goes this way: its rows are collected, then --filter, --min-time and the like drop
 * some, --sort, --reverse and --limit put the rest in order, --fields picks columns, in this one
 * place.  Texts that cost something (names of symbols) are made for the rows that are shown only.
 */
#ifndef PROFLOG_TABLE_H
#define PROFLOG_TABLE_H

#include "decoder/output/emitter.h"
#include "decoder/output/view.h"

/* The shape of a table: static data. */
struct table_shape {
  const char *key;
  const char *title; /* NULL: none */
  const struct emitter_column *columns;
  size_t n_columns;
  const char *const *order; /* keys of columns, up to NULL: the usual order; ties: see
                               table_set_ties; NULL: as added */
  bool whole;               /* short by nature: cut only when that is requested */
  bool hides_zeros;         /* people see no columns of zeros, unless they request them */
  bool aside;               /* goes with the sums around it: CSV never shows it in their place */
  const char *name;         /* column that --filter and --exclude inspect; NULL: none */
  const char *method; /* column of names of methods, which people read as words (method-words.h),
                         but with --raw, and which JSON has as both; NULL: none */
  const char *place;  /* column of texts that they inspect, too; NULL: none */
  const char *apart;  /* column of texts that distinguishes rows of one name; NULL: none.  Where
                         people see two, it stands after the name */
  const char *grey;  /* column of texts: people see rows in grey where it is TABLE_GREY, as they are
                        no  news; NULL: none */
  const char *time;  /* column that --min-time inspects; NULL: none */
  const char *bytes; /* and --min-bytes */
  /* The other contents of rows, where they have a detail (with --traces). */
  const char *const *details;             /* keys of values, up to NULL; NULL: none */
  const struct table_shape *const *inner; /* tables, up to NULL; NULL: none */
};

#define TABLE_GREY "within"
#define TABLE_SHAPE_COLUMNS(array) .columns = (array), .n_columns = G_N_ELEMENTS (array)
#define TABLE_SHAPES(...) ((const struct table_shape *const[]){ __VA_ARGS__, NULL })
#define TABLE_KEYS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* The text of a lazy cell (transfer full), or NULL for null. */
typedef char *table_text (const void *data, uint64_t number);

/* Puts lists and tables of a row that was added with this id into it: the row is open. */
typedef void table_detail (const void *data, uint64_t id, struct emitter *emitter);

struct table;

/* An empty table; shape and view are borrowed. */
struct table *table_new (const struct table_shape *shape, const struct view *view);

/* Cells of the column (of texts) are given as numbers, of which `text` makes the text when it is
 * needed. */
void table_set_text (struct table *table, const char *column, table_text *text, const void *data);

/* The contents of rows besides their cells; of those that are shown only. */
void table_set_detail (struct table *table, table_detail *detail, const void *data);

/* Which of two rows, by their ids, comes first: < 0, 0 or > 0. */
typedef int table_compare (const void *data, uint64_t a, uint64_t b);

/* Rows that are equal by the sort key come in this order; else as they were added.  For rows that
 * are not added in an order of their own. */
void table_set_ties (struct table *table, table_compare *compare, const void *data);

/* A row that the detail will know by this id. */
void table_add_id (struct table *table, uint64_t id, const union emitter_value *values);

/* A row, a value a column.  Texts are copied when the column is not lazy.  Its id is how many there
 * were before. */
void table_add (struct table *table, const union emitter_value *values);

/* Hands the table to the emitter and frees it. */
void table_write (struct table *table, struct emitter *emitter);

/* States to the emitter that objects of the list that is open have this table; `id` is their first
 * value. */
void table_expect (const struct table_shape *shape, const struct view *view, const char *id,
                   struct emitter *emitter);

/* Are all keys of --sort and --fields columns of at least one of these tables (const struct
 * table_shape *)?  Else fails with G_OPTION_ERROR and the keys that there are. */
bool table_check_keys (const struct view *view, const GPtrArray *shapes, GError **error);

/* Adds the keys that these tables have to `keys` (const char *, static), each once, in their order.
 */
void table_list_keys (const GPtrArray *shapes, GPtrArray *keys);

#endif
