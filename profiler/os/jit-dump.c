/* jit-dump.c -- the records of a jitdump. */
#include "config.h"

#include "profiler/os/jit-dump.h"
#include "agent/clock.h"
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  MAGIC = 0x4a695444, /* "JiTD", in the order of bytes of this machine */
  VERSION = 1,
  RECORD_LOAD = 0,
  RECORD_LINES = 2,
  NAME_MAX_BYTES = 4096,
  LINES_MAX = 1 << 16, /* of a method */
};

#ifdef __x86_64__
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE /* perf does not read it */
#endif

/* The structures of the file have no gaps. */
struct header {
  uint32_t magic, version, size, machine, unused, pid;
  uint64_t time, flags;
};

struct prefix {
  uint32_t type, size;
  uint64_t time;
};

struct load {
  struct prefix prefix;
  uint32_t pid, tid;
  uint64_t mapped, start, size, index;
};

struct lines {
  struct prefix prefix;
  uint64_t start, count;
};

struct line {
  uint64_t address;
  uint32_t line, column;
};

_Static_assert(sizeof (struct header) == 40, "as the format has it");
_Static_assert(sizeof (struct load) == 56, "as the format has it");
_Static_assert(sizeof (struct lines) == 32, "as the format has it");
_Static_assert(sizeof (struct line) == 16, "as the format has it");

bool
jit_dump_create (struct jit_dump *d, const char *folder, char *why, size_t size)
{
  char path[PATH_MAX];
  const struct header header = { .magic = MAGIC,
                                 .version = VERSION,
                                 .size = sizeof header,
                                 .machine = MACHINE,
                                 .pid = (uint32_t) getpid (),
                                 .time = clock_of_system () };
  *d = (struct jit_dump) JIT_DUMP_NONE;
  if (snprintf (path, sizeof path, "%s/jit-%ld.dump", folder, (long) getpid ())
      >= (int) sizeof path) {
    snprintf (why, size, "jit-%ld.dump: %s", (long) getpid (), strerror (ENAMETOOLONG));
    return false;
  }
  if (!code_file_create (&d->file, path, why, size))
    return false;
  int error = code_file_append (
      &d->file, &(struct iovec){ .iov_base = (void *) &header, .iov_len = sizeof header }, 1);
  if (error == 0
      && mmap (NULL, sizeof header, PROT_READ | PROT_EXEC, MAP_PRIVATE, d->file.fd, 0)
             == MAP_FAILED)
    error = errno;
  if (error == 0)
    return true;
  snprintf (why, size, "%s: %s", path, strerror (error));
  code_file_close (&d->file);
  unlink (path);
  return false;
}

/* The lines of code, which stand before it (to be freed); NULL without memory. */
static char *
make_lines (const struct jit_dump_code *code, uint32_t count, size_t *length)
{
  *length = sizeof (struct lines);
  for (uint32_t i = 0; i < count; i++)
    *length += sizeof (struct line) + strlen (code->lines[i].file) + 1;
  char *const bytes = malloc (*length);
  if (bytes == NULL)
    return NULL;
  const struct lines head = { .prefix = { RECORD_LINES, (uint32_t) *length, clock_of_system () },
                              .start = (uint64_t) (uintptr_t) code->start,
                              .count = count };
  memcpy (bytes, &head, sizeof head);
  char *at = bytes + sizeof head;
  for (uint32_t i = 0; i < count; i++) {
    const struct jit_dump_line *const l = &code->lines[i];
    const struct line line = { .address = l->address, .line = l->line };
    memcpy (at, &line, sizeof line);
    at = stpcpy (at + sizeof line, l->file) + 1;
  }
  return bytes;
}

int
jit_dump_append (struct jit_dump *d, const struct jit_dump_code *code)
{
  const uint32_t count = code->line_count < LINES_MAX ? code->line_count : LINES_MAX;
  const size_t name = strnlen (code->name, NAME_MAX_BYTES);
  const uint64_t whole = sizeof (struct load) + name + 1 + code->size;
  size_t length = 0;
  if (d->file.fd < 0 || whole > UINT32_MAX)
    return 0;
  char *const lines = count != 0 ? make_lines (code, count, &length) : NULL;
  const struct load load = { .prefix = { RECORD_LOAD, (uint32_t) whole, clock_of_system () },
                             .pid = (uint32_t) getpid (),
                             .tid = (uint32_t) syscall (SYS_gettid),
                             .mapped = (uint64_t) (uintptr_t) code->start,
                             .start = (uint64_t) (uintptr_t) code->start,
                             .size = code->size,
                             .index = d->methods++ };
  const struct iovec parts[] = { { lines, lines != NULL ? length : 0 },
                                 { (void *) &load, sizeof load },
                                 { (void *) code->name, name },
                                 { (void *) "", 1 },
                                 { (void *) code->start, code->size } };
  const int error = code_file_append (&d->file, parts, sizeof parts / sizeof parts[0]);
  free (lines);
  return error;
}
