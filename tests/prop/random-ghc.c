/* random-ghc.c -- generates random eventlogs. */
#include "config.h"

#include "tests/prop/random-ghc.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

#include <proflog/ghc-writer.h>
#include <string.h>

#define TEXT_MAX 60
#define MARKER 18

void
random_ghc_init (struct random_ghc *random, guint32 seed)
{
  random->rand = g_rand_new_with_seed (seed);
  random->memory = g_ptr_array_new_with_free_func (g_free);
}

void
random_ghc_clear (struct random_ghc *random)
{
  g_rand_free (random->rand);
  g_ptr_array_unref (random->memory);
}

guint
random_ghc_up_to (struct random_ghc *random, guint most)
{
  return (guint) g_rand_int_range (random->rand, 0, (gint) most + 1);
}

static gboolean
one_in (struct random_ghc *random, guint n)
{
  return random_ghc_up_to (random, n - 1) == 0;
}

static guint64
random_number (struct random_ghc *random, unsigned bytes)
{
  const guint64 high = g_rand_int (random->rand);
  const guint64 number = high << 32 | g_rand_int (random->rand);
  const guint bits = random_ghc_up_to (random, 8 * bytes);
  return bits == 0 ? 0 : number >> (64 - bits);
}

/* `least`: of its bytes. */
static struct ghc_text
random_text (struct random_ghc *random, guint least)
{
  const guint length = random_ghc_up_to (random, one_in (random, 2) ? TEXT_MAX : 3);
  char *text = g_malloc (length + 1);
  g_ptr_array_add (random->memory, text);
  for (guint i = 0; i < length; i++)
    text[i] = (char) (least + random_ghc_up_to (random, 255 - least));
  return (struct ghc_text){ text, length };
}

static struct ghc_stack
random_stack (struct random_ghc *random)
{
  struct ghc_stack stack = { .count = random_ghc_up_to (random, one_in (random, 9) ? 255 : 4) };
  for (size_t i = 0; i < stack.count; i++)
    stack.items[i] = (uint32_t) random_number (random, 4);
  return stack;
}

static void
fill_field (struct random_ghc *random, const struct ghc_field *field, void *value)
{
  switch (field->wire) {
  case GHC_WIRE_U8:
    *(uint8_t *) value = (uint8_t) random_number (random, 1);
    break;
  case GHC_WIRE_U16:
    *(uint16_t *) value = (uint16_t) random_number (random, 2);
    break;
  case GHC_WIRE_U32:
    *(uint32_t *) value = (uint32_t) random_number (random, 4);
    break;
  case GHC_WIRE_U64:
    *(uint64_t *) value = random_number (random, 8);
    /* larger ones are damage (ghc_event_wrong_size) */
    if (field->unit == GHC_UNIT_BYTES || field->unit == GHC_UNIT_CHANGE)
      *(uint64_t *) value >>= 2;
    break;
  case GHC_WIRE_STRZ:
    *(struct ghc_text *) value = random_text (random, 1);
    break;
  case GHC_WIRE_STRZS: {
    const struct ghc_text text = random_text (random, 0);
    *(struct ghc_texts *) value = (struct ghc_texts){ text.text, text.length };
    break;
  }
  case GHC_WIRE_STACK:
    *(struct ghc_stack *) value = random_stack (random);
    break;
  default:
    *(struct ghc_text *) value = random_text (random, 0);
  }
}

static unsigned
bytes_of (enum ghc_wire wire)
{
  static const unsigned bytes[]
      = { [GHC_WIRE_U8] = 1, [GHC_WIRE_U16] = 2, [GHC_WIRE_U32] = 4, [GHC_WIRE_U64] = 8 };
  return wire < G_N_ELEMENTS (bytes) ? bytes[wire] : 0;
}

/* Fields that an event of a type has, filled.  The bytes that are left for more: -1: any. */
static int
random_payload (struct random_ghc *random, const struct ghc_event_type *type,
                union ghc_payload *payload)
{
  const struct ghc_description *d = ghc_describe (type->kind);
  const bool is_variable = type->size == GHC_VARIABLE;
  unsigned size = 0;
  int more = -1;
  memset (payload, 0, sizeof *payload);
  for (size_t i = 0; i < d->n_fields; i++) {
    const struct ghc_field *f = &d->fields[i];
    if (type->size < f->when.least || type->size > f->when.most)
      continue;
    if (f->when.if_left
        && (is_variable ? one_in (random, 3) : size + bytes_of (f->wire) > type->real_size)) {
      more = 0; /* it would be the field */
      break;
    }
    fill_field (random, f, (char *) payload + f->offset);
    payload->create_thread.present |= 1u << i;
    size += bytes_of (f->wire);
    if (f->wire == GHC_WIRE_STR || f->wire == GHC_WIRE_STR_BUT_4 || f->wire == GHC_WIRE_STRZS
        || f->wire == GHC_WIRE_BYTES)
      more = 0;
  }
  return is_variable ? more : (int) (type->real_size - size);
}

/* A size that some writer declares, or will. */
static uint16_t
random_size (struct random_ghc *random, const struct ghc_description *d)
{
  static const struct {
    enum ghc_kind kind;
    uint16_t size;
  } olds[] = { { GHC_STOP_THREAD, 6 },
               { GHC_GC_STATS_GHC, 50 },
               { GHC_NONMOVING_HEAP_CENSUS, 13 },
               { GHC_CONC_MARK_END, 0 },
               { GHC_STARTUP, 0 } };
  if (d->size == GHC_VARIABLE || d->kind == GHC_BLOCK_MARKER)
    return d->size;
  for (size_t i = 0; i < G_N_ELEMENTS (olds); i++)
    if (olds[i].kind == d->kind && one_in (random, 2))
      return olds[i].size;
  return (uint16_t) (d->size + (one_in (random, 6) ? random_ghc_up_to (random, 9) : 0));
}

static void
add_type (struct random_ghc *random, GArray *types, uint16_t tag, uint16_t size)
{
  const struct ghc_event_type type = {
    .tag = tag,
    .size = size,
    .real_size = size,
    .kind = ghc_kind_of_tag (tag),
    .description = random_text (random, 0),
    .more = one_in (random, 20) ? random_text (random, 0) : (struct ghc_text){ NULL, 0 },
  };
  g_array_append_val (types, type);
}

/* A description of 13 bytes that begins with a line's end looks like a copy as text. */
static void
spoil_no_description (GArray *types)
{
  for (guint i = 0; i < types->len; i++) {
    struct ghc_event_type *t = &g_array_index (types, struct ghc_event_type, i);
    if (t->description.length == 13)
      t->description.length--;
  }
}

/* GHC 6.12 declares thread ids with 8 bytes and writes 4; 8 bytes of event 0 state that it was it.
 */
static void
correct_type (struct random_ghc *random, gboolean is_6_12, struct ghc_event_type *type)
{
  const struct ghc_description *d = ghc_describe (type->kind);
  unsigned ids = 0;
  for (size_t i = 0; i < d->n_fields; i++)
    ids += d->fields[i].unit == GHC_UNIT_THREAD || d->fields[i].unit == GHC_UNIT_PROCESS;
  if (type->kind == GHC_CREATE_THREAD)
    type->size = type->real_size = 4;
  if (!is_6_12 || type->size == GHC_VARIABLE)
    return;
  if (type->kind == GHC_STARTUP && type->size == 0)
    type->real_size = 2;
  if (ids == 0)
    return;
  type->real_size = (uint16_t) ghc_least_size (d, d->size);
  const gboolean is_wrong = type->kind == GHC_CREATE_THREAD || one_in (random, 2);
  type->size = (uint16_t) (type->real_size + (is_wrong ? 4 * ids : 0));
}

static GArray *
random_types (struct random_ghc *random)
{
  GArray *types = g_array_new (FALSE, FALSE, sizeof (struct ghc_event_type));
  add_type (random, types, MARKER, 14);
  const gboolean is_6_12 = one_in (random, 10);
  for (unsigned kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_description *d = ghc_describe (kind);
    if (kind == GHC_BLOCK_MARKER || (one_in (random, 3) && !(is_6_12 && kind == GHC_CREATE_THREAD)))
      continue;
    add_type (random, types, d->tag, random_size (random, d));
    correct_type (random, is_6_12, &g_array_index (types, struct ghc_event_type, types->len - 1));
  }
  add_type (random, types, 300, GHC_VARIABLE);
  add_type (random, types, 301, (uint16_t) random_ghc_up_to (random, 20));
  spoil_no_description (types);
  return types;
}

static bool
has_tag (const GArray *types, guint tag)
{
  for (guint i = 0; i < types->len; i++)
    if (g_array_index (types, struct ghc_event_type, i).tag == tag)
      return true;
  return false;
}

/* Writes an event of a random type; its time is in the block. */
static void
random_event (struct random_ghc *random, struct ghc_writer *writer, const GArray *types,
              guint64 time, GPtrArray *lines)
{
  const guint nth = 1 + random_ghc_up_to (random, types->len - 2);
  const struct ghc_event_type *type = &g_array_index (types, struct ghc_event_type, nth);
  union ghc_payload payload;
  const bool is_known = type->kind != GHC_UNKNOWN;
  int more = type->size == GHC_VARIABLE ? -1 : type->real_size;
  if (is_known)
    more = random_payload (random, type, &payload);
  struct ghc_text rest = random_text (random, 0);
  if (more >= 0)
    rest = (struct ghc_text){ g_malloc0 ((gsize) more + 1), (size_t) more };
  if (more >= 0)
    g_ptr_array_add (random->memory, (gpointer) rest.text);
  if (type->kind == GHC_IPE && rest.length == 1)
    rest.length = 0; /* GHC's length counts a byte there that it does not write */
  const struct ghc_event event = { type->tag, time, is_known ? &payload : NULL, rest };
  assert_true (ghc_writer_event (writer, &event, NULL));
  if (lines == NULL)
    return;
  const struct ghc_header header = { .is_7_8_2 = has_tag (types, 58) && !has_tag (types, 59) };
  const struct ghc_item item
      = { .kind = type->kind, .header = &header, .payload = &payload, .extra = rest.length };
  g_ptr_array_add (lines, ghc_items_event (&item));
}

static void
random_block (struct random_ghc *random, struct ghc_writer *writer, const GArray *types,
              guint64 *time, GPtrArray *lines)
{
  const guint64 span = 1 + random_number (random, 3);
  const union ghc_payload marker
      = { .block_marker
          = { .end_time = *time + span,
              .cap = one_in (random, 4) ? GHC_NO_CAP : (uint16_t) random_ghc_up_to (random, 20) } };
  const struct ghc_event event = { MARKER, *time, &marker, { NULL, 0 } };
  assert_true (ghc_writer_event (writer, &event, NULL));
  for (guint i = random_ghc_up_to (random, 12); i != 0; i--)
    random_event (random, writer, types, *time + g_rand_int (random->rand) % span, lines);
  *time += random_number (random, 3);
}

static void
append_bytes (GByteArray *log, struct ghc_writer *writer)
{
  size_t length;
  const uint8_t *bytes = ghc_writer_take (writer, &length);
  g_byte_array_append (log, bytes, (guint) length);
}

static void
put_log (struct random_ghc *random, struct ghc_writer *writer, GByteArray *log, GPtrArray *lines)
{
  GArray *types = random_types (random);
  guint64 time = 1000000 + random_number (random, 5);
  assert_true (ghc_writer_header (writer, (const struct ghc_event_type *) (void *) types->data,
                                  types->len, NULL));
  for (guint blocks = random_ghc_up_to (random, 6); blocks != 0; blocks--) {
    random_block (random, writer, types, &time, lines);
    if (one_in (random, 5)) {
      ghc_writer_end_block (writer);
      random_event (random, writer, types, time, lines);
    }
    append_bytes (log, writer);
  }
  ghc_writer_end (writer, one_in (random, 2));
  append_bytes (log, writer);
  g_array_unref (types);
}

void
random_ghc_log (struct random_ghc *random, GByteArray *log, GPtrArray *lines)
{
  struct ghc_writer *writer = ghc_writer_new ();
  put_log (random, writer, log, lines);
  if (one_in (random, 6)) {
    const union ghc_payload marker = { .block_marker = { .end_time = 5, .cap = GHC_NO_CAP } };
    const struct ghc_event event = { MARKER, 5, &marker, { NULL, 0 } };
    if (one_in (random, 2))
      assert_true (ghc_writer_event (writer, &event, NULL));
    if (one_in (random, 2))
      ghc_writer_end_block (writer);
    put_log (random, writer, log, lines);
  }
  ghc_writer_free (writer);
}
