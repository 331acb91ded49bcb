/* shot-references.h -- which types the objects of a heap snapshot are referred to from.
 *
 * References may come before the object that they are to, so that they are retained until the
 * snapshot is whole; then numbers by type are all that stays.
 */
#ifndef PROFLOG_SHOT_REFERENCES_H
#define PROFLOG_SHOT_REFERENCES_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/scan/scan.h"

/* This many references from objects of one class to objects of another. */
struct class_reference {
  guint to;
  guint from;
  uint64_t count;
};

/* References to objects of a class from roots; `pinning` of them pin their object. */
struct class_roots {
  uint64_t count;
  uint64_t pinning;
};

struct shot_object {
  uint64_t object; /* 0: the place is free */
  guint type;
};

/* Memory for the time while a snapshot is read.  It is large, so that the next snapshot gets it
 * again.
 */
struct shot_objects {
  struct shot_object *places; /* open addressing */
  size_t n;                   /* objects in them */
  unsigned shift;             /* of a hash, to the number of places */
  GArray *references;         /* of struct scan_reference: to an object, from a type */
};

struct shot_references {
  struct shot_objects *objects; /* NULL: none, or the snapshot is whole */
  struct shot_objects **spare;  /* where to find them, and leave them; borrowed */
  GHashTable *counts;           /* uint64_t both types -> struct class_reference, by types */
  GHashTable *roots;            /* type -> struct class_roots */

  /* After shot_references_resolve. */
  GArray *by_class;       /* of struct class_reference: by `to`, of one the most first */
  GArray *roots_by_class; /* of struct class_roots, by class */
};

/* `spare` is common to the snapshots of a log; NULL at first, and freed with shot_objects_free. */
void shot_references_init (struct shot_references *references, struct shot_objects **spare);
void shot_references_clear (struct shot_references *references);
void shot_objects_free (struct shot_objects *objects);

/* The objects of a scan; `types` translates their types. */
void shot_references_add (struct shot_references *references, const struct scan_heap *scanned,
                          const guint *types);

/* The snapshot is whole, and these are its roots (of struct mlpd_root). */
void shot_references_end (struct shot_references *references, const GArray *roots);

/* After the last event: types become classes. */
void shot_references_resolve (struct shot_references *references, struct symbols *symbols);

/* The references to objects of a class, *n of them. */
const struct class_reference *shot_references_to (const struct shot_references *references,
                                                  guint klass, guint *n);
struct class_roots shot_references_roots (const struct shot_references *references, guint klass);

#endif
