/* rewrite-eventlog.c -- the eventlogs of libproflog, by example: reads one, prints what types of
 * events it declares and each event, and writes a copy without the messages of the program.
 *
 *   cc rewrite-eventlog.c -o rewrite-eventlog $(pkg-config --cflags --libs proflog)
 *   ./rewrite-eventlog app.eventlog copy.eventlog          --blocks: prints blocks alone
 */
#include <proflog/ghc-print.h>
#include <proflog/ghc-reader.h>
#include <proflog/ghc-writer.h>
#include <stdio.h>
#include <string.h>

struct copy {
  struct ghc_reader *reader;
  struct ghc_writer *writer;
  bool only_blocks;
  FILE *out;
};

static void
print_types (const struct ghc_header *header)
{
  for (size_t i = 0; i < header->n_types; i++) {
    GString *line = g_string_new (NULL);
    ghc_print_type (line, &header->types[i]);
    puts (line->str);
    g_string_free (line, TRUE);
  }
}

/* Writes an event as it is; a marker begins a block, whose size the writer works out. */
static bool
copy_event (struct copy *c, const struct ghc_item *item, GError **error)
{
  const struct ghc_event event = ghc_event_of_item (item);
  if (item->kind != GHC_BLOCK_MARKER && !item->in_block)
    ghc_writer_end_block (c->writer); /* early writers put some events beside the blocks */
  return item->kind == GHC_USER_MSG || ghc_writer_event (c->writer, &event, error);
}

static bool
copy_item (struct copy *c, const struct ghc_item *item, GError **error)
{
  GString *line = g_string_new (NULL);
  ghc_print_item (line, item);
  puts (line->str);
  g_string_free (line, TRUE);
  if (item->type == GHC_ITEM_HEADER) {
    print_types (item->header);
    return ghc_writer_header (c->writer, item->header->types, item->header->n_types, error);
  }
  if (item->type == GHC_ITEM_END)
    ghc_writer_end (c->writer, item->in_block);
  else if (c->only_blocks && item->kind == GHC_BLOCK_MARKER)
    ghc_reader_skip_block (c->reader);
  return item->type != GHC_ITEM_EVENT || copy_event (c, item, error);
}

/* Handles all items of the bytes that the reader has. */
static bool
pull (struct copy *c, GError **error)
{
  const struct ghc_item *item;
  size_t length;
  enum proflog_result result;
  while ((result = ghc_reader_next (c->reader, &item)) == PROFLOG_EVENT)
    if (!copy_item (c, item, error))
      return false;
  if (result == PROFLOG_ERROR) {
    g_propagate_error (error, g_error_copy (ghc_reader_error (c->reader)));
    return false;
  }
  const uint8_t *bytes = ghc_writer_take (c->writer, &length);
  return fwrite (bytes, 1, length, c->out) == length;
}

static bool
copy_file (struct copy *c, FILE *in, GError **error)
{
  char bytes[65536];
  size_t length;
  while ((length = fread (bytes, 1, sizeof bytes, in)) != 0) {
    ghc_reader_push (c->reader, bytes, length);
    if (!pull (c, error))
      return false;
  }
  ghc_reader_finish (c->reader);
  return pull (c, error);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  struct copy c = { .only_blocks = argc == 4 && strcmp (argv[3], "--blocks") == 0 };
  FILE *in = argc >= 3 ? fopen (argv[1], "rb") : NULL;
  c.out = in != NULL ? fopen (argv[2], "wb") : NULL;
  if (c.out == NULL) {
    fprintf (stderr, "usage: rewrite-eventlog LOG COPY [--blocks]\n");
    return 2;
  }
  c.reader = ghc_reader_new ();
  c.writer = ghc_writer_new ();
  const bool good = copy_file (&c, in, &error);
  if (!good)
    fprintf (stderr, "rewrite-eventlog: %s\n", error != NULL ? error->message : "cannot write");
  g_clear_error (&error);
  ghc_reader_free (c.reader);
  ghc_writer_free (c.writer);
  fclose (in);
  return fclose (c.out) != 0 || !good;
}
