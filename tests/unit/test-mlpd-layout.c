/* test-mlpd-layout.c -- descriptions of classes, of which each byte may be anything. */
#include "config.h"

#include "decoder/mlpd/mlpd-layout.h"
#include "tests/unit/test.h"
#include <glib.h>
#include <string.h>

static struct mlpd_counter
counter_of (const char *text)
{
  return (struct mlpd_counter){ .section = MLPD_COUNTER_SECTION_PROFILER,
                                .name = { text, strlen (text) },
                                .index = MLPD_LAYOUT_INDEX };
}

/* The parts as text, each with its kind. */
static char *
list_parts (const char *parts)
{
  static const char *const kinds[] = { "base", "element", "field", "static" };
  struct mlpd_layout_part part = { 0 };
  GString *text = g_string_new (NULL);
  while (mlpd_layout_next (&parts, &part)) {
    g_string_append_printf (text, "%s %" G_GUINT64_FORMAT, kinds[part.kind], part.number);
    if (part.kind == MLPD_LAYOUT_FIELD || part.kind == MLPD_LAYOUT_STATIC)
      g_string_append_printf (text, " %.*s", (int) part.length, part.name);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

static void
check_parts (const char *parts, const char *wanted)
{
  g_autofree char *found = list_parts (parts);
  assert_string_equal (found, wanted);
}

TEST (test_parts)
{
  const struct mlpd_counter counter = counter_of (
      "Layout: 7f00a0 <10 [24 16:next :<Last> 32:pair.first s8:<All>k__BackingField :b");
  uint64_t klass;
  const char *parts;
  assert_true (mlpd_layout_of (&counter, &klass, &parts));
  assert_int_equal (klass, 0x7f00a0);
  check_parts (parts, "base 16\nelement 24\nfield 16 next\nfield 24 <Last>\nfield 32 pair.first\n"
                      "static 8 <All>k__BackingField\nstatic 16 b\n");
}

TEST (test_others)
{
  uint64_t klass;
  const char *parts;
  static const char *const texts[] = { "Layout: ", "Layout: x", "Layout: 10x", "Mark: 10", "" };
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    const struct mlpd_counter counter = counter_of (texts[i]);
    assert_false (mlpd_layout_of (&counter, &klass, &parts));
  }
  struct mlpd_counter counter = counter_of ("Layout: 10");
  assert_true (mlpd_layout_of (&counter, &klass, &parts));
  check_parts (parts, "");
  counter.index++;
  assert_false (mlpd_layout_of (&counter, &klass, &parts));
  counter = counter_of ("Layout: 10");
  counter.section = MLPD_COUNTER_SECTION_USER;
  assert_false (mlpd_layout_of (&counter, &klass, &parts));
  counter = (struct mlpd_counter){ .section = MLPD_COUNTER_SECTION_PROFILER,
                                   .index = MLPD_LAYOUT_INDEX };
  assert_false (mlpd_layout_of (&counter, &klass, &parts));
}

/* Parts that are not known, or wrong, are passed over. */
TEST (test_unknown_parts)
{
  check_parts (" ?x  16: 16 s:a <zz [8x 99999999999999999999999:a 8:b ",
               "field 18446744073709551615 "
               "a\nfield 8 b\n");
  check_parts ("<", "");
  check_parts ("s", "");
  check_parts ("8", "");
  check_parts ("8:", "");
  check_parts (":a", "");
  check_parts ("8:a :", "field 8 a\n");
}
