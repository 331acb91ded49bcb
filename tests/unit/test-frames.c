/* test-frames.c -- the frames of a reader that keeps up, and of one that does not. */
#include "config.h"

#include "decoder/serve/served.h"
#include "tests/unit/test.h"

#include <string.h>

static void
add (struct frames *frames, unsigned n)
{
  GString *text = g_string_new (NULL);
  g_string_printf (text, "frame %u", n);
  assert_int_equal (frames_add (frames, text), n);
  g_string_free (text, TRUE);
}

/* The next frame of a reader is this one, after some that were lost. */
static void
expect_frame (struct frames *frames, uint64_t *number, unsigned n, uint64_t lost_frames)
{
  char text[32];
  uint64_t lost;
  struct frame *frame = frames_pop (frames, number, &lost);
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
  assert_null (frames_pop (frames, number, &lost));
  assert_int_equal (lost, 0);
  assert_int_equal (*number, before);
}

TEST (test_readers)
{
  struct frames *frames = frames_new (4);
  uint64_t quick = 0, slow = 0;
  expect_none (frames, &quick);
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal (frames_next (frames), i);
    add (frames, i);
    expect_frame (frames, &quick, i, 0);
    expect_none (frames, &quick);
  }
  expect_frame (frames, &slow, 0, 0); /* the oldest that is there */
  for (unsigned i = 4; i < 10; i++)
    add (frames, i);
  /* 6 to 9 are there. */
  expect_frame (frames, &slow, 6, 5);
  expect_frame (frames, &slow, 7, 0);
  expect_frame (frames, &quick, 6, 2);
  for (unsigned i = 10; i < 1000; i++)
    add (frames, i);
  expect_frame (frames, &slow, 996, 988);
  for (unsigned i = 997; i < 1000; i++)
    expect_frame (frames, &slow, i, 0);
  expect_none (frames, &slow);
  frames_free (frames);
}
