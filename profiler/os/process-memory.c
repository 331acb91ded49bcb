/* process-memory.c -- reads /proc/self/statm, and which pages of stacks are resident. */
#include "config.h"

#include "profiler/os/process-memory.h"
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t
page_bytes (void)
{
  return (uint64_t) sysconf (_SC_PAGESIZE);
}

bool
process_memory_read (uint64_t *resident, uint64_t *files)
{
  char text[128];
  unsigned long long pages, of_files;
  const int fd = open ("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd >= 0 ? read (fd, text, sizeof text - 1) : -1;
  if (fd >= 0)
    close (fd);
  text[n > 0 ? n : 0] = 0;
  if (sscanf (text, "%*s %llu %llu", &pages, &of_files) != 2)
    return false;
  *resident = pages * page_bytes ();
  *files = of_files * page_bytes ();
  return true;
}

enum {
  STEP_BYTES = 128 << 10, /* that one call inspects */
  STEPS = 512,            /* at most: 64 MiB */
  PAGES = 64,             /* of a step; larger pages are fewer */
};

/* The pages of a step that are resident. A part of it may not be mapped: then only those above. */
static size_t
count_resident (uint64_t begin, size_t pages, uint64_t page)
{
  unsigned char resident[PAGES];
  size_t count = 0;
  while (pages != 0 && mincore ((void *) (uintptr_t) begin, pages * page, resident) != 0) {
    begin += (pages + 1) / 2 * page;
    pages /= 2;
  }
  for (size_t i = 0; i < pages; i++)
    count += resident[i] & 1;
  return count;
}

uint64_t
process_memory_of_stack (uint64_t end)
{
  const uint64_t page = page_bytes (),
                 step = page * (STEP_BYTES / page != 0 ? STEP_BYTES / page : 1);
  uint64_t begin = (end + page - 1) / page * page, count = 0;
  for (unsigned i = 0; i < STEPS && begin > step; i++) {
    begin -= step;
    const size_t n = count_resident (begin, step / page, page);
    if (n == 0)
      break;
    count += n;
  }
  return count * page;
}

/* The kernel puts these bytes above the stack's first frame. */
uint64_t
process_memory_first_stack (void)
{
  return (uint64_t) getauxval (AT_RANDOM);
}
