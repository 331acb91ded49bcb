/* test-progress.c -- the progress on a terminal, and its times. */
#include "config.h" /* first, for posix_openpt */

#include "decoder/command/progress.h"
#include "tests/unit/test.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A terminal in place of stderr; the test reads its text. */
static int terminal = -1, before = -1;

static void
use_terminal (void)
{
  terminal = posix_openpt (O_RDWR | O_NOCTTY | O_NONBLOCK);
  assert_true (terminal >= 0 && grantpt (terminal) == 0 && unlockpt (terminal) == 0);
  int slave = open (ptsname (terminal), O_RDWR | O_NOCTTY);
  before = dup (STDERR_FILENO);
  assert_true (slave >= 0 && dup2 (slave, STDERR_FILENO) >= 0 && close (slave) == 0);
}

static void
use_stderr (void)
{
  dup2 (before, STDERR_FILENO);
  close (before);
  close (terminal);
}

/* The text that was shown since the last call. */
static const char *
shown (void)
{
  static char text[1000];
  ssize_t length = read (terminal, text, sizeof text - 1);
  text[length > 0 ? length : 0] = 0;
  return text;
}

static bool
matches (const char *pattern, const char *text)
{
  return g_regex_match_simple (pattern, text, 0, 0);
}

TEST_WITH (test_percent, use_terminal, use_stderr)
{
  struct progress p = { .log = 0 };
  progress_begin (&p, 200, false);
  progress_update (&p, 1);
  progress_clear (&p);
  assert_string_equal (shown (), ""); /* not in the first second */
  p.start -= 2 * G_USEC_PER_SEC;
  p.next = 0;
  progress_update (&p, 50);
  assert_true (matches ("^\r 25 %  0 MB/s  0:0[67] left\033\\[K$", shown ()));
  progress_update (&p, 60);
  assert_string_equal (shown (), ""); /* not so soon again */
  p.next = 0;
  progress_update (&p, 200);
  assert_true (matches ("^\r100 %  0 MB/s  0:00 left\033\\[K$", shown ()));
  progress_clear (&p);
  assert_string_equal (shown (), "\r\033[K");
  progress_clear (&p);
  assert_string_equal (shown (), "");
}

/* 60 MB in the first 2 s; how many there will be no one knows. */
TEST_WITH (test_speed, use_terminal, use_stderr)
{
  struct progress p = { .log = 0 };
  progress_begin (&p, 0, false);
  p.start -= 2 * G_USEC_PER_SEC;
  p.next = 0;
  progress_update (&p, 60000000);
  assert_true (matches ("^\r60 MB  (30|2[0-9]) MB/s\033\\[K$", shown ()));
  progress_clear (&p);
  shown ();
}

TEST_WITH (test_quiet, use_terminal, use_stderr)
{
  struct progress p = { .log = 0 };
  progress_begin (&p, 200, true);
  p.next = 0;
  progress_update (&p, 50);
  progress_clear (&p);
  assert_string_equal (shown (), "");
}

TEST (test_no_terminal)
{
  int pipes[2];
  assert_int_equal (pipe (pipes), 0);
  int was = dup (STDERR_FILENO);
  dup2 (pipes[1], STDERR_FILENO);
  close (pipes[1]);
  struct progress p = { .log = 0 };
  progress_begin (&p, 200, false);
  p.next = 0;
  progress_update (&p, 50);
  progress_clear (&p);
  dup2 (was, STDERR_FILENO);
  close (was);
  char byte;
  assert_int_equal (read (pipes[0], &byte, 1), 0);
  close (pipes[0]);
}
