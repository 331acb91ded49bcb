/* shared-pages.c -- has the kernel make pages writable that are there. */
#include "config.h"

#include "profiler/os/child.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { ENTRIES = 4096 }; /* of the page map that are read at once */

/* A page that is there, and that no other process has.  All others would need new memory: those
 * that the program has not used, or only read, and those of a child of its own. */
#define IS_OWN (UINT64_C (1) << 63 | UINT64_C (1) << 56)

static bool
unshare_some (const uint64_t *pages, size_t n, uintptr_t start, uintptr_t page_size)
{
  for (size_t i = 0; i < n;) {
    size_t end = i;
    while (end < n && (pages[end] & IS_OWN) == IS_OWN)
      end++;
    if (end > i
        && madvise ((void *) (start + i * page_size), (end - i) * page_size, MADV_POPULATE_WRITE)
               != 0)
      return false; /* it was unmapped meanwhile, or the kernel cannot do that */
    i = end + 1;
  }
  return true;
}

static void
unshare_mapping (int page_map, uintptr_t start, uintptr_t end, uintptr_t page_size)
{
  uint64_t pages[ENTRIES];
  while (start < end) {
    const size_t left = (end - start) / page_size, n = left < ENTRIES ? left : ENTRIES;
    const ssize_t bytes
        = pread (page_map, pages, n * sizeof *pages, (off_t) (start / page_size * sizeof *pages));
    if (bytes <= 0 || !unshare_some (pages, (size_t) bytes / sizeof *pages, start, page_size))
      return;
    start += (size_t) bytes / sizeof *pages * page_size;
  }
}

void
shared_pages_unshare (void)
{
  char line[512];
  unsigned long start, end, inode;
  char access[5];
  const uintptr_t page_size = (uintptr_t) sysconf (_SC_PAGESIZE);
  FILE *maps = fopen ("/proc/self/maps", "re");
  const int page_map = open ("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  while (maps != NULL && page_map >= 0 && fgets (line, sizeof line, maps) != NULL)
    if (sscanf (line, "%lx-%lx %4s %*x %*s %lu", &start, &end, access, &inode) == 4 && inode == 0
        && access[0] == 'r' && access[1] == 'w' && access[3] == 'p')
      unshare_mapping (page_map, start, end, page_size);
  if (page_map >= 0)
    close (page_map);
  if (maps != NULL)
    fclose (maps);
}
