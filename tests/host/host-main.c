/* host-main.c -- proflog-host: pretends to be a Mono that runs a program.
 *
 *   proflog-host [--module PATH] [--profile=TEXT] [--truth FILE] [--scripted-clock] [SCENARIO...]
 *
 * Loads the module as Mono does, calls its init function with TEXT, runs the scenarios, one after
 * the other.  Without --profile nothing is loaded.  Exit status: the scenario's `exit`, else 0; 98
 * for trouble of the test itself, 99 if the module did what no runtime would forgive.
 */
#include "config.h"

#include "tests/host/test-host.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*init_function) (const char *);

__attribute__ ((format (printf, 2, 0))) static void
fail (bool is_violation, const char *format, va_list args)
{
  char line[1024];
  int length = snprintf (line, sizeof line, "proflog-host: %s",
                         is_violation ? "the module broke a rule: " : "");
  vsnprintf (line + length, sizeof line - (size_t) length, format, args);
  dprintf (STDERR_FILENO, "%s\n", line);
  _exit (is_violation ? 99 : 98);
}

static const struct host_world world = { .stack_of_thread = host_stack_of_thread,
                                         .find_object = host_find_object,
                                         .main_assembly = host_main_assembly,
                                         .root_domain = host_root_domain,
                                         .has_stopped_world = host_has_stopped_world,
                                         .is_collecting = host_is_collecting,
                                         .can_walk_heap = host_can_walk_heap,
                                         .walk_heap = host_walk_pools,
                                         .collect = host_collect_for_module,
                                         .fired = host_fired,
                                         .fail = fail };

void
host_init_module (const char *description)
{
  host_profiling.initializing = true;
  init_function (description);
  host_profiling.initializing = false;
}

/* Whether the file is in the memory of this process. */
static void
note_mapping (const char *path)
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  char line[PATH_MAX + 128];
  bool found = false;
  while (maps != NULL && !found && fgets (line, sizeof line, maps) != NULL) {
    line[strcspn (line, "\n")] = 0;
    const char *file = strchr (line, '/');
    found = file != NULL && strcmp (file, path) == 0;
  }
  if (maps != NULL)
    fclose (maps);
  if (found)
    host_note ("mapped %s", path);
}

/* Which file the init function really came from: a test holds it against the one it means. */
static void
note_module (void)
{
  Dl_info info;
  char path[PATH_MAX];
  if (dladdr ((void *) init_function, &info) == 0 || realpath (info.dli_fname, path) == NULL)
    host_fail ("the module has no file");
  host_note ("module %s", path);
  note_mapping (path);
}

static void
load_module (const char *path)
{
  void *module = dlopen (path, RTLD_NOW);
  if (module == NULL)
    host_fail ("%s", dlerror ());
  init_function = (void (*) (const char *)) dlsym (module, "mono_profiler_init_proflog");
  if (init_function == NULL)
    host_fail ("%s has no init function", path);
  note_module ();
}

int
main (int argc, char **argv)
{
  const char *module = getenv ("PROFLOG_MODULE");
  const char *profile = NULL;
  static struct host_thread main_thread;
  host_start (&world);
  atexit (host_at_exit); /* after the module's */
  main_thread.id = (uint64_t) (uintptr_t) pthread_self ();
  host_self = &main_thread;
  struct host_command *commands = NULL, **end = &commands;
  for (int i = 1; i < argc; i++) {
    if (strcmp (argv[i], "--module") == 0 && i + 1 < argc)
      module = argv[++i];
    else if (strcmp (argv[i], "--truth") == 0 && i + 1 < argc)
      host_set_truth_file (argv[++i]);
    else if (strcmp (argv[i], "--scripted-clock") == 0)
      host_clock_start ();
    else if (strncmp (argv[i], "--profile=", 10) == 0)
      profile = argv[i] + 10;
    else if (argv[i][0] != '-')
      end = host_read_script (argv[i], end);
    else
      host_fail ("what is %s?", argv[i]);
  }
  if (profile != NULL) {
    if (module == NULL)
      host_fail ("no --module and no PROFLOG_MODULE");
    load_module (module);
    host_init_module (profile);
  }
  host_clock_settle ();
  host_run (commands);
  return 0;
}
