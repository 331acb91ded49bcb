/* schemas.h -- schemas of the JSON that commands print. */
#ifndef PROFLOG_SCHEMAS_H
#define PROFLOG_SCHEMAS_H

#include "decoder/output/emitter.h"

/* ---- keys, types and nesting of JSON, gathered over many runs ---- */

/* A place in the output: an object with members, a list with items, or a value. */
struct schema_node {
  unsigned types;     /* of values that are not null: bits 1 << enum emitter_type */
  bool is_truth;      /* a bool */
  bool has_null;      /* seen, or possible by its type */
  bool is_list;       /* its items are `item`, NULL: never seen */
  GPtrArray *members; /* of struct schema_member; NULL: no object */
  struct schema_node *item;
  unsigned instances; /* of an object: how many were seen */
};

struct schema_member {
  char *key;
  const char *label; /* for people; NULL: none was seen */
  unsigned count;    /* instances of the object that had it */
  struct schema_node *node;
};

/* A schema, such as "proflog.report/1", by the variant that its runs were of. */
struct schema {
  char *name;
  char *variant;
  struct schema_node *root;
};

/* The runs that follow are of this variant: "mono", "ghc", or "" where logs of both have the same.
 */
void schema_record_variant (const char *variant);

/* The object of this schema and variant at a place ("calls.methods"; of lists, their items) may
 * have this key, with values of this type, though no run showed that; "key[]" is a list, "key{}" an
 * object.  `label`: for people; NULL: none.  False: there is no such place. */
bool schema_record_member (const char *name, const char *of_variant, const char *object,
                           const char *key, const char *label, enum emitter_type type);

/* All that was recorded: of struct schema *, by name, then variant. */
GPtrArray *schema_record_all (void);

/* ---- values of reports that results.def lacks ---- */

/* Values and tables (of struct schema *) that are not declared, or declared and in no run: a line
 * each (transfer full); NULL: none. */
char *schema_results_check (const GPtrArray *schemas);

/* Adds the values that are RARE. */
void schema_results_add_rare (void);

/* ---- JSON schemas of these, and the page docs/json.md ---- */

/* Writes FOLDER/NAME-VERSION.json for each schema (of struct schema *, by name).  The path of a
 * file that cannot be written (transfer full); NULL: all are. */
char *schema_write_all (GPtrArray *schemas, const char *folder);

/* Appends the keys of each as tables for people. */
void schema_append_page (GPtrArray *schemas, GString *page);

#endif
