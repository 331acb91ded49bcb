/* fail-calls.c -- libfail-calls.so: makes a program's calls of the system fail.  For LD_PRELOAD.
 *
 * PROFLOG_FAIL_CALLS     names of `sets` below, divided by commas: malloc, mmap, open, read ...
 * PROFLOG_FAIL_AT        the first call that fails, counted from 1; 0 (or nothing) only counts
 * PROFLOG_FAIL_MODE      `once` (this call alone), or `on` (this call and all that follow)
 * PROFLOG_FAIL_FROM      only calls whose return address lies in the shared object (or program)
 *                        with this word in its file name; without it, from anywhere
 * PROFLOG_FAIL_FUNCTION  only calls of the function with this name, of those of the sets
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

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
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
  SET_STAT,
  SET_RENAME,
  SET_SEEK,
  SET_PROCESS,
  SET_SOCKET,
  SET_SETTINGS,
  SET_SYSCALL,
  SET_TRACE,
  SET_SLEEP,
  SET_CLOSE,
  SETS
};

static const struct {
  const char *name;
  int error;
} sets[SETS] = {
  [SET_MALLOC] = { "malloc", ENOMEM }, /* calloc, realloc, aligned_alloc, posix_memalign, strdup */
  [SET_MMAP] = { "mmap", ENOMEM },     /* mremap */
  [SET_OPEN] = { "open", EMFILE },     /* openat, creat, opendir */
  [SET_READ] = { "read", EIO },        /* pread, readv */
  [SET_WRITE] = { "write", ENOSPC },   /* pwrite, writev */
  [SET_TRUNCATE] = { "ftruncate", ENOSPC },       /* truncate */
  [SET_ALLOCATE] = { "posix_fallocate", ENOSPC }, /* fallocate */
  [SET_THREAD] = { "pthread_create", EAGAIN },
  [SET_STAT] = { "stat", EACCES },     /* lstat, fstat, fstatat, statvfs, access, readlink */
  [SET_RENAME] = { "rename", EACCES }, /* unlink, mkdir, chmod, fchmod */
  [SET_SEEK] = { "lseek", EINVAL },
  [SET_PROCESS] = { "fork", EAGAIN },   /* pipe, pipe2, dup, dup2 */
  [SET_SOCKET] = { "socket", ENOBUFS }, /* socketpair, connect, bind, listen, their options, send,
                                           sendmsg, recv, recvmsg */
  [SET_SETTINGS] = { "sigaction", EINVAL }, /* timer_create, timer_settime, fcntl */
  [SET_SYSCALL] = { "syscall", EPERM },     /* getrandom */
  [SET_TRACE] = { "ptrace", EPERM },     /* of PTRACE_SEIZE; process_vm_readv, process_vm_writev */
  [SET_SLEEP] = { "nanosleep", EINVAL }, /* clock_nanosleep: no time passes */
  [SET_CLOSE] = { "fclose", EIO },       /* the file is closed */
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
static const char *only;
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

static const char *
word_of (const char *variable)
{
  const char *word = getenv (variable);
  return word != NULL && *word != 0 ? word : NULL;
}

__attribute__ ((constructor)) static void
start (void)
{
  const char *names = getenv ("PROFLOG_FAIL_CALLS"), *at = getenv ("PROFLOG_FAIL_AT");
  const char *mode = getenv ("PROFLOG_FAIL_MODE"), *program = getenv ("PROFLOG_FAIL_PROGRAM");
  const char *file = getenv ("PROFLOG_FAIL_COUNTS");
  const bool is_any = program == NULL || *program == 0;
  if (names == NULL || (!is_any && strcmp (program, program_invocation_short_name) != 0))
    return;
  first = at != NULL ? strtoull (at, NULL, 10) : 0;
  goes_on = mode != NULL && strcmp (mode, "on") == 0;
  from = word_of ("PROFLOG_FAIL_FROM");
  only = word_of ("PROFLOG_FAIL_FUNCTION");
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
call_fails (enum set set, const char *function, void *caller)
{
  if (!is_chosen[set] || is_over || (only != NULL && strcmp (function, only) != 0)
      || (from != NULL && !is_from (caller)))
    return false;
  const uint64_t call = 1 + __atomic_fetch_add (&counts->calls, 1, __ATOMIC_RELAXED);
  if (first == 0 || call < first || (call > first && !goes_on))
    return false;
  __atomic_fetch_add (&counts->failed, 1, __ATOMIC_RELAXED);
  errno = sets[set].error;
  return true;
}

/* In one of the functions below. */
#define FAILS(set) call_fails (set, __func__, CALLER)

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
  return FAILS (SET_MALLOC) ? NULL : __libc_malloc (size);
}

EXPORT void *
calloc (size_t count, size_t size)
{
  return FAILS (SET_MALLOC) ? NULL : __libc_calloc (count, size);
}

EXPORT void *
realloc (void *block, size_t size)
{
  return FAILS (SET_MALLOC) ? NULL : __libc_realloc (block, size);
}

EXPORT void *
aligned_alloc (size_t alignment, size_t size)
{
  return FAILS (SET_MALLOC) ? NULL : __libc_memalign (alignment, size);
}

EXPORT int
posix_memalign (void **block, size_t alignment, size_t size)
{
  void *const made = FAILS (SET_MALLOC) ? NULL : __libc_memalign (alignment, size);
  if (made == NULL)
    return ENOMEM;
  *block = made;
  return 0;
}

EXPORT char *
strdup (const char *text)
{
  const size_t bytes = strlen (text) + 1;
  char *const copy = FAILS (SET_MALLOC) ? NULL : __libc_malloc (bytes);
  return copy != NULL ? memcpy (copy, text, bytes) : NULL;
}

EXPORT void *
mmap (void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
  return FAILS (SET_MMAP) ? MAP_FAILED
                          : NEXT (mmap) (address, length, protection, flags, fd, offset);
}

EXPORT void *
mmap64 (void *address, size_t length, int protection, int flags, int fd, off64_t offset)
{
  return FAILS (SET_MMAP) ? MAP_FAILED
                          : NEXT (mmap64) (address, length, protection, flags, fd, offset);
}

EXPORT void *
mremap (void *address, size_t old_size, size_t new_size, int flags, ...)
{
  va_list rest;
  va_start (rest, flags);
  void *const fixed = (flags & MREMAP_FIXED) != 0 ? va_arg (rest, void *) : NULL;
  va_end (rest);
  return FAILS (SET_MMAP) ? MAP_FAILED : NEXT (mremap) (address, old_size, new_size, flags, fixed);
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
  return FAILS (SET_OPEN) ? -1 : NEXT (open) (path, flags, mode);
}

EXPORT int
open64 (const char *path, int flags, ...)
{
  const mode_t mode = MODE_OF (flags);
  return FAILS (SET_OPEN) ? -1 : NEXT (open64) (path, flags, mode);
}

EXPORT int
openat (int folder, const char *path, int flags, ...)
{
  const mode_t mode = MODE_OF (flags);
  return FAILS (SET_OPEN) ? -1 : NEXT (openat) (folder, path, flags, mode);
}

EXPORT int
openat64 (int folder, const char *path, int flags, ...)
{
  const mode_t mode = MODE_OF (flags);
  return FAILS (SET_OPEN) ? -1 : NEXT (openat64) (folder, path, flags, mode);
}

/* A function whose failing is a value, here -1, and errno. */
#define CALL(set, type, name, parameters, arguments)                                               \
  EXPORT type name parameters                                                                      \
  {                                                                                                \
    return FAILS (set) ? (type) -1 : NEXT (name) arguments;                                        \
  }

CALL (SET_OPEN, int, creat, (const char *path, mode_t mode), (path, mode))

CALL (SET_READ, ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size))
CALL (SET_READ, ssize_t, pread, (int fd, void *bytes, size_t size, off_t at), (fd, bytes, size, at))
CALL (SET_READ, ssize_t, pread64, (int fd, void *bytes, size_t size, off64_t at),
      (fd, bytes, size, at))
CALL (SET_READ, ssize_t, readv, (int fd, const struct iovec *parts, int n), (fd, parts, n))

CALL (SET_WRITE, ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
CALL (SET_WRITE, ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at),
      (fd, bytes, size, at))
CALL (SET_WRITE, ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at),
      (fd, bytes, size, at))
CALL (SET_WRITE, ssize_t, writev, (int fd, const struct iovec *parts, int n), (fd, parts, n))

CALL (SET_TRUNCATE, int, ftruncate, (int fd, off_t size), (fd, size))
CALL (SET_TRUNCATE, int, ftruncate64, (int fd, off64_t size), (fd, size))
CALL (SET_TRUNCATE, int, truncate, (const char *path, off_t size), (path, size))

CALL (SET_STAT, int, stat, (const char *path, struct stat *st), (path, st))
CALL (SET_STAT, int, stat64, (const char *path, struct stat64 *st), (path, st))
CALL (SET_STAT, int, lstat, (const char *path, struct stat *st), (path, st))
CALL (SET_STAT, int, lstat64, (const char *path, struct stat64 *st), (path, st))
CALL (SET_STAT, int, fstat, (int fd, struct stat *st), (fd, st))
CALL (SET_STAT, int, fstat64, (int fd, struct stat64 *st), (fd, st))
CALL (SET_STAT, int, fstatat, (int folder, const char *path, struct stat *st, int flags),
      (folder, path, st, flags))
CALL (SET_STAT, int, fstatat64, (int folder, const char *path, struct stat64 *st, int flags),
      (folder, path, st, flags))
CALL (SET_STAT, int, access, (const char *path, int mode), (path, mode))
CALL (SET_STAT, ssize_t, readlink, (const char *path, char *text, size_t size), (path, text, size))
CALL (SET_STAT, int, statvfs, (const char *path, struct statvfs *st), (path, st))
CALL (SET_STAT, int, statvfs64, (const char *path, struct statvfs64 *st), (path, st))

CALL (SET_RENAME, int, rename, (const char *path, const char *other), (path, other))
CALL (SET_RENAME, int, unlink, (const char *path), (path))
CALL (SET_RENAME, int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL (SET_RENAME, int, chmod, (const char *path, mode_t mode), (path, mode))
CALL (SET_RENAME, int, fchmod, (int fd, mode_t mode), (fd, mode))

CALL (SET_SEEK, off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence))
CALL (SET_SEEK, off64_t, lseek64, (int fd, off64_t at, int whence), (fd, at, whence))

CALL (SET_PROCESS, pid_t, fork, (void), ())
CALL (SET_PROCESS, int, pipe, (int ends[2]), (ends))
CALL (SET_PROCESS, int, pipe2, (int ends[2], int flags), (ends, flags))
CALL (SET_PROCESS, int, dup, (int fd), (fd))
CALL (SET_PROCESS, int, dup2, (int fd, int other), (fd, other))

CALL (SET_SOCKET, int, socket, (int domain, int type, int protocol), (domain, type, protocol))
CALL (SET_SOCKET, int, socketpair, (int domain, int type, int protocol, int ends[2]),
      (domain, type, protocol, ends))
CALL (SET_SOCKET, int, connect, (int fd, const struct sockaddr *address, socklen_t size),
      (fd, address, size))
CALL (SET_SOCKET, int, bind, (int fd, const struct sockaddr *address, socklen_t size),
      (fd, address, size))
CALL (SET_SOCKET, int, listen, (int fd, int n), (fd, n))
CALL (SET_SOCKET, int, getsockopt, (int fd, int level, int name, void *value, socklen_t *size),
      (fd, level, name, value, size))
CALL (SET_SOCKET, int, setsockopt, (int fd, int level, int name, const void *value, socklen_t size),
      (fd, level, name, value, size))
CALL (SET_SOCKET, ssize_t, send, (int fd, const void *bytes, size_t size, int flags),
      (fd, bytes, size, flags))
CALL (SET_SOCKET, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags),
      (fd, message, flags))
CALL (SET_SOCKET, ssize_t, recv, (int fd, void *bytes, size_t size, int flags),
      (fd, bytes, size, flags))
CALL (SET_SOCKET, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags),
      (fd, message, flags))

CALL (SET_SETTINGS, int, sigaction,
      (int number, const struct sigaction *action, struct sigaction *before),
      (number, action, before))
CALL (SET_SETTINGS, int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *timer),
      (clock, event, timer))
CALL (SET_SETTINGS, int, timer_settime,
      (timer_t timer, int flags, const struct itimerspec *time, struct itimerspec *before),
      (timer, flags, time, before))

EXPORT int
fcntl (int fd, int command, ...)
{
  va_list rest;
  va_start (rest, command);
  void *const argument = va_arg (rest, void *);
  va_end (rest);
  return FAILS (SET_SETTINGS) ? -1 : NEXT (fcntl) (fd, command, argument);
}

EXPORT int
fcntl64 (int fd, int command, ...)
{
  va_list rest;
  va_start (rest, command);
  void *const argument = va_arg (rest, void *);
  va_end (rest);
  return FAILS (SET_SETTINGS) ? -1 : NEXT (fcntl64) (fd, command, argument);
}

/* GLib's locks wait and wake by it, which cannot fail. */
EXPORT long
syscall (long number, ...)
{
  va_list rest;
  long given[6];
  va_start (rest, number);
  for (int i = 0; i < 6; i++)
    given[i] = va_arg (rest, long);
  va_end (rest);
  return number != SYS_futex && FAILS (SET_SYSCALL)
             ? -1
             : NEXT (syscall) (number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

CALL (SET_SYSCALL, ssize_t, getrandom, (void *bytes, size_t size, unsigned flags),
      (bytes, size, flags))

CALL (SET_TRACE, ssize_t, process_vm_readv,
      (pid_t pid, const struct iovec *own, unsigned long n, const struct iovec *others,
       unsigned long n_others, unsigned long flags),
      (pid, own, n, others, n_others, flags))
CALL (SET_TRACE, ssize_t, process_vm_writev,
      (pid_t pid, const struct iovec *own, unsigned long n, const struct iovec *others,
       unsigned long n_others, unsigned long flags),
      (pid, own, n, others, n_others, flags))

/* A process that is traced is left to its tracer. */
EXPORT long
ptrace (enum __ptrace_request request, ...)
{
  va_list rest;
  va_start (rest, request);
  const pid_t pid = va_arg (rest, pid_t);
  void *const address = va_arg (rest, void *);
  void *const data = va_arg (rest, void *);
  va_end (rest);
  return request == PTRACE_SEIZE && FAILS (SET_TRACE) ? -1
                                                      : NEXT (ptrace) (request, pid, address, data);
}

CALL (SET_SLEEP, int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))

/* The bytes that stdio had written may be lost until then. */
EXPORT int
fclose (FILE *file)
{
  const bool fails = FAILS (SET_CLOSE);
  const int error = errno, result = NEXT (fclose) (file);
  if (!fails)
    return result;
  errno = error;
  return EOF;
}

EXPORT DIR *
opendir (const char *path)
{
  return FAILS (SET_OPEN) ? NULL : NEXT (opendir) (path);
}

/* These return the error instead of setting errno. */
EXPORT int
posix_fallocate (int fd, off_t offset, off_t size)
{
  return FAILS (SET_ALLOCATE) ? errno : NEXT (posix_fallocate) (fd, offset, size);
}

EXPORT int
posix_fallocate64 (int fd, off64_t offset, off64_t size)
{
  return FAILS (SET_ALLOCATE) ? errno : NEXT (posix_fallocate64) (fd, offset, size);
}

EXPORT int
clock_nanosleep (clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
  return FAILS (SET_SLEEP) ? errno : NEXT (clock_nanosleep) (clock, flags, time, left);
}

CALL (SET_ALLOCATE, int, fallocate, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size))

EXPORT int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*function) (void *),
                void *argument)
{
  return FAILS (SET_THREAD) ? errno
                            : NEXT (pthread_create) (thread, attributes, function, argument);
}
