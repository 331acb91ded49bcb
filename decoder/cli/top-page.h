/* top-page.h -- the figures of a program as a page of text, or a line. */
#ifndef PROFLOG_TOP_PAGE_H
#define PROFLOG_TOP_PAGE_H

#include "decoder/live/live-tables.h"

/* What is shown, and how. */
struct top_page {
  const char *name; /* of the source */
  enum live_table panel;
  unsigned sort[LIVE_TABLES]; /* column that rows are sorted by, largest first */
  bool reverse;
  bool paused, ended, help;
  guint first;            /* row of the table */
  unsigned columns, rows; /* of the terminal; 0: no limit */
};

/* Rows of a table where the page has no limit. */
#define TOP_ROWS 20

/* The next column to sort by. */
void top_page_sort_next (struct top_page *page);

/* Appends the page: lines, each with its end, no wider and no more than fit. */
void top_page_print (const struct top_page *page, const struct live_figures *figures, GString *out);

/* Appends the page with the tables of all panels that have anything, one below the other. */
void top_page_print_all (const struct top_page *page, const struct live_figures *figures,
                         GString *out);

/* Appends one line with what matters most. */
void top_page_line (const struct live_figures *figures, GString *out);

#endif
