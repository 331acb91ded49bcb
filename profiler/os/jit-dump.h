/* jit-dump.h -- a file with the code of compiled methods, as `perf inject --jit` reads it.
 *
 * Linux' tools/perf/Documentation/jitdump-specification.txt describes the bytes.  Calls for one
 * file must not overlap.
 */
#ifndef PROFILER_JIT_DUMP_H
#define PROFILER_JIT_DUMP_H

#include "profiler/os/code-file.h"

struct jit_dump {
  struct code_file file;
  uint64_t methods; /* numbers the code */
};

#define JIT_DUMP_NONE                                                                              \
  {                                                                                                \
    .file = CODE_FILE_NONE                                                                         \
  }

/* A place in the code, and its line. */
struct jit_dump_line {
  uint64_t address;
  uint32_t line;
  char *file; /* its path */
};

/* The code of a method or a helper. */
struct jit_dump_code {
  const void *start;
  uint64_t size;
  const char *name;
  const struct jit_dump_line *lines; /* by address */
  uint32_t line_count;
};

/* Creates jit-PID.dump in the folder, and maps its first page: perf finds the file by that, in the
 * process that it records.  False with a message in `why`, and no file. */
bool jit_dump_create (struct jit_dump *dump, const char *folder, char *why, size_t size);

/* Appends code that is there from now on: its bytes are read.  Returns 0, or an errno number after
 * which the file is closed.  0 without a file. */
int jit_dump_append (struct jit_dump *dump, const struct jit_dump_code *code);

#endif
