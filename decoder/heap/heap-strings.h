/* heap-strings.h -- strings of a heap snapshot that have the same text. */
#ifndef PROFLOG_HEAP_STRINGS_H
#define PROFLOG_HEAP_STRINGS_H

#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-holders.h"

struct heap_string {
  const struct heap_text *text; /* the graph's */
  uint64_t count, bytes;        /* of all strings that have it */
  uint64_t wasted;              /* bytes of all but one */
  struct heap_holder holder;    /* that holds most of them */
  uint64_t held;                /* so many */
};

struct heap_strings {
  GArray *all; /* of struct heap_string, by text; those with fewer than two strings are left out */
  uint64_t wasted;
};

/* The graph must have contents, and stay as long. */
void heap_strings_init (struct heap_strings *strings, const struct heap_graph *graph);
void heap_strings_clear (struct heap_strings *strings);

#endif
