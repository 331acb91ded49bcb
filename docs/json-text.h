/* json-text.h -- texts of the event lists in JSON. */
#ifndef PROFLOG_JSON_TEXT_H
#define PROFLOG_JSON_TEXT_H

#include <stdio.h>

/* They are UTF-8 without control characters. */
static inline void
json_text_print (const char *text)
{
  putchar ('"');
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\')
      putchar ('\\');
    putchar (*text);
  }
  putchar ('"');
}

/* A unit of the lists of values, as fields name it: "gc-event" for GC_EVENT. */
static inline void
json_unit_print (const char *unit)
{
  putchar ('"');
  for (; *unit != 0; unit++)
    putchar (*unit == '_' ? '-' : *unit >= 'A' && *unit <= 'Z' ? *unit - 'A' + 'a' : *unit);
  putchar ('"');
}

#endif
