/* local-host.c -- a C program that opens a library of Mono by itself, with RTLD_LOCAL, as most
 * hosts do, so that no other library finds the runtime's functions.
 *
 *   local-host LIBRARY OPTIONS ASSEMBLY [ARGUMENT...]
 *
 * loads the module as --profile=proflog:OPTIONS does (not if OPTIONS is empty), runs the assembly,
 * and shuts the runtime down.  Prints what the program prints; ends with its status.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;

/* The function of the library, which must have it. */
static void *
find (const char *name)
{
  void *const found = dlsym (library, name);
  if (found == NULL) {
    fprintf (stderr, "local-host: no %s\n", name);
    exit (3);
  }
  return found;
}

int
main (int argc, char **argv)
{
  char description[4096];
  if (argc < 4)
    return 2;
  library = dlopen (argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf (stderr, "local-host: %s\n", dlerror ());
    return 3;
  }
  void (*load) (const char *);
  void (*configure) (const char *);
  void *(*start) (const char *, const char *);
  void *(*open_assembly) (void *, const char *);
  int (*run) (void *, void *, int, char **);
  void (*stop) (void *);
  *(void **) &load = find ("mono_profiler_load");
  *(void **) &configure = find ("mono_config_parse");
  *(void **) &start = find ("mono_jit_init_version");
  *(void **) &open_assembly = find ("mono_domain_assembly_open");
  *(void **) &run = find ("mono_jit_exec");
  *(void **) &stop = find ("mono_jit_cleanup");
  snprintf (description, sizeof description, "proflog:%s", argv[2]);
  if (*argv[2] != 0)
    load (description);
  configure (NULL);
  void *const domain = start ("local-host", "v4.0.30319");
  void *const assembly = domain != NULL ? open_assembly (domain, argv[3]) : NULL;
  if (assembly == NULL)
    return 3;
  const int status = run (domain, assembly, argc - 3, argv + 3);
  fflush (stdout);
  stop (domain);
  return status;
}
