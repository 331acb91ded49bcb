/* short-paths.c -- counts base names. */
#include "config.h"

#include "decoder/output/short-paths.h"

GPtrArray *
short_paths (const GPtrArray *paths)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) first = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) twice = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < paths->len; i++) {
    g_autofree char *base = g_path_get_basename (paths->pdata[i]);
    const char *const other = g_hash_table_lookup (first, base);
    if (other == NULL)
      g_hash_table_insert (first, g_strdup (base), paths->pdata[i]);
    else if (!g_str_equal (other, paths->pdata[i]))
      g_hash_table_add (twice, g_strdup (base));
  }
  for (guint i = 0; i < paths->len; i++) {
    char *base = g_path_get_basename (paths->pdata[i]);
    if (g_hash_table_contains (twice, base)) {
      g_free (base);
      base = g_strdup (paths->pdata[i]);
    }
    g_ptr_array_add (names, base);
  }
  return names;
}
