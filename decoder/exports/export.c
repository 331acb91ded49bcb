/* export.c -- the table of formats. */
#include "config.h"

#include "decoder/exports/export.h"
#include <string.h>

const struct export_format *const export_formats[] = {
#define EXPORT(name) &export_##name,
#include "decoder/exports/exports.def"
  NULL,
};

const struct export_format *
export_find (const char *name)
{
  for (const struct export_format *const *format = export_formats; *format != NULL; format++)
    if (strcmp ((*format)->name, name) == 0)
      return *format;
  return NULL;
}

/* "T[]", "T[,]"; but "List`1[T]" is none. */
bool
export_is_array (const struct heap_class *klass)
{
  size_t length = strlen (klass->name);
  if (length == 0 || klass->name[--length] != ']')
    return false;
  while (length > 0 && klass->name[length - 1] == ',')
    length--;
  return length > 0 && klass->name[length - 1] == '[';
}
