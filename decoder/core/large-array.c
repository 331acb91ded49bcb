/* large-array.c -- allocates arrays in large pages. */
#include "config.h"

#include "decoder/core/large-array.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t) 2 << 20)

void *
large_array (size_t n, size_t size)
{
  const size_t bytes = MAX (n, 1) * size;
  void *items = NULL;
  if (bytes < LARGE_PAGE)
    items = malloc (bytes);
  else if (posix_memalign (&items, LARGE_PAGE, bytes) != 0)
    items = NULL;
  if (items == NULL)
    g_error ("no memory for %" G_GSIZE_FORMAT " bytes", bytes); /* as GLib has it */
  if (bytes >= LARGE_PAGE)
    madvise (items, bytes, MADV_HUGEPAGE); /* where there are none, small ones do */
  return items;
}

void *
large_array_zeroed (size_t n, size_t size)
{
  return memset (large_array (n, size), 0, MAX (n, 1) * size);
}
