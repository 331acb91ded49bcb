/* perfetto.h -- packets of Perfetto's traces: a trace is TracePacket after TracePacket. */
#ifndef PROFLOG_PERFETTO_H
#define PROFLOG_PERFETTO_H

#include "decoder/exports/export-trace.h"

/* Fields, from perfetto's trace_packet.proto and track_descriptor.proto. */
enum perfetto_field {
  PERFETTO_PACKET_TRACK_EVENT = 11,
  PERFETTO_PACKET_INTERNED_DATA = 12,
  PERFETTO_PACKET_HEAP_GRAPH = 56,
  PERFETTO_PACKET_TRACK = 60,
  PERFETTO_TRACK_UUID = 1,
  PERFETTO_TRACK_PROCESS = 3,
  PERFETTO_PROCESS_PID = 1,
  PERFETTO_PROCESS_NAME = 6,
  PERFETTO_INTERNED_ID = 1,
  PERFETTO_INTERNED_TEXT = 2,
};

/* Packets of a sequence have their names in common. */
enum perfetto_sequence {
  PERFETTO_SEQUENCE_GRAPH = 1,
  PERFETTO_SEQUENCE_EVENTS = 2,
};

/* Puts a packet with the message in this field, which is emptied, as is `packet`, which is empty
 * before, too.  `is_first`: it is the first of its sequence.  Time is in ns. */
void perfetto_put_packet (struct export_out *out, GString *packet, enum perfetto_sequence sequence,
                          bool is_first, uint64_t time, enum perfetto_field field,
                          GString *message);

/* Tracks, slices, instants and counters as track events. */
extern const struct trace_format perfetto_trace;

#endif
