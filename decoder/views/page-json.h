/* page-json.h -- data for the scripts of a page, as JSON without spaces.
 *
 * Commas come by themselves: after any value of an array or object that is open.
 */
#ifndef PROFLOG_PAGE_JSON_H
#define PROFLOG_PAGE_JSON_H

#include <glib.h>
#include <stdint.h>

/* The beginning of an object or array: '{' or '['; also as a value of an array. */
void page_json_open (GString *json, char bracket);

/* A key of the object that is open; its value follows. */
void page_json_key (GString *json, const char *key);

/* Values. */
void page_json_number (GString *json, uint64_t number);
void page_json_change (GString *json, int64_t number);
void page_json_text (GString *json, const char *text);

#endif
