/* section.h -- parts of a report, each in a file of its own. */
#ifndef PROFLOG_SECTION_H
#define PROFLOG_SECTION_H

#include "decoder/ghc/analyses/ghc-summary.h"
#include "decoder/heap/heapshot-state.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/output/table.h"

struct heap_result;

/* The numbers of samples that a query is about: one, or the earlier and the later of two. */
struct ghc_sample_query {
  bool is_set; /* or else the largest sample of each profile */
  uint32_t numbers[2];
};

/* A report that is being written. */
struct report {
  struct emitter *e;
  const char *log_name;
  const struct summary *s;        /* of a Mono log; NULL: of an eventlog, or of several logs */
  const struct ghc_summary *ghc;  /* of an eventlog; NULL: of a Mono log, or of several logs */
  const struct heap_result *heap; /* a query of heap snapshots (heap-views.h); NULL: none */
  const struct ghc_sample_query *samples; /* that a query of heap profiles is about; NULL: none */
  const struct view *view;
  const guint *by_name; /* of methods: symbols_by_name; NULL: no backtraces are shown */
  GString *absent;      /* titles of sections that the log has nothing for */
};

struct section {
  const char *key;   /* in JSON, and for --reports */
  const char *alias; /* its name in mprof-report; NULL: the same, or none */
  const char *other; /* another name for it; NULL: none */
  void (*put) (const struct report *report);
  const struct table_shape *const *tables; /* up to NULL; NULL: none */
  bool extra;                              /* only when it is requested */
  bool in_pages;                           /* an extra one that HTML has always */
  bool is_text;                            /* in text only */
  unsigned features;                       /* of an eventlog, besides: enum ghc_features */
  unsigned by; /* the possible subjects of its rows: bits 1 << enum view_by; 0: no choice */
};

/* For lists of sections: whether a column of sections.def puts a section into them. */
#define SECTION_IF_YES(section) &(section),
#define SECTION_IF_NO(section)

#define SECTION_TABLES(...) ((const struct table_shape *const[]){ __VA_ARGS__, NULL })

/* Writes the sections of the view, else of `all` (up to NULL) the usual ones.  Damage is written
 * whatever is selected, but in CSV, where it would be one more table. */
void sections_write (struct emitter *emitter, const char *schema, const char *log_name,
                     const struct summary *summary, const struct view *view,
                     const struct section *const *all);

/* The same for an eventlog, whose sections have keys of their own. */
void sections_write_eventlog (struct emitter *emitter, const char *schema, const char *log_name,
                              const struct ghc_summary *summary, const struct view *view,
                              const struct section *const *all);

/* Writes the answer to a query of heap snapshots: a section. */
void sections_write_heap (struct emitter *emitter, const char *schema, const char *log_name,
                          const struct summary *summary, const struct heap_result *heap,
                          const struct view *view, const struct section *const *all);

/* Writes the answer to a query of the heap profiles of an eventlog: a section. */
void sections_write_bands (struct emitter *emitter, const char *schema, const char *log_name,
                           const struct ghc_summary *summary,
                           const struct ghc_sample_query *samples, const struct view *view,
                           const struct section *const *all);

/* The sections of a list such as "alloc,calls" (transfer container), in its order.  Fails with
 * G_OPTION_ERROR and the names that there are. */
GPtrArray *sections_parse (const struct section *const *all, const char *list, GError **error);

/* The same for logs of two formats: each name is to be a section of one of them at least. */
bool sections_parse_both (const struct section *const *mono, const struct section *const *ghc,
                          const char *list, GPtrArray **mono_chosen, GPtrArray **ghc_chosen,
                          GError **error);

/* Does a view show this section of `all`? */
bool sections_show (const struct view *view, const struct section *const *all, const char *key);

/* Does one of the sections that a view shows have rows of the view's subject? */
bool sections_have_rows_by (const struct view *view, const struct section *const *all);

/* The features of an eventlog that the sections of `all` in a view need. */
unsigned sections_features (const struct view *view, const struct section *const *all);

/* The shapes of all tables of the sections that a view shows (transfer container). */
GPtrArray *sections_shapes (const struct view *view, const struct section *const *all);

/* ---- for the sections ---- */

/* Opens a section; one without anything is for programs only. */
void section_open (const struct report *report, const char *key, const char *title, bool any);

/* Notes that the log has nothing for it. */
void section_absent (const struct report *report, const char *title);

/* The same for events that few logs have: their absence is noted if the section was requested. */
void section_absent_rare (const struct report *report, const char *title);

/* Whether a heap snapshot is complete, and if not, why. */
void section_put_shot_state (struct emitter *emitter, enum heapshot_state state);

/* Is the report read by programs, which want all there is and at its place? */
bool section_is_machine_readable (const struct report *report);

/* A table of the report's view. */
struct table *section_table (const struct report *report, const struct table_shape *shape);

/* Names of symbols, for table_set_text with the summary as data. */
char *section_class_name (const void *summary, uint64_t symbol);
char *section_class_image (const void *summary, uint64_t symbol);
char *section_method_name (const void *summary, uint64_t symbol);

/* The same of a frame: the wrapper that calls the native code X is "X [native]". */
char *section_frame_name (const void *summary, uint64_t symbol);

/* The name of a method outside of tables: in words (method-words.h), but with --raw (transfer
 * full). */
char *section_words (const struct report *report, const char *name);

/* For table_set_ties of tables whose ids are symbols, with the summary as data: their numbers
 * depend on when they were seen first, and so on how the log was read. */
int section_compare_classes (const void *summary, uint64_t a, uint64_t b);
int section_compare_methods (const void *summary, uint64_t a, uint64_t b);

#define SECTION_ROW_ID(table, id, ...)                                                             \
  table_add_id ((table), (id), (const union emitter_value[]){ __VA_ARGS__ })
#define SECTION_ROW(table, ...) table_add ((table), (const union emitter_value[]){ __VA_ARGS__ })

#endif
