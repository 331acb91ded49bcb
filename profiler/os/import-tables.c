/* import-tables.c -- walks over the relocations of loaded libraries. */
#include "config.h"

#include "profiler/os/import-tables.h"
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, ENTRY = R_X86_64_GLOB_DAT, WORD = R_X86_64_64 };
#elif defined(__aarch64__)
enum { SLOT = R_AARCH64_JUMP_SLOT, ENTRY = R_AARCH64_GLOB_DAT, WORD = R_AARCH64_ABS64 };
#endif

#if defined(__x86_64__) || defined(__aarch64__)

enum { KNOWN_MAX = 1024 };

/* The libraries that are left alone, by the address of their dynamic sections. */
static uintptr_t known[KNOWN_MAX];
static size_t known_count;
static bool are_all_known;

struct library {
  uintptr_t base, code, code_end;     /* its first executable segment */
  uintptr_t read_only, read_only_end; /* after relocation */
  const ElfW (Dyn) * dynamic;
  const ElfW (Sym) * symbols;
  const char *texts;
  const ElfW (Rela) * tables[2]; /* of calls, and all others */
  size_t counts[2];
  const uint32_t *hash;
};

/* The loader has added the base to addresses in most dynamic sections, but not in all. */
static uintptr_t
pointer_in (const struct library *l, ElfW (Addr) value)
{
  return value < l->base ? l->base + value : value;
}

static void
read_dynamic (struct library *l)
{
  bool has_rela = true;
  for (const ElfW (Dyn) *d = l->dynamic; d->d_tag != DT_NULL; d++)
    switch (d->d_tag) {
    case DT_SYMTAB:
      l->symbols = (const void *) pointer_in (l, d->d_un.d_ptr);
      break;
    case DT_STRTAB:
      l->texts = (const void *) pointer_in (l, d->d_un.d_ptr);
      break;
    case DT_JMPREL:
      l->tables[0] = (const void *) pointer_in (l, d->d_un.d_ptr);
      break;
    case DT_PLTRELSZ:
      l->counts[0] = d->d_un.d_val / sizeof (ElfW (Rela));
      break;
    case DT_PLTREL:
      has_rela = d->d_un.d_val == DT_RELA;
      break;
    case DT_RELA:
      l->tables[1] = (const void *) pointer_in (l, d->d_un.d_ptr);
      break;
    case DT_RELASZ:
      l->counts[1] = d->d_un.d_val / sizeof (ElfW (Rela));
      break;
    case DT_GNU_HASH:
      l->hash = (const void *) pointer_in (l, d->d_un.d_ptr);
      break;
    default:
      break;
    }
  for (int i = 0; i < 2; i++)
    if (l->tables[i] == NULL || l->symbols == NULL || l->texts == NULL || !has_rela)
      l->counts[i] = 0;
}

/* False if the object has no dynamic section. */
static bool
read_library (const struct dl_phdr_info *info, struct library *l)
{
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
  *l = (struct library){ .base = info->dlpi_addr };
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *const h = &info->dlpi_phdr[i];
    const uintptr_t start = l->base + h->p_vaddr, end = start + h->p_memsz;
    if (h->p_type == PT_DYNAMIC)
      l->dynamic = (const void *) start;
    else if (h->p_type == PT_LOAD && (h->p_flags & PF_X) != 0 && l->code == 0) {
      l->code = start;
      l->code_end = end;
    } else if (h->p_type == PT_GNU_RELRO) { /* as the loader rounds it */
      l->read_only = start / page * page;
      l->read_only_end = end / page * page;
    }
  }
  if (l->dynamic == NULL)
    return false;
  read_dynamic (l);
  return true;
}

/* Whether the library defines a function; also if that cannot be found. */
static bool
defines (const struct library *l, const char *name)
{
  uint32_t hash = 5381;
  for (const char *p = name; *p != 0; p++)
    hash = hash * 33 + (unsigned char) *p;
  if (l->hash == NULL || l->symbols == NULL || l->texts == NULL)
    return true;
  const uint32_t buckets = l->hash[0], first = l->hash[1], words = l->hash[2];
  const uint32_t *const bucket = l->hash + 4 + words * (sizeof (ElfW (Addr)) / sizeof (uint32_t));
  const uint32_t *const chain = bucket + buckets;
  uint32_t i = buckets != 0 ? bucket[hash % buckets] : 0;
  if (i < first || i == 0)
    return false;
  for (;; i++) {
    const uint32_t other = chain[i - first];
    if ((other | 1) == (hash | 1) && l->symbols[i].st_shndx != SHN_UNDEF
        && strcmp (l->texts + l->symbols[i].st_name, name) == 0)
      return true;
    if ((other & 1) != 0)
      return false;
  }
}

/* ---- words ---- */

static bool
is_writable (uintptr_t at)
{
  char line[512], access[5];
  unsigned long start, end;
  bool found = false, answer = true;
  FILE *maps = fopen ("/proc/self/maps", "re");
  while (!found && maps != NULL && fgets (line, sizeof line, maps) != NULL)
    if (sscanf (line, "%lx-%lx %4s", &start, &end, access) == 3 && at >= start && at < end) {
      found = true;
      answer = access[1] == 'w';
    }
  if (maps != NULL)
    fclose (maps);
  return answer;
}

/* A part of the library is read-only once the loader has relocated it.  Before that it must not
 * become so. */
static void
replace (const struct library *l, void **at, void *by)
{
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE), start = (uintptr_t) at / page * page;
  const bool is_closed = (uintptr_t) at >= l->read_only && (uintptr_t) at < l->read_only_end;
  if (is_closed
      && (is_writable (start) || mprotect ((void *) start, page, PROT_READ | PROT_WRITE) != 0))
    return;
  __atomic_store_n (at, by, __ATOMIC_RELEASE);
  if (is_closed)
    mprotect ((void *) start, page, PROT_READ);
}

/* The symbol of a relocation that is a word of the given types; NULL: it is another one. */
static const char *
name_of (const struct library *l, const ElfW (Rela) * r, bool also_data)
{
  const unsigned type = (unsigned) ELF64_R_TYPE (r->r_info);
  const size_t symbol = ELF64_R_SYM (r->r_info);
  if (symbol == 0 || r->r_addend != 0
      || (type != SLOT && type != ENTRY && (type != WORD || !also_data)))
    return NULL;
  return l->symbols[symbol].st_shndx == SHN_UNDEF ? l->texts + l->symbols[symbol].st_name : NULL;
}

/* A library that calls the function has a slot for that; only one that has none may call it by an
 * entry, which else is the function's address for other uses. */
static void
replace_in (const struct library *l, const struct import *import, bool is_sole, bool also_data)
{
  bool has_slot = false;
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < l->counts[t]; i++) {
      const ElfW (Rela) *const r = &l->tables[t][i];
      const char *const name = name_of (l, r, also_data);
      if (name == NULL || strcmp (name, import->name) != 0)
        continue;
      const bool is_slot = ELF64_R_TYPE (r->r_info) == SLOT;
      void **const at = (void **) (l->base + r->r_offset);
      void *const now = __atomic_load_n (at, __ATOMIC_ACQUIRE);
      const bool is_unbound
          = is_slot && (uintptr_t) now >= l->code && (uintptr_t) now < l->code_end;
      has_slot |= is_slot;
      if ((is_slot || !has_slot || also_data)
          && (now == import->original || (is_unbound && is_sole)))
        replace (l, at, import->replacement);
    }
}

/* ---- libraries ---- */

static int
note_known (struct dl_phdr_info *info, size_t size, void *unused)
{
  struct library l;
  (void) size;
  (void) unused;
  if (!read_library (info, &l))
    return 0;
  if (known_count == KNOWN_MAX)
    return 1;
  known[known_count++] = (uintptr_t) l.dynamic;
  return 0;
}

void
import_tables_begin (void)
{
  are_all_known = dl_iterate_phdr (note_known, NULL) == 0;
}

struct update {
  const struct import *imports;
  size_t count;
  unsigned long long changes; /* of the list, since the process began */
  unsigned definers;          /* libraries that define the first import */
};

static int
count_changes (struct dl_phdr_info *info, size_t size, void *data)
{
  struct update *const u = data;
  (void) size;
  u->changes = info->dlpi_adds + info->dlpi_subs;
  return 1;
}

static int
count_definers (struct dl_phdr_info *info, size_t size, void *data)
{
  struct update *const u = data;
  struct library l;
  (void) size;
  /* The kernel's own has system calls alone. */
  if (read_library (info, &l) && strncmp (info->dlpi_name, "linux-vdso", 10) != 0
      && defines (&l, u->imports[0].name))
    u->definers++;
  return 0;
}

static int
update_library (struct dl_phdr_info *info, size_t size, void *data)
{
  const struct update *const u = data;
  struct library l;
  (void) size;
  if (!read_library (info, &l))
    return 0;
  for (size_t i = 0; i < known_count; i++)
    if (known[i] == (uintptr_t) l.dynamic)
      return 0;
  for (size_t i = 0; i < u->count; i++)
    replace_in (&l, &u->imports[i], u->definers == 1, false);
  return 0;
}

static unsigned long long
changes_now (void)
{
  struct update u = { NULL, 0, 0, 0 };
  dl_iterate_phdr (count_changes, &u);
  return u.changes;
}

static void
update_all (const struct import *imports, size_t count)
{
  struct update u = { imports, count, 0, 0 };
  dl_iterate_phdr (count_definers, &u);
  dl_iterate_phdr (update_library, &u);
}

void
import_tables_update (const struct import *imports, size_t count)
{
  static _Atomic unsigned long long done;
  const unsigned long long now = changes_now ();
  if (are_all_known && atomic_exchange (&done, now) != now)
    update_all (imports, count);
}

void
import_tables_update_late (const struct import *imports, size_t count)
{
  static unsigned long long seen, done;
  const unsigned long long now = changes_now ();
  if (are_all_known && now == seen && now != done) {
    update_all (imports, count);
    done = now;
  }
  seen = now;
}

struct search {
  uintptr_t code;
  const struct import *import;
};

static int
replace_in_owner (struct dl_phdr_info *info, size_t size, void *data)
{
  const struct search *const s = data;
  struct library l;
  (void) size;
  if (!read_library (info, &l) || s->code < l.code || s->code >= l.code_end)
    return 0;
  replace_in (&l, s->import, false, true);
  return 1;
}

void
import_tables_replace_in (const void *code, const struct import *import)
{
  struct search s = { (uintptr_t) code, import };
  dl_iterate_phdr (replace_in_owner, &s);
}

#else

void
import_tables_begin (void)
{
}

void
import_tables_update (const struct import *imports, size_t count)
{
  (void) imports;
  (void) count;
}

void
import_tables_update_late (const struct import *imports, size_t count)
{
  (void) imports;
  (void) count;
}

void
import_tables_replace_in (const void *code, const struct import *import)
{
  (void) code;
  (void) import;
}

#endif
