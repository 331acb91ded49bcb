/* page.h -- the data of a page of a report. */
#ifndef PROFLOG_PAGE_H
#define PROFLOG_PAGE_H

#include "decoder/core/timeline.h"
#include "decoder/views/section.h"
#include <glib.h>
#include <stdint.h>

/* ---- JSON without spaces ---- */

/* Commas come by themselves: after any value of an array or object that is open. */

/* The beginning of an object or array: '{' or '['; also as a value of an array. */
void page_json_open (GString *json, char bracket);

/* A key of the object that is open; its value follows. */
void page_json_key (GString *json, const char *key);

/* Values. */
void page_json_number (GString *json, uint64_t number);
void page_json_change (GString *json, int64_t number);
void page_json_text (GString *json, const char *text);

/* ---- tables of a timeline ---- */

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

/* ---- the heap over time, stacked by class or band ---- */

/* Puts an array: an object for the heap snapshots of a Mono log, or for each heap profile of an
 * eventlog.  Of each: times in ns from the beginning of the log; the classes of most bytes and
 * those that grow, by name; all others in one. */
void page_heap_put (GString *json, const struct report *report);

#endif
