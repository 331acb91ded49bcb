/* test-jit-dump.c -- the bytes of a jitdump, as its specification has them. */
#include "config.h"

#include "agent/clock.h"
#include "profiler/os/jit-dump.h"
#include "tests/unit/test.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *folder;

static void
begin (void)
{
  folder = g_dir_make_tmp ("jit-dump-XXXXXX", NULL);
}

static void
end (void)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", folder);
  assert_int_equal (system (command), 0);
  g_free (folder);
}

static uint64_t
number (const char *bytes, size_t at, size_t size)
{
  uint64_t value = 0;
  memcpy (&value, bytes + at, size); /* tests run on little-endian machines, as perf does here */
  return value;
}

/* Whether a file whose name ends so is mapped with the right to run it. */
static bool
is_mapped (const char *name)
{
  g_autofree char *maps = NULL;
  assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (maps, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_suffix (*line, name) && strstr (*line, " r-xp ") != NULL)
      return true;
  return false;
}

TEST_WITH (test_records, begin, end)
{
  static const char code[] = "\x55\x48\x8b\xec\xc3";
  const uint64_t start = (uint64_t) (uintptr_t) code;
  const struct jit_dump_line lines[] = { { start, 7, "a.cs" }, { start + 4, 9, "bb.cs" } };
  g_autofree char *name = g_strdup_printf ("jit-%d.dump", (int) getpid ());
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *b = NULL;
  struct jit_dump dump;
  char why[512];
  gsize length;
  const uint64_t before = clock_of_system ();
  assert_true (jit_dump_create (&dump, folder, why, sizeof why));
  assert_true (is_mapped (name));
  assert_int_equal (
      jit_dump_append (&dump,
                       &(struct jit_dump_code){ .start = code, .size = 5, .name = "A:B ()" }),
      0);
  assert_int_equal (jit_dump_append (&dump, &(struct jit_dump_code){ .start = code,
                                                                     .size = 5,
                                                                     .name = "A:C ()",
                                                                     .lines = lines,
                                                                     .line_count = 2 }),
                    0);
  code_file_close (&dump.file);
  const uint64_t after = clock_of_system ();
  assert_true (g_file_get_contents (path, &b, &length, NULL));

  /* The header: magic, version, size, machine, padding, process, time, flags. */
  assert_memory_equal (b, "DTiJ", 4);
  assert_int_equal (number (b, 4, 4), 1);
  assert_int_equal (number (b, 8, 4), 40);
  assert_int_equal (number (b, 16, 4), 0);
  assert_int_equal (number (b, 20, 4), getpid ());
  assert_in_range (number (b, 24, 8), before, after);
  assert_int_equal (number (b, 32, 8), 0);

  /* JIT_CODE_LOAD: 56 bytes, the name, the code. */
  size_t at = 40;
  const size_t load = 56 + 7 + 5;
  assert_int_equal (number (b, at, 4), 0);
  assert_int_equal (number (b, at + 4, 4), load);
  assert_in_range (number (b, at + 8, 8), before, after);
  assert_int_equal (number (b, at + 16, 4), getpid ());
  assert_int_equal (number (b, at + 20, 4), getpid ()); /* the first thread's number */
  assert_int_equal (number (b, at + 24, 8), start);
  assert_int_equal (number (b, at + 32, 8), start);
  assert_int_equal (number (b, at + 40, 8), 5);
  assert_int_equal (number (b, at + 48, 8), 0);
  assert_memory_equal (b + at + 56, "A:B ()\0\x55\x48\x8b\xec\xc3", 12);

  /* JIT_CODE_DEBUG_INFO stands before its code: address, number of lines, and each line. */
  at += load;
  const size_t debug = 16 + 16 + (16 + 5) + (16 + 6);
  assert_int_equal (number (b, at, 4), 2);
  assert_int_equal (number (b, at + 4, 4), debug);
  assert_int_equal (number (b, at + 16, 8), start);
  assert_int_equal (number (b, at + 24, 8), 2);
  assert_int_equal (number (b, at + 32, 8), start);
  assert_int_equal (number (b, at + 40, 4), 7);
  assert_int_equal (number (b, at + 44, 4), 0);
  assert_string_equal (b + at + 48, "a.cs");
  assert_int_equal (number (b, at + 53, 8), start + 4);
  assert_int_equal (number (b, at + 61, 4), 9);
  assert_string_equal (b + at + 69, "bb.cs");
  at += debug;
  assert_int_equal (number (b, at, 4), 0);
  assert_int_equal (number (b, at + 48, 8), 1);
  assert_string_equal (b + at + 56, "A:C ()");
  assert_int_equal (length, at + load);
}

TEST_WITH (test_refused, begin, end)
{
  struct jit_dump dump;
  char why[512];
  assert_false (jit_dump_create (&dump, "/nowhere", why, sizeof why));
  assert_non_null (strstr (why, "No such file"));
  assert_int_equal (
      jit_dump_append (&dump, &(struct jit_dump_code){ .start = why, .size = 5, .name = "A" }), 0);
}
