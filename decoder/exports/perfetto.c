/* perfetto.c -- a trace as track events of Perfetto.
 *
 * A track has its number as uuid, after those of heap graphs.  Names of slices are interned.
 */
#include "config.h"

#include "decoder/exports/perfetto.h"
#include "decoder/exports/perfetto-packet.h"
#include "decoder/exports/perfetto-profile.h"
#include "decoder/exports/protobuf.h"

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
};
