/* export.h -- graphs of heap shots in the formats of other viewers.
 *
 * Each format is one of heap_exports[], in a file export-NAME.c.  They are written as they are
 * made, so that memory does not grow with the graph.
 */
#ifndef PROFLOG_EXPORT_H
#define PROFLOG_EXPORT_H

#include "decoder/analyses/heap-dominators.h"

/* Where the bytes go. */
struct export_out {
  GString *bytes; /* that wait */
  bool (*put) (void *data, const GString *bytes);
  void *data;
  bool failed; /* put was false: nothing more is to be written */
};

/* What an export tells besides the graph. */
struct export_shot {
  const struct heap_graph *graph;
  const struct heap_dominators *dominators; /* of it: what roots lead to */
  uint64_t start_ms;                        /* of the log, since 1970 */
  uint64_t pid;
  const char *program; /* NULL: not told */
};

struct heap_export {
  const char *name;
  const char *summary; /* for --help */
  /* Returns how many objects have another size in it, for which the format has no way. */
  uint64_t (*write) (const struct export_shot *shot, struct export_out *out);
};

/* Up to NULL. */
extern const struct heap_export *const heap_exports[];
extern const struct heap_export export_heapsnapshot, export_hprof, export_perfetto;

/* NULL if there is none of this name. */
const struct heap_export *heap_export_find (const char *name);

/* Puts what waits, if that is much; at the end of a write, all. */
void export_flush_much (struct export_out *out);
void export_flush (struct export_out *out);

/* Is an object reached from the roots? */
static inline bool
export_is_reached (const struct export_shot *shot, uint32_t object)
{
  return shot->dominators->dominators[object] != HEAP_UNREACHED;
}

/* Is it a class of arrays? */
bool export_is_array (const struct heap_class *klass);

/* The element of an array that a reference at this offset is, where pointers have 8 bytes. */
static inline uint32_t
export_element (uint32_t offset)
{
  const uint32_t head = 32; /* vtable, monitor, bounds, length */
  return offset < head ? 0 : (offset - head) / 8;
}

#endif
