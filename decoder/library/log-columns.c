/* log-columns.c -- the numbers of all events of a kind, many at a time. */
#include "config.h"

#include "decoder/core/suggest.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/library/log-private.h"
#include "decoder/mlpd/mlpd-describe.h"
#include <string.h>

/* The columns of every event beside its fields. */
static const char *const mono_columns[] = { "time", "thread" };
static const char *const ghc_columns[] = { "time", "cap" };

static void
add_names (GPtrArray *names, const char *const *more, size_t n)
{
  for (size_t i = 0; i < n; i++)
    g_ptr_array_add (names, (gpointer) more[i]);
}

static bool
is_in (const GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (names->pdata[i], name) == 0)
      return true;
  return false;
}

/* Adds the names of kinds, and those of the fields of the one that is wanted. */
static void
describe_mono (const char *wanted, GPtrArray *kinds, GPtrArray *fields)
{
  for (enum mlpd_kind k = 0; k < MLPD_KINDS; k++) {
    const struct mlpd_description *d = mlpd_describe (k);
    g_ptr_array_add (kinds, (gpointer) d->name);
    for (size_t i = 0; i < d->n_fields && strcmp (d->name, wanted) == 0; i++)
      g_ptr_array_add (fields, (gpointer) d->fields[i].name);
  }
  add_names (fields, mono_columns, G_N_ELEMENTS (mono_columns));
}

static void
describe_ghc (const char *wanted, GPtrArray *kinds, GPtrArray *fields)
{
  for (enum ghc_kind k = 0; k < GHC_UNKNOWN; k++) {
    const struct ghc_description *d = ghc_describe (k);
    g_ptr_array_add (kinds, (gpointer) d->name);
    for (size_t i = 0; i < d->n_fields && strcmp (d->name, wanted) == 0; i++)
      g_ptr_array_add (fields, (gpointer) d->fields[i].name);
  }
  add_names (fields, ghc_columns, G_N_ELEMENTS (ghc_columns));
}

/* Has the format events of this kind with these fields? */
static bool
check_names (const struct proflog_log *log, const char *kind, size_t n, const char *const *fields,
             GError **error)
{
  g_autoptr (GPtrArray) kinds = g_ptr_array_new (), names = g_ptr_array_new ();
  (log->format == PROFLOG_LOG_MONO ? describe_mono : describe_ghc) (kind, kinds, names);
  if (!is_in (kinds, kind)) {
    g_autofree char *near = suggest_text ("", kind, kinds);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "there are no events '%s'%s",
                 kind, near);
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    if (is_in (names, fields[i]))
      continue;
    g_autofree char *near = suggest_text ("", fields[i], names);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "events '%s' have no '%s'%s",
                 kind, fields[i], near);
    return false;
  }
  return true;
}

/* Of the event that the log is at. */
static bool
find_number (const struct proflog_log *log, const char *field, uint64_t *number)
{
  unsigned cap;
  if (strcmp (field, "time") == 0)
    return proflog_log_time (log, number);
  if (proflog_log_number (log, field, number)
      || (strcmp (field, "thread") == 0 && proflog_log_thread (log, number)))
    return true;
  if (strcmp (field, "cap") != 0 || !proflog_log_cap (log, &cap))
    return false;
  *number = cap;
  return true;
}

/* A field that the version of the log lacks, or a capability of none, is 0. */
static bool
add_row (struct proflog_log *log, size_t n, const char *const *fields, uint64_t *const *to,
         size_t row, GError **error)
{
  for (size_t i = 0; i < n; i++) {
    size_t count;
    to[i][row] = 0;
    if (!find_number (log, fields[i], &to[i][row])
        && (proflog_log_text (log, fields[i]) != NULL
            || proflog_log_list (log, fields[i], &count) != NULL)) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "'%s' of '%s' is no number",
                   fields[i], proflog_log_kind (log));
      return false;
    }
  }
  return true;
}

bool
proflog_log_columns (struct proflog_log *log, const char *kind, size_t n, const char *const *fields,
                     uint64_t *const *to, size_t rows, size_t *read, GError **error)
{
  enum proflog_result result = PROFLOG_EVENT;
  *read = 0;
  if (!check_names (log, kind, n, fields, error))
    return false;
  while (*read < rows && (result = proflog_log_next (log)) == PROFLOG_EVENT) {
    const char *const name = proflog_log_kind (log);
    if (name == NULL || strcmp (name, kind) != 0)
      continue;
    if (!add_row (log, n, fields, to, *read, error))
      return false;
    ++*read;
  }
  if (result == PROFLOG_ERROR && error != NULL)
    *error = g_error_copy (proflog_log_error (log));
  return result != PROFLOG_ERROR;
}
