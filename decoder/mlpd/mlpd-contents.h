/* mlpd-contents.h -- contents of strings, collections and operations of a heap snapshot, as a log
 * of our module states it (docs/mlpd-format.md).
 */
#ifndef PROFLOG_MLPD_CONTENTS_H
#define PROFLOG_MLPD_CONTENTS_H

#include <proflog/mlpd.h>
#include <stdbool.h>
#include <stddef.h>

enum mlpd_contents_kind {
  MLPD_CONTENTS_NONE,
  MLPD_CONTENTS_STRING,      /* object, id: of its text */
  MLPD_CONTENTS_TEXT,        /* id, number: characters; text: the first of them */
  MLPD_CONTENTS_COLLECTION,  /* object, count, element, number: the capacity */
  MLPD_CONTENTS_STATE,       /* object, number: the state of an operation, signed */
  MLPD_CONTENTS_STRINGS,     /* number: the strings of the snapshot */
  MLPD_CONTENTS_TEXTS,       /* their different texts */
  MLPD_CONTENTS_UNREAD,      /* strings that were compared with no other */
  MLPD_CONTENTS_COLLECTIONS, /* the collections of the snapshot */
};

struct mlpd_contents {
  enum mlpd_contents_kind kind;
  uint64_t object; /* address */
  uint64_t id, count, element, number;
  struct mlpd_string text;
  size_t at; /* the next value */
};

/* Are these such values? */
bool mlpd_are_contents (const struct mlpd_counter_values *values);

/* Reads the next statement; passes over values that make none.  *contents is that before, and zeros
 * in the beginning.  False at the end. */
bool mlpd_contents_next (const struct mlpd_counter_values *values, struct mlpd_contents *contents);

#endif
