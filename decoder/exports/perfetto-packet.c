/* perfetto-packet.c -- begins and ends packets of Perfetto. */
#include "config.h"

#include "decoder/exports/perfetto-packet.h"

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

struct perfetto_packet
perfetto_begin_event_packet (struct trace *t, uint64_t time, enum perfetto_field field)
{
  const bool is_first = !t->has_event;
  t->has_event = true;
  return perfetto_begin_packet (t->out, PERFETTO_SEQUENCE_EVENTS, is_first, time, field);
}
