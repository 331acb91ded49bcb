/* attach-module.c -- loads the module into a Mono program that runs: has one of its threads call
 * functions, by ptrace. */
#include "config.h"

#include "decoder/attach/attach-module.h"
#include "agent/attach-request.h"
#include "decoder/attach/remote-process.h"
#include "decoder/core/elf-file.h"
#include "decoder/core/process-state.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

/* ---- a call in another process ---- */

/* The thread is one that waits in a system call of the C library, where it can hold neither the
 * lock of the loader nor that of malloc, and that the kernel begins again afterwards.  All other
 * threads keep running. Between begin and end the calling thread must not end: it is the tracer.
 * For x86-64; on other machines it fails. */

struct remote_call {
  const struct remote_process *process;
  pid_t thread;
#if defined(__x86_64__)
  struct user_regs_struct saved;
#endif
};

#if defined(__x86_64__)

enum {
  RED_ZONE = 128, /* below the stack pointer, still in use (System V ABI, AMD64) */
  TEXT_MAX = 4096,
  /* Values in rax of an interrupted system call that the kernel is to begin again (ptrace(2)). */
  ERESTARTSYS = 512,
  ERESTARTNOINTR = 513,
  ERESTART_RESTARTBLOCK = 516,
};

/* Waiting calls that the kernel begins again after a stop, even if a handler of a signal ran
 * meanwhile, best first.  Others would return EINTR to the program (epoll_wait), or wait for a
 * signal that has come already (sigsuspend, ppoll, pselect: ERESTARTNOHAND).  A call with a time
 * limit that was stopped before (by SIGSTOP, or by us) is restart_syscall. */
static const long waiting[] = { SYS_futex, SYS_clock_nanosleep, SYS_nanosleep, SYS_poll, SYS_wait4,
                                SYS_read,  SYS_restart_syscall };

static int
rank_of_call (long number)
{
  for (size_t i = 0; i < G_N_ELEMENTS (waiting); i++)
    if (waiting[i] == number)
      return (int) i;
  return -1;
}

/* ---- which thread ---- */

/* The text of a file of a thread (transfer full). */
static bool
read_of_thread (long pid, const char *thread, const char *file, char **text)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/task/%s/%s", pid, thread, file);
  return g_file_get_contents (path, text, NULL, NULL);
}

/* The place of the system call in which a thread waits in `waiting`; -1: it does not. */
static int
rank_of (const struct remote_process *p, const char *thread)
{
  g_autofree char *text = NULL;
  if (!read_of_thread (p->pid, thread, "syscall", &text) || !g_ascii_isdigit (*text))
    return -1;
  return rank_of_call (strtol (text, NULL, 10));
}

/* The end of a call raises SIGSEGV: where it is blocked the kernel would take the process's handler
 * away. */
static bool
can_be_signalled (long pid, pid_t thread)
{
  g_autofree char *name = g_strdup_printf ("%d", thread);
  static const char field[] = "SigBlk:\t";
  g_autofree char *text = NULL;
  if (!read_of_thread (pid, name, "status", &text))
    return false;
  const char *found = strstr (text, field);
  return found != NULL
         && (g_ascii_strtoull (found + strlen (field), NULL, 16) & 1u << (SIGSEGV - 1)) == 0;
}

/* ---- stops ---- */

/* Waits for the thread's next stop.  False if the thread ended. */
static bool
wait_for_stop (pid_t thread, int *status)
{
  pid_t got;
  do
    got = waitpid (thread, status, __WALL);
  while (got < 0 && errno == EINTR);
  return got == thread && WIFSTOPPED (*status);
}

static bool
is_event_stop (int status)
{
  return status >> 16 == PTRACE_EVENT_STOP;
}

/* Goes on from a stop, with the signal that it was for. */
static void
pass_on (pid_t thread, int status)
{
  ptrace (PTRACE_CONT, thread, NULL,
          (void *) (intptr_t) (is_event_stop (status) ? 0 : WSTOPSIG (status)));
}

/* Whose file's memory this address is in; NULL: no file's. */
static const struct remote_file *
remote_process_file_at (const struct remote_process *p, uint64_t address)
{
  for (guint i = 0; i < p->files->len; i++) {
    const struct remote_file *file = &g_array_index (p->files, struct remote_file, i);
    if (address >= file->start && address < file->end)
      return file;
  }
  return NULL;
}

/* Does the stopped thread wait in the C library, in a call that begins again? */
static bool
is_safe (const struct remote_process *p, const struct user_regs_struct *r)
{
  const long long result = (long long) r->rax;
  const struct remote_file *file = remote_process_file_at (p, r->rip);
  g_autofree char *base = file != NULL ? g_path_get_basename (file->path) : NULL;
  return rank_of_call ((long) r->orig_rax) >= 0
         && (result == -ERESTARTSYS || result == -ERESTARTNOINTR
             || result == -ERESTART_RESTARTBLOCK)
         && base != NULL
         && (g_str_has_prefix (base, "libc.") || g_str_has_prefix (base, "libc-")
             || g_str_has_prefix (base, "libpthread"));
}

/* Stops a thread.  False with errno, or 0 if it is at no safe place. */
static bool
stop_thread (struct remote_call *c, pid_t thread)
{
  int status = 0;
  if (ptrace (PTRACE_SEIZE, thread, NULL, NULL) != 0)
    return false;
  /* However long it takes: one that is not stopped cannot be let go. */
  bool is_stopped
      = ptrace (PTRACE_INTERRUPT, thread, NULL, NULL) == 0 && wait_for_stop (thread, &status);
  while (is_stopped && !is_event_stop (status)) {
    pass_on (thread, status); /* a signal came first */
    is_stopped = wait_for_stop (thread, &status);
  }
  if (is_stopped && WSTOPSIG (status) == SIGTRAP
      && ptrace (PTRACE_GETREGS, thread, NULL, &c->saved) == 0 && is_safe (c->process, &c->saved)
      && can_be_signalled (c->process->pid, thread)) {
    c->thread = thread;
    return true;
  }
  if (is_stopped)
    ptrace (PTRACE_DETACH, thread, NULL, NULL);
  errno = 0;
  return false;
}

/* Tries each thread that waits, those of the best calls first.  0, or why no thread can be stopped.
 */
static int
stop_any (struct remote_call *c)
{
  const struct remote_process *p = c->process;
  g_autofree char *path = g_strdup_printf ("/proc/%ld/task", p->pid);
  g_autoptr (GPtrArray) threads = g_ptr_array_new_with_free_func (g_free);
  DIR *folder = opendir (path);
  if (folder == NULL)
    return errno == ENOENT ? ESRCH : errno;
  for (const struct dirent *entry; (entry = readdir (folder)) != NULL;)
    if (entry->d_name[0] != '.')
      g_ptr_array_add (threads, g_strdup (entry->d_name));
  closedir (folder);
  if (threads->len == 0)
    return ESRCH;
  for (int rank = 0; rank < (int) G_N_ELEMENTS (waiting); rank++)
    for (guint i = 0; i < threads->len; i++) {
      const char *thread = threads->pdata[i];
      if (rank_of (p, thread) != rank)
        continue;
      if (stop_thread (c, (pid_t) strtol (thread, NULL, 10)))
        return 0;
      if (errno == EPERM)
        return EPERM;
    }
  return EAGAIN;
}

/* Stops a thread that waits; searches for one for at most this many ms.  Fails with G_FILE_ERROR
 * and a message without the process's name. */
static bool
remote_call_begin (struct remote_call *c, const struct remote_process *p, unsigned limit_ms,
                   GError **error)
{
  *c = (struct remote_call){ .process = p };
  int reason = EAGAIN;
  for (unsigned ms = 0; reason == EAGAIN && ms < limit_ms; ms += 10) {
    reason = stop_any (c);
    if (reason == EAGAIN)
      g_usleep (10000);
  }
  if (reason == 0)
    return true;
  if (reason == EPERM)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM,
                 "permission denied to trace it: a debugger or another tracer has it, or "
                 "/proc/sys/kernel/yama/ptrace_scope or a container forbids it; try as root");
  else if (reason == EAGAIN)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
                 "none of its threads waited in a system call within %u s", limit_ms / 1000);
  else
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s", g_strerror (reason));
  return false;
}

/* ---- the call ---- */

/* Runs the thread until the function has returned to address 0. */
static bool
run_to_end (struct remote_call *c, uint64_t *result)
{
  struct user_regs_struct now;
  int status;
  if (ptrace (PTRACE_CONT, c->thread, NULL, NULL) != 0)
    return false;
  while (wait_for_stop (c->thread, &status)) {
    if (!is_event_stop (status) && WSTOPSIG (status) == SIGSEGV
        && ptrace (PTRACE_GETREGS, c->thread, NULL, &now) == 0 && now.rip == 0) {
      *result = now.rax;
      return true;
    }
    pass_on (c->thread, status);
  }
  return false;
}

/* Calls the function at the address with a text, if it is not NULL, as its first argument, which is
 * valid until the call ends, and a number as its second.  Signals that the thread gets meanwhile
 * are passed on. Returns when the function does.  False if the thread ended instead. */
static bool
remote_call_function (struct remote_call *c, uint64_t address, const char *text, uint64_t number,
                      uint64_t *result)
{
  struct user_regs_struct r = c->saved;
  const uint64_t text_at = (r.rsp - RED_ZONE - TEXT_MAX) & ~UINT64_C (15);
  const size_t length = text != NULL ? strlen (text) + 1 : 0;
  const uint64_t end = 0; /* where it returns to */
  if (length > TEXT_MAX
      || (length != 0 && !remote_process_write (c->process, text_at, text, length)))
    return false;
  r.rsp = text_at - sizeof end; /* as a call instruction leaves it */
  if (!remote_process_write (c->process, r.rsp, &end, sizeof end))
    return false;
  r.rip = address;
  r.rdi = text_at;
  r.rsi = number;
  r.rax = 0;
  r.orig_rax = (unsigned long long) -1; /* no system call is to begin again yet */
  r.eflags &= ~0x400ull;                /* direction: up */
  return ptrace (PTRACE_SETREGS, c->thread, NULL, &r) == 0 && run_to_end (c, result);
}

/* Lets the thread go on as if nothing had been. */
static void
remote_call_end (struct remote_call *c)
{
  ptrace (PTRACE_SETREGS, c->thread, NULL, &c->saved);
  ptrace (PTRACE_DETACH, c->thread, NULL, NULL);
}

#else

bool
remote_call_begin (struct remote_call *c, const struct remote_process *p, unsigned limit_ms,
                   GError **error)
{
  *c = (struct remote_call){ .process = p };
  (void) limit_ms;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS,
               "attaching works on x86-64 only, and this machine is another one");
  return false;
}

bool
remote_call_function (struct remote_call *c, uint64_t address, const char *text, uint64_t number,
                      uint64_t *result)
{
  (void) c, (void) address, (void) text, (void) number, (void) result;
  return false;
}

void
remote_call_end (struct remote_call *c)
{
  (void) c;
}

#endif

/* Where a process gets a copy of a module that is not in its file system. */
#define LENT_FOLDER "/tmp"

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

/* Has the process this file at this path?  One with another file system may have none there, or
 * another one. */
static bool
has_module (const struct remote_process *p, const char *module)
{
  struct stat here, there;
  g_autofree char *path = remote_process_path (p, module);
  return stat (module, &here) == 0 && stat (path, &there) == 0 && here.st_size == there.st_size;
}

/* Can the process have the file, or a copy? */
static bool
check_module (const struct remote_process *p, const char *module, GError **error)
{
  g_autofree char *folder = remote_process_path (p, LENT_FOLDER);
  if (g_access (module, R_OK) != 0)
    return fail (error, "%s: %s", module, g_strerror (errno));
  return has_module (p, module) || g_access (folder, W_OK) == 0
         || fail (error,
                  "it has another file system, in which %s is not, and in its " LENT_FOLDER
                  " no copy can be made: %s",
                  module, g_strerror (errno));
}

/* ---- a copy in the file system of a container ---- */

struct lent_module {
  char *folder, *file; /* here; NULL: there is no copy */
  char *inside;        /* the module's path in the process */
};

static void
lent_module_clear (struct lent_module *lent)
{
  if (lent->file != NULL)
    g_unlink (lent->file);
  if (lent->folder != NULL)
    g_rmdir (lent->folder);
  g_free (lent->folder);
  g_free (lent->file);
  g_free (lent->inside);
}

/* Until lent_module_clear; a loaded module needs its file no more. */
static bool
lend_module (const struct remote_process *p, const char *module, struct lent_module *lent,
             GError **error)
{
  g_autofree char *contents = NULL;
  gsize length;
  *lent = (struct lent_module){ 0 };
  if (has_module (p, module)) {
    lent->inside = g_strdup (module);
    return true;
  }
  g_autofree char *folder = remote_process_path (p, LENT_FOLDER "/proflog-XXXXXX");
  g_autofree char *base = g_path_get_basename (module);
  if (!g_file_get_contents (module, &contents, &length, error))
    return false;
  if (g_mkdtemp (folder) == NULL)
    return fail (error, "%s: %s", folder, g_strerror (errno));
  lent->folder = g_steal_pointer (&folder);
  lent->file = g_build_filename (lent->folder, base, NULL);
  g_autofree char *name = g_path_get_basename (lent->folder);
  lent->inside = g_build_filename (LENT_FOLDER, name, base, NULL);
  return g_file_set_contents_full (lent->file, contents, (gssize) length, G_FILE_SET_CONTENTS_NONE,
                                   0644, error)
         && (g_chmod (lent->folder, 0755) == 0
             || fail (error, "%s: %s", lent->folder, g_strerror (errno)));
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

static bool
open_target (struct remote_process *p, long pid, GError **error)
{
  g_autoptr (GError) reason = NULL;
  if (!remote_process_open (p, pid, &reason))
    return g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOENT)
               ? fail (error, "there is no such process")
           : g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_ACCES)
               ? fail (
                   error,
                   "permission denied to trace it: it is another user's, or protected; try as root")
               : fail (error, "%s", reason->message);
  return true;
}

static bool
check_target (const struct remote_process *p, const char *module, uint64_t *dlopen_at,
              GError **error)
{
  return check_machine (p, error) && check_libraries (p, dlopen_at, error)
         && check_module (p, module, error) && check_state (p, error);
}

bool
attach_module_check (long pid, const char *module, GError **error)
{
  struct remote_process p;
  uint64_t dlopen_at;
  if (!open_target (&p, pid, error))
    return false;
  const bool good = check_target (&p, module, &dlopen_at, error);
  remote_process_close (&p);
  return good;
}

bool
attach_module (long pid, const char *module, const char *options, char **note, GError **error)
{
  struct remote_process p;
  uint64_t dlopen_at;
  *note = NULL;
  if (strlen (options) >= PROFLOG_ATTACH_TEXT)
    return fail (error, "the options have %zu bytes; the limit is %d", strlen (options),
                 PROFLOG_ATTACH_TEXT - 1);
  if (!open_target (&p, pid, error))
    return false;
  struct lent_module lent = { 0 };
  const bool good = check_target (&p, module, &dlopen_at, error)
                    && lend_module (&p, module, &lent, error)
                    && load_into (&p, dlopen_at, lent.inside, options, note, error);
  lent_module_clear (&lent);
  remote_process_close (&p);
  return good;
}
