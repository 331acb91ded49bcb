/* protobuf.h -- the bytes of messages of protocol buffers.
 *
 * A message within a message has its length in front, so each is made apart and then copied into
 * the one around it.
 */
#ifndef PROFLOG_PROTOBUF_H
#define PROFLOG_PROTOBUF_H

#include <glib.h>
#include <stdint.h>

void protobuf_put_varint (GString *to, uint64_t number);

/* A field that is a number; a negative one is its two's complement. */
void protobuf_put_number (GString *to, unsigned field, uint64_t number);
void protobuf_put_double (GString *to, unsigned field, double number);
void protobuf_put_bytes (GString *to, unsigned field, const char *bytes, size_t length);

/* A text; bytes that are no UTF-8 are replaced. */
void protobuf_put_text (GString *to, unsigned field, const char *text);

/* Puts a message into another and empties it. */
void protobuf_put_message (GString *to, unsigned field, GString *message);

#endif
