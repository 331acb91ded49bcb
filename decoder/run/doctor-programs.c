/* doctor-programs.c -- finds runtimes, and whether Mono loads the module. */
#include "config.h"

#include "decoder/run/doctor-programs.h"
#include "decoder/run/doctor.h"
#include "decoder/run/module-file.h"
#include "decoder/command/program-output.h"
#include "decoder/command/shell-word.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- where Mono searches the module ---- */

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

/* The module that this Mono (a path) would load for --profile=proflog (transfer full): in the
 * directories beside it, then where the dynamic linker searches.  NULL: none. */
static char *
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

static bool
are_same (const char *path, const char *other)
{
  struct stat a, b;
  return stat (path, &a) == 0 && stat (other, &b) == 0 && a.st_dev == b.st_dev
         && a.st_ino == b.st_ino;
}

/* ---- runtimes ---- */

/* The programs of this name in PATH, each file once (transfer full). */
static GPtrArray *
find_programs (const char *name)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  const char *path = g_getenv ("PATH");
  g_auto (GStrv) directories = g_strsplit (path != NULL ? path : "", ":", -1);
  for (char **d = directories; *d != NULL; d++) {
    char *file = g_build_filename (**d != 0 ? *d : ".", name, NULL);
    bool is_new = g_file_test (file, G_FILE_TEST_IS_REGULAR)
                  && g_file_test (file, G_FILE_TEST_IS_EXECUTABLE);
    for (guint i = 0; i < found->len; i++)
      is_new &= !are_same (file, found->pdata[i]);
    if (is_new)
      g_ptr_array_add (found, file);
    else
      g_free (file);
  }
  return found;
}

/* The word after "version", or the first one, of what the program prints (transfer full); NULL:
 * none. */
static char *
find_version (const char *program, const char *option)
{
  static const char before[] = "version ";
  char *const command[] = { (char *) program, (char *) option, NULL };
  g_autofree char *text = program_output (command, NULL);
  if (text == NULL)
    return NULL;
  const char *at = strstr (text, before);
  at = at != NULL ? at + strlen (before) : text;
  return g_strndup (at, strcspn (at, " \n"));
}

static void
add_runtime (GPtrArray *checks, const char *name, const char *option, const GPtrArray *programs)
{
  for (guint i = 0; i < programs->len; i++) {
    const char *program = programs->pdata[i];
    g_autofree char *version = find_version (program, option);
    if (version != NULL)
      doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("%s, %s", version, program), NULL);
    else
      doctor_add (checks, name, DOCTOR_MISSING,
                  g_strdup_printf ("%s cannot be run, or does not state its version", program),
                  g_strdup_printf ("%s %s", program, option));
  }
}

static void
add_absent (GPtrArray *checks, const char *name, const char *program, bool is_needed,
            const char *package)
{
  if (is_needed)
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup_printf ("there is no %s in PATH", program),
                g_strdup_printf ("sudo apt-get install %s", package));
  else
    doctor_add (checks, name, DOCTOR_NONE, g_strdup_printf ("there is no %s in PATH", program),
                NULL);
}

/* ---- the module ---- */

/* Is it a directory of the dynamic linker's configuration?  Lines are "DIRECTORY: (...)". */
static bool
is_configured (const char *directory)
{
  char *const command[]
      = { (char *) "ldconfig", (char *) "-v", (char *) "-N", (char *) "-X", NULL };
  g_autofree char *list = program_output (command, NULL);
  g_autofree char *begin = g_strconcat ("\n", directory, ":", NULL);
  g_autofree char *lines = g_strconcat ("\n", list != NULL ? list : "", NULL);
  return strstr (lines, begin) != NULL;
}

static void
check_search (GPtrArray *checks, const char *mono, const char *directory)
{
  static const char name[] = "module for Mono";
  g_autofree char *file = g_build_filename (directory, MODULE_FILE, NULL);
  g_autofree char *found = mono_module_search (mono);
  if (found != NULL && are_same (found, file)) {
    doctor_add (checks, name, DOCTOR_OK, g_strdup ("Mono finds it"), NULL);
    return;
  }
  if (found != NULL) {
    doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("Mono finds another one: %s", found),
                NULL);
    return;
  }
  g_autofree char *word = shell_word (directory);
  doctor_add (checks, name, DOCTOR_MISSING,
              g_strdup ("Mono does not find it without 'proflog run'"),
              is_configured (directory)
                  ? g_strdup ("sudo ldconfig")
                  : g_strdup_printf (
                      "export LD_LIBRARY_PATH=%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}", word));
}

/* The module prints its options and ends Mono before there is a program to start. */
static void
check_load (GPtrArray *checks, const char *mono, const char *directory)
{
  static const char name[] = "module loads", help[] = "proflog records";
  const char *before = g_getenv ("LD_LIBRARY_PATH");
  const bool any = before != NULL && *before != 0;
  g_autofree char *path
      = g_strconcat ("LD_LIBRARY_PATH=", directory, any ? ":" : "", any ? before : "", NULL);
  g_autofree char *file = g_build_filename (directory, MODULE_FILE, NULL);
  g_autofree char *safe = shell_word (file);
  char *const command[]
      = { (char *) mono, (char *) "--profile=proflog:help", (char *) "program.exe", NULL };
  g_autofree char *text = program_output (command, path);
  if (text != NULL && strstr (text, help) != NULL)
    doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("in %s", mono), NULL);
  else
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup_printf ("%s cannot load it", mono),
                g_strdup_printf ("ldd %s", safe));
}

static void
check_module (GPtrArray *checks, const char *mono)
{
  static const char name[] = "module";
  g_autofree char *tried = NULL;
  g_autofree char *directory = module_file_find (&tried);
  if (directory == NULL) {
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup_printf ("not in %s", tried),
                g_strdup ("export PROFLOG_MODULE_DIR=DIRECTORY"));
    return;
  }
  doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("in %s", directory), NULL);
  if (mono == NULL)
    return;
  check_search (checks, mono, directory);
  check_load (checks, mono, directory);
}

void
doctor_check_programs (GPtrArray *checks)
{
  g_autoptr (GPtrArray) monos = find_programs ("mono"), ghcs = find_programs ("ghc");
  add_runtime (checks, "Mono", "--version", monos);
  if (monos->len == 0)
    add_absent (checks, "Mono", "mono", ghcs->len == 0, "mono-runtime");
  add_runtime (checks, "GHC", "--numeric-version", ghcs);
  if (ghcs->len == 0)
    add_absent (checks, "GHC", "ghc", false, "ghc");
  check_module (checks, monos->len > 0 ? monos->pdata[0] : NULL);
}
