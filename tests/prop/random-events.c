/* random-events.c -- generates random payloads by the event list. */
#include "config.h"

#include "tests/prop/random-events.h"

#include "tests/unit/log-items.h"
#include "tests/unit/test.h"

#include <proflog/mlpd-encode.h>

#define LIST_MAX 40
#define PLAIN_LIST_MAX 16
#define TEXT_MAX 60
#define CLOCK_START 1000000

/* The few addresses are not in the first page; those of code, and of things that are not loaded,
 * are in others. */
#define FEW_BASE 0x10000
#define FEW_CODE 0x20000
#define FEW_FAILED 0x30000
#define FEW_THREADS 6
#define FEW_STEP_NS 100000
#define NS_PER_MS 1000000

void
random_events_init (struct random_events *random, guint32 seed)
{
  random->rand = g_rand_new_with_seed (seed);
  random->clock
      = CLOCK_START; /* a time of 0 is as good as none where not all data versions state it */
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
  const guint length = up_to (random, up_to (random, 1) ? TEXT_MAX : 3) + (random->few != 0);
  char *text = keep (random, g_malloc0 (length + 1));
  for (guint i = 0; i < length; i++)
    text[i] = random->few ? (char) ('a' + up_to (random, 25)) : (char) (1 + up_to (random, 254));
  return (struct mlpd_string){ .text = text, .length = length };
}

static gboolean
coin (struct random_events *random)
{
  return up_to (random, 1) != 0;
}

/* mprof-report loses its place after long backtraces. */
static guint
random_count (struct random_events *random)
{
  return up_to (random, !coin (random) ? 2 : random->plain ? PLAIN_LIST_MAX : LIST_MAX);
}

#define OBJECT_MASK (~UINT64_C (7))

static guint64
random_address (struct random_events *random)
{
  return random->few ? FEW_BASE + 8 * up_to (random, random->few)
                     : random_number (random) & random->address_mask;
}

static struct mlpd_list
random_list (struct random_events *random, guint64 mask)
{
  const guint count = random_count (random);
  uint64_t *items = keep (random, g_new (uint64_t, count + 1));
  for (guint i = 0; i < count; i++)
    items[i] = (random->few ? random_address (random) : random_number (random)) & mask;
  return (struct mlpd_list){ .items = items, .count = count };
}

static guint64
random_id (struct random_events *random)
{
  return random->few ? up_to (random, FEW_THREADS) : random_number (random);
}

/* The clocks of different threads may be behind each other. */
static guint64
random_time (struct random_events *random)
{
  if (!random->few)
    return random_number (random);
  random->clock += up_to (random, FEW_STEP_NS);
  return random->clock
         - (!random->plain && up_to (random, 50) == 0 ? up_to (random, FEW_STEP_NS) : 0);
}

static guint64
random_object (struct random_events *random)
{
  return random_address (random) & OBJECT_MASK;
}

/* A number that was LEB128 before it became one byte. */
static guint64
random_small (struct random_events *random)
{
  if (random->few)
    return up_to (random, 3);
  return random->version < 13 ? random_number (random) : up_to (random, 255);
}

/* The numbers of counters are single bytes in data versions 13 and 14 only. */
static guint64
random_counter_number (struct random_events *random)
{
  return random->few || random->version == 13 || random->version == 14 ? up_to (random, 255)
                                                                       : random_number (random);
}

/* Before data version 14 the event is in two bits of the first byte. */
static guint64
random_monitor_event (struct random_events *random)
{
  return up_to (random, random->version < 14 ? 3 : 255);
}

/* Up to data version 13 each type is one more, and 0 is none. */
static guint64
random_helper_type (struct random_events *random)
{
  if (coin (random))
    return random->helper_type = MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE;
  return random->helper_type = coin (random) ? MLPD_HELPER_TYPE_UNKNOWN : up_to (random, 9);
}

/* Of few addresses: the actions of writers. */
static guint64
random_action (struct random_events *random, guint64 mtype)
{
  const gboolean is_class = mtype == MLPD_MTYPE_CLASS || mtype == MLPD_MTYPE_VTABLE;
  if (!random->few)
    return coin (random) ? 0 : up_to (random, 15) << 4;
  if ((mtype == MLPD_MTYPE_THREAD || mtype == MLPD_MTYPE_DOMAIN) && up_to (random, 2) == 0)
    return MLPD_LOAD_NAME;
  if (is_class ? random->version < 13 && up_to (random, 9) == 0 : coin (random))
    return MLPD_LOAD_END_UNLOAD;
  return random->version < 13 && up_to (random, 9) == 0 ? MLPD_LOAD_END_LOAD_ERROR
                                                        : MLPD_LOAD_END_LOAD;
}

static struct mlpd_string
random_helper_name (struct random_events *random)
{
  return random->helper_type == MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE ? random_text (random)
                                                                     : (struct mlpd_string){ 0 };
}

static struct mlpd_references
random_references (struct random_events *random)
{
  const struct mlpd_list list = random_list (random, random->address_mask & OBJECT_MASK);
  uint64_t *offsets = NULL;
  if (random->version >= 2) {
    offsets = keep (random, g_new (uint64_t, list.count + 1));
    guint64 offset = 0;
    for (size_t i = 0; i < list.count; i++)
      offsets[i] = offset += up_to (random, coin (random) ? 100000 : 16);
  }
  return (struct mlpd_references){ .items = list.items, .offsets = offsets, .count = list.count };
}

static struct mlpd_roots
random_roots (struct random_events *random)
{
  const guint count = random_count (random);
  struct mlpd_root *items = keep (random, g_new0 (struct mlpd_root, count + 1));
  for (guint i = 0; i < count; i++) {
    items[i].object = random_object (random);
    if (random->version >= 15) {
      items[i].address = random_address (random);
    } else {
      items[i].type = random->version == 13 ? up_to (random, 255) : random_number (random);
      items[i].extra = random_number (random);
    }
  }
  return (struct mlpd_roots){ .items = items,
                              .count = count,
                              .collections = random->version < 15 ? random_number (random) : 0 };
}

static struct mlpd_frames
random_frames (struct random_events *random)
{
  const guint count = random_count (random);
  struct mlpd_frame *items = keep (random, g_new0 (struct mlpd_frame, count + 1));
  for (guint i = 0; i < count; i++) {
    items[i].method = random_address (random);
    if (random->version < 13) {
      items[i].il_offset = (gint64) random_number (random);
      items[i].native_offset = -(gint64) (random_number (random) >> 1);
    }
  }
  return (struct mlpd_frames){ .items = items, .count = count };
}

/* Writers do not use the number of a counter for another one. */
static struct mlpd_counter
few_counter (guint64 index)
{
  static const char names[] = "a\0b\0c\0d\0e\0f\0g";
  const struct mlpd_string name = { names + 2 * index, 1 };
  return (struct mlpd_counter){ .section = index % 2 != 0 ? MLPD_COUNTER_SECTION_USER : index << 8,
                                .section_name = index % 2 != 0 ? name : (struct mlpd_string){ 0 },
                                .name = name,
                                .type = index,
                                .index = index };
}

static struct mlpd_counters
random_counters (struct random_events *random)
{
  const guint count = random_count (random);
  struct mlpd_counter *items = keep (random, g_new0 (struct mlpd_counter, count + 1));
  for (guint i = 0; random->few && i < count; i++)
    items[i] = few_counter (random_id (random));
  for (guint i = 0; !random->few && i < count; i++) {
    items[i].section = coin (random) ? MLPD_COUNTER_SECTION_USER : random_number (random);
    if (items[i].section == MLPD_COUNTER_SECTION_USER)
      items[i].section_name = random_text (random);
    items[i].name = random_text (random);
    items[i].type = random_counter_number (random);
    items[i].unit = random_counter_number (random);
    items[i].variance = random_counter_number (random);
    items[i].index = random_id (random);
  }
  return (struct mlpd_counters){ .items = items, .count = count };
}

static struct mlpd_counter_values
random_counter_values (struct random_events *random)
{
  const guint count = random_count (random);
  struct mlpd_counter_value *items = keep (random, g_new0 (struct mlpd_counter_value, count + 1));
  for (guint i = 0; i < count; i++) {
    items[i].index = 1 + (random_id (random) >> 1); /* 0 ends the list */
    items[i].type = random->few ? items[i].index : up_to (random, MLPD_COUNTER_TYPE_TIME_INTERVAL);
    if (items[i].type != MLPD_COUNTER_TYPE_STRING)
      items[i].number = random_number (random);
    else if (coin (random))
      items[i].text = random_text (random);
  }
  return (struct mlpd_counter_values){ .items = items, .count = count };
}

/* A larger SIZE is damage (see MLPD_WIRE_SIZE). */
#define RANDOM_UVAR(r, mtype) random_id (r)
#define RANDOM_SIZE(r, mtype) (random_number (r) >> ((r)->plain ? 40 : 15))
#define RANDOM_TIME(r, mtype) random_time (r)
#define RANDOM_PTR(r, mtype) random_address (r)
#define RANDOM_OBJ(r, mtype) random_object (r)
#define RANDOM_METHOD(r, mtype) random_address (r)
#define RANDOM_STRZ(r, mtype) random_text (r)
#define RANDOM_MTYPE(r, mtype) (mtype)
#define RANDOM_EXINFO(r, mtype) random_action (r, mtype)
#define RANDOM_MONITOR_EVENT(r, mtype) random_monitor_event (r)
#define RANDOM_U8(r, mtype) ((uint8_t) up_to (r, 255))
#define RANDOM_SMALL(r, mtype) random_small (r)
#define RANDOM_BINARY_ADDRESS(r, mtype) random_address (r)
#define RANDOM_HELPER_TYPE(r, mtype) random_helper_type (r)
#define RANDOM_HELPER_NAME(r, mtype) random_helper_name (r)
#define RANDOM_PTRS(r, mtype) random_list (r, (r)->address_mask)
#define RANDOM_ROOTS(r, mtype) random_roots (r)
#define RANDOM_FRAMES(r, mtype) random_frames (r)
#define RANDOM_COUNTERS(r, mtype) random_counters (r)
#define RANDOM_COUNTER_VALUES(r, mtype) random_counter_values (r)
#define RANDOM_BACKTRACE(r, mtype) random_list (r, (r)->address_mask)
#define RANDOM_OBJS(r, mtype) random_list (r, (r)->address_mask &OBJECT_MASK)
#define RANDOM_REFS(r, mtype) random_references (r)

/* Fields that depend on the event byte are always made; the encoder leaves out those that do not
 * fit it, and the lines state those that do. */
#define NO_MTYPE 0
#define LATEST UINT32_MAX
#define ALWAYS 1
#define VERSIONS(since, until) (random->version >= (since) && random->version <= (until))
#define FLAG(mask) 1
#define EXINFO_IS(value) 1
#define WHEN(since, until, mask, value) VERSIONS (since, until)
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static void random_##id (struct random_events *random, struct mlpd_##id *event)                  \
  {                                                                                                \
    enum { event_mtype MLPD_UNUSED = mtype };
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  if (when)                                                                                        \
    event->field = RANDOM_##wire (random, event_mtype);
#define END_EVENT(id) }
#include <proflog/mlpd-events.def>

static const struct {
  unsigned since, until;
} versions_of[] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) { since, until },
#include <proflog/mlpd-events.def>
};

void
random_event_make_plausible (enum mlpd_kind kind, union mlpd_payload *payload)
{
  static const struct mlpd_string name = { "name", 4 };
  if (kind == MLPD_METADATA_ASSEMBLY) {
    payload->metadata_assembly.flags = 0;
    payload->metadata_assembly.name = name;
  } else if (kind == MLPD_METADATA_DOMAIN) {
    payload->metadata_domain.flags = 0;
    payload->metadata_domain.name = name;
  }
}

/* Things that are not loaded are not used: not all data versions have such events. */
static void
make_few_plausible (struct random_events *random, enum mlpd_kind kind, union mlpd_payload *payload)
{
  if (kind == MLPD_METHOD_JIT)
    payload->method_jit.code += FEW_CODE;
  else if (kind == MLPD_GC_MOVE)
    payload->gc_move.objects.count &= ~(size_t) 1; /* from here to there */
  else if (kind == MLPD_GC_EVENT) {
    static const guint64 events[] = { 0, 5, 6, 9 };
    payload->gc_event.event = coin (random) ? events[up_to (random, 3)] : up_to (random, 9);
    payload->gc_event.generation %= 2;
  } else if (kind == MLPD_MONITOR && random->version >= 14 && coin (random))
    payload->monitor.event %= 4;
  else if (kind == MLPD_SAMPLE_HIT)
    payload->sample_hit.sampled_at = random->clock;
  else if (kind == MLPD_SAMPLE_COUNTERS && random->version < 13) {
    const guint64 ms = (random->clock - CLOCK_START) / NS_PER_MS + 1;
    random->clock = CLOCK_START + ms * NS_PER_MS;
    payload->sample_counters.timestamp_ms = ms;
  } else if (kind == MLPD_METADATA_CLASS && payload->metadata_class.action != MLPD_LOAD_END_LOAD)
    payload->metadata_class.klass += FEW_FAILED;
  else if (kind == MLPD_METADATA_IMAGE && payload->metadata_image.action != MLPD_LOAD_END_LOAD)
    payload->metadata_image.image += FEW_FAILED;
}

/* mprof-report ends at a record of an object that is in no heap snapshot, crashes at texts of
 * counters, does not know coverage, and loses its place after the unloading of an image. */
static gboolean
is_plain (enum mlpd_kind kind)
{
  switch (kind) {
  case MLPD_HEAP_START:
  case MLPD_HEAP_END:
  case MLPD_HEAP_OBJECT:
  case MLPD_HEAP_ROOT:
  case MLPD_SAMPLE_COUNTERS:
  case MLPD_SAMPLE_COUNTERS_DESC:
  case MLPD_COVERAGE_ASSEMBLY:
  case MLPD_COVERAGE_METHOD:
  case MLPD_COVERAGE_STATEMENT:
  case MLPD_COVERAGE_CLASS:
  case MLPD_METADATA_IMAGE:
    return FALSE;
  default:
    return TRUE;
  }
}

static gboolean
has_kind (const struct random_events *random, enum mlpd_kind kind)
{
  return random->version >= versions_of[kind].since && random->version <= versions_of[kind].until
         && (!random->plain || is_plain (kind));
}

/* Numbers that have a meaning. */
static void
make_plain (enum mlpd_kind kind, union mlpd_payload *payload)
{
  if (kind == MLPD_GC_HANDLE_CREATED)
    payload->gc_handle_created.handle_type %= 4;
  else if (kind == MLPD_GC_HANDLE_DESTROYED)
    payload->gc_handle_destroyed.handle_type %= 4;
  else if (kind == MLPD_EXCEPTION_CLAUSE)
    payload->exception_clause.clause_type %= 3;
  else if (kind == MLPD_GC_EVENT)
    payload->gc_event.generation %= 2;
}

enum mlpd_kind
random_event (struct random_events *random, union mlpd_payload *payload)
{
  enum mlpd_kind kind;
  do
    kind = random->few && up_to (random, 5) == 0 ? MLPD_GC_EVENT : up_to (random, MLPD_KINDS - 1);
  while (!has_kind (random, kind));
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
  if (random->version == 1 || random->few)
    random_event_make_plausible (kind, payload);
  if (random->few)
    make_few_plausible (random, kind, payload);
  if (random->plain)
    make_plain (kind, payload);
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
append_bytes (struct mlpd_encoder *encoder, guint64 thread, GByteArray *bytes, GByteArray *log)
{
  const struct mlpd_buffer_header header = mlpd_encoder_header (encoder, thread, bytes->len);
  guint8 to[MLPD_BUFFER_HEADER_SIZE];
  mlpd_put_buffer_header (to, &header);
  g_byte_array_append (log, to, sizeof to);
  if (bytes->len != 0)
    g_byte_array_append (log, bytes->data, bytes->len);
  g_byte_array_unref (bytes);
}

/* Writers describe counters before they have values. */
static void
append_descriptions (struct random_events *random, struct mlpd_encoder *encoder, GByteArray *bytes)
{
  struct mlpd_counter counters[FEW_THREADS + 1];
  const union mlpd_payload payload
      = { .sample_counters_desc
          = { .time = random->clock, .counters = { counters, G_N_ELEMENTS (counters) } } };
  random->described = TRUE;
  if (!has_kind (random, MLPD_SAMPLE_COUNTERS_DESC))
    return;
  for (guint64 i = 0; i < G_N_ELEMENTS (counters); i++)
    counters[i] = few_counter (i);
  append_event (encoder, bytes, MLPD_SAMPLE_COUNTERS_DESC, &payload);
}

static void
append_buffer (struct random_events *random, GByteArray *log, guint events, GPtrArray *lines)
{
  struct mlpd_encoder encoder;
  mlpd_encoder_start (&encoder, random->version, random_time (random));
  GByteArray *bytes = g_byte_array_new ();
  if (random->few && !random->described)
    append_descriptions (random, &encoder, bytes);
  for (guint i = up_to (random, events); i > 0; i--) {
    union mlpd_payload payload;
    const enum mlpd_kind kind = random_event (random, &payload);
    append_event (&encoder, bytes, kind, &payload);
    if (lines != NULL)
      g_ptr_array_add (lines, log_items_event_text (kind, &payload, random->version));
  }
  append_bytes (&encoder, random_id (random), bytes, log);
}

/* Each thread ends with an event that all data versions have, at the latest time. */
static void
append_ends (struct random_events *random, GByteArray *log)
{
  random->clock += NS_PER_MS;
  for (guint64 thread = 0; thread <= FEW_THREADS; thread++) {
    struct mlpd_encoder encoder;
    const union mlpd_payload payload = { .gc_resize = { .time = random->clock, .size = FEW_BASE } };
    GByteArray *bytes = g_byte_array_new ();
    mlpd_encoder_start (&encoder, random->version, random->clock);
    append_event (&encoder, bytes, MLPD_GC_RESIZE, &payload);
    append_bytes (&encoder, thread, bytes, log);
  }
}

void
random_log (struct random_events *random, GByteArray *log, guint buffers, guint events,
            GPtrArray *lines)
{
  random->version = 1 + up_to (random, MLPD_VERSION_LAST - 1);
  random->address_mask = coin (random) ? UINT64_MAX : UINT32_MAX;
  struct mlpd_file_header header = { .id = MLPD_FILE_ID,
                                     .major = (uint8_t) up_to (random, 3),
                                     .minor = (uint8_t) up_to (random, 255),
                                     .data_version = (uint8_t) random->version,
                                     .pointer_size = random->address_mask == UINT32_MAX ? 4 : 8,
                                     .start_ms = random_number (random),
                                     .start_ns = random_number (random),
                                     .pid = (uint32_t) random_number (random),
                                     .arguments = random_text (random),
                                     .architecture = random_text (random),
                                     .operating_system = random_text (random) };
  if (random->few) {
    header.start_ms >>= 24; /* in some thousands of years */
    header.start_ns = CLOCK_START;
    header.pid >>= 1;
  }
  guint8 *to = g_malloc (mlpd_bound_file_header (&header));
  const uint8_t *end = mlpd_put_file_header (to, &header);
  assert_true (end <= to + mlpd_bound_file_header (&header));
  g_byte_array_append (log, to, (guint) (end - to));
  g_free (to);
  for (guint i = 0; i < buffers; i++)
    append_buffer (random, log, events, lines);
  if (random->few)
    append_ends (random, log);
}
