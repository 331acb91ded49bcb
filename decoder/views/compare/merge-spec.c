/* merge-spec.c -- merge.def as arrays. */
#include "config.h"

#include "decoder/views/compare/merge-spec.h"
#include <string.h>

#define YES true
#define NO false
#define NAME(key, label)                                                                           \
  {                                                                                                \
    MERGE_NAME, key, label, EMIT_TEXT, NULL, NULL                                                  \
  }
#define KEY(key, label)                                                                            \
  {                                                                                                \
    MERGE_KEY, key, label, EMIT_ANY, NULL, NULL                                                    \
  }
#define OF(key, label, value)                                                                      \
  {                                                                                                \
    MERGE_OF, key, label, EMIT_TEXT, value, NULL                                                   \
  }
#define SUM(key, label, type)                                                                      \
  {                                                                                                \
    MERGE_SUM, key, label, type, NULL, NULL                                                        \
  }
#define LARGEST(key, label, type)                                                                  \
  {                                                                                                \
    MERGE_LARGEST, key, label, type, NULL, NULL                                                    \
  }
#define LEAST(key, label, type)                                                                    \
  {                                                                                                \
    MERGE_LEAST, key, label, type, NULL, NULL                                                      \
  }
#define MEAN(key, label, total, count)                                                             \
  {                                                                                                \
    MERGE_MEAN, key, label, EMIT_NS, total, count                                                  \
  }
#define SHARE(key, label, part, whole)                                                             \
  {                                                                                                \
    MERGE_SHARE, key, label, EMIT_SHARE, part, whole                                               \
  }

const struct merge_spec merge_specs[] = {
#define MERGED(section, table, title, usual, ...) { section, table, title, usual, { __VA_ARGS__ } },
#define FIGURE(section, key, rule)
#define FIGURE_SHARE(section, key, part, whole)
#include "decoder/views/compare/merge.def"
  { .section = NULL },
};

const struct merge_figure merge_figures[] = {
#define MERGED(...)
#define FIGURE(section, key, rule) { section, key, MERGE_##rule, NULL, NULL },
#define FIGURE_SHARE(section, key, part, whole) { section, key, MERGE_SHARE, part, whole },
#include "decoder/views/compare/merge.def"
  { .section = NULL },
};

const struct merge_spec merge_figures_spec = {
  NULL, "figures", "Figures", false, { NAME ("key", "Figure"), SUM ("value", "Value", EMIT_ANY) },
};
