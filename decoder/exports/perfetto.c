/* perfetto.c -- a trace as track events of Perfetto.
 *
 * A track has its number as uuid, after those of heap graphs.  Names of slices are interned.
 */
#include "config.h"

#include "decoder/exports/perfetto.h"
#include "decoder/exports/protobuf.h"

/* Fields, from perfetto's trace_packet.proto, track_descriptor.proto and track_event.proto. */
enum {
  TRACE_PACKET = 1,
  PACKET_TIMESTAMP = 8,
  PACKET_SEQUENCE = 10,
  PACKET_SEQUENCE_FLAGS = 13,
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
  FLAGS_CLEARED = 1, /* nothing of before counts */
  FLAGS_NEEDED = 2,
  TYPE_BEGIN = 1,
  TYPE_END = 2,
  TYPE_INSTANT = 3,
  TYPE_COUNTER = 4,
  FIRST_UUID = 16, /* heap graphs have those before */
};

void
perfetto_put_packet (struct export_out *out, GString *packet, enum perfetto_sequence sequence,
                     bool is_first, uint64_t time, enum perfetto_field field, GString *message)
{
  protobuf_put_number (packet, PACKET_TIMESTAMP, time);
  protobuf_put_number (packet, PACKET_SEQUENCE, sequence);
  protobuf_put_number (packet, PACKET_SEQUENCE_FLAGS,
                       is_first ? FLAGS_CLEARED | FLAGS_NEEDED : FLAGS_NEEDED);
  protobuf_put_message (packet, field, message);
  protobuf_put_message (out->bytes, TRACE_PACKET, packet);
  export_flush_much (out);
}

static void
put_packet (struct trace *t, uint64_t time, enum perfetto_field field, GString *message)
{
  perfetto_put_packet (t->out, t->scratch[2], PERFETTO_SEQUENCE_EVENTS, !t->has_event, time, field,
                       message);
  t->has_event = true;
}

static uint64_t
uuid_of (const struct trace_track *track)
{
  return FIRST_UUID + (uint64_t) track->number;
}

static void
do_nothing (struct trace *t)
{
  (void) t;
}

/* ---- tracks ---- */

static void
put_thread (GString *message, GString *thread, const struct trace_track *track)
{
  protobuf_put_number (thread, THREAD_PID, track->pid);
  protobuf_put_number (thread, THREAD_TID, track->number);
  protobuf_put_text (thread, THREAD_NAME, track->name);
  protobuf_put_message (message, TRACK_THREAD, thread);
}

static void
put_track (struct trace *t, const struct trace_track *track)
{
  static const unsigned units[] = { [TRACE_NS] = 1, [TRACE_COUNT] = 2, [TRACE_BYTES] = 3 };
  GString *message = t->scratch[0], *part = t->scratch[1];
  protobuf_put_number (message, PERFETTO_TRACK_UUID, uuid_of (track));
  switch (track->kind) {
  case TRACE_PROCESS:
    protobuf_put_number (part, PERFETTO_PROCESS_PID, track->pid);
    protobuf_put_text (part, PERFETTO_PROCESS_NAME, track->name);
    protobuf_put_message (message, PERFETTO_TRACK_PROCESS, part);
    break;
  case TRACE_THREAD:
    put_thread (message, part, track);
    break;
  case TRACE_COUNTER:
    protobuf_put_number (part, COUNTER_UNIT, units[track->unit]);
    protobuf_put_message (message, TRACK_COUNTER, part);
    /* fall through */
  case TRACE_LANE:
    protobuf_put_text (message, TRACK_NAME, track->name);
    protobuf_put_number (message, TRACK_PARENT, uuid_of (track->parent));
    break;
  }
  put_packet (t, track->last, PERFETTO_PACKET_TRACK, message);
}

/* ---- events ---- */

static char *
intern_name (struct trace *t, const char *name)
{
  GString *message = t->scratch[0], *part = t->scratch[1];
  protobuf_put_number (part, PERFETTO_INTERNED_ID, t->names->len + 1);
  protobuf_put_text (part, PERFETTO_INTERNED_TEXT, name);
  protobuf_put_message (message, INTERNED_EVENT_NAMES, part);
  put_packet (t, 0, PERFETTO_PACKET_INTERNED_DATA, message);
  return NULL; /* its number is enough */
}

static GString *
begin_event (struct trace *t, unsigned type, const struct trace_track *track)
{
  GString *message = t->scratch[0];
  protobuf_put_number (message, EVENT_TYPE, type);
  protobuf_put_number (message, EVENT_TRACK, uuid_of (track));
  return message;
}

static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  GString *message = begin_event (t, TYPE_BEGIN, track);
  protobuf_put_number (message, EVENT_NAME_ID, (uint64_t) name + 1);
  put_packet (t, time, PERFETTO_PACKET_TRACK_EVENT, message);
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  put_packet (t, time, PERFETTO_PACKET_TRACK_EVENT, begin_event (t, TYPE_END, track));
}

static void
put_instant (struct trace *t, const struct trace_track *track, const char *text, uint64_t time)
{
  GString *message = begin_event (t, TYPE_INSTANT, track);
  protobuf_put_text (message, EVENT_NAME, text);
  put_packet (t, time, PERFETTO_PACKET_TRACK_EVENT, message);
}

static void
put_counter (struct trace *t, const struct trace_track *track, struct trace_value value,
             uint64_t time)
{
  GString *message = begin_event (t, TYPE_COUNTER, track);
  if (value.is_real)
    protobuf_put_double (message, EVENT_COUNTER_REAL, value.real);
  else
    protobuf_put_number (message, EVENT_COUNTER, (uint64_t) value.whole);
  put_packet (t, time, PERFETTO_PACKET_TRACK_EVENT, message);
}

const struct trace_format perfetto_trace = {
  .begin = do_nothing,
  .end = do_nothing,
  .track = put_track,
  .name = intern_name,
  .slice = put_slice,
  .slice_end = put_slice_end,
  .instant = put_instant,
  .counter = put_counter,
};
