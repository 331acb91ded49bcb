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

/* Adds those of some entries.  False if there is no room. */
static bool
add_threads (struct thread_group *group, const char *name, const char *entries, size_t length)
{
  for (size_t at = 0; at < length;) {
    const struct entry *e = (const struct entry *) (entries + at);
    at += e->size;
    if (e->name[0] == '.' || !is_named (e->name, name))
      continue;
    if (group->count == sizeof group->ids / sizeof *group->ids)
      return false;
    group->ids[group->count++] = (pid_t) strtol (e->name, NULL, 10);
  }
  return true;
}

bool
thread_group_find (struct thread_group *group, const char *name)
{
  _Alignas(struct entry) char entries[4096];
  const int fd = open ("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  group->count = 0;
  if (fd < 0)
    return false;
  long length;
  bool is_good = true;
  while (is_good && (length = syscall (SYS_getdents64, fd, entries, sizeof entries)) > 0)
    is_good = add_threads (group, name, entries, (size_t) length);
  close (fd);
  return is_good && length == 0;
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

bool
thread_group_is_idle (const struct thread_group *group)
{
  for (size_t i = 0; i < group->count; i++)
    if (!is_idle (group->ids[i]))
      return false;
  return true;
}
