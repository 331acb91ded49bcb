/* ghc.h -- the vocabulary of GHC eventlogs: kinds of events, their payloads, constants.  Made from
 * the .def files beside it; plain C11.
 *
 * Source of the format's facts: the published description, and observed files; see
 * docs/ghc-format.md.  There are types and constants alone: nothing here depends on threads.
 */
#ifndef PROFLOG_GHC_H
#define PROFLOG_GHC_H

#include <stdbool.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

/* The beginnings of parts of a log: four letters, as a big-endian number. */
#define GHC_HEADER_BEGIN 0x68647262u /* hdrb */
#define GHC_TYPES_BEGIN 0x68657462u  /* hetb */
#define GHC_TYPE_BEGIN 0x65746200u   /* etb, NUL */
#define GHC_TYPE_END 0x65746500u     /* ete, NUL */
#define GHC_TYPES_END 0x68657465u    /* hete */
#define GHC_HEADER_END 0x68647265u   /* hdre */
#define GHC_DATA_BEGIN 0x64617462u   /* datb */

enum {
  GHC_DATA_END = 0xffff,      /* the tag that ends the events: nothing belongs to it */
  GHC_VARIABLE = 0xffff,      /* declared size of events that state their length themselves */
  GHC_NO_CAP = 0xffff,        /* events of no capability */
  GHC_EVENT_HEADER_SIZE = 10, /* tag and time */
  GHC_LENGTH_SIZE = 2,        /* of the payload, after these, where it is variable */
  GHC_BLOCK_MARKER_SIZE = 24,
  GHC_PAYLOAD_MAX = 65535,
  GHC_STACK_MAX = 255,           /* cost centres: their number is a byte */
  GHC_DESCRIPTION_MAX = 1 << 16, /* longest text of a header that is taken for real */
};

/* Our writers report about events that are missing where they would be: in a message of the
 * runtime's (log-msg) that begins with their number between these. */
#define GHC_LOSSES_START "proflog: "
#define GHC_LOSSES_END " events "

#define GHC_LOSSES_MAX 192 /* bytes */

/* The messages of the module, as formats of printf for a PRIu64 and, if the log could no longer
 * be written, the reason. */
#define GHC_LOSSES_DROPPED GHC_LOSSES_START "%" PRIu64 GHC_LOSSES_END "had to be dropped"
#define GHC_LOSSES_FAILED                                                                          \
  GHC_LOSSES_START "%" PRIu64 GHC_LOSSES_END "are not in the log, as it could no longer be "       \
                   "written: %s"

/* The message of an eventlog that was made of a damaged log: nobody knows the number of events that
 * the damaged bytes had. */
#define GHC_LOSSES_BY_DAMAGE                                                                       \
  GHC_LOSSES_START "0" GHC_LOSSES_END "are known to be lost; the log was made of a damaged one, "  \
                   "whose damaged bytes it lacks"

/* How bytes are read and written; numbers are big-endian. */
enum ghc_wire {
  GHC_WIRE_U8,
  GHC_WIRE_U16,
  GHC_WIRE_U32,
  GHC_WIRE_U64,
  GHC_WIRE_STR,       /* text: the rest of the payload */
  GHC_WIRE_STR_BUT_4, /* text: the rest but the last 4 bytes */
  GHC_WIRE_STRZ,      /* text, closed by a NUL */
  GHC_WIRE_STRZS,     /* texts, each closed by a NUL (the last one maybe not): the rest */
  GHC_WIRE_STACK,     /* a count in a byte, numbers of 4 bytes */
  GHC_WIRE_BYTES,     /* any bytes: the rest */
};

/* The meaning of a number or text. */
enum ghc_unit {
#define UNIT(ID, name) GHC_UNIT_##ID,
#include <proflog/ghc-units.def>
};

enum ghc_value {
#define VALUE(unit, number, NAME, text) GHC_##unit##_##NAME = number,
#include <proflog/ghc-values.def>
};

/* Text or bytes of an event or header: not owned, valid as long as the event is; any bytes, no NUL
 * after them. */
struct ghc_text {
  const char *text;
  size_t length;
};

/* Texts of an event, one after the other, each closed by a NUL, the last one maybe not. */
struct ghc_texts {
  const char *text;
  size_t length; /* of all, with the NULs */
};

/* A stack of cost centres. */
struct ghc_stack {
  uint32_t items[GHC_STACK_MAX];
  size_t count;
};

/* Fewest bytes that a field of a wire takes: a field that is there IF_LEFT is, if this many are. */
#define GHC_LEAST_U8 1
#define GHC_LEAST_U16 2
#define GHC_LEAST_U32 4
#define GHC_LEAST_U64 8
#define GHC_LEAST_STR 0
#define GHC_LEAST_STR_BUT_4 0
#define GHC_LEAST_STRZ 1
#define GHC_LEAST_STRZS 0
#define GHC_LEAST_STACK 1
#define GHC_LEAST_BYTES 0

enum ghc_kind {
#define EVENT(ID, id, tag, size, since, group, role, doc) GHC_##ID,
#include <proflog/ghc-events.def>
  GHC_KINDS, /* how many there are */
  GHC_UNKNOWN
  = GHC_KINDS, /* an event that the list does not have, or of a size that it cannot have */
};

/* The C type that holds each wire. */
#define GHC_C_U8 uint8_t
#define GHC_C_U16 uint16_t
#define GHC_C_U32 uint32_t
#define GHC_C_U64 uint64_t
#define GHC_C_STR struct ghc_text
#define GHC_C_STR_BUT_4 struct ghc_text
#define GHC_C_STRZ struct ghc_text
#define GHC_C_STRZS struct ghc_texts
#define GHC_C_STACK struct ghc_stack
#define GHC_C_BYTES struct ghc_text

/* struct ghc_create_thread, struct ghc_run_thread, ...: the payload of each kind.  Bit i of
 * `present` states whether the event has its i-th field; one that it lacks is 0. */
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  struct ghc_##id {                                                                                \
    uint32_t present;
#define FIELD(id, field, wire, unit, when, doc) GHC_C_##wire field;
#define END_EVENT(id)                                                                              \
  }                                                                                                \
  ;
#include <proflog/ghc-events.def>

union ghc_payload {
#define EVENT(ID, id, tag, size, since, group, role, doc) struct ghc_##id id;
#include <proflog/ghc-events.def>
};

/* A type of events as a log declares it. */
struct ghc_event_type {
  uint16_t tag;
  uint16_t size;      /* as declared: bytes of the payload, or GHC_VARIABLE */
  uint16_t real_size; /* as written: early writers declare some sizes wrong */
  enum ghc_kind kind;
  struct ghc_text description; /* the writer's */
  struct ghc_text more;        /* no known writer has any */
};

/* The contents of a log's header. */
struct ghc_header {
  const struct ghc_event_type *types; /* in the order of the header */
  size_t n_types;
  bool is_6_12;  /* thread ids are declared with 8 bytes and written with 4 */
  bool is_7_8_2; /* threads' reasons to stop have numbers of their own */
};

#endif
