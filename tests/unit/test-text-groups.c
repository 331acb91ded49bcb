/* test-text-groups.c -- texts of groups, in memory and in a temporary file. */
#include "config.h"

#include "decoder/core/text-groups.h"
#include "tests/unit/test.h"

struct reading {
  GString *text;
  guint parts_left;
};

static void
begin (void *data, uint64_t key)
{
  g_string_append_printf (((struct reading *) data)->text, "<%" G_GUINT64_FORMAT ">", key);
}

static bool
put (void *data, const char *text, size_t length)
{
  struct reading *r = data;
  g_string_append_len (r->text, text, (gssize) length);
  return --r->parts_left != 0;
}

/* Fails unless this is read of the groups. */
static void
check (struct text_groups *groups, const char *expected)
{
  struct reading r = { .text = g_string_new (NULL) };
  GError *error = NULL;
  assert_true (text_groups_each (groups, begin, put, &r, &error));
  assert_null (error);
  assert_string_equal (r.text->str, expected);
  g_string_free (r.text, TRUE);
}

/* Adds texts of three groups; `memory` bytes of them are in memory. */
static struct text_groups *
make_groups (size_t memory)
{
  struct text_groups *groups = text_groups_new (memory);
  assert_true (text_groups_add (groups, 7, "a1 ", 3));
  assert_true (text_groups_add (groups, UINT64_MAX, "b1 ", 3));
  assert_true (text_groups_add (groups, 7, "a2 ", 3));
  assert_true (text_groups_add (groups, 0, "", 0));
  assert_true (text_groups_add (groups, 7, "a3 ", 3));
  assert_true (text_groups_add (groups, UINT64_MAX, "b2 ", 3));
  return groups;
}

TEST (test_order)
{
  const size_t limits[] = { 0, 1, 3, 5, 6, 9, 14, 15, 1000 };
  for (size_t i = 0; i < G_N_ELEMENTS (limits); i++) {
    struct text_groups *groups = make_groups (limits[i]);
    check (groups, "<0><7>a1 a2 a3 <18446744073709551615>b1 b2 ");
    /* Once more, after more. */
    assert_true (text_groups_add (groups, 8, "c", 1));
    check (groups, "<0><7>a1 a2 a3 <8>c<18446744073709551615>b1 b2 ");
    text_groups_free (groups);
  }
}

/* A text that is read in several parts. */
TEST (test_long)
{
  const size_t length = (3 << 20) + 5;
  struct text_groups *groups = text_groups_new (1000);
  char *text = g_malloc (length + 1);
  for (size_t i = 0; i < length; i++)
    text[i] = (char) ('a' + i % 23);
  text[length] = 0;
  assert_true (text_groups_add (groups, 1, text, length));
  assert_true (text_groups_add (groups, 1, "end", 3));
  char *expected = g_strconcat ("<1>", text, "end", NULL);
  check (groups, expected);
  text_groups_free (groups);
  g_free (expected);
  g_free (text);
}

TEST (test_stop)
{
  struct text_groups *groups = make_groups (0);
  struct reading r = { .text = g_string_new (NULL), .parts_left = 2 };
  assert_true (text_groups_each (groups, begin, put, &r, NULL));
  assert_string_equal (r.text->str, "<0><7>a1 a2 ");
  g_string_free (r.text, TRUE);
  text_groups_free (groups);
}
