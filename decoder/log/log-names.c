/* log-names.c -- reads the names of info tables from an eventlog. */
#include "config.h"

#include "decoder/log/log-names.h"
#include "decoder/input/log-input.h"
#include <proflog/ghc-reader.h>

/* Handles the items that the reader has at hand; false and the reader's error if the bytes are no
 * eventlog. */
static bool
read_some (struct ghc_provenances *names, struct ghc_reader *reader, GError **error)
{
  const struct ghc_item *item;
  enum proflog_result result;
  while ((result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
    if (item->type == GHC_ITEM_EVENT && item->kind == GHC_IPE)
      ghc_provenances_add (names, &item->payload->ipe);
  if (result == PROFLOG_ERROR)
    g_propagate_error (error, g_error_copy (ghc_reader_error (reader)));
  return result != PROFLOG_ERROR;
}

static bool
read_names (struct ghc_provenances *names, struct log_input *input, GError **error)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const uint8_t *bytes;
  size_t length;
  bool good;
  while ((good = log_input_read (input, &bytes, &length, error)) && length != 0) {
    ghc_reader_push (reader, bytes, length);
    good = read_some (names, reader, error);
    if (!good)
      break;
  }
  ghc_reader_finish (reader);
  good = good && read_some (names, reader, error);
  ghc_reader_free (reader);
  return good;
}

struct ghc_provenances *
log_names_read (const char *path, GError **error)
{
  struct log_input *input = log_input_open (path, error);
  if (input == NULL)
    return NULL;
  struct ghc_provenances *names = g_new (struct ghc_provenances, 1);
  ghc_provenances_init (names, NULL);
  bool good = read_names (names, input, error);
  if (good && g_hash_table_size (names->by_table) == 0) {
    g_set_error_literal (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_NOT_A_LOG,
                         "it names no info tables; a program that is compiled with "
                         "-finfo-table-map does");
    good = false;
  }
  log_input_close (input);
  if (!good)
    log_names_free (g_steal_pointer (&names));
  return names;
}

void
log_names_free (struct ghc_provenances *names)
{
  if (names != NULL)
    ghc_provenances_clear (names);
  g_free (names);
}
