/* mono-module.c -- searches as Mono 6 and ld.so(8) do. */
#include "config.h"

#include "decoder/run/mono-module.h"
#include "decoder/run/module-file.h"
#include "decoder/command/program-output.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The module in the directory (transfer full); NULL: it has none. */
static char *
module_in (const char *directory)
{
  char *file = g_build_filename (directory, MODULE_FILE, NULL);
  if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
    return file;
  g_free (file);
  return NULL;
}

/* Mono searches the places in which it may lie after its own build. */
static char *
search_beside (const char *mono)
{
  static const char *const places[] = { ".libs", "../lib", "../profiler/.libs" };
  g_autofree char *real = realpath (mono, NULL);
  g_autofree char *bin = g_path_get_dirname (real != NULL ? real : mono);
  char *found = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (places) && found == NULL; i++) {
    g_autofree char *place = g_build_filename (bin, places[i], NULL);
    g_autofree char *directory = g_canonicalize_filename (place, NULL);
    found = module_in (directory);
  }
  return found;
}

/* An empty directory is the current one. */
static char *
search_library_path (void)
{
  const char *path = g_getenv ("LD_LIBRARY_PATH");
  g_auto (GStrv) directories = g_strsplit_set (path != NULL ? path : "", ":;", -1);
  char *found = NULL;
  for (char **d = directories; *d != NULL && found == NULL; d++)
    found = module_in (**d != 0 ? *d : ".");
  return found;
}

/* Lines are "NAME (KIND) => FILE". */
static char *
search_cache (void)
{
  char *const command[] = { (char *) "ldconfig", (char *) "-p", NULL };
  g_autofree char *list = program_output (command, NULL);
  g_auto (GStrv) lines = g_strsplit (list != NULL ? list : "", "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    const char *name = g_strchug (*line), *file = strstr (name, " => ");
    if (g_str_has_prefix (name, MODULE_FILE " ") && file != NULL
        && g_file_test (file + strlen (" => "), G_FILE_TEST_IS_REGULAR))
      return g_strdup (file + strlen (" => "));
  }
  return NULL;
}

char *
mono_module_search (const char *mono)
{
  char *found = search_beside (mono);
  if (found == NULL)
    found = search_library_path ();
  if (found == NULL)
    found = search_cache ();
  if (found == NULL)
    found = module_in ("/lib");
  return found != NULL ? found : module_in ("/usr/lib");
}
