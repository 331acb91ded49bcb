/* page-tables.h -- the tables of a timeline as data for the scripts of a page. */
#ifndef PROFLOG_PAGE_TABLES_H
#define PROFLOG_PAGE_TABLES_H

#include "decoder/core/timeline.h"

/* The row of those that are not retained. */
#define PAGE_OTHERS "[others]"

/* The names that the page uses, in the order of their first use. */
struct page_names {
  const struct timeline *timeline;
  struct id_map numbers; /* of names of the timeline */
  GArray *used;          /* of uint32_t */
};

/* The place of a name of the timeline among those of the page. */
guint page_name (struct page_names *names, uint32_t name);
void page_names_put (GString *json, const struct page_names *names);

/* Returns the number of rows that are not retained. */
guint page_tables_put (GString *json, struct page_names *names);

#endif
