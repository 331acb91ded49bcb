/* test-shared-pages.c -- after a fork, pages are written without faults again, and no memory is
 * added. */
#include "config.h"

#include "profiler/os/child.h"
#include "tests/unit/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 4096 };

/* Sanitizers have more memory of their own than is counted here. */
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

static long
faults (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

static long
resident (void)
{
  long size, pages = 0;
  FILE *f = fopen ("/proc/self/statm", "r");
  assert_non_null (f);
  assert_int_equal (fscanf (f, "%ld %ld", &size, &pages), 2);
  fclose (f);
  return pages;
}

TEST (test_unshare)
{
  int status;
  if (IS_SANITIZED)
    skip ();
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  volatile char *p
      = mmap (NULL, 3 * PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (p != MAP_FAILED);
  madvise ((void *) p, 3 * PAGES * page, MADV_NOHUGEPAGE);
  if (madvise ((void *) p, page, 23 /* MADV_POPULATE_WRITE */) != 0)
    skip (); /* before Linux 5.14 */
  char sum = 0;
  for (size_t i = 0; i < PAGES; i++) { /* written, read, not used */
    p[i * page] = 1;
    sum = (char) (sum + p[(PAGES + i) * page]);
  }
  assert_int_equal (sum, 0);
  const pid_t child = fork ();
  if (child == 0)
    _exit (0);
  assert_int_equal (waitpid (child, &status, 0), child);
  const long before = resident ();
  shared_pages_unshare ();
  assert_in_range (resident () - before + 256, 0, 512);
  const long first = faults ();
  for (size_t i = 0; i < PAGES; i++)
    p[i * page] = 2;
  assert_in_range (faults () - first, 0, PAGES / 10);
  munmap ((void *) p, 3 * PAGES * page);
}
