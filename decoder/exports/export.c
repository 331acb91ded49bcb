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
