/* random-events.c -- see random-events.h. */
#include "tests/prop/random-events.h"

#include "tests/unit/log-items.h"

#include <proflog/mlpd-encode.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define LIST_MAX 40
#define TEXT_MAX 60

void
random_events_init (struct random_events *random, guint32 seed)
{
  random->rand = g_rand_new_with_seed (seed);
  random->memory = g_ptr_array_new_with_free_func (g_free);
}

void
random_events_clear (struct random_events *random)
{
  g_rand_free (random->rand);
  g_ptr_array_unref (random->memory);
}

static guint
up_to (struct random_events *random, guint most)
{
  return (guint) g_rand_int_range (random->rand, 0, (gint) most + 1);
}

static gpointer
keep (struct random_events *random, gpointer memory)
{
  g_ptr_array_add (random->memory, memory);
  return memory;
}

guint64
random_number (struct random_events *random)
{
  const guint64 high = g_rand_int (random->rand);
  const guint64 number = high << 32 | g_rand_int (random->rand);
  const guint bits = up_to (random, 64);
  return bits == 0 ? 0 : number >> (64 - bits);
}

static struct mlpd_string
random_text (struct random_events *random)
{
  const guint length = up_to (random, up_to (random, 1) ? TEXT_MAX : 3);
  char *text = keep (random, g_malloc0 (length + 1));
  for (guint i = 0; i < length; i++)
    text[i] = (char) (1 + up_to (random, 254));
  return (struct mlpd_string){ .text = text, .length = length };
}

static struct mlpd_list
random_list (struct random_events *random, guint64 mask)
{
  const guint count = up_to (random, up_to (random, 1) ? LIST_MAX : 2);
  uint64_t *items = keep (random, g_new (uint64_t, count + 1));
  for (guint i = 0; i < count; i++)
    items[i] = random_number (random) & mask;
  return (struct mlpd_list){ .items = items, .count = count };
}

#define OBJECT_MASK (~UINT64_C (7))

static struct mlpd_references
random_references (struct random_events *random)
{
  const struct mlpd_list list = random_list (random, OBJECT_MASK);
  return (struct mlpd_references){ .items = list.items, .count = list.count };
}

/* A SIZE of 2^63 and above stands for another number (see MLPD_WIRE_SIZE). */
#define RANDOM_UVAR(r, mtype) random_number (r)
#define RANDOM_SIZE(r, mtype) (random_number (r) >> 1)
#define RANDOM_TIME(r, mtype) random_number (r)
#define RANDOM_PTR(r, mtype) random_number (r)
#define RANDOM_OBJ(r, mtype) (random_number (r) & OBJECT_MASK)
#define RANDOM_METHOD(r, mtype) random_number (r)
#define RANDOM_STRZ(r, mtype) random_text (r)
#define RANDOM_MTYPE(r, mtype) (mtype)
#define RANDOM_EXINFO(r, mtype) (up_to (r, 1) ? 0 : up_to (r, 15) << 4)
#define RANDOM_MONITOR_EVENT(r, mtype) up_to (r, 3)
#define RANDOM_U8(r, mtype) ((uint8_t) up_to (r, 255))
#define RANDOM_SMALL(r, mtype) up_to (r, 255)
#define RANDOM_BINARY_ADDRESS(r, mtype) random_number (r)
#define RANDOM_HELPER_TYPE(r, mtype) up_to (r, 9)
#define RANDOM_HELPER_NAME(r, mtype) random_text (r)
#define RANDOM_PTRS(r, mtype) random_list (r, UINT64_MAX)
#define RANDOM_ROOTS(r, mtype) ((struct mlpd_roots){ 0 })
#define RANDOM_FRAMES(r, mtype) ((struct mlpd_frames){ 0 })
#define RANDOM_COUNTERS(r, mtype) ((struct mlpd_counters){ 0 })
#define RANDOM_COUNTER_VALUES(r, mtype) ((struct mlpd_counter_values){ 0 })
#define RANDOM_BACKTRACE(r, mtype) random_list (r, UINT64_MAX)
#define RANDOM_OBJS(r, mtype) random_list (r, OBJECT_MASK)
#define RANDOM_REFS(r, mtype) random_references (r)

#define NO_MTYPE 0
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static void random_##id (struct random_events *random, struct mlpd_##id *event)                  \
  {                                                                                                \
    enum { event_mtype MLPD_UNUSED = mtype };
#define FIELD(id, field, wire, unit, when, doc) event->field = RANDOM_##wire (random, event_mtype);
#define END_EVENT(id) }
#include <proflog/mlpd-events.def>

enum mlpd_kind
random_event (struct random_events *random, union mlpd_payload *payload)
{
  /* All kinds of data version 1, which is all there are. */
  const enum mlpd_kind kind = up_to (random, MLPD_KINDS - 1);
  memset (payload, 0, sizeof *payload);
  switch (kind) {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  case MLPD_##ID:                                                                                  \
    random_##id (random, &payload->id);                                                            \
    break;
#include <proflog/mlpd-events.def>
  default:
    break;
  }
  return kind;
}

/* Appends the event; its bytes must keep within their bound. */
static void
append_event (struct mlpd_encoder *encoder, GByteArray *to, enum mlpd_kind kind,
              const union mlpd_payload *payload)
{
  const guint before = to->len;
  const size_t bound = mlpd_bound_event (kind, payload);
  guint8 *bytes = g_malloc (bound);
  const uint8_t *end = mlpd_put_event (encoder, bytes, kind, payload);
  assert_true (end > bytes);
  assert_true ((size_t) (end - bytes) <= bound);
  g_byte_array_append (to, bytes, (guint) (end - bytes));
  assert_true (to->len > before);
  g_free (bytes);
}

static void
append_buffer (struct random_events *random, GByteArray *log, guint events, GPtrArray *lines)
{
  struct mlpd_encoder encoder;
  mlpd_encoder_start (&encoder, 1, random_number (random));
  GByteArray *bytes = g_byte_array_new ();
  for (guint i = up_to (random, events); i > 0; i--) {
    union mlpd_payload payload;
    const enum mlpd_kind kind = random_event (random, &payload);
    append_event (&encoder, bytes, kind, &payload);
    if (lines != NULL)
      g_ptr_array_add (lines, log_items_event_text (kind, &payload, 1));
  }
  const struct mlpd_buffer_header header
      = mlpd_encoder_header (&encoder, random_number (random), bytes->len);
  guint8 to[MLPD_BUFFER_HEADER_SIZE];
  mlpd_put_buffer_header (to, &header);
  g_byte_array_append (log, to, sizeof to);
  if (bytes->len != 0)
    g_byte_array_append (log, bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

void
random_log (struct random_events *random, GByteArray *log, guint buffers, guint events,
            GPtrArray *lines)
{
  const struct mlpd_file_header header = { .id = MLPD_FILE_ID,
                                           .minor = (uint8_t) up_to (random, 255),
                                           .data_version = 1,
                                           .pointer_size = 8,
                                           .start_ms = random_number (random),
                                           .pid = (uint32_t) random_number (random) };
  guint8 to[MLPD_FILE_HEADER_SIZE];
  mlpd_put_file_header (to, &header);
  g_byte_array_append (log, to, sizeof to);
  for (guint i = 0; i < buffers; i++)
    append_buffer (random, log, events, lines);
}
