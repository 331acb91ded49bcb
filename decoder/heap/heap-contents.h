/* heap-contents.h -- what the strings and collections of a heap snapshot contain, where the log
 * states it.
 */
#ifndef PROFLOG_HEAP_CONTENTS_H
#define PROFLOG_HEAP_CONTENTS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that two strings or more have. */
struct heap_text {
  uint64_t id;     /* in the log */
  uint64_t length; /* characters (of UTF-16) */
  char *text;      /* the first of them; NULL: the log lacks it */
};

/* A string has a text. */
struct heap_text_member {
  uint64_t address, id;
};

/* A collection of the library, or an array of references. */
struct heap_collection {
  uint64_t address;
  uint64_t count; /* elements; not stated of an array */
  uint64_t capacity;
  uint64_t element; /* bytes of one; 0: not known */
};

/* The state of an operation: the state machine of an async method. */
struct heap_operation_state {
  uint64_t address;
  int64_t state;
};

struct heap_contents {
  bool has_strings, has_collections; /* they were recorded, to their end */
  uint64_t strings;                  /* in the snapshot */
  uint64_t different;                /* texts */
  uint64_t unread;                   /* strings that were compared with no other */
  GArray *texts;                     /* of struct heap_text, by id */
  GArray *collections;               /* of struct heap_collection, by address */
  GArray *members;                   /* of struct heap_text_member */
  GArray *states;                    /* of struct heap_operation_state, by address */
};

struct heap_contents *heap_contents_new (void);
void heap_contents_free (struct heap_contents *contents);

/* A string has the text of this id. */
void heap_contents_add_string (struct heap_contents *contents, uint64_t address, uint64_t id);

/* The text of an id; the first one counts.  `text` is copied. */
void heap_contents_add_text (struct heap_contents *contents, uint64_t id, uint64_t length,
                             const char *text, size_t bytes);

void heap_contents_add_collection (struct heap_contents *contents,
                                   const struct heap_collection *collection);

void heap_contents_add_state (struct heap_contents *contents, uint64_t address, int64_t state);

/* There is no more. */
void heap_contents_finish (struct heap_contents *contents);

/* Once finished: the state of the operation at an address; false: the log lacks it. */
bool heap_contents_find_state (const struct heap_contents *contents, uint64_t address,
                               int64_t *state);

/* Once finished: the text's place in `texts` + 1; 0: the log lacks it. */
guint heap_contents_find_text (const struct heap_contents *contents, uint64_t id);

#endif
