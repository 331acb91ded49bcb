/* mono-imports.c -- finds the runtime that is in this process, and its functions. */
#include "config.h"

#include "profiler/mono/mono-imports.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#define INTERFACE "mono_profiler_create" /* each runtime that can be recorded has it */

struct mono_imports imports;

static void *runtime; /* the handle of its library */

/* The names, in the order of the pointers. */
static const struct import {
  const char *name;
  bool is_optional;
} names[] = {
#define IMPORT(name) { #name, false },
#define IMPORT_OPTIONAL(name) { #name, true },
#include "agent/mono-imports.def"
};

enum { IMPORTS = sizeof names / sizeof *names };

_Static_assert(sizeof imports == IMPORTS * sizeof (void *), "a pointer for each name");

/* The handle of a library that is loaded, if it has the interface; else NULL. */
static void *
open_runtime (const char *path)
{
  void *const handle = dlopen (path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL || dlsym (handle, INTERFACE) != NULL)
    return handle;
  dlclose (handle);
  return NULL;
}

/* The first library that has the interface; NULL: none.  *path is its name. */
static void *
search_libraries (const char **path)
{
  void *const program = dlopen (NULL, RTLD_LAZY);
  struct link_map *map = NULL;
  void *found = NULL;
  if (program == NULL || dlinfo (program, RTLD_DI_LINKMAP, &map) != 0)
    return NULL;
  for (; map != NULL && found == NULL; map = map->l_next) {
    *path = map->l_name;
    found = *map->l_name != 0 ? open_runtime (map->l_name) : NULL;
  }
  dlclose (program);
  return found;
}

/* The handle stays open, as the runtime does. */
static void *
find_runtime (const void *caller, const char **path)
{
  Dl_info info;
  void *handle = NULL;
  *path = "this program";
  if (caller != NULL && dladdr (caller, &info) != 0 && info.dli_fname != NULL) {
    *path = info.dli_fname;
    handle = open_runtime (info.dli_fname);
  }
  if (handle == NULL && dlsym (RTLD_DEFAULT, INTERFACE) != NULL)
    handle = dlopen (NULL, RTLD_LAZY); /* the program itself, or its global symbols */
  return handle != NULL ? handle : search_libraries (path);
}

bool
imports_bind (const void *caller, char *why, size_t size)
{
  const char *path;
  void *const handle = find_runtime (caller, &path);
  void **const pointers = (void **) (void *) &imports;
  if (handle == NULL) {
    snprintf (why, size,
              "%s exports no %s: a program that has Mono linked in must export its functions "
              "(-rdynamic)",
              caller != NULL ? path : "no library of this process", INTERFACE);
    return false;
  }
  runtime = handle;
  for (size_t i = 0; i < IMPORTS; i++) {
    pointers[i] = dlsym (handle, names[i].name);
    if (pointers[i] == NULL && !names[i].is_optional) {
      snprintf (why, size, "the runtime in %s has no function %s, which the module needs", path,
                names[i].name);
      return false;
    }
  }
  return true;
}

/* The library that has the address. */
static const void *
library_of (const void *address)
{
  Dl_info info;
  return address != NULL && dladdr (address, &info) != 0 ? info.dli_fbase : NULL;
}

/* A search from the program on finds other libraries', too. */
void *
imports_find (const char *name)
{
  void *const found = runtime != NULL ? dlsym (runtime, name) : NULL;
  const void *const library = library_of (found);
  return library != NULL && library == library_of (*(void **) (void *) &mono_profiler_create)
             ? found
             : NULL;
}
