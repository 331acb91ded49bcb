/* process-kind.h -- recognises running programs of Mono and GHC. */
#ifndef PROFLOG_PROCESS_KIND_H
#define PROFLOG_PROCESS_KIND_H

#include <stdbool.h>

enum process_runtime { PROCESS_OTHER, PROCESS_MONO, PROCESS_GHC };

struct process_kind {
  enum process_runtime runtime;
  bool has_module; /* proflog's module is loaded, in Mono or a replay */
};

/* Inspects the files that the process has mapped, and its executable file: not all of it, so a GHC
 * program without symbols that has one thread is missed.  PROCESS_OTHER, too, if that is not
 * allowed. Thread safe. */
struct process_kind process_kind_of (long pid);

#endif
