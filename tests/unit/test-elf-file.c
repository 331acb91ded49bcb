/* test-elf-file.c -- exports of the C library are where the loader finds them; damaged files have
 * none. */
#include "config.h"

#include "decoder/core/elf-file.h"
#include "tests/unit/test.h"
#include <dlfcn.h>
#include <glib/gstdio.h>
#include <gnu/libc-version.h>
#include <string.h>

/* The C library's file, and where it is mapped. */
static const Dl_info *
library (void)
{
  static Dl_info info;
  assert_int_not_equal (dladdr ((void *) (uintptr_t) &gnu_get_libc_version, &info), 0);
  return &info;
}

TEST (test_exports)
{
  static const char *const names[] = { "gnu_get_libc_version", "dlopen", "getpid" };
  const Dl_info *info = library ();
  struct elf_file elf;
  assert_true (elf_file_open (&elf, info->dli_fname));
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    uint64_t offset;
    assert_true (elf_file_find_export (&elf, names[i], &offset));
    void *handle = dlopen (info->dli_fname, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null (handle);
    assert_int_equal ((uintptr_t) dlsym (handle, names[i]), (uintptr_t) info->dli_fbase + offset);
    dlclose (handle);
  }
  uint64_t offset;
  assert_false (elf_file_find_export (&elf, "no_such_function", &offset));
  assert_int_equal (elf_file_section (&elf, ".no_such_section").length, 0);
  elf_file_close (&elf);
}

/* Cut at many places, and with a table's place beyond the file. */
TEST (test_damaged)
{
  g_autofree char *bytes = NULL;
  gsize length;
  assert_true (g_file_get_contents (library ()->dli_fname, &bytes, &length, NULL));
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "test-elf-file.XXXXXX", NULL);
  const int fd = g_mkstemp (path);
  assert_true (fd >= 0);
  g_close (fd, NULL);
  for (gsize size = 0; size < length; size = size * 2 + 7) {
    struct elf_file elf;
    uint64_t offset;
    assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
    if (elf_file_open (&elf, path)) {
      assert_false (elf_file_find_export (&elf, "getpid", &offset));
      elf_file_close (&elf);
    }
  }
  for (size_t i = 0; i < sizeof ((ElfW (Ehdr) *) 0)->e_shoff; i++) { /* where the sections begin */
    struct elf_file elf;
    uint64_t offset;
    bytes[offsetof (ElfW (Ehdr), e_shoff) + i] = (char) 0xff;
    assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
    assert_true (elf_file_open (&elf, path));
    assert_false (elf_file_find_export (&elf, "getpid", &offset));
    elf_file_close (&elf);
  }
  g_unlink (path);
}
