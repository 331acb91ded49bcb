/* mlpd-fields.h -- reads the fields of each event, inline: the event list is expanded to
 *
 *   mlpd_get_ID (bases, lists, cursor, byte, event)
 *
 * which decodes the fields after the event byte into *event (mlpd-wires.h, mlpd-lists.h).
 */
#ifndef PROFLOG_MLPD_FIELDS_H
#define PROFLOG_MLPD_FIELDS_H

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-lists.h"
#include "decoder/mlpd/mlpd-wires.h"

#define MLPD_GET_U8(b, l, c, byte) cursor_u8 (c)
#define MLPD_GET_UVAR(b, l, c, byte) mlpd_get_uvar (c)
#define MLPD_GET_SMALL(b, l, c, byte) mlpd_get_small (b, c)
#define MLPD_GET_SIZE(b, l, c, byte) mlpd_get_size (c)
#define MLPD_GET_TIME(b, l, c, byte) mlpd_get_time (b, c)
#define MLPD_GET_PTR(b, l, c, byte) mlpd_get_ptr (b, c)
#define MLPD_GET_BINARY_ADDRESS(b, l, c, byte) mlpd_get_binary_address (b, c)
#define MLPD_GET_OBJ(b, l, c, byte) mlpd_get_obj (b, c)
#define MLPD_GET_METHOD(b, l, c, byte) mlpd_get_method (b, c)
#define MLPD_GET_STRZ(b, l, c, byte) mlpd_get_strz (c)
#define MLPD_GET_MTYPE(b, l, c, byte) cursor_u8 (c)
#define MLPD_GET_EXINFO(b, l, c, byte) ((byte) &0xf0)
#define MLPD_GET_MONITOR_EVENT(b, l, c, byte) mlpd_get_monitor_event (b, c, byte)
#define MLPD_GET_HELPER_TYPE(b, l, c, byte) (helper_type = mlpd_get_helper_type (b, c))
#define MLPD_GET_HELPER_NAME(b, l, c, byte)                                                        \
  (helper_type == MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE ? mlpd_get_strz (c)                         \
                                                       : (struct mlpd_string){ 0 })
#define MLPD_GET_BACKTRACE(b, l, c, byte) mlpd_get_backtrace (b, l, c)
#define MLPD_GET_PTRS(b, l, c, byte) mlpd_get_ptrs (b, &(l)->ptrs, c)
#define MLPD_GET_OBJS(b, l, c, byte) mlpd_get_objs (b, l, c)
#define MLPD_GET_REFS(b, l, c, byte) mlpd_get_references (b, l, c)
#define MLPD_GET_ROOTS(b, l, c, byte) mlpd_get_roots (b, &(l)->roots, c)
#define MLPD_GET_FRAMES(b, l, c, byte) mlpd_get_frames (b, &(l)->frames, c)
#define MLPD_GET_COUNTERS(b, l, c, byte) mlpd_get_counters (b, &(l)->counters, c)
#define MLPD_GET_COUNTER_VALUES(b, l, c, byte) mlpd_get_counter_values (b, &(l)->counters, c)

#define LATEST MLPD_LATEST
#define ALWAYS 1
#define VERSIONS(since, until) (b->version >= (since) && b->version <= (until))
#define FLAG(mask) ((byte & (mask)) != 0)
#define EXINFO_IS(value) ((byte & 0xf0) == (value))
#define WHEN(since, until, mask, value) (VERSIONS (since, until) && (byte & (mask)) == (value))
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  CURSOR_INLINE void mlpd_get_##id (struct mlpd_bases *b, struct mlpd_lists *l G_GNUC_UNUSED,      \
                                    struct cursor *c, uint8_t byte G_GNUC_UNUSED,                  \
                                    struct mlpd_##id *event)                                       \
  {                                                                                                \
    uint64_t helper_type G_GNUC_UNUSED = 0;
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  event->field = (when) ? MLPD_GET_##wire (b, l, c, byte) : (MLPD_C_##wire){ 0 };
#define END_EVENT(id) }
#include <proflog/mlpd-events.def>
#undef LATEST
#undef ALWAYS
#undef VERSIONS
#undef FLAG
#undef EXINFO_IS
#undef WHEN

#endif
