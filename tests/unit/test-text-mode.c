/* test-text-mode.c -- line ends of a log that passed a channel for text, in chunks of any size. */
#include "config.h"

#include "decoder/input/text-mode.h"
#include "tests/unit/test.h"

#include <string.h>

TEST (test_is_likely)
{
  static const struct {
    const char *bytes;
    bool is_likely;
  } cases[] = { { "", false },         { "abc", false },   { "\n", false },
                { "a\nb", false },     { "\r\n", true },   { "a\r\nb\r\n", true },
                { "a\r\nb\n", false }, { "\r\r\n", true }, { "a\rb", false } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_int_equal (
        text_mode_is_likely ((const uint8_t *) cases[i].bytes, strlen (cases[i].bytes)),
        cases[i].is_likely);
}

/* The rest of a text that comes in chunks of this size. */
static void
check (const char *text, size_t chunk, const char *expected)
{
  struct text_mode m;
  uint64_t removed = 99;
  g_autoptr (GString) got = g_string_new (NULL);
  const size_t length = strlen (text);
  text_mode_init (&m, &removed);
  text_mode_restart (&m);
  assert_int_equal (removed, 0);
  for (size_t at = 0; at <= length; at += chunk) {
    const uint8_t *bytes = (const uint8_t *) text + at;
    size_t n = MIN (chunk, length - at);
    text_mode_remove (&m, &bytes, &n);
    g_string_append_len (got, (const char *) bytes, (gssize) n);
  }
  if (length % chunk != 0) { /* the end */
    const uint8_t *bytes = (const uint8_t *) "";
    size_t n = 0;
    text_mode_remove (&m, &bytes, &n);
    g_string_append_len (got, (const char *) bytes, (gssize) n);
  }
  assert_string_equal (got->str, expected);
  assert_int_equal (removed, length - strlen (expected));
  text_mode_clear (&m);
}

TEST (test_chunks)
{
  static const char *const cases[][2] = { { "", "" },
                                          { "a\r\nb", "a\nb" },
                                          { "\r\n\r\n", "\n\n" },
                                          { "a\rb\r", "a\rb\r" },
                                          { "\r\r\n\r", "\r\n\r" },
                                          { "\n\r\n", "\n\n" },
                                          { "abc\r\r\r\nd\r\n", "abc\r\r\nd\n" } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    for (size_t chunk = 1; chunk < 12; chunk++)
      check (cases[i][0], chunk, cases[i][1]);
}
