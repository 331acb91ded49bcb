/* mlpd.h -- the vocabulary of Mono profiler logs (.mlpd): kinds of events, their payloads, the
 * headers and constants.  Made from the .def files beside it; plain C11, for both the module
 * and the decoder.
 *
 * Source of the format's facts: the published 2010 format (data version 1) and observed files;
 * see docs/mlpd-format.md.
 */
#ifndef PROFLOG_MLPD_H
#define PROFLOG_MLPD_H

#include <stddef.h>
#include <stdint.h>

#define MLPD_FILE_ID 0x4D505A01u   /* bytes 01 5A 50 4D */
#define MLPD_BUFFER_ID 0x4D504C01u /* bytes 01 4C 50 4D */

/* Bases and thread ids stay below this: the stock reader misplaces the highest byte. */
#define MLPD_BASE_LIMIT (UINT64_C (1) << 56)

/* Low 4 bits of an event byte. */
enum mlpd_type {
  MLPD_TYPE_ALLOC = 0,
  MLPD_TYPE_GC = 1,
  MLPD_TYPE_METADATA = 2,
  MLPD_TYPE_METHOD = 3,
  MLPD_TYPE_EXCEPTION = 4,
  MLPD_TYPE_MONITOR = 5,
  MLPD_TYPE_HEAP = 6,
};

/* The byte that tells metadata events apart. */
enum mlpd_mtype {
  MLPD_MTYPE_CLASS = 1,
  MLPD_MTYPE_IMAGE = 2,
  MLPD_MTYPE_ASSEMBLY = 3,
  MLPD_MTYPE_DOMAIN = 4,
};

/* How bytes are read and written.  Each has one function in mlpd-encode.h and one in the
 * decoder.  LEB128 numbers have at most 10 bytes. */
enum mlpd_wire {
  MLPD_WIRE_U8,
  MLPD_WIRE_U16,
  MLPD_WIRE_U32,
  MLPD_WIRE_U64,
  MLPD_WIRE_UVAR,           /* unsigned LEB128 */
  MLPD_WIRE_SIZE,           /* unsigned LEB128; stock writers sign-extend 32 bits: see decoder */
  MLPD_WIRE_TIME,           /* unsigned LEB128, added modulo 2^64 to the time before */
  MLPD_WIRE_PTR,            /* signed LEB128, from the buffer's ptr_base */
  MLPD_WIRE_OBJ,            /* signed LEB128 in units of 8 bytes, from the buffer's obj_base */
  MLPD_WIRE_METHOD,         /* signed LEB128, from the method before */
  MLPD_WIRE_STRZ,           /* UTF-8, closed by a NUL */
  MLPD_WIRE_MTYPE,          /* one byte, the event's mtype */
  MLPD_WIRE_EXINFO,         /* no bytes: the high 4 bits of the event byte */
  MLPD_WIRE_EXINFO_MONITOR, /* no bytes: bits 4 and 5 of the event byte */
  MLPD_WIRE_BACKTRACE,      /* flags (0), count, methods as PTR */
  MLPD_WIRE_OBJS,           /* count, objects as OBJ */
  MLPD_WIRE_REFS,           /* count, objects as OBJ */
};

/* What a number means. */
enum mlpd_unit {
  MLPD_UNIT_NUMBER,
  MLPD_UNIT_BYTES,
  MLPD_UNIT_NS,
  MLPD_UNIT_ADDRESS,
  MLPD_UNIT_OBJECT,
  MLPD_UNIT_CLASS,
  MLPD_UNIT_IMAGE,
  MLPD_UNIT_METHOD,
  MLPD_UNIT_GENERATION,
  MLPD_UNIT_TEXT,
  MLPD_UNIT_LOAD,          /* this and the following have named values: mlpd-values.def */
  MLPD_UNIT_GC_EVENT,
  MLPD_UNIT_CLAUSE_TYPE,
  MLPD_UNIT_MONITOR_EVENT,
};

enum mlpd_value {
#define VALUE(unit, number, NAME, text) MLPD_##unit##_##NAME = number,
#include <proflog/mlpd-values.def>
};

/* A string of an event: not owned, valid as long as the event is.  text[length] is NUL. */
struct mlpd_string {
  const char *text;
  size_t length;
};

/* A list of addresses of an event: not owned, valid as long as the event is. */
struct mlpd_list {
  const uint64_t *items;
  size_t count;
};

enum mlpd_kind {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) MLPD_##ID,
#include <proflog/mlpd-events.def>
  MLPD_KINDS /* how many there are */
};

/* The C type that holds each wire. */
#define MLPD_C_U8 uint8_t
#define MLPD_C_U16 uint16_t
#define MLPD_C_U32 uint32_t
#define MLPD_C_U64 uint64_t
#define MLPD_C_UVAR uint64_t
#define MLPD_C_SIZE uint64_t
#define MLPD_C_TIME uint64_t
#define MLPD_C_PTR uint64_t
#define MLPD_C_OBJ uint64_t
#define MLPD_C_METHOD uint64_t
#define MLPD_C_STRZ struct mlpd_string
#define MLPD_C_MTYPE uint64_t
#define MLPD_C_EXINFO uint64_t
#define MLPD_C_EXINFO_MONITOR uint64_t
#define MLPD_C_BACKTRACE struct mlpd_list
#define MLPD_C_OBJS struct mlpd_list
#define MLPD_C_REFS struct mlpd_list

/* struct mlpd_alloc, struct mlpd_gc_event, ...: the payload of each kind.  Times are absolute
 * nanoseconds of the writer's monotonic clock, addresses are absolute. */
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) struct mlpd_##id {
#define FIELD(id, field, wire, unit, when, doc) MLPD_C_##wire field;
#define END_EVENT(id) };
#include <proflog/mlpd-events.def>

union mlpd_payload {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) struct mlpd_##id id;
#include <proflog/mlpd-events.def>
};

#define MLPD_HEADER_MEMBER_file(field, wire) MLPD_C_##wire field;
#define MLPD_HEADER_MEMBER_buffer(field, wire)
#define HEADER_FIELD(header, field, wire, since, until, doc) MLPD_HEADER_MEMBER_##header (field, wire)
struct mlpd_file_header {
#include <proflog/mlpd-headers.def>
};
#undef MLPD_HEADER_MEMBER_file
#undef MLPD_HEADER_MEMBER_buffer

#define MLPD_HEADER_MEMBER_file(field, wire)
#define MLPD_HEADER_MEMBER_buffer(field, wire) MLPD_C_##wire field;
#define HEADER_FIELD(header, field, wire, since, until, doc) MLPD_HEADER_MEMBER_##header (field, wire)
struct mlpd_buffer_header {
#include <proflog/mlpd-headers.def>
};
#undef MLPD_HEADER_MEMBER_file
#undef MLPD_HEADER_MEMBER_buffer

enum {
  MLPD_FILE_HEADER_SIZE = 32, /* of major version 0; the longest of all versions has 38 bytes and strings */
  MLPD_BUFFER_HEADER_SIZE = 48,
};

#endif
