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

/* A file of this header, and of one program header. */
static bool
write_elf (const char *path, const ElfW (Ehdr) * header, const ElfW (Phdr) * program)
{
  GByteArray *bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8 *) header, sizeof *header);
  g_byte_array_append (bytes, (const guint8 *) program, sizeof *program);
  const bool good
      = g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL);
  g_byte_array_unref (bytes);
  return good;
}

/* Of other machines, or not of this kind at all; with tables of another form. */
TEST (test_other_files)
{
  const char own_class = sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  ElfW (Ehdr) good = { .e_shentsize = sizeof (ElfW (Shdr)),
                       .e_phentsize = sizeof (ElfW (Phdr)),
                       .e_phoff = sizeof good,
                       .e_phnum = 1 };
  const ElfW (Phdr) program = { .p_type = PT_NULL };
  char *path = NULL;
  const int fd = g_file_open_tmp ("proflog-elf.XXXXXX", &path, NULL);
  assert_true (fd >= 0);
  g_close (fd, NULL);
  memcpy (good.e_ident, ELFMAG, SELFMAG);
  good.e_ident[EI_CLASS] = (unsigned char) own_class;
  const struct {
    unsigned at;
    unsigned char byte;
    bool opens;
  } cases[] = { { EI_VERSION, 1, true },
                { EI_MAG0, 'E', false },
                { EI_MAG3, 0, false },
                { EI_CLASS, own_class == ELFCLASS64 ? ELFCLASS32 : ELFCLASS64, false },
                { EI_CLASS, ELFCLASSNONE, false } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    ElfW (Ehdr) header = good;
    struct elf_file elf;
    header.e_ident[cases[i].at] = cases[i].byte;
    assert_true (write_elf (path, &header, &program));
    assert_int_equal (elf_file_open (&elf, path), cases[i].opens);
    if (cases[i].opens)
      elf_file_close (&elf);
  }
  for (int i = 0; i < 3; i++) {
    ElfW (Ehdr) header = good;
    struct elf_file elf;
    uint64_t offset;
    header.e_shentsize = i == 1 ? 1 : header.e_shentsize;
    header.e_phentsize = i == 2 ? 1 : header.e_phentsize;
    assert_true (write_elf (path, &header, &program));
    assert_true (elf_file_open (&elf, path));
    assert_int_equal (elf_file_section (&elf, ".text").length, 0);
    assert_false (elf_file_find_export (&elf, "main", &offset));
    elf_file_close (&elf);
  }
  assert_int_equal (g_unlink (path), 0);
  struct elf_file elf;
  assert_false (elf_file_open (&elf, path));
  g_free (path);
}
