/* text-fold.h -- an object of few values as one paragraph: "GC  Collections 3; Pauses 3; ...".
 *
 * The object is written as it is, and replaced at its end if it held nothing but values.
 */
#ifndef PROFLOG_TEXT_FOLD_H
#define PROFLOG_TEXT_FOLD_H

#include <glib.h>
#include <stdbool.h>

struct text_fold {
  const char *title; /* of the object that may be folded; NULL: none may */
  char *copy;        /* of the title */
  gsize begin;       /* of the object in the output */
  GPtrArray *values; /* of char *: "LABEL VALUE", without those that are 0 */
  unsigned columns;  /* of the screen; 0: unknown */
  bool has_color;
  bool is_last; /* the output ends with such a paragraph */
};

/* An object begins. */
void text_fold_begin (struct text_fold *fold, const char *title, GString *out);

/* A value of it. */
void text_fold_add (struct text_fold *fold, const char *label, const char *value);

/* It ends. */
void text_fold_end (struct text_fold *fold, GString *out);

void text_fold_clear (struct text_fold *fold);

#endif
