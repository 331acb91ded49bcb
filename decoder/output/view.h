/* view.h -- the view of a report: its sections, its rows and their order. */
#ifndef PROFLOG_VIEW_H
#define PROFLOG_VIEW_H

#include "decoder/filter/filter.h"

struct survival;
struct timeline;

/* How --filter and the like chose rows. */
struct view_rows {
  uint64_t seen; /* of tables that it can choose from */
  uint64_t shown;
};

/* The samples of a log, or its calls.  Any: the calls only if there are no samples. */
enum view_source { VIEW_SOURCE_ANY, VIEW_SOURCE_SAMPLES, VIEW_SOURCE_CALLS };

/* The things that the rows of a section are about, where there are several ways.  Usual: the
 * section's own. */
enum view_by {
  VIEW_BY_USUAL,
  VIEW_BY_TYPE,
  VIEW_BY_METHOD,
  VIEW_BY_STACK,
  VIEW_BY_THREAD,
  VIEW_BY_SIZE,
  VIEW_BY_LENGTH,
  VIEW_BY_TIME,
  /* Sums over several logs. */
  VIEW_BY_LOG,
  VIEW_BY_HOST,
  VIEW_BY_PID,
  VIEW_BY_VERSION,
  VIEW_BY_ALL,
};

/* Of allocated objects, those that count (decoder/mlpd/analyses/survival.h). */
enum view_objects {
  VIEW_OBJECTS_ALL,
  VIEW_OBJECTS_LIVE,
  VIEW_OBJECTS_PEAK,
  VIEW_OBJECTS_TEMPORARY,
};

/* Of zeros: everything, in the order that is usual. */
struct view {
  const struct selection *selection; /* NULL: all */
  struct view_rows *rows;            /* counts; NULL: not requested */
  guint limit;                       /* rows of a table at most; 0: all */
  bool limit_whole;                  /* even of tables that are short by nature */
  char **sort;                       /* keys of columns; NULL: each table's own order */
  bool reverse;
  char **fields;           /* keys of columns; NULL: all */
  GPtrArray *sections;     /* of const struct section *, to be shown; NULL: the usual ones */
  GPtrArray *ghc_sections; /* in their place for eventlogs, where both formats are read */
  bool sums;        /* of several logs: with them the table of sums; without sections it is shown
                       anyway */
  bool joint;       /* with them the part on all logs; without sections it is shown anyway */
  bool traces;      /* backtraces, too */
  bool own_code;    /* of methods by samples the program's own, which have their library's time */
  guint max_frames; /* of a backtrace; 0: all */
  bool verbose;     /* rows that are hidden otherwise, too */
  bool is_raw;      /* figures are exact */
  bool has_clock;   /* times of day for offsets */
  bool is_page;     /* HTML */
  bool is_brief;    /* text without the parts that few people read */
  bool hides_findings; /* the sentences at the beginning of a report */
  /* Of trees: read from the callees to their callers, or only around the methods whose names
   * contain a text (NULL: all). */
  bool is_inverted;
  const char *callers, *callees;
  enum view_source source; /* of the tree */
  enum view_by by;
  enum view_objects objects;
  const struct survival *survival; /* of the objects, unless all count */
  GHashTable *suspects;            /* of leaks: class -> way from a root; NULL: unknown */
  const char *flames; /* of a page: flame graphs of the whole log (report-log.c); NULL: none */
  const struct timeline *timeline; /* of the log that is shown; NULL: it was not read for one */
};

#endif
