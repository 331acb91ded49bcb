/* elf-symbols.c -- reads tables of symbols. */
#include "config.h"

#include "profiler/os/elf-symbols.h"
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
  SYMBOLS_AT_ONCE = 512,
  NOTES_MAX = 1024,
  BUILD_ID_MAX = 64,
  COMPARED = 4096, /* bytes of a file and of its image */
};

struct elf_file {
  int fd;
  uint64_t size;
  ElfW (Ehdr) header;
};

struct build_id {
  size_t n; /* 0: there is none */
  unsigned char bytes[BUILD_ID_MAX];
};

/* ---- reading ---- */

static bool
read_at (const struct elf_file *f, uint64_t offset, void *to, size_t n)
{
  return n <= f->size && offset <= f->size - n
         && pread (f->fd, to, n, (off_t) offset) == (ssize_t) n;
}

static bool
open_file (struct elf_file *f, const char *path)
{
  struct stat status;
  f->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (f->fd < 0)
    return false;
  f->size = fstat (f->fd, &status) == 0 && S_ISREG (status.st_mode) ? (uint64_t) status.st_size : 0;
  const unsigned char class = sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (read_at (f, 0, &f->header, sizeof f->header)
      && memcmp (f->header.e_ident, ELFMAG, SELFMAG) == 0
      && f->header.e_ident[EI_CLASS] == class && f->header.e_shentsize == sizeof (ElfW (Shdr)))
    return true;
  close (f->fd);
  return false;
}

static bool
read_section (const struct elf_file *f, unsigned i, ElfW (Shdr) * section)
{
  return i < f->header.e_shnum
         && read_at (f, f->header.e_shoff + (uint64_t) i * sizeof *section, section,
                     sizeof *section);
}

/* A string of a table, cut to `n` bytes with its end. */
static bool
read_string (const struct elf_file *f, const ElfW (Shdr) * strings, uint64_t at, char *to, size_t n)
{
  if (at >= strings->sh_size)
    return false;
  const uint64_t left = strings->sh_size - at;
  const size_t most = left < n - 1 ? (size_t) left : n - 1;
  if (!read_at (f, strings->sh_offset + at, to, most))
    return false;
  to[most] = 0;
  return true;
}

/* ---- symbols ---- */

static bool
is_function_at (const ElfW (Sym) * s, uint64_t address)
{
  const unsigned type = s->st_info & 0xf;
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_shndx != SHN_UNDEF
         && s->st_value <= address && address - s->st_value < s->st_size;
}

/* How good a name of a function is, of several that its code has: one that other files can use, and
 * not as a weak symbol only; with few underscores before it; long.  So `perf` chooses, and a name
 * does not depend on the order of the table. */
static int
name_rank (const ElfW (Sym) * s, const char *name)
{
  const unsigned binding = s->st_info >> 4;
  const int underscores = (int) strspn (name, "_");
  return (binding != STB_WEAK ? 4000 : 0) + (binding == STB_GLOBAL ? 2000 : 0)
         - 300 * (underscores < 3 ? underscores : 3) + (int) strlen (name);
}

/* The best name of the function that has this address. */
static bool
find_in_table (const struct elf_file *f, const ElfW (Shdr) * table, const ElfW (Shdr) * strings,
               uint64_t address, struct elf_symbol *found)
{
  ElfW (Sym) symbols[SYMBOLS_AT_ONCE];
  uint64_t left = table->sh_size / sizeof symbols[0];
  char name[sizeof found->name];
  int best = 0;
  bool is_found = false;
  for (uint64_t at = table->sh_offset; left > 0;) {
    const size_t n = left < SYMBOLS_AT_ONCE ? (size_t) left : SYMBOLS_AT_ONCE;
    if (!read_at (f, at, symbols, n * sizeof symbols[0]))
      return is_found;
    for (size_t i = 0; i < n; i++) {
      if (!is_function_at (&symbols[i], address)
          || !read_string (f, strings, symbols[i].st_name, name, sizeof name) || name[0] == 0)
        continue;
      const int rank = name_rank (&symbols[i], name);
      if (is_found && rank <= best)
        continue;
      found->value = symbols[i].st_value;
      found->size = symbols[i].st_size;
      memcpy (found->name, name, sizeof name);
      best = rank;
      is_found = true;
    }
    at += n * sizeof symbols[0];
    left -= n;
  }
  return is_found;
}

static enum elf_result
find_in_file (const struct elf_file *f, uint64_t address, struct elf_symbol *found)
{
  ElfW (Shdr) table, strings;
  for (unsigned i = 0; read_section (f, i, &table); i++)
    if (table.sh_type == SHT_SYMTAB && (table.sh_flags & SHF_COMPRESSED) == 0
        && table.sh_entsize == sizeof (ElfW (Sym)) && read_section (f, table.sh_link, &strings))
      return find_in_table (f, &table, &strings, address, found) ? ELF_FOUND : ELF_NO_SYMBOL;
  return ELF_NO_TABLE;
}

/* ---- which file belongs to which ---- */

/* Is this the file that was loaded?  Its first segment begins with the headers, and is not written
 * to. */
static bool
is_loaded (const struct elf_file *f, const void *image)
{
  unsigned char bytes[COMPARED];
  ElfW (Phdr) segment;
  for (unsigned i = 0; i < f->header.e_phnum; i++) {
    if (!read_at (f, f->header.e_phoff + i * sizeof segment, &segment, sizeof segment))
      return false;
    if (segment.p_type != PT_LOAD || segment.p_offset != 0)
      continue;
    const size_t n = segment.p_filesz < sizeof bytes ? (size_t) segment.p_filesz : sizeof bytes;
    return n >= sizeof f->header && read_at (f, 0, bytes, n) && memcmp (bytes, image, n) == 0;
  }
  return false;
}

static void
find_build_id (const struct elf_file *f, struct build_id *id)
{
  unsigned char notes[NOTES_MAX];
  ElfW (Shdr) section;
  ElfW (Nhdr) note;
  id->n = 0;
  for (unsigned i = 0; id->n == 0 && read_section (f, i, &section); i++) {
    if (section.sh_type != SHT_NOTE || section.sh_size > sizeof notes
        || !read_at (f, section.sh_offset, notes, (size_t) section.sh_size))
      continue;
    const size_t end = (size_t) section.sh_size;
    for (size_t at = 0; end - at >= sizeof note;) {
      memcpy (&note, notes + at, sizeof note);
      at += sizeof note;
      if (note.n_namesz > end - at || note.n_descsz > end - at)
        break;
      const size_t name = ((size_t) note.n_namesz + 3) & ~(size_t) 3;
      if (name > end - at || note.n_descsz > end - at - name)
        break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp (notes + at, "GNU", 4) == 0
          && note.n_descsz <= BUILD_ID_MAX) {
        id->n = note.n_descsz;
        memcpy (id->bytes, notes + at + name, id->n);
      }
      const size_t both = name + (((size_t) note.n_descsz + 3) & ~(size_t) 3);
      at = both < end - at ? at + both : end;
    }
  }
}

static bool
has_sum (const struct elf_file *f, uint32_t expected)
{
  unsigned char bytes[16 * 1024];
  uLong sum = crc32 (0, NULL, 0);
  for (uint64_t at = 0; at < f->size;) {
    const size_t n = f->size - at < sizeof bytes ? (size_t) (f->size - at) : sizeof bytes;
    if (!read_at (f, at, bytes, n))
      return false;
    sum = crc32 (sum, bytes, (uInt) n);
    at += n;
  }
  return (uint32_t) sum == expected;
}

/* The contents of .gnu_debuglink: a name, and the sum of the debug file. */
static bool
read_debug_link (const struct elf_file *f, char *name, size_t n, uint32_t *sum)
{
  ElfW (Shdr) strings, section;
  char title[16];
  if (!read_section (f, f->header.e_shstrndx, &strings))
    return false;
  for (unsigned i = 0; read_section (f, i, &section); i++) {
    if (section.sh_type != SHT_PROGBITS
        || !read_string (f, &strings, section.sh_name, title, sizeof title)
        || strcmp (title, ".gnu_debuglink") != 0)
      continue;
    return section.sh_size >= sizeof *sum && read_string (f, &section, 0, name, n) && name[0] != 0
           && strchr (name, '/') == NULL
           && read_at (f, section.sh_offset + section.sh_size - sizeof *sum, sum, sizeof *sum);
  }
  return false;
}

/* ---- debug files ---- */

/* A loaded file whose debug file is searched. */
struct search {
  const struct elf_file *file;
  const char *path;
  const char *debug_root;
  struct build_id id;
  uint64_t address;
  struct elf_symbol *found;
};

/* The symbol, if this is the debug file.  `sum` counts where there is no build id. */
static enum elf_result
try_debug_file (const struct search *s, const char *path, const uint32_t *sum)
{
  struct elf_file f;
  struct build_id id;
  if (!open_file (&f, path))
    return ELF_NO_TABLE;
  find_build_id (&f, &id);
  const bool is_same = s->id.n != 0 ? id.n == s->id.n && memcmp (id.bytes, s->id.bytes, id.n) == 0
                                    : sum != NULL && has_sum (&f, *sum);
  const enum elf_result result = is_same ? find_in_file (&f, s->address, s->found) : ELF_NO_TABLE;
  close (f.fd);
  return result;
}

static enum elf_result
find_by_build_id (const struct search *s)
{
  char path[PATH_MAX];
  if (s->id.n < 2)
    return ELF_NO_TABLE;
  int n = snprintf (path, sizeof path, "%s/.build-id/%02x/", s->debug_root, s->id.bytes[0]);
  for (size_t i = 1; i < s->id.n && n > 0 && (size_t) n < sizeof path; i++)
    n += snprintf (path + n, sizeof path - (size_t) n, "%02x", s->id.bytes[i]);
  if (n <= 0 || (size_t) n >= sizeof path - sizeof ".debug")
    return ELF_NO_TABLE;
  strcpy (path + n, ".debug");
  return try_debug_file (s, path, NULL);
}

static enum elf_result
find_by_link (const struct search *s)
{
  const char *const end = strrchr (s->path, '/');
  const int folder = end != NULL ? (int) (end - s->path) : 0;
  char name[NAME_MAX + 1], path[PATH_MAX];
  uint32_t sum;
  if (end == NULL || !read_debug_link (s->file, name, sizeof name, &sum))
    return ELF_NO_TABLE;
  const char *const roots[] = { "", "", s->debug_root }, *const below[] = { "/", "/.debug/", "/" };
  for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++) {
    const int n
        = snprintf (path, sizeof path, "%s%.*s%s%s", roots[i], folder, s->path, below[i], name);
    const bool fits = n > 0 && (size_t) n < sizeof path;
    const enum elf_result result = fits ? try_debug_file (s, path, &sum) : ELF_NO_TABLE;
    if (result != ELF_NO_TABLE)
      return result;
  }
  return ELF_NO_TABLE;
}

enum elf_result
elf_symbols_find (const char *path, const void *image, const char *debug_root, uint64_t address,
                  struct elf_symbol *found)
{
  struct elf_file f;
  struct search s
      = { .file = &f, .path = path, .debug_root = debug_root, .address = address, .found = found };
  if (!open_file (&f, path))
    return ELF_NO_TABLE;
  enum elf_result result = ELF_NO_TABLE;
  if (is_loaded (&f, image)) {
    find_build_id (&f, &s.id);
    result = find_in_file (&f, address, found);
    if (result == ELF_NO_TABLE)
      result = find_by_build_id (&s);
    if (result == ELF_NO_TABLE)
      result = find_by_link (&s);
  }
  close (f.fd);
  return result;
}
