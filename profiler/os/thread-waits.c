/* thread-waits.c -- reads /proc/self/task. */
#include "config.h"

#include "profiler/os/thread-waits.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What getdents64 returns. */
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

/* The state is the letter after the name, which may have any bytes.  A thread that waits for a disk
 * or is stopped goes on; one that sleeps may sleep for ever. */
static bool
sleeps (void *data, const char *id)
{
  char text[512];
  if (strtol (id, NULL, 10) == *(const long *) data || !read_file (id, "stat", text, sizeof text))
    return true; /* the caller, or it has ended */
  const char *const name_end = strrchr (text, ')');
  return name_end != NULL && name_end[1] == ' ' && strchr ("SIZXx", name_end[2]) != NULL;
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
