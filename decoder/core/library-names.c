/* library-names.c -- the list of namespaces. */
#include "config.h"

#include "decoder/core/library-names.h"

#include <glib.h>
#include <string.h>

bool
is_library_name (const char *name, size_t length)
{
  static const char *const whole[]
      = { "mscorlib", "netstandard", "System", "Microsoft", "Mono", "Interop" };
  static const char *const spaces[] = { "System.", "Microsoft.", "Mono.", "Internal.", "Interop/" };
  for (size_t i = 0; i < G_N_ELEMENTS (whole); i++)
    if (strlen (whole[i]) == length && memcmp (name, whole[i], length) == 0)
      return true;
  for (size_t i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (length >= strlen (spaces[i]) && memcmp (name, spaces[i], strlen (spaces[i])) == 0)
      return true;
  return false;
}

/* The runtime names the classes of these types so: "string:Concat (string,string)". */
static bool
is_of_basic_type (const char *method, size_t class_length)
{
  static const char *const types[]
      = { "object", "string", "char",    "bool",   "sbyte",  "byte", "int16",
          "uint16", "short",  "ushort",  "int",    "uint",   "long", "ulong",
          "single", "double", "decimal", "intptr", "uintptr" };
  const size_t length = MIN (strcspn (method, "[&*"), class_length);
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (strlen (types[i]) == length && memcmp (method, types[i], length) == 0)
      return true;
  return false;
}

bool
library_names_is_program (const char *method)
{
  const char *colon = strchr (method, ':');
  const size_t length = colon != NULL ? (size_t) (colon - method) : strlen (method);
  return !g_str_has_prefix (method, "(wrapper ") && !is_library_name (method, length)
         && !is_of_basic_type (method, length);
}

bool
library_names_allocates (const char *method)
{
  static const char *const parts[] = { "(wrapper alloc) ",
                                       "string:FastAllocateString ",
                                       ":__icall_wrapper_mono_gc_alloc_",
                                       ":__icall_wrapper_ves_icall_object_new",
                                       ":__icall_wrapper_ves_icall_array_new",
                                       ":__icall_wrapper_ves_icall_string_alloc" };
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (method, parts[i]) != NULL)
      return true;
  return false;
}
