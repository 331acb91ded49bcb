/* mlpd.h -- the vocabulary of Mono profiler logs (.mlpd): kinds of events, their payloads, the
 * headers and constants.  Made from the .def files beside it; plain C11, for both the module
 * and the decoder.
 *
 * Source of the format's facts: the published 2010 format (data version 1) and observed files; see
 * docs/mlpd-format.md.  The functions are inline and only read their arguments: any threads may
 * call them at a time.
 */
#ifndef PROFLOG_MLPD_H
#define PROFLOG_MLPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MLPD_FILE_ID 0x4D505A01u   /* bytes 01 5A 50 4D */
#define MLPD_BUFFER_ID 0x4D504C01u /* bytes 01 4C 50 4D */

/* Bases and thread ids stay below this: the stock reader misplaces the highest byte. */
#define MLPD_BASE_LIMIT (UINT64_C (1) << 56)

/* The largest size of anything, more than a program can address: the largest number of 7 bytes. */
#define MLPD_SIZE_BITS 49
#define MLPD_SIZE_MAX ((UINT64_C (1) << MLPD_SIZE_BITS) - 1)

/* The object base ("again") of a buffer of names and values of counters that were recorded before,
 * in this log or the one that it continues.  It has no objects: to all readers the base means
 * nothing. */
#define MLPD_REANNOUNCE_BASE UINT64_C (0x6e69616761)

/* The object base ("part") of a buffer of the context of a part of a log, copied from the rest:
 * names, and starts of heap snapshots, which are numbered.  It counts as nothing. */
#define MLPD_CONTEXT_BASE UINT64_C (0x74726170)

/* The object base ("lost") of a loss mark: an empty buffer that states events which are not in the
 * log. Its pointer base is their number, its method base the reason: 0, or the error number (of
 * Linux) with which writing the log ended. */
#define MLPD_LOSS_BASE UINT64_C (0x74736f6c)

/* In place of the error number: the log was made of one that was damaged, so the number of events
 * that are missing is unknown. */
#define MLPD_LOSS_BY_DAMAGE 4095

/* The object base ("sums") of a check mark: an empty buffer after each buffer of a log of our
 * module.  Its pointer base is the XXH64 sum of the bytes of that buffer, header and events,
 * without the highest byte; its method base the number of the mark in its file, from 1 on. */
#define MLPD_CHECK_BASE UINT64_C (0x736d7573)

/* The counter that states how many events the module had to drop, of section PROFILER: from data
 * version 15 on instead of a loss mark, if writing did not fail. */
#define MLPD_LOST_EVENTS "Lost events"
#define MLPD_LOST_EVENTS_INDEX 1000000

/* Moments that were given a name are counters of the same section, one a name, which go up by one
 * each time: this is before the name, and these are their indices and up. */
#define MLPD_MARK "Mark: "
#define MLPD_MARKS_INDEX 1000001

/* The last of these: the mark of a limit (PROFLOG_LIMIT_MARK). */
#define MLPD_LIMIT_MARK_INDEX (MLPD_MARKS_INDEX + 4096)

/* The fields of a class that refer to objects are a counter of this section and index without
 * values, whose name begins with this (docs/mlpd-format.md); from this data version on. */
#define MLPD_LAYOUT "Layout: "
#define MLPD_LAYOUT_INDEX 999996
#define MLPD_LAYOUT_STEP 8 /* from a field to the next one, where no offset is stated */
#define MLPD_VERSION_LAYOUTS 5

/* Source lines: in the same event, after these or by itself, is a text with the lines of the hit's
 * frames (docs/mlpd-format.md). */
#define MLPD_SAMPLE_LINES_INDEX 999997

/* Samples by the wall clock: a SAMPLE_COUNTERS event directly after the SAMPLE_HIT, in the same
 * buffer, has values of these two, of section PROFILER.  The first is the time in ns since the
 * thread's previous hit, the second the processor time that the thread used of it. */
#define MLPD_SAMPLE_ELAPSED "Sampled time"
#define MLPD_SAMPLE_ELAPSED_INDEX 999998
#define MLPD_SAMPLE_CPU "Sampled processor time"
#define MLPD_SAMPLE_CPU_INDEX 999999

/* Locks: a SAMPLE_COUNTERS event directly after a MONITOR event of contention, in the same buffer
 * and with the same time, has one value, the thread that owned the lock then.  After the event that
 * ends the wait one has values of the other index: the methods in which that thread was last seen
 * meanwhile, innermost first.  No event describes these. */
#define MLPD_LOCK_OWNER_INDEX 999994
#define MLPD_LOCK_PLACE_INDEX 999995

/* Spans of the program (proflog/program.h): a SAMPLE_COUNTERS event by itself, whose first value
 * has one of these indices and the id of the span.  That of a begin has a second one, the number of
 * the span's name, and may have two more, both with MLPD_SPAN_TRACE_INDEX: the upper and the lower
 * half of the number of a trace that the span belongs to.  A description of MLPD_SPAN_INDEX without
 * values, of section PROFILER, states the text of a number: "Span: 1 checkout".  No event describes
 * the other indices. */
#define MLPD_SPAN "Span: "
#define MLPD_SPAN_TRACE_INDEX 999975
#define MLPD_SPAN_BEGIN_INDEX 999988
#define MLPD_SPAN_END_INDEX 999989
#define MLPD_SPAN_LEAVE_INDEX 999990
#define MLPD_SPAN_ENTER_INDEX 999991
#define MLPD_SPAN_NAME_INDEX 999992
#define MLPD_SPAN_INDEX 999993

/* The contents of strings, collections and operations of a heap snapshot (docs/mlpd-format.md):
 * SAMPLE_COUNTERS events of the thread that records the snapshot, between its START and END.
 * MLPD_CONTENTS_INDEX is that of an object, by its distance from the one before in the event; those
 * after it, up to the next such, are of that object.  No event describes these indices. */
#define MLPD_CONTENTS_STATE_INDEX 999976   /* an operation: its state number, type LONG */
#define MLPD_CONTENTS_INDEX 999977         /* an object: distance / 8, type LONG */
#define MLPD_CONTENTS_TEXT_ID_INDEX 999978 /* a string: the number of its text in the snapshot */
#define MLPD_CONTENTS_LENGTH_INDEX 999979  /* characters of that text */
#define MLPD_CONTENTS_TEXT_INDEX 999980    /* the first of them, type STRING */
#define MLPD_CONTENTS_COUNT_INDEX 999981   /* a collection: elements; not of arrays */
#define MLPD_CONTENTS_ELEMENT_INDEX 999982 /* bytes of an element */
#define MLPD_CONTENTS_CAPACITY_INDEX                                                               \
  999983                                   /* elements that there is room for, the last of these   \
                                            */
#define MLPD_CONTENTS_STRINGS_INDEX 999984 /* of the snapshot: strings */
#define MLPD_CONTENTS_TEXTS_INDEX 999985   /* different texts */
#define MLPD_CONTENTS_UNREAD_INDEX 999986  /* strings of which no text was compared */
#define MLPD_CONTENTS_COLLECTIONS_INDEX 999987 /* collections */
#define MLPD_CONTENTS_TEXT_LENGTH 60           /* characters of a text that the log has, at most */
#define MLPD_CONTENTS_STEP 8                   /* of distances */

/* Native memory (docs/mlpd-format.md): a SAMPLE_COUNTERS event by itself.  That of a sampled
 * allocation has its id, its size, and the methods that it was in, innermost first; that of its end
 * the id alone.  An allocation of s bytes is sampled with the probability
 * 1 - exp (-s / MLPD_NATIVE_SAMPLING).  No event describes these indices. */
#define MLPD_NATIVE_METHOD_INDEX 999972
#define MLPD_NATIVE_SIZE_INDEX 999973
#define MLPD_NATIVE_FREE_INDEX 999974
#define MLPD_NATIVE_INDEX 999975
#define MLPD_NATIVE_SAMPLING (UINT64_C (512) << 10)

/* Native functions of our module itself have names (SAMPLE SYMBOL) that begin with this: then comes
 * ":" and the name of the function, or where it has none "+" and its place in the file. */
#define MLPD_MODULE_SYMBOL "libmono-profiler-proflog.so"

/* The number of calls of the thread that are not recorded, as they were shorter than the threshold
 * of the recording: a counter of the section PROFILER.  Each value is of the calls since the
 * thread's value before. */
#define MLPD_SKIPPED_CALLS "Calls not recorded"
#define MLPD_SKIPPED_CALLS_INDEX 900000

/* At the end of a log, the number of methods of which no call is recorded, as they would be inlined
 * without a profiler; and two counters for each method of which not all calls were timed, with the
 * method's name after these texts: their number, and how many of them were as long as the
 * threshold, at most, with a confidence of 95 %.  Of the same section; these are the indices of the
 * first method's. */
#define MLPD_LEFT_OUT_METHODS "Methods whose calls are not recorded"
#define MLPD_LEFT_OUT_METHODS_INDEX 900001
#define MLPD_UNTIMED_CALLS "Calls not timed: "
#define MLPD_UNTIMED_CALLS_INDEX 910000
#define MLPD_MISSED_CALLS "Long calls missed at most: "
#define MLPD_MISSED_CALLS_INDEX 950000

/* Low 4 bits of an event byte. */
enum mlpd_type {
  MLPD_TYPE_ALLOC = 0,
  MLPD_TYPE_GC = 1,
  MLPD_TYPE_METADATA = 2,
  MLPD_TYPE_METHOD = 3,
  MLPD_TYPE_EXCEPTION = 4,
  MLPD_TYPE_MONITOR = 5,
  MLPD_TYPE_HEAP = 6,
  MLPD_TYPE_SAMPLE = 7,
  MLPD_TYPE_RUNTIME = 8,
  MLPD_TYPE_COVERAGE = 9,
  MLPD_TYPE_META = 10,
};

/* The byte that distinguishes metadata events. */
enum mlpd_mtype {
  MLPD_MTYPE_CLASS = 1,
  MLPD_MTYPE_IMAGE = 2,
  MLPD_MTYPE_ASSEMBLY = 3,
  MLPD_MTYPE_DOMAIN = 4,
  MLPD_MTYPE_THREAD = 5,
  MLPD_MTYPE_CONTEXT = 6,
  MLPD_MTYPE_VTABLE = 7,
};

/* Data versions that changed more than a field. */
enum {
  MLPD_VERSION_REFERENCE_OFFSETS = 2,
  MLPD_VERSION_SAMPLE_FRAMES = 6,
  MLPD_VERSION_SAMPLED_THREADS = 11, /* hits state whose they are, and threads that they end */
  MLPD_VERSION_NO_FLAGS = 13, /* backtraces of method differences, small numbers in one byte */
  MLPD_VERSION_MONITOR_BYTE = 14,
  MLPD_VERSION_ROOT_ADDRESSES = 15,
  MLPD_VERSION_VTABLES = 15,
  MLPD_VERSION_CHANGES_END, /* one more than the latest of these: stands after them */
  MLPD_VERSION_BULK = 16,   /* from here on the most frequent events are written alike */
  /* This has events for all event classes: the module writes version 1, or one from here on. */
  MLPD_VERSION_ALL_CLASSES = 17,
  MLPD_VERSION_LAST = MLPD_VERSION_ALL_CLASSES, /* the newest one */
};

/* How bytes are read and written.  Each has one function in mlpd-encode.h and one in the
 * decoder.  LEB128 numbers have at most 10 bytes. */
enum mlpd_wire {
  MLPD_WIRE_U8,
  MLPD_WIRE_U16,
  MLPD_WIRE_U32,
  MLPD_WIRE_U64,
  MLPD_WIRE_STR32, /* headers: length (with the NUL) in 4 bytes, text, NUL */
  MLPD_WIRE_UVAR,  /* unsigned LEB128 */
  MLPD_WIRE_SMALL, /* unsigned LEB128; from data version 13 on one byte */
  MLPD_WIRE_SIZE,  /* unsigned LEB128, MLPD_SIZE_MAX at most; stock writers sign-extend 32 bits */
  MLPD_WIRE_TIME,  /* unsigned LEB128, added modulo 2^64 to the time before */
  MLPD_WIRE_PTR,   /* signed LEB128, from the buffer's ptr_base */
  MLPD_WIRE_BINARY_ADDRESS, /* signed LEB128, absolute; from data version 14 on as PTR */
  MLPD_WIRE_OBJ,            /* signed LEB128 in units of 8 bytes (or bytes: has_byte_objects of the
                             * file header), from the buffer's obj_base */
  MLPD_WIRE_METHOD,         /* signed LEB128, from the method before */
  MLPD_WIRE_STRZ,           /* UTF-8, closed by a NUL */
  MLPD_WIRE_MTYPE,          /* one byte, the event's mtype */
  MLPD_WIRE_EXINFO,         /* no bytes: the high 4 bits of the event byte */
  MLPD_WIRE_MONITOR_EVENT,  /* no bytes: bits 4 and 5 of the event byte; from 14 on one byte */
  MLPD_WIRE_HELPER_TYPE,    /* as SMALL; one more up to data version 13 */
  MLPD_WIRE_HELPER_NAME,    /* as STRZ, if the helper is a specific trampoline */
  MLPD_WIRE_BACKTRACE,      /* flags (0), count, methods as PTR; from 13 on count, methods */
  MLPD_WIRE_PTRS,           /* count, addresses as PTR */
  MLPD_WIRE_OBJS,           /* count, objects as OBJ */
  MLPD_WIRE_REFS,           /* count, objects as OBJ; from 2 on the offset before each */
  MLPD_WIRE_ROOTS,          /* see mlpd-encode.h, as the following */
  MLPD_WIRE_FRAMES,
  MLPD_WIRE_COUNTERS,
  MLPD_WIRE_COUNTER_VALUES,
};

/* The meaning of a number. */
enum mlpd_unit {
  MLPD_UNIT_NUMBER,
  MLPD_UNIT_BYTES,
  MLPD_UNIT_NS,
  MLPD_UNIT_ADDRESS,
  MLPD_UNIT_OBJECT,
  MLPD_UNIT_CLASS,
  MLPD_UNIT_VTABLE,
  MLPD_UNIT_IMAGE,
  MLPD_UNIT_METHOD,
  MLPD_UNIT_THREAD,
  MLPD_UNIT_GENERATION,
  MLPD_UNIT_OFFSET, /* signed */
  MLPD_UNIT_DOUBLE, /* bits of one */
  MLPD_UNIT_TEXT,
  MLPD_UNIT_CLASS_NAME,
  MLPD_UNIT_METHOD_NAME,
  MLPD_UNIT_FILE_NAME,
  MLPD_UNIT_ASSEMBLY_NAME,
  MLPD_UNIT_SYMBOL_NAME, /* of native code */
  MLPD_UNIT_ROOT_NAME,
  MLPD_UNIT_LABEL,       /* that the program gave */
  MLPD_UNIT_PUBLIC_TEXT, /* of the runtime */
  MLPD_UNIT_LOAD,        /* this and the following have named values: mlpd-values.def */
  MLPD_UNIT_GC_EVENT,
  MLPD_UNIT_HANDLE_TYPE,
  MLPD_UNIT_CLAUSE_TYPE,
  MLPD_UNIT_MONITOR_EVENT,
  MLPD_UNIT_ROOT_SOURCE,
  MLPD_UNIT_ROOT_FLAG,
  MLPD_UNIT_SAMPLE_TYPE,
  MLPD_UNIT_COUNTER_SECTION,
  MLPD_UNIT_COUNTER_TYPE,
  MLPD_UNIT_COUNTER_UNIT,
  MLPD_UNIT_COUNTER_VARIANCE,
  MLPD_UNIT_HELPER_TYPE,
  MLPD_UNIT_SYNC_TYPE,
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

/* References of an object.  offsets[i], in bytes from the object's start, is the place of the
 * reference items[i]; NULL before data version 2. */
struct mlpd_references {
  const uint64_t *items;
  const uint64_t *offsets;
  size_t count;
};

/* A root: `address` is that of the slot, from data version 15 on; before, `type` states the kind
 * and has flags (mlpd-values.def) and `extra` depends on it. */
struct mlpd_root {
  uint64_t address;
  uint64_t object;
  uint64_t type;
  uint64_t extra;
};

struct mlpd_roots {
  const struct mlpd_root *items;
  size_t count;
  uint64_t collections; /* major ones so far; up to data version 14 */
};

/* A managed frame of a sample.  The offsets are in data versions 6 to 12 only, else 0. */
struct mlpd_frame {
  uint64_t method;
  int64_t il_offset;
  int64_t native_offset;
};

struct mlpd_frames {
  const struct mlpd_frame *items;
  size_t count;
};

struct mlpd_counter {
  uint64_t section;
  struct mlpd_string section_name; /* of user counters only */
  struct mlpd_string name;
  uint64_t type, unit, variance;
  uint64_t index;
};

struct mlpd_counters {
  const struct mlpd_counter *items;
  size_t count;
};

/* The value of a counter: as it is for doubles (their bits in `number`) and strings, else the
 * difference from the last one, modulo 2^64. */
struct mlpd_counter_value {
  uint64_t index;
  uint64_t type;
  uint64_t number;
  struct mlpd_string text; /* text NULL: none */
};

struct mlpd_counter_values {
  const struct mlpd_counter_value *items;
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
#define MLPD_C_STR32 struct mlpd_string
#define MLPD_C_UVAR uint64_t
#define MLPD_C_SMALL uint64_t
#define MLPD_C_SIZE uint64_t
#define MLPD_C_TIME uint64_t
#define MLPD_C_PTR uint64_t
#define MLPD_C_BINARY_ADDRESS uint64_t
#define MLPD_C_OBJ uint64_t
#define MLPD_C_METHOD uint64_t
#define MLPD_C_STRZ struct mlpd_string
#define MLPD_C_MTYPE uint64_t
#define MLPD_C_EXINFO uint64_t
#define MLPD_C_MONITOR_EVENT uint64_t
#define MLPD_C_HELPER_TYPE uint64_t
#define MLPD_C_HELPER_NAME struct mlpd_string
#define MLPD_C_BACKTRACE struct mlpd_list
#define MLPD_C_PTRS struct mlpd_list
#define MLPD_C_OBJS struct mlpd_list
#define MLPD_C_REFS struct mlpd_references
#define MLPD_C_ROOTS struct mlpd_roots
#define MLPD_C_FRAMES struct mlpd_frames
#define MLPD_C_COUNTERS struct mlpd_counters
#define MLPD_C_COUNTER_VALUES struct mlpd_counter_values

/* struct mlpd_alloc, struct mlpd_gc_event, ...: the payload of each kind.  Times are absolute
 * nanoseconds of the writer's monotonic clock, addresses are absolute. */
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) struct mlpd_##id {
#define FIELD(id, field, wire, unit, when, doc) MLPD_C_##wire field;
#define END_EVENT(id)                                                                              \
  }                                                                                                \
  ;
#include <proflog/mlpd-events.def>

union mlpd_payload {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) struct mlpd_##id id;
#include <proflog/mlpd-events.def>
};

#define MLPD_HEADER_MEMBER_file(field, wire) MLPD_C_##wire field;
#define MLPD_HEADER_MEMBER_buffer(field, wire)
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  MLPD_HEADER_MEMBER_##header (field, wire)
struct mlpd_file_header {
#include <proflog/mlpd-headers.def>
  bool has_byte_objects; /* not in the file: differences of objects count bytes, not units of 8 */
};
#undef MLPD_HEADER_MEMBER_file
#undef MLPD_HEADER_MEMBER_buffer

#define MLPD_HEADER_MEMBER_file(field, wire)
#define MLPD_HEADER_MEMBER_buffer(field, wire) MLPD_C_##wire field;
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  MLPD_HEADER_MEMBER_##header (field, wire)
struct mlpd_buffer_header {
#include <proflog/mlpd-headers.def>
};
#undef MLPD_HEADER_MEMBER_file
#undef MLPD_HEADER_MEMBER_buffer

/* Does the buffer state events that are missing (MLPD_LOSS_BASE)? */
static inline bool
mlpd_is_loss_mark (const struct mlpd_buffer_header *header)
{
  return header->length == 0 && header->obj_base == MLPD_LOSS_BASE;
}

/* Does it state the sum of the buffer before it (MLPD_CHECK_BASE)? */
static inline bool
mlpd_is_check_mark (const struct mlpd_buffer_header *header)
{
  return header->length == 0 && header->obj_base == MLPD_CHECK_BASE;
}

/* Does the buffer repeat earlier announcements of the log? */
static inline bool
mlpd_is_reannounced (const struct mlpd_buffer_header *header)
{
  return header->obj_base == MLPD_REANNOUNCE_BASE;
}

/* Does the buffer have the context of a part of a log? */
static inline bool
mlpd_is_context (const struct mlpd_buffer_header *header)
{
  return header->obj_base == MLPD_CONTEXT_BASE;
}

/* Is it an empty buffer with no other meaning?  A log of our module that was written to its end
 * closes with one, whose pointer base is the processor time of the module's own threads in ns, up
 * to then; 0: unknown. */
static inline bool
mlpd_is_end_mark (const struct mlpd_buffer_header *header)
{
  return header->length == 0 && header->obj_base != MLPD_LOSS_BASE
         && header->obj_base != MLPD_CHECK_BASE;
}

enum {
  MLPD_FILE_HEADER_SIZE = 32,       /* of major version 0 */
  MLPD_HEADER_STRING_MAX = 1 << 20, /* longest plausible text of a header */
  MLPD_BUFFER_HEADER_SIZE = 48,
};

#endif
