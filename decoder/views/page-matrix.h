/* page-matrix.h -- which threads wait for which, as a table of a page: a row for each that waits, a
 * column for each that it waits for.  The page needs no scripts for it. */
#ifndef PROFLOG_PAGE_MATRIX_H
#define PROFLOG_PAGE_MATRIX_H

#include "decoder/views/section.h"

struct page_matrix;

/* NULL if the report is no page; the other functions do nothing then. */
struct page_matrix *page_matrix_new (const struct report *report);

/* Adds waits to a cell. */
void page_matrix_add (struct page_matrix *matrix, const char *row, const char *column, uint64_t ns,
                      uint64_t count);

/* Puts the table, unless it is empty, and frees the matrix.  `rows` and `columns` name the things
 * in these.  Those of the longest waits have their own; others are one. */
void page_matrix_put (struct page_matrix *matrix, const char *key, const char *title,
                      const char *rows, const char *columns);

#endif
