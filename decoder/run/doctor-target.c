/* doctor-target.c -- the checks of one process, or of one file with a runtime of Mono: by the names
 * that it exports, so nothing of it runs. */
#include "config.h"

#include "decoder/run/doctor-target.h"
#include "decoder/attach/attach-module.h"
#include "decoder/attach/remote-process.h"
#include "decoder/core/elf-file.h"
#include "decoder/run/doctor.h"
#include "decoder/run/run.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Symbols: of each runtime that can be recorded, of those before, and of Boehm's collector. */
#define INTERFACE "mono_profiler_create"
#define OLD_INTERFACE "mono_profiler_install"
#define BOEHM "GC_gcollect"

/* Functions that the module needs; those of Boehm's collector that heap snapshots need. */
static const char *const needed[] = {
#define IMPORT(name) #name,
#define IMPORT_OPTIONAL(name)
#include "agent/mono-imports.def"
};

static const char *const needed_of_boehm[] = {
#define IMPORT(name) #name,
#include "agent/boehm-imports.def"
};

static bool
exports (const struct elf_file *elf, const char *name)
{
  uint64_t offset;
  return elf_file_find_export (elf, name, &offset);
}

/* ---- a file ---- */

static void
check_functions (GPtrArray *checks, const struct elf_file *elf)
{
  const char *first = NULL;
  guint missing = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!exports (elf, needed[i])) {
      first = first != NULL ? first : needed[i];
      missing++;
    }
  doctor_add (checks, "functions", missing == 0 ? DOCTOR_OK : DOCTOR_MISSING,
              missing == 0
                  ? g_strdup_printf ("all %zu that the module needs", G_N_ELEMENTS (needed))
              : missing == 1 ? g_strdup_printf ("it has no %s", first)
                             : g_strdup_printf ("it has no %s and %u others", first, missing - 1),
              NULL);
}

static void
check_heap_snapshots (GPtrArray *checks, const struct elf_file *elf, bool is_boehm)
{
  const char *missing = NULL;
  for (size_t i = 0; is_boehm && i < G_N_ELEMENTS (needed_of_boehm) && missing == NULL; i++)
    if (!exports (elf, needed_of_boehm[i]))
      missing = needed_of_boehm[i];
  doctor_add (checks, "heap snapshots", missing == NULL ? DOCTOR_OK : DOCTOR_NONE,
              missing == NULL ? g_strdup ("possible")
                              : g_strdup_printf ("Boehm's collector has no %s", missing),
              NULL);
}

/* `shown` is the name of the file in messages. */
static void
check_runtime (GPtrArray *checks, const struct elf_file *elf, const char *shown)
{
  const bool is_boehm = exports (elf, BOEHM);
  doctor_add (checks, "runtime", DOCTOR_OK,
              g_strdup_printf ("%s, in %s", is_boehm ? "Boehm" : "SGen", shown), NULL);
  check_functions (checks, elf);
  check_heap_snapshots (checks, elf, is_boehm);
}

static void
check_file (GPtrArray *checks, const char *path)
{
  struct elf_file elf;
  if (access (path, R_OK) != 0) {
    doctor_add (checks, "runtime", DOCTOR_MISSING,
                g_strdup_printf ("%s: %s", path, g_strerror (errno)), NULL);
    return;
  }
  if (!elf_file_open (&elf, path)) {
    doctor_add (checks, "runtime", DOCTOR_MISSING,
                g_strdup ("no program or library of this machine's word size"), NULL);
    return;
  }
  if (exports (&elf, INTERFACE))
    check_runtime (checks, &elf, path);
  else
    doctor_add (checks, "runtime", DOCTOR_MISSING,
                g_strdup (exports (&elf, OLD_INTERFACE)
                              ? "it has only the older interface, " OLD_INTERFACE
                              : "it exports no " INTERFACE),
                NULL);
  elf_file_close (&elf);
}

/* ---- a process ---- */

/* Whether the process has mapped the module. */
static bool
has_module (const struct remote_process *p)
{
  for (guint i = 0; i < p->files->len; i++) {
    g_autofree char *base
        = g_path_get_basename (g_array_index (p->files, struct remote_file, i).path);
    if (g_str_has_prefix (base, MODULE_FILE))
      return true;
  }
  return false;
}

static void
check_attach (GPtrArray *checks, const struct remote_process *p)
{
  static const char name[] = "attach";
  g_autofree char *tried = NULL;
  g_autofree char *directory = module_file_find (&tried);
  g_autoptr (GError) error = NULL;
  g_autofree char *file
      = directory != NULL ? g_build_filename (directory, MODULE_FILE, NULL) : NULL;
  if (has_module (p))
    doctor_add (checks, name, DOCTOR_NONE, g_strdup ("the module is loaded; see 'proflog ctl'"),
                NULL);
  else if (file == NULL)
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup_printf ("no module in %s", tried),
                g_strdup ("export PROFLOG_MODULE_DIR=DIRECTORY"));
  else if (attach_module_check (p->pid, file, &error))
    doctor_add (checks, name, DOCTOR_OK, g_strdup ("possible, without allocations and calls"),
                NULL);
  else
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup (error->message), NULL);
}

/* Adds the checks of the first file of the process that has the interface.  False if none has. */
static bool
check_files (GPtrArray *checks, const struct remote_process *p)
{
  bool is_found = false;
  for (guint i = 0; i < p->files->len && !is_found; i++) {
    const char *path = g_array_index (p->files, struct remote_file, i).path;
    g_autofree char *here = remote_process_path (p, path);
    struct elf_file elf;
    if (!elf_file_open (&elf, here))
      continue;
    is_found = exports (&elf, INTERFACE);
    if (is_found)
      check_runtime (checks, &elf, path);
    elf_file_close (&elf);
  }
  return is_found;
}

static void
check_process (GPtrArray *checks, long pid)
{
  struct remote_process p;
  g_autoptr (GError) error = NULL;
  if (!remote_process_open (&p, pid, &error)) {
    doctor_add (checks, "process", DOCTOR_MISSING,
                g_strdup (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)
                              ? "there is no such process"
                              : "it is another user's, or protected"),
                g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)
                    ? NULL
                    : g_strdup_printf ("sudo proflog doctor %ld", pid));
    return;
  }
  if (check_files (checks, &p))
    check_attach (checks, &p);
  else
    doctor_add (checks, "runtime", DOCTOR_MISSING,
                g_strdup ("it has loaded no file that exports " INTERFACE), NULL);
  remote_process_close (&p);
}

void
doctor_target_check (GPtrArray *checks, const char *target)
{
  guint64 pid;
  if (g_ascii_string_to_unsigned (target, 10, 1, G_MAXINT32, &pid, NULL))
    check_process (checks, (long) pid);
  else
    check_file (checks, target);
}
