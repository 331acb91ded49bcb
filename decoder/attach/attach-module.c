/* attach-module.c -- loads the module into a Mono program that runs. */
#include "config.h"

#include "agent/attach-request.h"
#include "decoder/attach/attach-module.h"
#include "decoder/attach/remote-call.h"
#include "decoder/core/elf-file.h"
#include "decoder/core/process-state.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

enum {
  SAFE_PLACE_LIMIT_MS = 10000, /* until a thread waits */
  START_LIMIT_MS = 30000,      /* until the module has started */
};

static bool G_GNUC_PRINTF (2, 3) fail (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, message);
  return false;
}

/* ---- the program ---- */

static bool
check_machine (const struct remote_process *p, GError **error)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/exe", p->pid);
  struct elf_file elf;
  if (!elf_file_open (&elf, path))
    return fail (error, "its program cannot be read, or is no 64-bit one");
  const unsigned machine = elf.header.e_machine;
  elf_file_close (&elf);
  return machine == EM_X86_64
         || fail (error, "it is a program of another machine (ELF number %u)", machine);
}

/* No thread of a stopped process gets to a place where it can load the module. */
static bool
check_state (const struct remote_process *p, GError **error)
{
  const char state = process_state (p->pid);
  return state == 'T'   ? fail (error, "it is stopped; 'kill -CONT %ld' lets it go on", p->pid)
         : state == 't' ? fail (error, "a debugger has stopped it")
                        : true;
}

/* *dlopen_at is where the function is. */
static bool
check_libraries (const struct remote_process *p, uint64_t *dlopen_at, GError **error)
{
  uint64_t address;
  for (guint i = 0; i < p->files->len; i++)
    if (strstr (g_array_index (p->files, struct remote_file, i).path, "/ld-musl") != NULL)
      return fail (error,
                   "it uses the C library musl, in which no other thread may load a library");
  if (!remote_process_find_export (p, "", "mono_profiler_create", &address))
    return fail (error, "it is not a program of Mono");
  if (!remote_process_find_export (p, "libc", "dlopen", dlopen_at)
      && !remote_process_find_export (p, "libdl", "dlopen", dlopen_at))
    return fail (error, "it has no dlopen: the program is linked statically");
  return true;
}

/* Has the process this file at this path? */
static bool
check_module (const struct remote_process *p, const char *module, GError **error)
{
  struct stat here, there;
  g_autofree char *path = remote_process_path (p, module);
  if (stat (module, &here) != 0)
    return fail (error, "%s: %s", module, g_strerror (errno));
  if (stat (path, &there) != 0)
    return fail (error, "it has another file system, in which %s is not: %s", module,
                 g_strerror (errno));
  if (here.st_size != there.st_size)
    return fail (error, "it has another file system, in which %s is another file", module);
  return true;
}

/* ---- the calls ---- */

/* The message of the C library about a library that could not be loaded (transfer full). */
static char *
read_load_error (struct remote_call *c)
{
  uint64_t address, at = 0;
  char text[512] = "";
  if (!remote_process_find_export (c->process, "libc", "dlerror", &address)
      || !remote_call_function (c, address, NULL, 0, &at) || at == 0)
    return g_strdup ("unknown reason");
  for (size_t i = 0; i < sizeof text - 1; i++) /* where it ends is unknown */
    if (!remote_process_read (c->process, at + i, text + i, 1) || text[i] == 0)
      break;
  return g_strndup (text, sizeof text - 1);
}

/* Loads the module and has its thread started, which finds `options`; *request is where. */
static bool
load (struct remote_call *c, struct remote_process *p, uint64_t dlopen_at, const char *module,
      const char *options, uint64_t *request, GError **error)
{
  uint64_t start_at, handle = 0, result = 0;
  struct attach_request r = { .size = 0 };
  g_autofree char *name = g_path_get_basename (module);
  if (!remote_call_function (c, dlopen_at, module, RTLD_NOW, &handle))
    return fail (error, "it ended while the module was loaded");
  if (handle == 0) {
    g_autofree char *why = read_load_error (c);
    return fail (error, "it could not load the module: %s", why);
  }
  const long pid = p->pid;
  remote_process_close (p);
  if (!remote_process_open (p, pid, error))
    return false;
  if (!remote_process_find_export (p, name, PROFLOG_ATTACH_REQUEST, request)
      || !remote_process_find_export (p, name, PROFLOG_ATTACH_START, &start_at)
      || !remote_process_read (p, *request, &r, sizeof r.size) || r.size != sizeof r)
    return fail (error, "it has loaded a module of another version of proflog");
  if (!remote_process_write (p, *request + offsetof (struct attach_request, text), options,
                             strlen (options) + 1)
      || !remote_call_function (c, start_at, NULL, 0, &result))
    return fail (error, "the module could not be started: %s", g_strerror (errno));
  return (int) result == 0
         || fail (error, "it can have no more threads: %s", g_strerror ((int) result));
}

/* Signals that would end this process while the other's thread is on the way. */
static void
block_signals (sigset_t *before)
{
  sigset_t set;
  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  sigaddset (&set, SIGHUP);
  sigaddset (&set, SIGQUIT);
  sigaddset (&set, SIGPIPE);
  sigprocmask (SIG_BLOCK, &set, before);
}

/* Waits for the result. */
static bool
await_start (const struct remote_process *p, uint64_t request, char **note, GError **error)
{
  struct attach_request r = { .state = ATTACH_RUNNING };
  for (unsigned ms = 0; r.state == ATTACH_RUNNING && ms < START_LIMIT_MS; ms++) {
    if (!remote_process_read (p, request, &r, sizeof r))
      return fail (error, "it ended while the module started");
    if (r.state == ATTACH_RUNNING)
      g_usleep (1000);
  }
  r.text[sizeof r.text - 1] = 0;
  if (r.state == ATTACH_REFUSED)
    return fail (error, "%s", r.text);
  if (r.state != ATTACH_DONE)
    return fail (error, "the module has not started within %u s", START_LIMIT_MS / 1000);
  *note = r.text[0] != 0 ? g_strdup (r.text) : NULL;
  return true;
}

static bool
load_into (struct remote_process *p, uint64_t dlopen_at, const char *module, const char *options,
           char **note, GError **error)
{
  struct remote_call call;
  uint64_t request = 0;
  sigset_t before;
  block_signals (&before);
  bool good = remote_call_begin (&call, p, SAFE_PLACE_LIMIT_MS, error);
  if (good) {
    good = load (&call, p, dlopen_at, module, options, &request, error);
    remote_call_end (&call);
  }
  sigprocmask (SIG_SETMASK, &before, NULL);
  return good && await_start (p, request, note, error);
}

bool
attach_module (long pid, const char *module, const char *options, char **note, GError **error)
{
  struct remote_process p;
  *note = NULL;
  if (strlen (options) >= PROFLOG_ATTACH_TEXT)
    return fail (error, "the options have %zu bytes; the limit is %d", strlen (options),
                 PROFLOG_ATTACH_TEXT - 1);
  g_autoptr (GError) reason = NULL;
  if (!remote_process_open (&p, pid, &reason))
    return g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOENT)
               ? fail (error, "there is no such process")
           : g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_ACCES)
               ? fail (error,
                       "no right to trace it: it is another user's, or protected; try as root")
               : fail (error, "%s", reason->message);
  uint64_t dlopen_at;
  const bool good = check_machine (&p, error) && check_libraries (&p, &dlopen_at, error)
                    && check_module (&p, module, error) && check_state (&p, error)
                    && load_into (&p, dlopen_at, module, options, note, error);
  remote_process_close (&p);
  return good;
}
