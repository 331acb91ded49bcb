/* name.h -- a name, and its announcement in the writer's queue. */
#ifndef PROFILER_NAME_H
#define PROFILER_NAME_H

#include "profiler/record/buffer.h"
#include <proflog/mlpd.h>

/* Vtables have no text, but a class and a domain.  Threads, domains, contexts and roots are
 * recorded by the callbacks of their events: they are stored only to be re-announced.  A layout is
 * of a class, whose fields its text describes; or of a vtable, whose class was described: that has
 * no text, and is not announced.  A span is a name of spans of the program, by its number. */
enum name_type {
  NAME_IMAGE,
  NAME_ASSEMBLY,
  NAME_CLASS,
  NAME_VTABLE,
  NAME_METHOD,
  NAME_THREAD,
  NAME_DOMAIN,
  NAME_CONTEXT,
  NAME_ROOT,
  NAME_SYMBOL,
  NAME_LAYOUT,
  NAME_SPAN,
  NAME_TYPES
};

struct name {
  uint64_t address;
  uint64_t image; /* that it belongs to: its name ends with the image; of a root: its source */
  bool wrapper;   /* a method made by the runtime: not shown in backtraces */
  /* Of a method, as last announced; of a vtable: its class and domain; of a context: code is its
   * domain; of a root: its key and size; of a symbol: 0 and its size; of a thread: code is 1 if its
   * start was recorded; of a layout: 0 and the domain's id, or NO_DOMAIN. */
  uint64_t code, size;
  size_t length;
  char text[];
};

/* An announcement in the writer's queue. */
struct name_work {
  struct work work;
  enum name_type type;
  uint64_t sequence;
  uint64_t time;
  uint64_t action;     /* images and classes: MLPD_LOAD_... */
  uint64_t code, size; /* methods; of vtables the class and the domain's id */
  const struct name *name;
  bool is_in_spool; /* in its file, that is */
};

/* In place of the id of a domain. */
#define NO_DOMAIN UINT64_MAX

/* The key of a domain, context or span, by its number, in place of an address. */
static inline uint64_t
names_key (uint64_t number)
{
  return number + 2;
}

#endif
