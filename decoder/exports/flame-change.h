/* flame-change.h -- how a cost changed since an earlier log, as words with a sign and as a colour.
 */
#ifndef PROFLOG_FLAME_CHANGE_H
#define PROFLOG_FLAME_CHANGE_H

#include <glib.h>
#include <stdint.h>

/* Appends "new", "gone", "=", "+20 %" or "-20 %". */
void flame_change_append_text (GString *bytes, uint64_t now, uint64_t before);

/* Appends a colour of CSS: red is more, blue less, both paler the smaller the change; yellow new,
 * grey the same.  Dark text is readable on all of them. */
void flame_change_append_colour (GString *bytes, uint64_t now, uint64_t before);

#endif
