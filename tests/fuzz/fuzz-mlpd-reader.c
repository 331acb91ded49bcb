/* fuzz-mlpd-reader.c -- any bytes through the reader: it must end, lose no byte from sight and give
 * the same however it is fed.
 *
 * LLVMFuzzerTestOneInput is for libFuzzer (clang -fsanitize=fuzzer -DPROFLOG_LIBFUZZER).  Else
 * main replays the files named as arguments, or tests/logs with each byte changed in turn. */
#include "config.h"

#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <string.h>

struct sum {
  guint64 items;
  guint64 end;
  guint64 hash;
  enum proflog_result result;
};

static void
note (struct sum *sum, const struct mlpd_item *item)
{
  /* What covers nothing may be about what came before. */
  if (item->size == 0 ? item->offset > sum->end : item->offset != sum->end)
    g_error ("an item at %" G_GUINT64_FORMAT " follows one that ends at %" G_GUINT64_FORMAT,
             item->offset, sum->end);
  sum->items++;
  sum->end += item->size;
  sum->hash = (sum->hash ^ item->type ^ item->size << 8) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  if (item->type == MLPD_ITEM_EVENT)
    sum->hash = (sum->hash ^ item->kind) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

static struct sum
read_in_pieces (const guint8 *data, gsize size, gsize piece)
{
  struct sum sum = { .result = PROFLOG_NEED_MORE };
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  for (gsize at = 0; at <= size && sum.result == PROFLOG_NEED_MORE; at += piece) {
    mlpd_reader_push (reader, data + at, MIN (piece, size - at));
    if (at + piece > size)
      mlpd_reader_finish (reader);
    while ((sum.result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT)
      note (&sum, item);
  }
  mlpd_reader_free (reader);
  return sum;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const gsize piece = size != 0 ? 1 + data[size - 1] : 1;
  const struct sum whole = read_in_pieces (data, size, size + 1);
  const struct sum pieces = read_in_pieces (data, size, piece);
  if (whole.result == PROFLOG_END ? whole.end != size : whole.result != PROFLOG_ERROR)
    g_error ("%" G_GUINT64_FORMAT " of %" G_GSIZE_FORMAT " bytes were told of", whole.end, size);
  if (whole.items != pieces.items || whole.end != pieces.end || whole.hash != pieces.hash
      || whole.result != pieces.result)
    g_error ("pieces of %" G_GSIZE_FORMAT " bytes give something else than the whole", piece);
  return 0;
}

#ifndef PROFLOG_LIBFUZZER
static void
get_file (const char *path, char **bytes, gsize *length)
{
  GError *error = NULL;
  if (!g_file_get_contents (path, bytes, length, &error))
    g_error ("%s", error->message);
}

static void
replay (const char *path)
{
  char *bytes;
  gsize length;
  get_file (path, &bytes, &length);
  LLVMFuzzerTestOneInput ((const uint8_t *) bytes, length);
  g_free (bytes);
}

/* The thread sanitizer, which finds nothing in one thread, sees some bytes only. */
#ifdef __SANITIZE_THREAD__
#define STEP 11
#else
#define STEP 1
#endif

/* Each byte becomes what tends to hurt: all of that in turn, or (logs are many) one each. */
static void
change_each_byte (const char *path, gboolean in_turn)
{
  static const char values[] = { 0x00, 0x01, 0x10, 0x26, 0x31, 0x7f, (char) 0x80, (char) 0xff };
  char *bytes;
  gsize length;
  get_file (path, &bytes, &length);
  for (gsize at = 0; at < length; at += STEP) {
    const char old = bytes[at];
    const guint n = in_turn ? G_N_ELEMENTS (values) : 1;
    for (guint i = 0; i < n; i++) {
      bytes[at] = values[(at / STEP + i) % G_N_ELEMENTS (values)];
      LLVMFuzzerTestOneInput ((const uint8_t *) bytes, length);
    }
    bytes[at] = old;
  }
  g_free (bytes);
}

static void
change_all_logs (void)
{
  const char *srcdir = g_getenv ("srcdir");
  char *folder = g_build_filename (srcdir != NULL ? srcdir : ".", "tests", "logs", NULL);
  GError *error = NULL;
  GDir *dir = g_dir_open (folder, 0, &error);
  guint logs = 0;
  if (dir == NULL)
    g_error ("%s", error->message);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".mlpd")) {
      char *path = g_build_filename (folder, name, NULL);
      change_each_byte (path, strcmp (name, "small.mlpd") == 0);
      g_free (path);
      logs++;
    }
  if (logs == 0)
    g_error ("there are no logs in %s", folder);
  g_dir_close (dir);
  g_free (folder);
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    replay (argv[i]);
  if (argc == 1)
    change_all_logs ();
  return 0;
}
#endif
