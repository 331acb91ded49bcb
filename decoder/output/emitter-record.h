/* emitter-record.h -- the figures of a report under the keys of its JSON, for those that compare
 * them.
 *
 * A value is named by the keys around it, such as gc.pauses.main.p99_ns, and so is a table, such as
 * allocations.types.  Of a list of objects the last is recorded, of those that state whether they
 * are complete the last complete one.  The contents of a row besides its cells are left out.
 */
#ifndef PROFLOG_EMITTER_RECORD_H
#define PROFLOG_EMITTER_RECORD_H

#include "decoder/output/emitter.h"

struct emitter_record;

/* An emitter that records; sections put the values of JSON. */
struct emitter *emitter_new_record (struct emitter_record *record);

struct emitter_record *emitter_record_new (void);
void emitter_record_free (struct emitter_record *record);

struct emitter_record_value {
  char *key;
  enum emitter_type type; /* EMIT_ANY: null */
  union emitter_value value;
};

struct emitter_record_column {
  char *key;
  enum emitter_type type; /* EMIT_ANY: that of each cell */
};

struct emitter_record_table {
  char *key;
  GArray *columns; /* of struct emitter_record_column */
  GArray *cells;   /* of struct emitter_any, row by row; their texts live as long as the record */
};

/* NULL: there is none of this key. */
const struct emitter_record_value *emitter_record_value (const struct emitter_record *record,
                                                         const char *key);
const struct emitter_record_table *emitter_record_table (const struct emitter_record *record,
                                                         const char *key);

/* All of them: of struct emitter_record_value, and of struct emitter_record_table *. */
const GArray *emitter_record_values (const struct emitter_record *record);
const GPtrArray *emitter_record_tables (const struct emitter_record *record);

guint emitter_record_rows (const struct emitter_record_table *table);
const struct emitter_any *emitter_record_cell (const struct emitter_record_table *table, guint row,
                                               guint column);

/* The place of a column; the number of columns if there is none of this key. */
guint emitter_record_column (const struct emitter_record_table *table, const char *key);

/* Is the value a whole number, of at least 0? */
bool emitter_record_is_amount (enum emitter_type type);

#endif
