/* mlpd-layout.h -- the fields of a class that refer to objects, as a log of our module describes
 * them (docs/mlpd-format.md).
 */
#ifndef PROFLOG_MLPD_LAYOUT_H
#define PROFLOG_MLPD_LAYOUT_H

#include <proflog/mlpd.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the counter describe a class?  Sets *klass to its address, and *parts to the rest of the
 * text, which is the counter's. */
bool mlpd_layout_of (const struct mlpd_counter *counter, uint64_t *klass, const char **parts);

enum mlpd_layout_kind {
  MLPD_LAYOUT_BASE,    /* number: the address of a class that has fields of its own for this one */
  MLPD_LAYOUT_ELEMENT, /* bytes of an element: the fields are those of elements */
  MLPD_LAYOUT_FIELD,   /* its offset */
  MLPD_LAYOUT_STATIC,  /* its offset in the memory of static fields */
};

struct mlpd_layout_part {
  enum mlpd_layout_kind kind;
  uint64_t number;
  const char *name; /* of a field; not terminated */
  size_t length;
};

/* Reads the next part, from *parts on; passes over unknown ones.  *part is that before, and zeros
 * in the beginning.  False at the end. */
bool mlpd_layout_next (const char **parts, struct mlpd_layout_part *part);

#endif
