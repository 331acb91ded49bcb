/* export.h -- graphs of heap snapshots, stacks with their times, and traces, in the formats of
 * other viewers.
 *
 * Each format is a row of exports.def and a file export-NAME.c.  They are written as they are
 * made, so that memory does not grow with the graph.
 */
#ifndef PROFLOG_EXPORT_H
#define PROFLOG_EXPORT_H

#include "decoder/exports/export-out.h"
#include "decoder/exports/export-stacks.h"
#include "decoder/exports/export-trace.h"
#include "decoder/heap/heap-dominators.h"

/* A snapshot for an export. */
struct export_shot {
  const struct heap_graph *graph;
  const struct heap_dominators *dominators; /* of it: the objects that roots lead to */
  uint64_t start_ms;                        /* of the log, since 1970 */
  uint64_t pid;
  const char *program; /* NULL: unknown */
  uint64_t limit;      /* bytes of the contents of objects, where they are written; 0: none */
  uint64_t zero_ns;    /* on the log's clock: when the trace begins in which the snapshot is */
};

/* The code of a method. */
struct export_code {
  uint64_t start, size;
  const char *name;
};

/* A format is of tables, of code, of heap snapshots, of stacks or of traces, to which a heap
 * snapshot may be added: the other members are NULL. */
struct export_format {
  const char *name;
  const char *summary; /* for --help */
  /* Returns how many objects have another size in it, for which the format has no way. */
  uint64_t (*write_shot) (const struct export_shot *shot, struct export_out *out);
  void (*write_stacks) (const struct export_stacks *stacks, struct export_out *out);
  bool has_order; /* stacks come with their order, if it is known */
  /* Code in the order of addresses. */
  void (*write_code) (const struct export_code *code, guint count, struct export_out *out);
  const struct trace_format *trace;
  bool is_tables; /* it is of tables, which another program writes */
};

/* Up to NULL. */
extern const struct export_format *const export_formats[];

#define EXPORT(name) extern const struct export_format export_##name;
#include "decoder/exports/exports.def"

/* NULL if there is none of this name. */
const struct export_format *export_find (const char *name);

/* Is an object reached from the roots? */
static inline bool
export_is_reached (const struct export_shot *shot, uint32_t object)
{
  return shot->dominators->dominators[object] != HEAP_UNREACHED;
}

#endif
