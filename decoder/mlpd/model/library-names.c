/* library-names.c -- the list of namespaces. */
#include "config.h"

#include "decoder/mlpd/model/library-names.h"

#include <glib.h>
#include <string.h>

bool
is_library_name (const char *name, size_t length)
{
  static const char *const whole[] = { "mscorlib", "netstandard", "System", "Microsoft", "Mono" };
  static const char *const spaces[] = { "System.", "Microsoft.", "Mono." };
  for (size_t i = 0; i < G_N_ELEMENTS (whole); i++)
    if (strlen (whole[i]) == length && memcmp (name, whole[i], length) == 0)
      return true;
  for (size_t i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (length >= strlen (spaces[i]) && memcmp (name, spaces[i], strlen (spaces[i])) == 0)
      return true;
  return false;
}
