/* merge-spec.h -- the tables and figures of merge.def. */
#ifndef PROFLOG_MERGE_SPEC_H
#define PROFLOG_MERGE_SPEC_H

#include "decoder/output/emitter.h"

/* Columns of a table at most. */
#define MERGE_COLUMNS_MAX 13

enum merge_rule {
  MERGE_NAME, /* a text */
  MERGE_KEY,  /* a number */
  MERGE_OF,   /* a text of the section */
  MERGE_SUM,
  MERGE_LARGEST,
  MERGE_LEAST,
  MERGE_MEAN,
  MERGE_SHARE,
};

struct merge_column {
  enum merge_rule rule;
  const char *key, *label;
  enum emitter_type type;
  const char *part, *whole; /* of MEAN and SHARE; the value of OF */
};

/* A table. */
struct merge_spec {
  const char *section, *table, *title;
  bool is_usual;
  struct merge_column columns[MERGE_COLUMNS_MAX]; /* up to one without a key, or all */
};

/* A single value. */
struct merge_figure {
  const char *section, *key;
  enum merge_rule rule;
  const char *part, *whole; /* of SHARE */
};

/* Up to one without a section. */
extern const struct merge_spec merge_specs[];
extern const struct merge_figure merge_figures[];

/* The table of figures: its key and value. */
extern const struct merge_spec merge_figures_spec;
enum { MERGE_FIGURE_KEY, MERGE_FIGURE_VALUE, MERGE_FIGURE_COLUMNS };

/* Do rows that agree in columns of this rule belong together? */
static inline bool
merge_rule_is_name (enum merge_rule rule)
{
  return rule == MERGE_NAME || rule == MERGE_KEY || rule == MERGE_OF;
}

#endif
