/* section.h -- parts of a report, each in a file of its own. */
#ifndef PROFLOG_SECTION_H
#define PROFLOG_SECTION_H

#include "decoder/analyses/ghc-summary.h"
#include "decoder/analyses/summary.h"
#include "decoder/views/table.h"

struct heap_answer;

/* A report that is being written. */
struct report {
  struct emitter *e;
  const char *log_name;
  const struct summary *s;        /* of a Mono log, or ... */
  const struct ghc_summary *ghc;  /* ... of an eventlog */
  const struct heap_answer *heap; /* what is asked about heap shots (heap-view.h); NULL: nothing */
  const struct view *view;
  const guint *by_name; /* of methods: symbols_by_name; NULL: no backtraces are shown */
  GString *absent;      /* titles of sections that the log has nothing for */
};

struct section {
  const char *key;   /* in JSON, and for --reports */
  const char *alias; /* what mprof-report calls it; NULL: the same, or nothing */
  void (*put) (const struct report *report);
  const struct table_shape *const *tables; /* up to NULL; NULL: none */
  bool extra;                              /* only when it is asked for */
  bool is_text;                            /* in text only */
  unsigned wants;                          /* of an eventlog, besides: enum ghc_wants */
};

#define SECTION_TABLES(...) ((const struct table_shape *const[]){ __VA_ARGS__, NULL })

/* Writes the sections of the view, else of `all` (up to NULL) the usual ones.  Damage is told
 * whatever is chosen, but in CSV, where it would be one more table. */
void sections_write (struct emitter *emitter, const char *schema, const char *log_name,
                     const struct summary *summary, const struct view *view,
                     const struct section *const *all);

/* The same for an eventlog, whose sections have keys of their own. */
void sections_write_eventlog (struct emitter *emitter, const char *schema, const char *log_name,
                              const struct ghc_summary *summary, const struct view *view,
                              const struct section *const *all);

/* Answers what was asked about heap shots, by a section. */
void sections_write_heap (struct emitter *emitter, const char *schema, const char *log_name,
                          const struct summary *summary, const struct heap_answer *heap,
                          const struct view *view, const struct section *const *all);

/* The sections of a list such as "alloc,calls" (transfer container), in its order.  Fails with
 * G_OPTION_ERROR and the names that there are. */
GPtrArray *sections_choose (const struct section *const *all, const char *list, GError **error);

/* The same for logs of two formats: each name is to be a section of one of them at least. */
bool sections_choose_both (const struct section *const *mono, const struct section *const *ghc,
                           const char *list, GPtrArray **mono_chosen, GPtrArray **ghc_chosen,
                           GError **error);

/* Does a view show this section of `all`? */
bool sections_show (const struct view *view, const struct section *const *all, const char *key);

/* What the sections of `all` that a view shows want of an eventlog. */
unsigned sections_want (const struct view *view, const struct section *const *all);

/* The shapes of all tables of the sections that a view shows (transfer container). */
GPtrArray *sections_shapes (const struct view *view, const struct section *const *all);

/* ---- for the sections ---- */

/* Opens a section; one without anything is for programs only. */
void section_open (const struct report *report, const char *key, const char *title, bool any);

/* Notes that the log has nothing for it. */
void section_absent (const struct report *report, const char *title);

/* The same for what few logs have: its absence is noted if the section was asked for. */
void section_absent_rare (const struct report *report, const char *title);

/* Whether a heap shot is complete, and if not, why. */
void section_put_shot_state (struct emitter *emitter, enum heapshot_state state);

/* Is the report read by programs, which want all there is and at its place? */
bool section_is_for_programs (const struct report *report);

/* A table of the report's view. */
struct table *section_table (const struct report *report, const struct table_shape *shape);

/* Names of symbols, for table_set_text with the summary as data. */
char *section_class_name (const void *summary, uint64_t symbol);
char *section_class_image (const void *summary, uint64_t symbol);
char *section_method_name (const void *summary, uint64_t symbol);

/* For table_set_ties of tables whose ids are symbols, with the summary as data: their numbers tell
 * when they were met first, which depends on how the log was read. */
int section_compare_classes (const void *summary, uint64_t a, uint64_t b);
int section_compare_methods (const void *summary, uint64_t a, uint64_t b);

#define SECTION_ROW_ID(table, id, ...)                                                             \
  table_add_id ((table), (id), (const union emitter_value[]){ __VA_ARGS__ })
#define SECTION_ROW(table, ...) table_add ((table), (const union emitter_value[]){ __VA_ARGS__ })

#endif
