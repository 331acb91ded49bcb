/* perfetto.c -- a trace as track events of Perfetto, samples as PerfSample, allocations as the heap
 * profile of their process.
 *
 * A track has its number as uuid, after those of heap graphs.  Names of slices are interned.
 */
#include "config.h"

#include "decoder/exports/perfetto.h"
#include "decoder/exports/protobuf.h"
#include "decoder/exports/trace-stacks.h"
#include <string.h>

/* ---- packets ---- */

struct perfetto_packet
perfetto_begin_packet (struct export_out *out, enum perfetto_sequence sequence, bool is_first,
                       uint64_t time, enum perfetto_field field)
{
  GString *to = out->bytes;
  const size_t packet = protobuf_begin (to, PERFETTO_PACKET);
  char *at = protobuf_reserve (to, PERFETTO_HEAD_BYTES);
  protobuf_commit (to, perfetto_write_head (at, sequence, is_first, time));
  return (struct perfetto_packet){ packet, protobuf_begin (to, field) };
}

void
perfetto_end_packet (struct export_out *out, struct perfetto_packet packet)
{
  protobuf_end (out->bytes, packet.message);
  protobuf_end (out->bytes, packet.packet);
  export_flush_much (out);
}

/* The same in the sequence of the events of a trace. */
static struct perfetto_packet
perfetto_begin_event_packet (struct trace *t, uint64_t time, enum perfetto_field field)
{
  const bool is_first = !t->has_event;
  t->has_event = true;
  return perfetto_begin_packet (t->out, PERFETTO_SEQUENCE_EVENTS, is_first, time, field);
}

/* ---- samples and allocations, with their stacks ---- */

/* A heap profile has the sums of each stack at the end, so memory is that of the stacks.  Readers
 * convert its time from the coarse monotonic clock, which is set equal to the clock of the trace.
 */

/* Stacks are written at their first use.  Allocations are summed up by process and stack. */
struct perfetto_profile {
  struct trace_stacks stacks;
  GByteArray *written;  /* by stack: it is in the trace */
  struct id_map places; /* process and stack -> place in the sums */
  GArray *sums;         /* of struct perfetto_sum */
  uint64_t last;        /* time of the latest allocation */
};

struct perfetto_sum {
  uint32_t pid;
  guint stack;
  struct trace_objects objects;
};

/* Fields, from perfetto's interned_data.proto, profile_common.proto, profile_packet.proto and
 * clock_snapshot.proto. */
enum {
  INTERNED_FUNCTIONS = 5,
  INTERNED_FRAMES = 6,
  INTERNED_STACKS = 7,
  FRAME_ID = 1,
  FRAME_FUNCTION = 2,
  FRAME_MAPPING = 3,
  FRAME_PC = 4,
  INTERNED_MAPPINGS = 19,
  STACK_ID = 1,
  STACK_FRAMES = 2,
  SAMPLE_PID = 2,
  SAMPLE_TID = 3,
  SAMPLE_STACK = 4,
  PROFILE_DUMPS = 5,
  PROFILE_CONTINUED = 6,
  PROFILE_INDEX = 7,
  DUMP_PID = 1,
  DUMP_SAMPLES = 2,
  DUMP_TIMESTAMP = 9,
  DUMP_HEAP = 11,
  HEAP_STACK = 1,
  HEAP_BYTES = 2,
  HEAP_OBJECTS = 5,
  CLOCKS = 1,
  CLOCK_ID = 1,
  CLOCK_TIME = 2,
};

enum { CLOCK_COARSE = 4, CLOCK_OF_TRACE = 6 };

/* Bytes of a packet, more or less. */
#define PACKET_BYTES (1u << 16)

/* The mapping of all frames, which has no name. */
#define MAPPING 1

static void
perfetto_profile_init (struct perfetto_profile *p)
{
  *p = (struct perfetto_profile){ .written = g_byte_array_new (),
                                  .sums
                                  = g_array_new (FALSE, FALSE, sizeof (struct perfetto_sum)) };
  trace_stacks_init (&p->stacks);
  id_map_init (&p->places);
}

static void
perfetto_profile_clear (struct perfetto_profile *p)
{
  trace_stacks_clear (&p->stacks);
  id_map_clear (&p->places);
  g_byte_array_unref (p->written);
  g_array_unref (p->sums);
}

/* ---- stacks ---- */

/* The fields of interned data that make a name a function and a frame, with the same number. */
static void
perfetto_put_frame (GString *to, uint64_t id, const char *name)
{
  const size_t function = protobuf_begin (to, INTERNED_FUNCTIONS);
  protobuf_put_number (to, PERFETTO_INTERNED_ID, id);
  protobuf_put_text (to, PERFETTO_INTERNED_TEXT, name);
  protobuf_end (to, function);
  if (id == 1) {
    const size_t mapping = protobuf_begin (to, INTERNED_MAPPINGS);
    protobuf_put_number (to, PERFETTO_INTERNED_ID, MAPPING);
    protobuf_end (to, mapping);
  }
  const size_t frame = protobuf_begin (to, INTERNED_FRAMES);
  protobuf_put_number (to, FRAME_ID, id);
  protobuf_put_number (to, FRAME_FUNCTION, id);
  protobuf_put_number (to, FRAME_MAPPING, MAPPING);
  protobuf_put_number (to, FRAME_PC, id);
  protobuf_end (to, frame);
}

static bool
must_write (struct perfetto_profile *p, guint stack)
{
  const guint before = p->written->len;
  if (stack > before) {
    g_byte_array_set_size (p->written, 2 * stack);
    memset (p->written->data + before, 0, p->written->len - before);
  }
  const bool is_new = p->written->data[stack - 1] == 0;
  p->written->data[stack - 1] = 1;
  return is_new;
}

static void
put_frames (GString *to, const struct trace_stacks *stacks, guint stack, guint depth)
{
  g_autofree guint *frames = g_new (guint, depth);
  for (guint i = depth; i-- > 0; stack = trace_stacks_outer (stacks, stack))
    frames[i] = trace_stacks_name (stacks, stack);
  for (guint i = 0; i < depth; i++)
    protobuf_put_number (to, STACK_FRAMES, (uint64_t) frames[i] + 1);
}

static void
write_stack (struct trace *t, struct perfetto_profile *p, guint stack)
{
  guint depth = 0;
  if (!must_write (p, stack))
    return;
  for (guint s = stack; s != 0; s = trace_stacks_outer (&p->stacks, s))
    depth++;
  GString *to = t->out->bytes;
  const struct perfetto_packet packet
      = perfetto_begin_event_packet (t, 0, PERFETTO_PACKET_INTERNED_DATA);
  const size_t interned = protobuf_begin (to, INTERNED_STACKS);
  protobuf_put_number (to, STACK_ID, stack);
  put_frames (to, &p->stacks, stack, depth);
  protobuf_end (to, interned);
  perfetto_end_packet (t->out, packet);
}

/* ---- samples ---- */

static void
perfetto_put_sample (struct trace *t, struct perfetto_profile *p, const struct trace_track *track,
                     const struct trace_stack *stack, uint64_t time)
{
  const guint number = trace_stacks_sampled (t, &p->stacks, stack);
  GString *to = t->out->bytes;
  write_stack (t, p, number);
  const struct perfetto_packet packet
      = perfetto_begin_event_packet (t, time, PERFETTO_PACKET_PERF_SAMPLE);
  protobuf_put_number (to, SAMPLE_PID, track->pid);
  protobuf_put_number (to, SAMPLE_TID, track->number);
  protobuf_put_number (to, SAMPLE_STACK, number);
  perfetto_end_packet (t->out, packet);
}

/* ---- allocations ---- */

static void
put_clock (GString *to, uint64_t clock)
{
  const size_t message = protobuf_begin (to, CLOCKS);
  protobuf_put_number (to, CLOCK_ID, clock);
  protobuf_put_number (to, CLOCK_TIME, 0);
  protobuf_end (to, message);
}

static void
put_clocks (struct trace *t)
{
  const struct perfetto_packet packet = perfetto_begin_event_packet (t, 0, PERFETTO_PACKET_CLOCKS);
  put_clock (t->out->bytes, CLOCK_COARSE);
  put_clock (t->out->bytes, CLOCK_OF_TRACE);
  perfetto_end_packet (t->out, packet);
}

/* The type is the innermost frame. */
static void
perfetto_add_allocation (struct perfetto_profile *p, const struct trace_track *track, guint type,
                         const struct trace_stack *stack, struct trace_objects objects,
                         uint64_t time)
{
  const guint outer = trace_stacks_number (&p->stacks, stack);
  const guint number = trace_stacks_inner (&p->stacks, outer, type);
  const guint place = id_map_number (&p->places, (uint64_t) track->pid << 32 | number);
  if (place == p->sums->len) {
    const struct perfetto_sum sum = { .pid = track->pid, .stack = number };
    g_array_append_val (p->sums, sum);
  }
  struct perfetto_sum *sum = &g_array_index (p->sums, struct perfetto_sum, place);
  sum->objects.parts += objects.parts;
  sum->objects.bytes += objects.bytes;
  p->last = MAX (p->last, time);
}

/* A packet of a heap profile that is being written. */
struct heap_packet {
  struct perfetto_packet packet;
  size_t dump;
};

static struct heap_packet
begin_heap (struct trace *t, uint32_t pid, uint64_t time, uint64_t index)
{
  static const char heap[] = "managed";
  GString *to = t->out->bytes;
  struct heap_packet h
      = { .packet = perfetto_begin_event_packet (t, time, PERFETTO_PACKET_PROFILE) };
  protobuf_put_number (to, PROFILE_INDEX, index);
  h.dump = protobuf_begin (to, PROFILE_DUMPS);
  protobuf_put_number (to, DUMP_PID, pid);
  protobuf_put_number (to, DUMP_TIMESTAMP, time);
  protobuf_put_bytes (to, DUMP_HEAP, heap, strlen (heap));
  return h;
}

static void
end_heap (struct trace *t, struct heap_packet h, bool is_last)
{
  protobuf_end (t->out->bytes, h.dump);
  if (!is_last)
    protobuf_put_number (t->out->bytes, PROFILE_CONTINUED, 1);
  perfetto_end_packet (t->out, h.packet);
}

static void
put_sum (GString *to, const struct perfetto_sum *sum)
{
  const size_t sample = protobuf_begin (to, DUMP_SAMPLES);
  protobuf_put_number (to, HEAP_STACK, sum->stack);
  protobuf_put_number (to, HEAP_BYTES, sum->objects.bytes);
  protobuf_put_number (to, HEAP_OBJECTS,
                       (sum->objects.parts + TRACE_OBJECT_PARTS / 2) / TRACE_OBJECT_PARTS);
  protobuf_end (to, sample);
}

/* Writes the allocations of each process as a heap profile. */
static void
perfetto_put_allocations (struct trace *t, struct perfetto_profile *p)
{
  uint64_t index = 0;
  if (p->sums->len == 0)
    return;
  for (guint i = 0; i < p->sums->len && !t->out->failed; i++)
    write_stack (t, p, g_array_index (p->sums, struct perfetto_sum, i).stack);
  put_clocks (t);
  struct heap_packet h;
  for (guint i = 0; i < p->sums->len && !t->out->failed; i++) {
    const struct perfetto_sum *sum = &g_array_index (p->sums, struct perfetto_sum, i);
    const bool is_last = i + 1 == p->sums->len;
    if (i == 0)
      h = begin_heap (t, sum->pid, p->last, index++);
    put_sum (t->out->bytes, sum);
    const bool is_full = t->out->bytes->len - h.dump >= PACKET_BYTES;
    if (is_last || is_full || sum[1].pid != sum->pid)
      end_heap (t, h, is_last);
    if (!is_last && (is_full || sum[1].pid != sum->pid))
      h = begin_heap (t, sum[1].pid, p->last, index++);
  }
}

/* ---- the trace ---- */

/* Fields, from perfetto's track_descriptor.proto and track_event.proto. */
enum {
  INTERNED_EVENT_NAMES = 2,
  TRACK_NAME = 2,
  TRACK_THREAD = 4,
  TRACK_PARENT = 5,
  TRACK_COUNTER = 8,
  THREAD_PID = 1,
  THREAD_TID = 2,
  THREAD_NAME = 5,
  COUNTER_UNIT = 3,
  EVENT_TYPE = 9,
  EVENT_NAME_ID = 10,
  EVENT_TRACK = 11,
  EVENT_NAME = 23,
  EVENT_COUNTER = 30,
  EVENT_COUNTER_REAL = 44,
};

enum {
  TYPE_BEGIN = 1,
  TYPE_END = 2,
  TYPE_INSTANT = 3,
  TYPE_COUNTER = 4,
  FIRST_UUID = 16, /* heap graphs have those before */
};

static uint64_t
uuid_of (const struct trace_track *track)
{
  return FIRST_UUID + (uint64_t) track->number;
}

static void
begin (struct trace *t)
{
  t->data = g_new (struct perfetto_profile, 1);
  perfetto_profile_init (t->data);
}

static void
end (struct trace *t)
{
  perfetto_put_allocations (t, t->data);
  perfetto_profile_clear (t->data);
  g_free (t->data);
}

/* ---- tracks ---- */

static void
put_process (GString *to, const struct trace_track *track)
{
  const size_t process = protobuf_begin (to, PERFETTO_TRACK_PROCESS);
  protobuf_put_number (to, PERFETTO_PROCESS_PID, track->pid);
  protobuf_put_text (to, PERFETTO_PROCESS_NAME, track->name);
  protobuf_end (to, process);
}

static void
put_thread (GString *to, const struct trace_track *track)
{
  const size_t thread = protobuf_begin (to, TRACK_THREAD);
  protobuf_put_number (to, THREAD_PID, track->pid);
  protobuf_put_number (to, THREAD_TID, track->number);
  protobuf_put_text (to, THREAD_NAME, track->name);
  protobuf_end (to, thread);
}

static void
put_unit (GString *to, enum trace_unit unit)
{
  static const unsigned units[] = { [TRACE_NS] = 1, [TRACE_COUNT] = 2, [TRACE_BYTES] = 3 };
  const size_t counter = protobuf_begin (to, TRACK_COUNTER);
  protobuf_put_number (to, COUNTER_UNIT, units[unit]);
  protobuf_end (to, counter);
}

static void
put_track (struct trace *t, const struct trace_track *track)
{
  GString *to = t->out->bytes;
  const struct perfetto_packet packet
      = perfetto_begin_event_packet (t, track->last, PERFETTO_PACKET_TRACK);
  protobuf_put_number (to, PERFETTO_TRACK_UUID, uuid_of (track));
  switch (track->kind) {
  case TRACE_PROCESS:
    put_process (to, track);
    break;
  case TRACE_THREAD:
    put_thread (to, track);
    break;
  case TRACE_COUNTER:
    put_unit (to, track->unit);
    /* fall through */
  case TRACE_LANE:
    protobuf_put_text (to, TRACK_NAME, track->name);
    protobuf_put_number (to, TRACK_PARENT, uuid_of (track->parent));
    break;
  }
  perfetto_end_packet (t->out, packet);
}

/* ---- events ---- */

static char *
intern_name (struct trace *t, const char *name)
{
  GString *to = t->out->bytes;
  const struct perfetto_packet packet
      = perfetto_begin_event_packet (t, 0, PERFETTO_PACKET_INTERNED_DATA);
  const size_t interned = protobuf_begin (to, INTERNED_EVENT_NAMES);
  protobuf_put_number (to, PERFETTO_INTERNED_ID, t->names->len + 1);
  protobuf_put_text (to, PERFETTO_INTERNED_TEXT, name);
  protobuf_end (to, interned);
  perfetto_put_frame (to, (uint64_t) t->names->len + 1, name);
  perfetto_end_packet (t->out, packet);
  return NULL; /* its number is enough */
}

static struct perfetto_packet
begin_event (struct trace *t, unsigned type, const struct trace_track *track, uint64_t time)
{
  const struct perfetto_packet packet
      = perfetto_begin_event_packet (t, time, PERFETTO_PACKET_TRACK_EVENT);
  protobuf_put_number (t->out->bytes, EVENT_TYPE, type);
  protobuf_put_number (t->out->bytes, EVENT_TRACK, uuid_of (track));
  return packet;
}

/* An event with numbers only, as most are: the type, the track and one more, unless that is 0.  It
 * has less than 128 bytes. */
static inline void
put_numbers (struct trace *t, unsigned type, const struct trace_track *track, uint64_t time,
             unsigned field, uint64_t number)
{
  GString *to = t->out->bytes;
  char *const packet = protobuf_write_begin (
      protobuf_reserve (to, PERFETTO_HEAD_BYTES + (size_t) 4 * PROTOBUF_NUMBER_BYTES),
      PERFETTO_PACKET);
  char *const event = protobuf_write_begin (
      perfetto_write_head (packet, PERFETTO_SEQUENCE_EVENTS, !t->has_event, time),
      PERFETTO_PACKET_TRACK_EVENT);
  char *at = protobuf_write_number (event, EVENT_TYPE, type);
  at = protobuf_write_number (at, EVENT_TRACK, uuid_of (track));
  if (field != 0)
    at = protobuf_write_number (at, field, number);
  protobuf_write_end (event, at);
  protobuf_write_end (packet, at);
  protobuf_commit (to, at);
  t->has_event = true;
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  put_numbers (t, TYPE_BEGIN, track, time, EVENT_NAME_ID, (uint64_t) name + 1);
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  put_numbers (t, TYPE_END, track, time, 0, 0);
}

static void
put_instant (struct trace *t, const struct trace_track *track, const char *text, uint64_t time)
{
  const struct perfetto_packet packet = begin_event (t, TYPE_INSTANT, track, time);
  protobuf_put_text (t->out->bytes, EVENT_NAME, text);
  perfetto_end_packet (t->out, packet);
}

static void
put_counter (struct trace *t, const struct trace_track *track, struct trace_value value,
             uint64_t time)
{
  if (!value.is_real) {
    put_numbers (t, TYPE_COUNTER, track, time, EVENT_COUNTER, (uint64_t) value.whole);
    return;
  }
  const struct perfetto_packet packet = begin_event (t, TYPE_COUNTER, track, time);
  protobuf_put_double (t->out->bytes, EVENT_COUNTER_REAL, value.real);
  perfetto_end_packet (t->out, packet);
}

static void
put_sample (struct trace *t, const struct trace_track *track, const struct trace_stack *stack,
            uint64_t time)
{
  perfetto_put_sample (t, t->data, track, stack, time);
}

static void
add_allocation (struct trace *t, const struct trace_track *track, guint type,
                const struct trace_stack *stack, struct trace_objects objects, uint64_t time)
{
  perfetto_add_allocation (t->data, track, type, stack, objects, time);
}

const struct trace_format perfetto_trace = {
  .begin = begin,
  .end = end,
  .track = put_track,
  .name = intern_name,
  .slice = put_slice,
  .slice_end = put_slice_end,
  .instant = put_instant,
  .counter = put_counter,
  .sample = put_sample,
  .allocation = add_allocation,
  .needs_stacks = true,
  .has_runs = true,
};
