/* heap-views.h -- the answers of heap queries. */
#ifndef PROFLOG_HEAP_VIEWS_H
#define PROFLOG_HEAP_VIEWS_H

#include "decoder/heap/heap-changes.h"
#include "decoder/heap/heap-groups.h"
#include "decoder/mlpd/query/heap-leaks.h"
#include "decoder/mlpd/query/leaks.h"
#include "decoder/views/section.h"

struct heap_collections;
struct heap_tasks;

/* ---- the answers of `proflog heap`: a section for each query ---- */

/* A query, and the data that it is about; borrowed. */
struct heap_result {
  const struct heap_graph *graph;           /* NULL: the query is not about one snapshot */
  const struct heap_dominators *dominators; /* NULL: they are not needed */
  enum heap_by by;                          /* histogram */
  const char *subject;                      /* of paths, object, refs, as it was given; else NULL */
  uint32_t object;                          /* the object of the subject, or HEAP_NONE */
  const uint8_t *selected;                  /* the ends of paths; NULL: the object */
  const struct heap_graph *before;          /* of diff: the other snapshot */
  const struct heap_diff *diff;             /* and the changes; else NULL */
  const struct heap_compare *compare;       /* diff of two logs: these, too; else NULL */
  const struct heap_growth *growth;         /* of growth and leaks; else NULL */
  const struct heap_leaks *leaks;           /* of leaks; else NULL */
  const GArray *sites; /* of leaks: of struct leak_site, by suspect; NULL: not searched for */
  const struct heap_collections *collections; /* of collections; else NULL */
  const struct heap_tasks *tasks;             /* of tasks; else NULL */
  const struct heapshot *skipped_shot; /* the last snapshot, if an earlier one is inspected */
};

extern const struct section heap_section_list;
extern const struct section heap_section_histogram;
extern const struct section heap_section_unreachable;
extern const struct section heap_section_dominators;
extern const struct section heap_section_paths;
extern const struct section heap_section_refs;
extern const struct section heap_section_object;
extern const struct section heap_section_strings;
extern const struct section heap_section_collections;
extern const struct section heap_section_tasks;
extern const struct section heap_section_diff;
extern const struct section heap_section_growth;
extern const struct section heap_section_leaks;

/* ---- for the sections ---- */

/* As TABLE_SHAPE_COLUMNS, without the last column. */
#define HEAP_SHAPE_WITHOUT_FIELD(list) .columns = (list), .n_columns = G_N_ELEMENTS (list) - 1

/* The snapshot that the answer is about, with its faults. */
void heap_put_shot (const struct report *report, const char *title);

/* Texts for table_set_text, with the graph as data: names of classes; addresses of objects, none of
 * what is no object. */
char *heap_class_text (const void *graph, uint64_t klass);

/* The field or element that a reference is, by its number; NULL: not known. */
char *heap_reference_text (const void *graph, uint64_t reference);

/* A text after two blanks for each step down a tree (transfer full). */
char *heap_indent (uint32_t depth, const char *text);

/* ---- a suspected leak ---- */

/* "8000 objects of Session accumulate below Cache.entries: 4 System.Delegate[] alike, together
 * 10.2 MB, ..." (transfer full) */
char *leak_sentence (const struct heap_graph *graph, const struct heap_dominators *dominators,
                     const struct leak_suspect *suspect);

/* "static: Static Fields of Cache -> Dictionary<String,Session> -> Entry[] x4 -> Session x8000"
 * (transfer full) */
char *leak_path_text (const struct heap_graph *graph, const struct heap_dominators *dominators,
                      const struct leak_suspect *suspect);

#endif
