/* callspec.h -- which methods `calls` records. */
#ifndef PROFILER_CALLSPEC_H
#define PROFILER_CALLSPEC_H

#include <stdbool.h>
#include <stddef.h>

enum { CALLSPEC_TERMS = 64, CALLSPEC_TEXT = 4096 };

struct callspec {
  struct callspec_term {
    enum callspec_kind {
      CALLSPEC_ALL,
      CALLSPEC_NONE,
      CALLSPEC_PROGRAM,
      CALLSPEC_ASSEMBLY,
      CALLSPEC_NAMESPACE,
      CALLSPEC_TYPE,
      CALLSPEC_METHOD
    } kind;
    bool exclude;
    const char *name;   /* into text */
    const char *method; /* METHOD: into text */
  } terms[CALLSPEC_TERMS];
  size_t count;
  char text[CALLSPEC_TEXT];
};

/* The properties of a method that a callspec inspects. */
struct callspec_method {
  const char *assembly;
  const char *name_space;
  const char *type; /* with its namespace */
  const char *name;
  bool in_program; /* its assembly is the program's own */
};

/* Reads terms separated by commas: all, none, program, ASSEMBLY, N:NAMESPACE, T:TYPE,
 * M:TYPE:METHOD, each with '-' before it to exclude.  False with a message in `why`. */
bool callspec_parse (struct callspec *spec, const char *text, char *why, size_t size);

/* The last term that matches decides.  No term: everything; only exclusions: everything else. */
bool callspec_matches (const struct callspec *spec, const struct callspec_method *method);

#endif
