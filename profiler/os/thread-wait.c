/* thread-wait.c -- reads /proc/self/task. */
#include "config.h"

#include "profiler/os/thread-states.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* An entry of getdents64. */
struct entry {
  uint64_t inode, next;
  uint16_t size;
  uint8_t type;
  char name[];
};

/* Reads the beginning of a thread's file into `text`.  False if there is none. */
static bool
read_file (const char *thread, const char *file, char *text, size_t size)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/self/task/%.16s/%s", thread, file);
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  const ssize_t length = read (fd, text, size - 1);
  close (fd);
  if (length <= 0)
    return false;
  text[length] = 0;
  return true;
}

/* The kernel adds a newline to the name. */
static bool
is_named (const char *thread, const char *name)
{
  char text[32];
  const size_t length = strlen (name);
  return read_file (thread, "comm", text, sizeof text) && strncmp (text, name, length) == 0
         && text[length] == '\n';
}

/* Gets the id of a thread; false ends the search. */
typedef bool thread_visitor (void *data, const char *id);

static bool
visit_entries (const char *entries, size_t length, thread_visitor *visit, void *data)
{
  bool goes_on = true;
  for (size_t at = 0; goes_on && at < length;) {
    const struct entry *e = (const struct entry *) (entries + at);
    at += e->size;
    goes_on = e->name[0] == '.' || visit (data, e->name);
  }
  return goes_on;
}

/* False if not all threads were visited. */
static bool
visit_threads (thread_visitor *visit, void *data)
{
  _Alignas(struct entry) char entries[4096];
  const int fd = open ("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return false;
  long length;
  bool goes_on = true;
  while (goes_on && (length = syscall (SYS_getdents64, fd, entries, sizeof entries)) > 0)
    goes_on = visit_entries (entries, (size_t) length, visit, data);
  close (fd);
  return goes_on && length == 0;
}

struct search {
  struct thread_group *group;
  const char *name;
};

/* Adds it if it has the name.  False if there is no room. */
static bool
add_thread (void *data, const char *id)
{
  const struct search *s = data;
  if (!is_named (id, s->name))
    return true;
  if (s->group->count == sizeof s->group->ids / sizeof *s->group->ids)
    return false;
  s->group->ids[s->group->count++] = (pid_t) strtol (id, NULL, 10);
  return true;
}

bool
thread_group_find (struct thread_group *group, const char *name)
{
  struct search search = { group, name };
  group->count = 0;
  return visit_threads (add_thread, &search);
}

/* The C library waits for condition variables with a bit set, and for locks without. */
static bool
is_idle (pid_t thread)
{
  char id[24], text[128];
  long number;
  unsigned long operation;
  snprintf (id, sizeof id, "%ld", (long) thread);
  return read_file (id, "syscall", text, sizeof text)
         && sscanf (text, "%ld 0x%*x 0x%lx", &number, &operation) == 2 && number == SYS_futex
         && (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
}

/* The letter of the thread's state, which is after its name, which may have any bytes.  0 if it has
 * ended. */
static char
state_of (const char *id)
{
  char text[512];
  if (!read_file (id, "stat", text, sizeof text))
    return 0;
  const char *const name_end = strrchr (text, ')');
  return name_end != NULL && name_end[1] == ' ' ? name_end[2] : 0;
}

/* A thread that waits for a disk or is stopped goes on; one that sleeps may sleep for ever. */
static bool
sleeps (void *data, const char *id)
{
  /* The caller, or it has ended: strchr finds the end of the text, too. */
  return strtol (id, NULL, 10) == *(const long *) data || strchr ("SIZXx", state_of (id)) != NULL;
}

/* ---- one thread's wait ---- */

enum { NO_CALL = -1 };

bool
thread_wait_read (pid_t thread, struct thread_wait *w)
{
  char id[24], text[256];
  unsigned long long a[6], sp, pc;
  long number;
  snprintf (id, sizeof id, "%ld", (long) thread);
  *w = (struct thread_wait){ .call = NO_CALL };
  if (!read_file (id, "syscall", text, sizeof text))
    return state_of (id) == 'S'; /* the system does not state more */
  if (sscanf (text, "%ld 0x%llx 0x%llx 0x%llx 0x%llx 0x%llx 0x%llx 0x%llx 0x%llx", &number, &a[0],
              &a[1], &a[2], &a[3], &a[4], &a[5], &sp, &pc)
      != 9)
    return false; /* it runs, or is in a fault of a page */
  w->call = number;
  for (size_t i = 0; i < 6; i++)
    w->arguments[i] = a[i];
  w->sp = sp;
  w->pc = pc;
  return true;
}

bool
thread_wait_is_same (const struct thread_wait *a, const struct thread_wait *b)
{
  return a->call == b->call && a->sp == b->sp && a->pc == b->pc
         && memcmp (a->arguments, b->arguments, sizeof a->arguments) == 0;
}

/* A socket whose calls time out is not called again after a signal. */
static bool
may_time_out (int fd)
{
  static const int options[] = { SO_RCVTIMEO, SO_SNDTIMEO };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    struct timeval limit = { 0, 0 };
    socklen_t size = sizeof limit;
    if (getsockopt (fd, SOL_SOCKET, options[i], &limit, &size) == 0
        && (limit.tv_sec != 0 || limit.tv_usec != 0))
      return true;
  }
  return false;
}

enum thread_wait_restart
thread_wait_restart (const struct thread_wait *w)
{
  const int fd = (int) w->arguments[0];
  const uint64_t futex_operation = w->arguments[1] & FUTEX_CMD_MASK;
  switch (w->call) {
  case SYS_futex:
    if (futex_operation != FUTEX_WAIT && futex_operation != FUTEX_WAIT_BITSET)
      return THREAD_WAIT_ENDS;
    return w->arguments[3] == 0 ? THREAD_WAIT_RESTARTS : THREAD_WAIT_RETURNS;
  case SYS_read:
  case SYS_readv:
    return may_time_out (fd) ? THREAD_WAIT_ENDS : THREAD_WAIT_RESTARTS;
  case SYS_recvfrom: /* one that waits for all bytes returns those that have come */
    return may_time_out (fd) || (w->arguments[3] & MSG_WAITALL) != 0 ? THREAD_WAIT_ENDS
                                                                     : THREAD_WAIT_RESTARTS;
  case SYS_recvmsg:
    return may_time_out (fd) || (w->arguments[2] & MSG_WAITALL) != 0 ? THREAD_WAIT_ENDS
                                                                     : THREAD_WAIT_RESTARTS;
  case SYS_accept:
  case SYS_accept4:
    return may_time_out (fd) ? THREAD_WAIT_ENDS : THREAD_WAIT_RESTARTS;
  case SYS_wait4:
  case SYS_waitid:
    return THREAD_WAIT_RESTARTS;
  default:
    return THREAD_WAIT_ENDS;
  }
}

bool
thread_blocks_signal (pid_t thread, int signal)
{
  char id[24], text[4096];
  unsigned long long blocked;
  snprintf (id, sizeof id, "%ld", (long) thread);
  if (!read_file (id, "status", text, sizeof text))
    return true;
  const char *const line = strstr (text, "\nSigBlk:");
  return line == NULL || sscanf (line, "\nSigBlk: %llx", &blocked) != 1
         || (blocked >> (signal - 1) & 1) != 0;
}

bool
other_threads_run (void)
{
  long self = syscall (SYS_gettid);
  return !visit_threads (sleeps, &self);
}

bool
thread_group_is_idle (const struct thread_group *group)
{
  for (size_t i = 0; i < group->count; i++)
    if (!is_idle (group->ids[i]))
      return false;
  return true;
}
