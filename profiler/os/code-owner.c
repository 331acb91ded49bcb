/* code-owner.c -- reads /proc/self/maps, and the stacks of threads that wait. */
#include "config.h"

#include "profiler/os/native-frame.h"
#include "profiler/os/thread-states.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum {
  RANGES = 1024,
  WORDS = 256, /* of a stack, for the frames of the C library that waits */
  FRAMES = 16, /* the same, where its unwind tables are of use */
};

enum owner { OWNER_NONE, OWNER_LIBRARY, OWNER_RUNTIME, OWNER_OTHER };

static struct range {
  uint64_t start, end;
  uint64_t inode;
  enum owner owner;
} ranges[RANGES];
static size_t count;
static int memory = -1; /* a stack may be unmapped while it is read */

/* By address, as the kernel lists them. */
static const struct range *
range_of (uint64_t address)
{
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (ranges[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && address >= ranges[low].start ? &ranges[low] : NULL;
}

/* All code of the file in which the address is. */
static void
set_owner (const void *address, enum owner owner)
{
  const struct range *const found = range_of ((uint64_t) (uintptr_t) address);
  const uint64_t inode = found != NULL ? found->inode : 0;
  for (size_t i = 0; i < count; i++)
    if (inode != 0 && ranges[i].inode == inode)
      ranges[i].owner = owner;
}

void
code_owner_refresh (const void *in_runtime)
{
  char line[4096];
  FILE *file = fopen ("/proc/self/maps", "re");
  count = 0;
  while (file != NULL && count < RANGES && fgets (line, sizeof line, file) != NULL) {
    unsigned long long start, end, inode;
    char rights[8];
    if (sscanf (line, "%llx-%llx %7s %*s %*s %llu", &start, &end, rights, &inode) == 4
        && rights[2] == 'x')
      ranges[count++] = (struct range){ start, end, inode, OWNER_OTHER };
  }
  if (file != NULL)
    fclose (file);
  /* Before glibc 2.34 threads were in a library of their own. */
  set_owner ((const void *) (uintptr_t) &clock_nanosleep, OWNER_LIBRARY);
  set_owner ((const void *) (uintptr_t) &pthread_cond_timedwait, OWNER_LIBRARY);
  set_owner (in_runtime, OWNER_RUNTIME);
  if (memory < 0)
    memory = open ("/proc/self/mem", O_RDONLY | O_CLOEXEC);
}

/* The owner of the innermost code outside of the C library that has an address among the words of
 * the stack.  Words of calls that are over may be there, too. */
static enum owner
guess_caller (uint64_t sp)
{
  uint64_t words[WORDS];
  const ssize_t n = pread (memory, words, sizeof words, (off_t) (sp & ~UINT64_C (7)));
  for (size_t i = 0; n > 0 && i < (size_t) n / sizeof *words; i++) {
    const struct range *const r = range_of (words[i]);
    if (r != NULL && r->owner != OWNER_LIBRARY)
      return r->owner;
  }
  return OWNER_NONE;
}

bool
code_owner_is_runtime (const struct thread_wait *w)
{
  struct native_frame f = { .pc = w->pc, .sp = w->sp };
  const struct range *at = range_of (w->pc);
  if (at == NULL || at->owner != OWNER_LIBRARY || memory < 0)
    return false;
  for (unsigned i = 0; i < FRAMES; i++) {
    if (!native_frame_leave (&f, memory))
      return guess_caller (f.sp) == OWNER_RUNTIME;
    at = range_of (f.pc);
    if (at == NULL || at->owner != OWNER_LIBRARY)
      return at != NULL && at->owner == OWNER_RUNTIME;
  }
  return false;
}
