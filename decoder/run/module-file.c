/* module-file.c -- where the module for Mono is. */
#include "config.h"

#include "decoder/attach/attach-module.h"
#include "decoder/run/run.h"
#include <glib.h>

char *
module_file_find (char **tried)
{
  const char *set = g_getenv ("PROFLOG_MODULE_DIR");
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  if (set != NULL && *set != 0) {
    g_ptr_array_add (places, g_canonicalize_filename (set, NULL));
  } else {
    if (self != NULL) {
      g_autofree char *bin = g_path_get_dirname (self);
      g_ptr_array_add (places, g_build_filename (bin, ".libs", NULL)); /* in the build tree */
      g_autofree char *lib = g_build_filename (bin, "..", "lib", NULL);
      g_ptr_array_add (places, g_canonicalize_filename (lib, NULL));
    }
    g_ptr_array_add (places, g_strdup (PROFLOG_LIBDIR));
  }
  for (guint i = 0; i < places->len; i++) {
    g_autofree char *file = g_build_filename (places->pdata[i], MODULE_FILE, NULL);
    if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
      return g_strdup (places->pdata[i]);
  }
  g_ptr_array_add (places, NULL);
  *tried = g_strjoinv (", ", (char **) places->pdata);
  return NULL;
}

bool
module_file_attach (long pid, const char *options, char **note, GError **error)
{
  g_autofree char *tried = NULL;
  g_autofree char *directory = module_file_find (&tried);
  if (directory == NULL) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                 "cannot find the module " MODULE_FILE " in %s; set PROFLOG_MODULE_DIR", tried);
    return false;
  }
  g_autofree char *module = g_build_filename (directory, MODULE_FILE, NULL);
  g_autofree char *canonical = g_canonicalize_filename (module, NULL);
  return attach_module (pid, canonical, options, note, error);
}
