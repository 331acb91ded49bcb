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

/* A value of the lists, after the separator of the one before. */
static inline void
json_value_print (const char *separator, const char *unit, long long number, const char *name)
{
  printf ("%s\n    { \"unit\": ", separator);
  json_unit_print (unit);
  printf (", \"value\": %lld, \"name\": ", number);
  json_text_print (name);
  printf (" }");
}

#endif
