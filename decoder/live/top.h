/* top.h -- the page of 'proflog top'. */
#ifndef PROFLOG_TOP_H
#define PROFLOG_TOP_H

#include "decoder/live/live-figures.h"
#include "decoder/live/live-outputs.h"

/* ---- numbers as text ---- */

/* Appends a number; "-" if it is not known (NAN). */
void top_append_value (GString *out, enum live_value kind, double value);

/* The same between two texts. */
void top_append_labelled (GString *out, const char *label, enum live_value kind, double value,
                          const char *after);

/* ---- the figures of programs as a page of text, or a line ---- */

/* Figures of the last intervals, for small pictures. */
enum { TOP_HISTORY = 20 };
struct top_history {
  double alloc[TOP_HISTORY], heap[TOP_HISTORY]; /* the oldest first */
  guint n;
};

/* The shown figures and their form. */
struct top_page {
  const struct live_named *sources; /* one at least, each with figures */
  guint count;
  enum live_table panel;
  unsigned sort[LIVE_TABLES]; /* column that rows are sorted by, largest first */
  bool reverse;
  bool paused, ended, help;
  const char *note; /* above the table; NULL: none */
  bool has_process; /* which can be requested to record more */
  struct top_history history;
  bool waiting;           /* methods that wait are shown, too */
  guint first;            /* row of the table */
  unsigned columns, rows; /* of the terminal; 0: no limit */
};

/* Rows of a table where the page has no limit. */
#define TOP_ROWS 20

/* An interval is over. */
void top_page_add_history (struct top_page *page);

/* The table to begin with: the first that has rows. */
enum live_table top_page_choose_panel (const struct top_page *page);

/* The next column to sort by. */
void top_page_sort_next (struct top_page *page);

/* Appends the page: lines, each with its end, no wider and no more than fit. */
void top_page_print (const struct top_page *page, GString *out);

/* Appends the page with the tables of all panels that have anything, one below the other. */
void top_page_print_all (const struct top_page *page, GString *out);

/* Appends one line with the most important figures of a source, without its end. */
void top_page_line (const struct live_figures *figures, GString *out);

/* ---- the programs, a line each ---- */

/* Columns of names that are shown at most. */
enum { TOP_NAME_COLUMNS = 24 };

/* Appends the titles of the columns, and the line of a source; without the end. */
void top_sources_append_titles (GString *out);
void top_sources_append_line (GString *out, const struct live_named *source);

/* Appends the source's name, in this many columns; of a long one the end. */
void top_sources_append_name (GString *out, const char *name, int columns);

#endif
