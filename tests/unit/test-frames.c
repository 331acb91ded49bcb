/* test-frames.c -- what a reader gets who keeps up, and one who does not. */
#include "decoder/serve/frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void
add (struct frames *frames, unsigned n)
{
  GString *text = g_string_new (NULL);
  g_string_printf (text, "frame %u", n);
  assert_int_equal (frames_add (frames, text), n);
  g_string_free (text, TRUE);
}

/* The next frame of a reader is this one, after so many that were lost. */
static void
expect (struct frames *frames, uint64_t *number, unsigned n, uint64_t lost_frames)
{
  char text[32];
  uint64_t lost;
  struct frame *frame = frames_take (frames, number, &lost);
  assert_non_null (frame);
  g_snprintf (text, sizeof text, "frame %u", n);
  assert_int_equal (frame->length, strlen (text));
  assert_memory_equal (frame->text, text, frame->length);
  assert_int_equal (lost, lost_frames);
  assert_int_equal (*number, n + 1);
  frame_unref (frame);
}

static void
expect_none (struct frames *frames, uint64_t *number)
{
  uint64_t lost;
  const uint64_t before = *number;
  assert_null (frames_take (frames, number, &lost));
  assert_int_equal (lost, 0);
  assert_int_equal (*number, before);
}

static void
test_readers (void **state)
{
  struct frames *frames = frames_new (4);
  uint64_t quick = 0, slow = 0;
  (void) state;
  expect_none (frames, &quick);
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal (frames_next (frames), i);
    add (frames, i);
    expect (frames, &quick, i, 0);
    expect_none (frames, &quick);
  }
  expect (frames, &slow, 0, 0); /* the oldest that is there */
  for (unsigned i = 4; i < 10; i++)
    add (frames, i);
  /* 6 to 9 are there. */
  expect (frames, &slow, 6, 5);
  expect (frames, &slow, 7, 0);
  expect (frames, &quick, 6, 2);
  for (unsigned i = 10; i < 1000; i++)
    add (frames, i);
  expect (frames, &slow, 996, 988);
  for (unsigned i = 997; i < 1000; i++)
    expect (frames, &slow, i, 0);
  expect_none (frames, &slow);
  frames_free (frames);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_readers) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
