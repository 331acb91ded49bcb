/* test-foreign-file.c -- the formats of files that people take for logs. */
#include "config.h"

#include "decoder/core/foreign-file.h"
#include "tests/unit/test.h"
#include <string.h>

static const char *
name_of (const char *text)
{
  return foreign_file_name ((const uint8_t *) text, strlen (text));
}

TEST (known_files)
{
  assert_non_null (
      strstr (name_of ("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"));
  assert_non_null (strstr (name_of ("JOB \"x +RTS -hT\"\nDATE"), ".hp"));
  assert_non_null (strstr (name_of ("<!DOCTYPE html>\n<html>"), "HTML"));
  assert_non_null (strstr (name_of ("\r\n  <HTML lang=en>"), "HTML"));
}

/* The first bytes of one that is known may be followed by the others. */
TEST (short_files)
{
  assert_true (foreign_file_may_follow ((const uint8_t *) "vers", 4));
  assert_true (foreign_file_may_follow ((const uint8_t *) "\n\n\n <", 5));
  assert_true (foreign_file_may_follow ((const uint8_t *) "\n\n\n\n", 4));
  assert_false (foreign_file_may_follow ((const uint8_t *) "text", 4));
  assert_false (foreign_file_may_follow ((const uint8_t *) "<html>", 6));
}

TEST (other_files)
{
  assert_null (name_of (""));
  assert_null (name_of ("   "));
  assert_null (name_of ("<htm"));
  assert_null (name_of ("version 2"));
  assert_null (foreign_file_name ((const uint8_t *) "JOB \"", 3));
}
