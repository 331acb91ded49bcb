/* string-sinks.c -- sinks that append to a GString. */
#include "config.h"

#include "tests/unit/string-sinks.h"

bool
append_text (void *data, const GString *text)
{
  g_string_append_len (data, text->str, (gssize) text->len);
  return true;
}

bool
move_text (void *data, GString *text)
{
  append_text (data, text);
  g_string_truncate (text, 0);
  return true;
}
