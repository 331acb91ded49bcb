/* export.c -- the table of formats, and the way of the bytes. */
#include "config.h"

#include "decoder/exports/export.h"
#include <string.h>

/* Bytes that wait at most, more or less. */
#define MUCH (1u << 16)

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

void
export_flush (struct export_out *out)
{
  if (!out->failed && out->bytes->len > 0)
    out->failed = !out->put (out->data, out->bytes);
  g_string_truncate (out->bytes, 0);
}

void
export_flush_much (struct export_out *out)
{
  if (out->bytes->len >= MUCH)
    export_flush (out);
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
