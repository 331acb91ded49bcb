/* metadata.h -- loaded and compiled code. */
#ifndef PROFLOG_METADATA_H
#define PROFLOG_METADATA_H

#include "decoder/mlpd/model/symbols.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* Larger ones are no sizes of a method's code: the largest of the class libraries has 75 kB. */
#define CODE_BYTES_MAX (UINT64_C (1) << 24)

struct metadata {
  GHashTable *classes;  /* set of keys of them: marks of types announce them again */
  uint64_t load_errors; /* of classes */
  bool has_domains;     /* addresses may stand for one thing and then another */
  /* Methods and their code: the runtime reports about the code of native methods each time that it
   * needs it. */
  GHashTable *compiled;
  uint64_t methods;    /* compiled */
  uint64_t code_bytes; /* known at the end */
};

extern const struct analysis metadata_analysis;

void metadata_init (struct metadata *metadata);
void metadata_clear (struct metadata *metadata);

/* Does an event concern anything but the one domain that exists as long as the program?  The
 * entities of an unloaded domain leave their addresses to others. */
bool metadata_names_domain (enum mlpd_kind kind, const union mlpd_payload *payload);

void metadata_jit (struct metadata *metadata, const struct mlpd_method_jit *event);

/* The code of a method that was compiled. */
struct metadata_code {
  uint64_t start, size, method;
};

/* All of it by address (of struct metadata_code; transfer full). */
GArray *metadata_list_code (const struct metadata *metadata, const struct symbols *symbols,
                            unsigned version);

/* At the end: adds the code up.  The stock profiler's writer thread reads the runtime's data of a
 * method later than the method was compiled; of one whose domain was unloaded meanwhile that is
 * freed memory, mostly pointers.  A size that is surely none of code is left out: see
 * metadata.c. */
void metadata_finish (struct metadata *metadata, const struct symbols *symbols, unsigned version);

#endif
