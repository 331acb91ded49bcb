/* test-elf-symbols.c -- names of functions that are not exported, and damaged files. */
#include "config.h"

#include "profiler/os/elf-symbols.h"
#include "tests/unit/test.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glib.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static __attribute__ ((noinline)) int
hidden_function (int x)
{
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

/* One function, and other names of its code. */
static __attribute__ ((noinline)) int
copy (int x)
{
  __asm__ volatile("" : "+r"(x));
  return x + 2;
}
extern __typeof (copy) copy_as_weak_symbol __attribute__ ((weak, alias ("copy")));
static __typeof (copy) __copy_with_underscores __attribute__ ((alias ("copy"), used));
static __typeof (copy) copy_bytes __attribute__ ((alias ("copy"), used));

static struct link_map *
program (void)
{
  struct link_map *map = NULL;
  Dl_info info;
  assert_int_not_equal (
      dladdr1 ((void *) (uintptr_t) hidden_function, &info, (void **) &map, RTLD_DL_LINKMAP), 0);
  return map;
}

static uint64_t
place_of (const struct link_map *map)
{
  return (uintptr_t) hidden_function - map->l_addr;
}

static const void *
image_of_program (void)
{
  Dl_info info;
  assert_int_not_equal (dladdr ((void *) (uintptr_t) hidden_function, &info), 0);
  return info.dli_fbase;
}

TEST (test_own_table)
{
  const uint64_t place = place_of (program ());
  struct elf_symbol found;
  assert_int_equal (
      elf_symbols_find ("/proc/self/exe", image_of_program (), "/nowhere", place + 1, &found),
      ELF_FOUND);
  assert_string_equal (found.name, "hidden_function");
  assert_int_equal (found.value, place);
  assert_in_range (found.size, 1, 1000);
  assert_int_equal (elf_symbols_find ("/proc/self/exe", image_of_program (), "/nowhere", 1, &found),
                    ELF_NO_SYMBOL);
}

/* The name does not depend on the order of the table: not a weak one, few underscores, the longest.
 */
TEST (test_aliases)
{
  struct elf_symbol found;
  const uint64_t place = (uintptr_t) copy - program ()->l_addr;
  assert_int_equal (
      elf_symbols_find ("/proc/self/exe", image_of_program (), "/nowhere", place + 1, &found),
      ELF_FOUND);
  assert_string_equal (found.name, "copy_bytes");
  assert_int_equal (found.value, place);
}

/* A file is not used if another one was loaded, or none. */
TEST (test_another_file)
{
  static const char zeros[4096];
  struct elf_symbol found;
  assert_int_equal (
      elf_symbols_find ("/proc/self/exe", zeros, "/nowhere", place_of (program ()), &found),
      ELF_NO_TABLE);
  assert_int_equal (elf_symbols_find ("/nowhere", zeros, "/nowhere", 1, &found), ELF_NO_TABLE);
  assert_int_equal (elf_symbols_find ("/", zeros, "/nowhere", 1, &found), ELF_NO_TABLE);
  assert_int_equal (elf_symbols_find ("/dev/null", zeros, "/nowhere", 1, &found), ELF_NO_TABLE);
}

/* Whatever a file has where offsets, sizes and names should be, nothing is read outside of it. */
TEST (test_damaged)
{
  enum { ROUNDS = 3000 };
  char *bytes;
  gsize length;
  const uint64_t place = place_of (program ());
  const int fd = memfd_create ("damaged", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  GRand *rand = g_rand_new_with_seed (7);
  assert_true (g_file_get_contents ("/proc/self/exe", &bytes, &length, NULL));
  const ElfW (Ehdr) *header = (const void *) bytes;
  for (guint round = 0; round < ROUNDS; round++) {
    /* Into the headers of sections, or of the file. */
    const gsize at = round % 2 != 0
                         ? header->e_shoff + g_rand_int (rand) % (length - header->e_shoff)
                         : 4 + g_rand_int (rand) % (sizeof *header - 4);
    const char before = bytes[at];
    struct elf_symbol found;
    if (round % 2 != 0)
      bytes[at] = (char) g_rand_int (rand);
    else
      bytes[at] ^= (char) (1 << g_rand_int_range (rand, 0, 7));
    const gsize n = round % 5 == 0 ? g_rand_int (rand) % length : length;
    assert_int_equal (ftruncate (fd, 0), 0);
    assert_int_equal (pwrite (fd, bytes, n, 0), n);
    elf_symbols_find (path, bytes, "/nowhere", place, &found);
    bytes[at] = before;
  }
  g_rand_free (rand);
  g_free (bytes);
  close (fd);
}
