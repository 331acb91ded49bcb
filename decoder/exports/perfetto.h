/* perfetto.h -- traces of Perfetto. */
#ifndef PROFLOG_PERFETTO_H
#define PROFLOG_PERFETTO_H

#include "decoder/exports/export-trace.h"
#include "decoder/exports/protobuf.h"

/* Tracks, slices, instants and counters as track events; samples and allocations. */
extern const struct trace_format perfetto_trace;

/* Fields, from perfetto's trace_packet.proto and track_descriptor.proto. */
enum perfetto_field {
  PERFETTO_PACKET = 1, /* of a trace */
  PERFETTO_PACKET_TIMESTAMP = 8,
  PERFETTO_PACKET_SEQUENCE = 10,
  PERFETTO_PACKET_SEQUENCE_FLAGS = 13,
  PERFETTO_PACKET_CLOCKS = 6,
  PERFETTO_PACKET_TRACK_EVENT = 11,
  PERFETTO_PACKET_INTERNED_DATA = 12,
  PERFETTO_PACKET_PROFILE = 37,
  PERFETTO_PACKET_HEAP_GRAPH = 56,
  PERFETTO_PACKET_TRACK = 60,
  PERFETTO_PACKET_PERF_SAMPLE = 66,
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

enum perfetto_flags {
  PERFETTO_FLAGS_CLEARED = 1, /* nothing of before counts */
  PERFETTO_FLAGS_NEEDED = 2,
};

/* A packet that is being written, with a message. */
struct perfetto_packet {
  size_t packet, message; /* where they begin */
};

/* Begins a packet with the message in this field; the fields of the message are put into
 * out->bytes up to perfetto_end_packet.  `is_first`: it is the first of its sequence.  Time is in
 * ns. */
struct perfetto_packet perfetto_begin_packet (struct export_out *out,
                                              enum perfetto_sequence sequence, bool is_first,
                                              uint64_t time, enum perfetto_field field);
void perfetto_end_packet (struct export_out *out, struct perfetto_packet packet);

/* The fields of a packet before its message. */
#define PERFETTO_HEAD_BYTES (3 * PROTOBUF_NUMBER_BYTES)

static inline char *
perfetto_write_head (char *at, enum perfetto_sequence sequence, bool is_first, uint64_t time)
{
  at = protobuf_write_number (at, PERFETTO_PACKET_TIMESTAMP, time);
  at = protobuf_write_number (at, PERFETTO_PACKET_SEQUENCE, sequence);
  return protobuf_write_number (at, PERFETTO_PACKET_SEQUENCE_FLAGS,
                                is_first ? PERFETTO_FLAGS_CLEARED | PERFETTO_FLAGS_NEEDED
                                         : PERFETTO_FLAGS_NEEDED);
}

#endif
