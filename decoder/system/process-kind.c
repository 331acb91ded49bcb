/* process-kind.c -- files that are mapped, names of threads, sections of executable files. */
#include "config.h"

#include "decoder/system/processes.h"
#include "decoder/system/run-ghc.h"
#include <glib.h>
#include <proflog/control.h>
#include <string.h>

/* Mono's library, or its class library; the runtime's own program is known by its name. */
static bool
maps_mono (const char *maps)
{
  return strstr (maps, "/libmono") != NULL || strstr (maps, "/mscorlib.dll") != NULL;
}

static bool
runs_mono (const char *executable)
{
  g_autofree char *base = g_path_get_basename (executable);
  return strcmp (base, "mono") == 0 || g_str_has_prefix (base, "mono-sgen")
         || g_str_has_prefix (base, "mono-boehm");
}

/* The threaded runtime names the thread that is its clock. */
static bool
has_ghc_thread (long pid)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%ld/task", pid);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *thread;
  bool has_thread = false;
  while (dir != NULL && !has_thread && (thread = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, thread, "comm", NULL);
    g_autofree char *name = NULL;
    has_thread
        = g_file_get_contents (path, &name, NULL, NULL) && strcmp (name, "ghc_ticker\n") == 0;
  }
  return has_thread;
}

/* Is it a copy that walks the heap of a program? */
static bool
is_shot (long pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/comm", pid);
  g_autofree char *name = NULL;
  return g_file_get_contents (path, &name, NULL, NULL)
         && strcmp (name, PROFLOG_SHOT_PROCESS "\n") == 0;
}

struct process_kind
process_kind_of (long pid)
{
  struct process_kind kind = { .runtime = PROCESS_OTHER };
  if (is_shot (pid))
    return kind;
  g_autofree char *exe = g_strdup_printf ("/proc/%ld/exe", pid);
  g_autofree char *maps_path = g_strdup_printf ("/proc/%ld/maps", pid);
  g_autofree char *executable = g_file_read_link (exe, NULL);
  g_autofree char *maps = NULL;
  if (executable == NULL || !g_file_get_contents (maps_path, &maps, NULL, NULL) || *maps == 0)
    return kind;
  kind.has_module = strstr (maps, "/libmono-profiler-proflog.so") != NULL;
  if (kind.has_module || runs_mono (executable) || maps_mono (maps))
    kind.runtime = PROCESS_MONO;
  else if (has_ghc_thread (pid) || run_ghc_has_marks (exe))
    kind.runtime = PROCESS_GHC;
  return kind;
}
