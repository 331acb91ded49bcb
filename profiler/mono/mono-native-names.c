/* mono-native-names.c -- names of the native functions that samples hit.
 *
 * The ticker's thread looks them up, while their files are loaded: in the symbols that a file
 * exports, in all symbols of the file or of its debug file, and else by the file and the place in
 * it.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "profiler/os/elf-symbols.h"
#include "profiler/os/native-frame.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_ROOT "/usr/lib/debug"

static struct address_set searched;              /* parts of functions */
static struct address_set files_without_symbols; /* by where they are loaded */

/* Other readers search a name no further than this before an address: each such part of a large
 * function has it. */
enum { REACH = 4096 };

/* Where the module is loaded. */
static const void *
own_base (void)
{
  static const void *base;
  Dl_info info;
  if (base == NULL && dladdr (&searched, &info) != 0)
    base = info.dli_fbase;
  return base;
}

static uint64_t
part_of (uint64_t start, uint64_t ip)
{
  return start + (ip - start) / REACH * REACH;
}

/* Records the name of a native function that has this address, once.  One of the module itself has
 * the name of its file before its own, by which readers know it. */
static void
record_symbol (uint64_t start, uint64_t size, const char *name, uint64_t ip, const Dl_info *info)
{
  const uint64_t part = part_of (start, ip), before = part - start;
  char own[256];
  if (names_find (NAME_SYMBOL, part) != NULL)
    return;
  if (info->dli_fbase == own_base ()
      && strncmp (name, MLPD_MODULE_SYMBOL, sizeof MLPD_MODULE_SYMBOL - 1) != 0) {
    snprintf (own, sizeof own, MLPD_MODULE_SYMBOL ":%s", name);
    name = own;
  }
  names_add (NAME_SYMBOL, part, 0, name, 0, size > before ? size - before : 0);
}

#ifdef __GLIBC__
static bool
find_exported (uint64_t ip, Dl_info *info, const ElfW (Sym) * *symbol)
{
  return dladdr1 ((void *) (uintptr_t) ip, info, (void **) symbol, RTLD_DL_SYMENT) != 0;
}

static bool
find_map (uint64_t ip, const Dl_info *info, struct link_map **map)
{
  Dl_info again;
  (void) info;
  return dladdr1 ((void *) (uintptr_t) ip, &again, (void **) map, RTLD_DL_LINKMAP) != 0;
}
#else
/* The size of the symbol is unknown: the file's table has it, too. */
static bool
find_exported (uint64_t ip, Dl_info *info, const ElfW (Sym) * *symbol)
{
  *symbol = NULL;
  return dladdr ((void *) (uintptr_t) ip, info) != 0;
}

static bool
find_map (uint64_t ip, const Dl_info *info, struct link_map **map)
{
  (void) ip;
  void *library = dlopen (info->dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  const bool is_found = library != NULL && dlinfo (library, RTLD_DI_LINKMAP, map) == 0;
  if (library != NULL)
    dlclose (library); /* it stays loaded: somebody else loaded it */
  return is_found;
}
#endif

/* The file that is loaded there; the program's own is not where its arguments say. */
static bool
path_of_file (const struct link_map *map, char *path, size_t n)
{
  if (map->l_name[0] != 0)
    return snprintf (path, n, "%s", map->l_name) < (int) n;
  const ssize_t length = readlink ("/proc/self/exe", path, n - 1);
  path[length > 0 ? length : 0] = 0;
  return length > 0;
}

/* The name of a function that its file does not export. */
static bool
find_in_file (uint64_t ip, const Dl_info *info, uint64_t *start, struct elf_symbol *symbol)
{
  char path[PATH_MAX];
  struct link_map *map = NULL;
  if (address_set_has (&files_without_symbols, address (info->dli_fbase))
      || !find_map (ip, info, &map) || map == NULL || !path_of_file (map, path, sizeof path))
    return false;
  const enum elf_result result
      = elf_symbols_find (path, info->dli_fbase, DEBUG_ROOT, ip - map->l_addr, symbol);
  if (result == ELF_NO_TABLE)
    address_set_add (&files_without_symbols, address (info->dli_fbase));
  *start = map->l_addr + symbol->value;
  return result == ELF_FOUND;
}

/* A function without a name is called by its file and its place there: "libc.so.6+0x9a0f0". */
static void
name_by_place (uint64_t start, const Dl_info *info, uint64_t ip)
{
  const char *file = strrchr (info->dli_fname, '/');
  char name[256];
  snprintf (name, sizeof name, "%s+0x%llx", file != NULL ? file + 1 : info->dli_fname,
            (unsigned long long) (start - address (info->dli_fbase)));
  record_symbol (start, 0, name, ip, info);
}

static void
name_unexported (uint64_t ip, const Dl_info *info, uint64_t function)
{
  struct elf_symbol symbol = { .size = 0 };
  uint64_t start;
  if (find_in_file (ip, info, &start, &symbol))
    record_symbol (start, symbol.size, symbol.name, ip, info);
  else if (function != 0)
    name_by_place (function, info, ip);
}

/* Tables of symbols are not sorted, those of frames are: so each part of a function is searched for
 * once. */
void
native_names_add (uint64_t ip)
{
  const uint64_t function = native_frame_function (ip);
  Dl_info info;
  const ElfW (Sym) *symbol = NULL;
  const uint64_t part = part_of (function != 0 ? function : ip, ip);
  if (address_set_has (&searched, part) || !find_exported (ip, &info, &symbol))
    return;
  if (info.dli_sname != NULL && symbol != NULL && ip < address (info.dli_saddr) + symbol->st_size)
    record_symbol (address (info.dli_saddr), symbol->st_size, info.dli_sname, ip, &info);
  else if (info.dli_fname != NULL)
    name_unexported (ip, &info, function);
  address_set_add (&searched, part);
}
