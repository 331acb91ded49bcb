/* remote-call.c -- has a thread of another process call functions, by ptrace. */
#include "config.h"

#include "decoder/attach/remote-call.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#if defined(__x86_64__)

enum {
  RED_ZONE = 128, /* below the stack pointer, still in use (System V ABI, AMD64) */
  TEXT_MAX = 4096,
  /* What an interrupted system call has in rax if the kernel is to begin it again (ptrace(2)). */
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

bool
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
                 "no right to trace it: a debugger or another tracer has it, or "
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

bool
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

void
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
