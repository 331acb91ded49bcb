/* fail-calls.c -- libfail-calls.so: makes a program's calls of the system fail.  For LD_PRELOAD.
 *
 * PROFLOG_FAIL_CALLS     names of `sets` below, divided by commas: malloc, mmap, open, read ...
 * PROFLOG_FAIL_AT        the first call that fails, counted from 1; 0 (or nothing) only counts
 * PROFLOG_FAIL_MODE      `once` (this call alone), or `on` (this call and all that follow)
 * PROFLOG_FAIL_FROM      only calls whose return address lies in the shared object (or program)
 *                        with this word in its file name; without it, from anywhere
 * PROFLOG_FAIL_PROGRAM   only in the program with this name (without its folder)
 * PROFLOG_FAIL_COUNTS    a file that gets two numbers of 64 bits: calls that there were, and those
 *                        that failed; they survive any end of the program, and add up over all
 *                        processes that inherit the file's name
 *
 * Calls inside the C library itself (stdio, the dynamic linker) are not replaced, nor those after
 * the program's exit handlers, where gcov writes its counts.  A failed call of the set `malloc`
 * sets ENOMEM; errors of the other sets are in the table. */
#include "config.h"

#undef _FILE_OFFSET_BITS /* the functions of both sizes are here */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum set {
  SET_MALLOC,
  SET_MMAP,
  SET_OPEN,
  SET_READ,
  SET_WRITE,
  SET_TRUNCATE,
  SET_ALLOCATE,
  SET_THREAD,
  SETS
};

static const struct {
  const char *name;
  int error;
} sets[SETS] = {
  [SET_MALLOC] = { "malloc", ENOMEM },      /* calloc, realloc, aligned_alloc, posix_memalign */
  [SET_MMAP] = { "mmap", ENOMEM },          /* mremap */
  [SET_OPEN] = { "open", EMFILE },          /* openat, creat */
  [SET_READ] = { "read", EIO },             /* pread, readv */
  [SET_WRITE] = { "write", ENOSPC },        /* pwrite, writev */
  [SET_TRUNCATE] = { "ftruncate", ENOSPC }, /* truncate */
  [SET_ALLOCATE] = { "posix_fallocate", ENOSPC }, /* fallocate */
  [SET_THREAD] = { "pthread_create", EAGAIN },
};

struct counts {
  uint64_t calls;
  uint64_t failed;
};

static struct counts own_counts;
static struct counts *counts = &own_counts;
static bool is_chosen[SETS];
static uint64_t first;
static bool goes_on;
static const char *from;
static bool is_over;

/* The C library's, under the names that it has for those who replace malloc. */
void *__libc_malloc (size_t size);
void *__libc_calloc (size_t count, size_t size);
void *__libc_realloc (void *block, size_t size);
void *__libc_memalign (size_t alignment, size_t size);

#define EXPORT __attribute__ ((visibility ("default")))
#define CALLER __builtin_extract_return_addr (__builtin_return_address (0))

/* The next function of this name, of the type of the one that is defined here. */
#define NEXT(function)                                                                             \
  ({                                                                                               \
    static __typeof__ (&function) next;                                                            \
    if (next == NULL)                                                                              \
      *(void **) &next = dlsym (RTLD_NEXT, #function);                                             \
    next;                                                                                          \
  })

static void
choose_sets (const char *names)
{
  while (*names != 0) {
    const size_t length = strcspn (names, ",");
    for (int s = 0; s < SETS; s++)
      if (strlen (sets[s].name) == length && strncmp (sets[s].name, names, length) == 0)
        is_chosen[s] = true;
    names += length + (names[length] == ',');
  }
}

static void
map_counts (const char *path)
{
  const int fd = NEXT (open) (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return;
  if (NEXT (ftruncate) (fd, sizeof *counts) == 0) {
    void *map = NEXT (mmap) (NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED)
      counts = map;
  }
  close (fd);
}

__attribute__ ((constructor)) static void
start (void)
{
  const char *names = getenv ("PROFLOG_FAIL_CALLS"), *at = getenv ("PROFLOG_FAIL_AT");
  const char *mode = getenv ("PROFLOG_FAIL_MODE"), *program = getenv ("PROFLOG_FAIL_PROGRAM");
  const char *file = getenv ("PROFLOG_FAIL_COUNTS");
  if (names == NULL || (program != NULL && strcmp (program, program_invocation_short_name) != 0))
    return;
  first = at != NULL ? strtoull (at, NULL, 10) : 0;
  goes_on = mode != NULL && strcmp (mode, "on") == 0;
  from = getenv ("PROFLOG_FAIL_FROM");
  if (file != NULL)
    map_counts (file);
  choose_sets (names);
}

/* Does the address lie in the object that PROFLOG_FAIL_FROM names?  No lock: a runtime may have
 * stopped the thread that holds that of the dynamic linker. */
static bool
is_from (void *caller)
{
#ifdef DLFO_EH_SEGMENT_TYPE
  struct dl_find_object object;
  if (_dl_find_object (caller, &object) != 0)
    return false;
  const char *name = object.dlfo_link_map->l_name;
#else
  Dl_info info;
  if (dladdr (caller, &info) == 0)
    return false;
  const char *name = info.dli_fname;
#endif
  return strstr (*name != 0 ? name : program_invocation_name, from) != NULL;
}

/* Counts a call; does it fail?  Then errno is set. */
static bool
fails (enum set set, void *caller)
{
  if (!is_chosen[set] || is_over || (from != NULL && !is_from (caller)))
    return false;
  const uint64_t call = 1 + __atomic_fetch_add (&counts->calls, 1, __ATOMIC_RELAXED);
  if (first == 0 || call < first || (call > first && !goes_on))
    return false;
  __atomic_fetch_add (&counts->failed, 1, __ATOMIC_RELAXED);
  errno = sets[set].error;
  return true;
}

/* Each object's first destructor calls this, and runs before gcov's. */
void __cxa_finalize (void *object);

EXPORT void
__cxa_finalize (void *object)
{
  NEXT (__cxa_finalize) (object);
  is_over = true;
}

EXPORT void *
malloc (size_t size)
{
  return fails (SET_MALLOC, CALLER) ? NULL : __libc_malloc (size);
}

EXPORT void *
calloc (size_t count, size_t size)
{
  return fails (SET_MALLOC, CALLER) ? NULL : __libc_calloc (count, size);
}

EXPORT void *
realloc (void *block, size_t size)
{
  return fails (SET_MALLOC, CALLER) ? NULL : __libc_realloc (block, size);
}

EXPORT void *
aligned_alloc (size_t alignment, size_t size)
{
  return fails (SET_MALLOC, CALLER) ? NULL : __libc_memalign (alignment, size);
}

EXPORT int
posix_memalign (void **block, size_t alignment, size_t size)
{
  void *const made = fails (SET_MALLOC, CALLER) ? NULL : __libc_memalign (alignment, size);
  if (made == NULL)
    return ENOMEM;
  *block = made;
  return 0;
}

EXPORT void *
mmap (void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
  return fails (SET_MMAP, CALLER) ? MAP_FAILED
                                  : NEXT (mmap) (address, length, protection, flags, fd, offset);
}

EXPORT void *
mmap64 (void *address, size_t length, int protection, int flags, int fd, off64_t offset)
{
  return fails (SET_MMAP, CALLER) ? MAP_FAILED
                                  : NEXT (mmap64) (address, length, protection, flags, fd, offset);
}

EXPORT void *
mremap (void *address, size_t old_size, size_t new_size, int flags, ...)
{
  va_list rest;
  va_start (rest, flags);
  void *const fixed = (flags & MREMAP_FIXED) != 0 ? va_arg (rest, void *) : NULL;
  va_end (rest);
  return fails (SET_MMAP, CALLER) ? MAP_FAILED
                                  : NEXT (mremap) (address, old_size, new_size, flags, fixed);
}

/* The mode of a new file, the last argument of these; it is there only with O_CREAT. */
#define MODE_OF(flags)                                                                             \
  ({                                                                                               \
    mode_t given = 0;                                                                              \
    if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {                                                  \
      va_list rest;                                                                                \
      va_start (rest, flags);                                                                      \
      given = va_arg (rest, mode_t);                                                               \
      va_end (rest);                                                                               \
    }                                                                                              \
    given;                                                                                         \
  })

EXPORT int
open (const char *path, int flags, ...)
{
  const mode_t mode = MODE_OF (flags);
  return fails (SET_OPEN, CALLER) ? -1 : NEXT (open) (path, flags, mode);
}

EXPORT int
open64 (const char *path, int flags, ...)
{
  const mode_t mode = MODE_OF (flags);
  return fails (SET_OPEN, CALLER) ? -1 : NEXT (open64) (path, flags, mode);
}

EXPORT int
openat (int folder, const char *path, int flags, ...)
{
  const mode_t mode = MODE_OF (flags);
  return fails (SET_OPEN, CALLER) ? -1 : NEXT (openat) (folder, path, flags, mode);
}

EXPORT int
openat64 (int folder, const char *path, int flags, ...)
{
  const mode_t mode = MODE_OF (flags);
  return fails (SET_OPEN, CALLER) ? -1 : NEXT (openat64) (folder, path, flags, mode);
}

EXPORT int
creat (const char *path, mode_t mode)
{
  return fails (SET_OPEN, CALLER) ? -1 : NEXT (creat) (path, mode);
}

EXPORT ssize_t
read (int fd, void *bytes, size_t size)
{
  return fails (SET_READ, CALLER) ? -1 : NEXT (read) (fd, bytes, size);
}

EXPORT ssize_t
pread (int fd, void *bytes, size_t size, off_t offset)
{
  return fails (SET_READ, CALLER) ? -1 : NEXT (pread) (fd, bytes, size, offset);
}

EXPORT ssize_t
pread64 (int fd, void *bytes, size_t size, off64_t offset)
{
  return fails (SET_READ, CALLER) ? -1 : NEXT (pread64) (fd, bytes, size, offset);
}

EXPORT ssize_t
readv (int fd, const struct iovec *parts, int count)
{
  return fails (SET_READ, CALLER) ? -1 : NEXT (readv) (fd, parts, count);
}

EXPORT ssize_t
write (int fd, const void *bytes, size_t size)
{
  return fails (SET_WRITE, CALLER) ? -1 : NEXT (write) (fd, bytes, size);
}

EXPORT ssize_t
pwrite (int fd, const void *bytes, size_t size, off_t offset)
{
  return fails (SET_WRITE, CALLER) ? -1 : NEXT (pwrite) (fd, bytes, size, offset);
}

EXPORT ssize_t
pwrite64 (int fd, const void *bytes, size_t size, off64_t offset)
{
  return fails (SET_WRITE, CALLER) ? -1 : NEXT (pwrite64) (fd, bytes, size, offset);
}

EXPORT ssize_t
writev (int fd, const struct iovec *parts, int count)
{
  return fails (SET_WRITE, CALLER) ? -1 : NEXT (writev) (fd, parts, count);
}

EXPORT int
ftruncate (int fd, off_t size)
{
  return fails (SET_TRUNCATE, CALLER) ? -1 : NEXT (ftruncate) (fd, size);
}

EXPORT int
ftruncate64 (int fd, off64_t size)
{
  return fails (SET_TRUNCATE, CALLER) ? -1 : NEXT (ftruncate64) (fd, size);
}

EXPORT int
truncate (const char *path, off_t size)
{
  return fails (SET_TRUNCATE, CALLER) ? -1 : NEXT (truncate) (path, size);
}

/* These two return the error instead of setting errno. */
EXPORT int
posix_fallocate (int fd, off_t offset, off_t size)
{
  return fails (SET_ALLOCATE, CALLER) ? errno : NEXT (posix_fallocate) (fd, offset, size);
}

EXPORT int
posix_fallocate64 (int fd, off64_t offset, off64_t size)
{
  return fails (SET_ALLOCATE, CALLER) ? errno : NEXT (posix_fallocate64) (fd, offset, size);
}

EXPORT int
fallocate (int fd, int mode, off_t offset, off_t size)
{
  return fails (SET_ALLOCATE, CALLER) ? -1 : NEXT (fallocate) (fd, mode, offset, size);
}

EXPORT int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*function) (void *),
                void *argument)
{
  return fails (SET_THREAD, CALLER)
             ? errno
             : NEXT (pthread_create) (thread, attributes, function, argument);
}
