/* fuzz-mlpd-writer.c -- events that the writer of Mono logs accepts are read back as they were: the
 * events of any log, as those of the same data version or of another one. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "tests/fuzz/fuzz.h"
#include "tests/prop/random-events.h"
#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-writer.h>

/* ---- an event as one number ---- */

static void
visit_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  uint64_t *hash = data;
  *hash = fuzz_mix (fuzz_mix (*hash, GPOINTER_TO_SIZE (field)), value);
}

static void
visit_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  uint64_t *hash = data;
  *hash = fuzz_mix (*hash, GPOINTER_TO_SIZE (field));
  *hash = fuzz_mix_bytes (*hash, text.text, text.length);
}

static void
visit_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  uint64_t *hash = data;
  *hash = fuzz_mix (*hash, GPOINTER_TO_SIZE (field));
  *hash = fuzz_mix_bytes (*hash, list.items, list.count * sizeof *list.items);
}

static void
visit_open (const struct mlpd_field *field, size_t count, void *data)
{
  visit_number (field, count, data);
}

static void
visit_item (void *data)
{
  (void) data;
}

static void
visit_close (const struct mlpd_field *field, void *data)
{
  (void) field;
  (void) data;
}

static const struct mlpd_visitor visitor
    = { visit_number, visit_text, visit_list, visit_open, visit_item, visit_close };

static uint64_t
hash_of (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version)
{
  uint64_t hash = kind;
  mlpd_visit (kind, payload, version, &visitor, &hash);
  return hash;
}

/* ---- reading, writing, reading ---- */

struct copy {
  struct mlpd_writer *writer;
  unsigned version; /* 0: there was no header yet */
  bool is_in_buffer;
  GArray *hashes; /* of the written events */
};

static void
begin_copy (struct copy *c, const struct mlpd_file_header *header, uint64_t chosen)
{
  struct mlpd_file_header copied = *header;
  copied.major = MIN (header->major, 3); /* of newer logs the reader warns */
  copied.data_version = (uint8_t) CLAMP (header->data_version, 1, MLPD_VERSION_LAST);
  if (chosen % 4 == 0)
    copied.data_version = (uint8_t) (1 + (chosen >> 8) % MLPD_VERSION_LAST);
  if (c->version == 0 && mlpd_writer_header (c->writer, &copied, NULL))
    c->version = copied.data_version;
}

/* Of data version 1, names of domains and assemblies that no writer has are read as none. */
static void
copy_event (struct copy *c, const struct mlpd_item *item)
{
  union mlpd_payload payload = *item->payload;
  if (c->version == 1)
    random_event_make_plausible (item->kind, &payload);
  if (!mlpd_writer_event (c->writer, item->kind, &payload, NULL))
    return;
  const uint64_t hash = hash_of (item->kind, &payload, c->version);
  g_array_append_val (c->hashes, hash);
}

static void
copy_item (struct copy *c, const struct mlpd_item *item, uint64_t chosen)
{
  if (item->type == MLPD_ITEM_FILE_HEADER)
    begin_copy (c, item->header, chosen);
  else if (item->type == MLPD_ITEM_BUFFER && c->version != 0)
    c->is_in_buffer = mlpd_writer_begin_same (c->writer, item->buffer, NULL);
  else if (item->type == MLPD_ITEM_EVENT && c->is_in_buffer)
    copy_event (c, item);
}

static void
check_item (const struct copy *c, const struct mlpd_item *item, guint *events)
{
  if (item->type == MLPD_ITEM_DAMAGE)
    g_error ("a log that was written has damage: %s", item->damage->message);
  if (item->type != MLPD_ITEM_EVENT)
    return;
  if (*events == c->hashes->len
      || hash_of (item->kind, item->payload, c->version)
             != g_array_index (c->hashes, uint64_t, *events))
    g_error ("event %u of %u, '%s', is read back as another", *events, c->hashes->len,
             mlpd_describe (item->kind)->name);
  ++*events;
}

static void
check_copy (struct copy *c)
{
  size_t length;
  guint events = 0;
  const struct mlpd_item *item;
  const uint8_t *bytes = mlpd_writer_take (c->writer, &length);
  struct mlpd_reader *reader = mlpd_reader_new ();
  mlpd_reader_push (reader, bytes, length);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    check_item (c, item, &events);
  if (events != c->hashes->len)
    g_error ("%u of %u events are read back", events, c->hashes->len);
  mlpd_reader_free (reader);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint64_t chosen = fuzz_mix_bytes (1, data, size);
  const struct mlpd_item *item;
  struct copy copy
      = { .writer = mlpd_writer_new (), .hashes = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  struct mlpd_reader *reader = mlpd_reader_new ();
  mlpd_reader_push (reader, data, size);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    copy_item (&copy, item, chosen);
  if (copy.version != 0 && mlpd_writer_end (copy.writer, 0, 0, NULL))
    check_copy (&copy);
  mlpd_reader_free (reader);
  mlpd_writer_free (copy.writer);
  g_array_unref (copy.hashes);
  return 0;
}
