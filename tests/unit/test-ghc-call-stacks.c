/* test-ghc-call-stacks.c -- messages of ghc-stack-profiler, byte by byte. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-call-stacks.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

/* A message of these bytes, of capability 0. */
#define ADD(stacks, stack, ...)                                                                    \
  ghc_call_stacks_add (stacks, 0,                                                                  \
                       &(const struct ghc_text){ (const char *) (const uint8_t[]){ __VA_ARGS__ },  \
                                                 sizeof ((const uint8_t[]){ __VA_ARGS__ }) },      \
                       stack)
#define U32(n) 0, 0, 0, n
#define U64(n) 0, 0, 0, 0, 0, 0, 0, n
#define TABLE(n) 1, U64 (n)
#define TEXT(n) 2, U64 (n)
#define PLACED(n, place) 3, U64 (n), U64 (place)
#define LAST(thread, n) 0xff, 0xca, U32 (1), U32 (thread), 0, n
#define PART(thread, n) 0xff, 0xcb, U32 (1), U32 (thread), 0, n

static void
expect_name (const struct ghc_call_stacks *s, const struct ghc_provenances *names, uint32_t frame,
             const char *name, const char *location, bool is_known)
{
  g_autofree char *found = ghc_call_stacks_name (s, names, frame);
  g_autofree char *place = ghc_call_stacks_location (s, names, frame);
  assert_string_equal (found, name);
  assert_true (g_strcmp0 (place, location) == 0);
  assert_int_equal (ghc_call_stacks_names (s, names, frame), is_known);
}

TEST (test_names)
{
  struct ghc_call_stacks s;
  struct ghc_provenances others, names;
  struct ghc_call_stack stack = { 0 };
  ghc_call_stacks_init (&s);
  ghc_provenances_init (&others, NULL);
  ghc_provenances_init (&names, &others);
  assert_true (
      ADD (&s, &stack, LAST (7, 5), TABLE (16), TABLE (24), TABLE (32), TEXT (1), PLACED (2, 0)));
  assert_int_equal (stack.cap, 1);
  assert_int_equal (stack.thread, 7);
  assert_int_equal (stack.count, 5);
  uint32_t frames[5];
  memcpy (frames, stack.frames, sizeof frames);
  expect_name (&s, &names, frames[0], "0x10", NULL, false);
  expect_name (&s, &names, frames[3], "text 1", NULL, false);
  /* Their names may come later. */
  ghc_provenances_add (&names, &IPE (16, "go_info", "T", "go", "M", "M.hs:1:2")->payload->ipe);
  ghc_provenances_add (&others, &IPE (16, "x_info", "T", "x", "X", "X.hs")->payload->ipe);
  ghc_provenances_add (&others, &IPE (24, "f_info", "T", "", "N", "N.hs")->payload->ipe);
  assert_false (ADD (&s, &stack, 0xff, 0xcc, U64 (1), 0, 2, 'a', 'b'));
  assert_false (ADD (&s, &stack, 0xff, 0xcc, U64 (2), 0, 1, 'c'));
  assert_false (ADD (&s, &stack, 0xff, 0xcc, U64 (9), 0, 1, 'F'));
  assert_false (ADD (&s, &stack, 0xff, 0xcd, U64 (0), U32 (5), U32 (6), U64 (9)));
  expect_name (&s, &names, frames[0], "M.go", "M.hs:1:2", true);
  expect_name (&s, &names, frames[1], "N.f_info", "N.hs", true);
  expect_name (&s, &names, frames[2], "0x20", NULL, false);
  expect_name (&s, &names, frames[3], "ab", NULL, true);
  expect_name (&s, &names, frames[4], "c", "F:5:6", true);
  assert_int_equal (s.damaged, 0);
  ghc_provenances_clear (&names);
  ghc_provenances_clear (&others);
  ghc_call_stacks_clear (&s);
}

/* Of two threads at a time; the last part of the second is missing. */
TEST (test_parts)
{
  struct ghc_call_stacks s;
  struct ghc_call_stack stack = { 0 };
  ghc_call_stacks_init (&s);
  assert_false (ADD (&s, &stack, PART (1, 2), TABLE (8), TABLE (16)));
  assert_false (ADD (&s, &stack, PART (2, 1), TABLE (99)));
  assert_true (ADD (&s, &stack, LAST (3, 0)));
  assert_int_equal (stack.count, 0);
  assert_false (ADD (&s, &stack, PART (1, 1), TABLE (24)));
  assert_true (ADD (&s, &stack, LAST (1, 1), TABLE (8)));
  assert_int_equal (stack.count, 4);
  assert_int_equal (stack.frames[0], stack.frames[3]);
  assert_int_equal (s.stacks, 2);
  assert_int_equal (s.in_parts, 1);
  assert_int_equal (ghc_call_stacks_incomplete (&s), 1);
  ghc_call_stacks_clear (&s);
}

TEST (test_damage)
{
  struct ghc_call_stacks s;
  struct ghc_call_stack stack;
  ghc_call_stacks_init (&s);
  assert_false (ADD (&s, &stack, 0xff, 0xca));
  assert_false (ADD (&s, &stack, 0xff, 0xca, U32 (0), U32 (1), 0));
  assert_false (ADD (&s, &stack, LAST (1, 2), TABLE (8)));                 /* one is missing */
  assert_false (ADD (&s, &stack, LAST (1, 1), 4, U64 (8)));                /* no kind */
  assert_false (ADD (&s, &stack, LAST (1, 1), 3, U64 (8), 0, 0));          /* no place */
  assert_false (ADD (&s, &stack, LAST (1, 1), 2, 1, 0, 0, 0, 0, 0, 0, 0)); /* no number */
  assert_false (ADD (&s, &stack, PART (1, 1)));
  assert_false (ADD (&s, &stack, 0xff, 0xcc, U64 (1), 0, 2, 'a'));
  assert_false (ADD (&s, &stack, 0xff, 0xcd, U64 (1)));
  assert_int_equal (s.damaged, 9);
  assert_int_equal (s.stacks, 0);
  assert_false (ghc_call_stacks_has (&(const struct ghc_text){ "\xff", 1 }));
  assert_false (ghc_call_stacks_has (&(const struct ghc_text){ "x\xff\xca", 3 }));
  assert_false (ghc_call_stacks_has (&(const struct ghc_text){ "\xff\xce\0", 3 }));
  assert_true (ghc_call_stacks_has (&(const struct ghc_text){ "\xff\xcd", 2 }));
  ghc_call_stacks_clear (&s);
}

/* The common part of stacks is their outer end; else `main` is. */
TEST (test_order)
{
  struct ghc_call_stacks s;
  struct ghc_provenances names;
  struct ghc_call_stack stack;
  ghc_provenances_init (&names, NULL);
  ghc_call_stacks_init (&s);
  assert_false (ghc_call_stacks_begin_innermost (&s, &names));
  ADD (&s, &stack, LAST (1, 2), TEXT (1), TEXT (2));
  ADD (&s, &stack, LAST (1, 2), TEXT (1), TEXT (2));
  assert_false (ghc_call_stacks_begin_innermost (&s, &names));
  ADD (&s, &stack, 0xff, 0xcc, U64 (2), 0, 4, 'm', 'a', 'i', 'n');
  assert_true (ghc_call_stacks_begin_innermost (&s, &names));
  ADD (&s, &stack, LAST (1, 2), TEXT (1), TEXT (3));
  assert_false (ghc_call_stacks_begin_innermost (&s, &names));
  ADD (&s, &stack, LAST (1, 2), TEXT (4), TEXT (3));
  ADD (&s, &stack, LAST (1, 2), TEXT (5), TEXT (3));
  assert_true (ghc_call_stacks_begin_innermost (&s, &names));
  /* Another thread's has nothing to do with it. */
  ADD (&s, &stack, LAST (2, 2), TEXT (5), TEXT (6));
  assert_true (ghc_call_stacks_begin_innermost (&s, &names));
  ghc_call_stacks_clear (&s);
  ghc_provenances_clear (&names);
}
