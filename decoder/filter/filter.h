/* filter.h -- which part of a log is requested: threads, times, names, sizes.
 *
 * filter-options.h parses the options.  An option that is not given selects everything: so does a
 * selection of zeros.  Predicates only read and may be called from several threads at once.
 */
#ifndef PROFLOG_FILTER_H
#define PROFLOG_FILTER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A bound of the time range. */
struct selection_bound {
  bool given;
  bool percent;    /* of the log's span, else ns from its first buffer */
  double percents; /* above 0, up to 100 */
  uint64_t ns;
  char *mark; /* its time (mark-search.h), by its name; NULL: one of the above */
};

enum selection_find_kind {
  SELECTION_FIND_SIZE, /* objects of at least this many bytes */
  SELECTION_FIND_TYPE, /* objects whose class's name has this part */
};

struct selection_find {
  enum selection_find_kind kind;
  uint64_t min_size;
  char *part;
};

struct selection_thread {
  bool is_excluded; /* threads that match are not requested, even if others match them, too */
  bool has_id;
  uint64_t id;
  GPatternSpec *name;
};

/* Spans of the program, whose threads and times are requested. */
struct selection_span {
  char *name;         /* or id; NULL: all times */
  double slowest;     /* percents of them that count, those that took longest; 0: all */
  double not_slowest; /* all but these; 0: none is left out */
};

struct selection {
  GPtrArray *threads; /* of struct selection_thread; NULL: all */
  struct selection_bound from, to;
  struct selection_span span;
  guint occurrence;   /* of a range from a mark to another, from 0 on (mark-search.h) */
  guint *occurrences; /* gets their number (borrowed); NULL: it is not needed */
  uint64_t axis_ns;   /* times of bounds count from this long before the log's first buffer */
  GPtrArray *filters, *excludes; /* of GRegex; NULL: none */
  guint depth;                   /* call frames from the outermost on; 0: all */
  uint64_t min_ns;
  uint64_t min_bytes;
  GArray *finds;   /* of struct selection_find; NULL: none */
  GArray *tracked; /* of uint64_t addresses of objects; NULL: none */
  GArray *caps;    /* of guint: capabilities of an eventlog; NULL: all */
  GString *given;  /* the options for threads, times, names and capabilities as they were given;
                      NULL: none */
};

void selection_clear (struct selection *selection);

/* Between the names that a thread had one after the other. */
#define SELECTION_NAMES_APART "\x1f"

/* Is the thread requested, by its number or one of its names?  `name` may be NULL. */
bool selection_has_thread (const struct selection *selection, uint64_t id, const char *name);

/* Appends a name to those that a thread had before, unless it is among them or there are too many
 * (transfer full; takes `before`, which may be NULL). */
char *selection_add_name (char *before, const char *name);

/* Must names of threads be known before selection_has_thread can decide? */
bool selection_needs_thread_names (const struct selection *selection);

/* Is there a time range?  Is one of its bounds in percent, so that the log's last time is needed
 * before it can be determined? */
bool selection_has_times (const struct selection *selection);
bool selection_needs_last_time (const struct selection *selection);

/* Are spans requested, which have to be found?  Then there are times. */
bool selection_has_span (const struct selection *selection);

/* Is one of the bounds a mark, which has to be found? */
bool selection_has_marks (const struct selection *selection);

/* Is any of these needed before events can be selected: names of threads, the last time, marks? */
bool selection_needs_survey (const struct selection *selection);

/* Are events chosen: by threads, capabilities, times, names or sizes? */
bool selection_chooses_events (const struct selection *selection);

/* The times that are requested, on the log's own clock: *from <= time < *to, or none at all if both
 * are 0.  `first` is the time base of the log's first buffer, `last` the time of its last event
 * (only used for percents).  A bound that is a mark is left open. */
void selection_time_bounds (const struct selection *selection, uint64_t first, uint64_t last,
                            uint64_t *from, uint64_t *to);

/* Does a name of a method or type pass --filter (any) and --exclude (none)?  Any bytes; NULL is
 * an empty name. */
bool selection_accepts_name (const struct selection *selection, const char *name);
/* The two apart: does one of --filter match, or is there none; does one of --exclude? */
bool selection_filters (const struct selection *selection, const char *name);
bool selection_excludes (const struct selection *selection, const char *name);
bool selection_has_names (const struct selection *selection);

/* Is any object requested, by --find or --track? */
bool selection_has_objects (const struct selection *selection);

/* Does --find request an object of this class and size?  Of several sizes, and of several parts of
 * names, one is enough; where both are given, both count. */
bool selection_finds (const struct selection *selection, const char *class_name, uint64_t size);
/* The two apart, for when there is a --find.  Is any of them for a name? */
bool selection_finds_name (const struct selection *selection, const char *class_name);
bool selection_finds_size (const struct selection *selection, uint64_t size);
bool selection_finds_names (const struct selection *selection);

/* Is this address of --track? */
bool selection_tracks (const struct selection *selection, uint64_t address);

/* Is the capability requested?  SELECTION_NO_CAP stands for none. */
#define SELECTION_NO_CAP 0xffffu
bool selection_has_cap (const struct selection *selection, unsigned cap);

/* Does anything leave out events?  If not, figures are of the whole log. */
bool selection_is_partial (const struct selection *selection);

#endif
