/* run-origin.c -- reads figures and paths for the origin of a log. */
#include "config.h"

#include "decoder/views/compare/runs.h"
#include <string.h>

/* NAME of the last folder NAME=... of the path of a log, decoded (transfer full); NULL: none. */
static char *
component_of (const char *log, const char *key)
{
  if (strcmp (log, "-") == 0)
    return NULL;
  g_autofree char *path = g_canonicalize_filename (log, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_auto (GStrv) parts = g_strsplit (folder, "/", -1);
  for (guint i = g_strv_length (parts); i-- > 0;) {
    const char *value = g_str_has_prefix (parts[i], key) ? parts[i] + strlen (key) : "";
    if (value[0] != '=' || value[1] == 0)
      continue;
    char *decoded = g_uri_unescape_string (value + 1, NULL);
    return decoded != NULL ? decoded : g_strdup (value + 1);
  }
  return NULL;
}

char *
run_origin_host (const struct run_figures *run)
{
  char *host = component_of (run->log, "host");
  return host != NULL ? host : g_strdup (run->host != NULL ? run->host : RUN_ORIGIN_UNKNOWN);
}

uint64_t
run_origin_pid (const struct run_figures *run)
{
  const struct emitter_record_value *v = emitter_record_value (run->record, "log.pid");
  return v != NULL && v->type == EMIT_NUMBER ? v->value.number : 0;
}

/* ---- versions ---- */

static const char *
text_at (const struct emitter_record_table *t, guint row, guint column)
{
  const struct emitter_any *cell
      = column < t->columns->len ? emitter_record_cell (t, row, column) : NULL;
  return cell != NULL && cell->type == EMIT_TEXT ? cell->value.text : NULL;
}

/* Is the file of an image that of a program? */
static bool
is_program (const struct emitter_record_table *files, uint64_t image)
{
  const guint id = emitter_record_column (files, "image"),
              name = emitter_record_column (files, "name");
  for (guint row = 0; id < files->columns->len && row < emitter_record_rows (files); row++) {
    const char *path = text_at (files, row, name);
    if (emitter_record_cell (files, row, id)->value.number == image)
      return path != NULL && g_str_has_suffix (path, ".exe");
  }
  return false;
}

/* "app, Version=1.2.3.0, ..." of the main assembly; NULL: there is none. */
static const char *
main_assembly_of (const struct emitter_record *record)
{
  const struct emitter_record_table *names
      = emitter_record_table (record, "metadata.assembly_names"),
      *files = emitter_record_table (record, "metadata.image_files");
  const char *first = NULL;
  if (names == NULL)
    return NULL;
  const guint image = emitter_record_column (names, "image"),
              name = emitter_record_column (names, "name");
  for (guint row = 0; row < emitter_record_rows (names); row++) {
    const char *text = text_at (names, row, name);
    if (text == NULL)
      continue;
    if (files != NULL && image < names->columns->len
        && is_program (files, emitter_record_cell (names, row, image)->value.number))
      return text;
    if (first == NULL && !g_str_has_prefix (text, "mscorlib"))
      first = text;
  }
  return first;
}

/* "app 1.2.3.0" (transfer full); NULL: the name states no version. */
static char *
version_in (const char *assembly)
{
  static const char start[] = ", Version=";
  const char *found = assembly != NULL ? strstr (assembly, start) : NULL;
  if (found == NULL)
    return NULL;
  const char *version = found + strlen (start);
  g_autofree char *number = g_strndup (version, strcspn (version, ","));
  const size_t name = strcspn (assembly, ",");
  return number[0] != 0 && strcmp (number, "0.0.0.0") != 0
             ? g_strdup_printf ("%.*s %s", (int) name, assembly, number)
             : NULL;
}

static char *
format_version_of (const struct run_figures *run)
{
  const struct emitter_record_value *v
      = emitter_record_value (run->record, run->is_eventlog ? "log.runtime" : "log.data_version");
  if (v == NULL || v->type == EMIT_ANY || (run->is_eventlog && v->value.text == NULL))
    return g_strdup (RUN_ORIGIN_UNKNOWN);
  return run->is_eventlog
             ? g_strdup (v->value.text)
             : g_strdup_printf ("Mono log, data version %" G_GUINT64_FORMAT, v->value.number);
}

char *
run_origin_version (const struct run_figures *run)
{
  char *version = version_in (main_assembly_of (run->record));
  if (version == NULL)
    version = component_of (run->log, "version");
  return version != NULL ? version : format_version_of (run);
}
