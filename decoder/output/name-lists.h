/* name-lists.h -- lists about the names of frames in a page, besides these. */
#ifndef PROFLOG_NAME_LISTS_H
#define PROFLOG_NAME_LISTS_H

#include <glib.h>

/* A page has of its names `library`, the places of those that are of the class library or the
 * runtime and not of the program, and `words`, by place, the words in place of a name that a
 * compiler made (method-words.h). */
struct name_lists {
  GString *library, *words; /* owned */
};

void name_lists_init (struct name_lists *lists);
void name_lists_clear (struct name_lists *lists);

/* Any text, which has this place among the names. */
void name_lists_add (struct name_lists *lists, guint place, const char *name);

/* Appends both, with a comma before each, to an object of JSON that is open. */
void name_lists_append (const struct name_lists *lists, GString *json);

#endif
