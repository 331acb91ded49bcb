/* wrap.h -- lines of text in a width. */
#ifndef PROFLOG_WRAP_H
#define PROFLOG_WRAP_H

#include <glib.h>
#include <stddef.h>

/* Appends the text as lines of at most this many columns (0: as one line), broken at blanks.  Each
 * begins with `indent` blanks, and those after the first with two more.  A word that is longer has
 * a line of its own. */
void wrap_append (GString *out, const char *text, unsigned indent, unsigned columns);

/* The text with "..." for a part of it where it is wider than this: for its middle, or so that a
 * word has two thirds of the rest behind.  A method loses the namespaces of its arguments, then
 * that of its class, the types of a generic class, the arguments, and at last its beginning
 * (transfer full). */
char *text_shorten (const char *text, size_t width);

/* Appends words from column `at` on, in lines of this many columns (0: as one line), those after
 * the first from column `indent` on.  A word that is wider than a line is shortened.  Returns the
 * column at the end. */
size_t text_append_words (GString *out, const char *text, size_t at, size_t indent,
                          unsigned columns);

#endif
