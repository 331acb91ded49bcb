/* log-eventlog.c -- the bytes of eventlogs, but for the events of threads: see log-format.h.
 *
 * A buffer is a block of its recorder's capability: the header of the buffer has the time of the
 * block's beginning and, for a thread, the capability.
 */
#include "config.h"

#include "profiler/os/command-line.h"
#include "profiler/record/eventlog.h"
#include "profiler/write/log-file.h"
#include "profiler/names/names.h"
#include <proflog/ghc-walk.h>
#include <proflog/module-options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The state of a capability in the log. */
struct cap {
  bool is_placed;
  uint32_t thread; /* that lives; 0: none */
  bool runs;
  uint16_t status; /* if not: why it has stopped */
  uint64_t allocated;
  uint64_t time; /* of the last event */
};
static struct cap *caps;
static size_t n_caps;
static uint64_t heap_size; /* that was recorded last; 0: none */
static size_t heap_cap;    /* where */

static uint64_t
now (void)
{
  return eventlog_time (clock_now ());
}

/* ---- blocks ---- */

static void
put_frame (uint8_t *to, const struct mlpd_buffer_header *header, const uint8_t *events,
           size_t length)
{
  struct ghc_walk walk = { .at = events, .end = events + length, .time = header->time_base };
  while (ghc_walk_event (&walk))
    ;
  const struct ghc_block_marker marker
      = { .block_size = (uint32_t) (GHC_BLOCK_MARKER_SIZE + length),
          .end_time = walk.time,
          .cap = (uint16_t) header->thread };
  ghc_put_event_block_marker (to, header->time_base, &marker);
}

static bool
pass (const struct mlpd_buffer_header *header, const uint8_t *events, size_t length,
      uint64_t *count, struct mlpd_buffer_header *rest)
{
  struct ghc_walk walk = { .at = events, .end = events + length, .time = header->time_base };
  for (*count = 0; ghc_walk_event (&walk);)
    ++*count;
  *rest = *header;
  rest->time_base = walk.time;
  return walk.at == walk.end;
}

/* ---- the header ---- */

static uint8_t *
put_type (uint8_t *p, enum ghc_kind kind)
{
  static const struct {
    unsigned tag, size;
    const char *doc;
  } types[] = {
#define VARIABLE GHC_VARIABLE
#define EVENT(ID, id, tag, declared, since, group, role, doc) [GHC_##ID] = { tag, declared, doc },
#include <proflog/ghc-events.def>
#undef VARIABLE
  };
  const size_t length = strlen (types[kind].doc);
  p = ghc_put_number (p, GHC_TYPE_BEGIN, 4);
  p = ghc_put_number (p, types[kind].tag, 2);
  p = ghc_put_number (p, types[kind].size, 2);
  p = ghc_put_number (p, length, 4);
  p = ghc_put_bytes (p, types[kind].doc, length);
  p = ghc_put_number (p, 0, 4);
  return ghc_put_number (p, GHC_TYPE_END, 4);
}

static uint8_t *
put_sets (uint8_t *p)
{
  const struct ghc_capset_create process
      = { .capset = EVENTLOG_PROCESS, .capset_type = GHC_CAPSET_TYPE_OS_PROCESS },
      clock = { .capset = EVENTLOG_CLOCK, .capset_type = GHC_CAPSET_TYPE_CLOCK_DOMAIN };
  p = ghc_put_event_capset_create (p, now (), &process);
  return ghc_put_event_capset_create (p, now (), &clock);
}

static uint8_t *
put_process (uint8_t *p, const struct log_origin *origin)
{
  enum { WORDS_MAX = 4096 }; /* the spool holds them */
  char runtime[128], words[WORDS_MAX];
  snprintf (runtime, sizeof runtime, "mono %s", origin->runtime != NULL ? origin->runtime : "");
  const struct ghc_rts_identifier identifier
      = { .capset = EVENTLOG_PROCESS, .identifier = { runtime, strlen (runtime) } };
  p = ghc_put_event_rts_identifier (p, now (), &identifier);
  const struct ghc_program_args args
      = { .capset = EVENTLOG_PROCESS,
          .arguments = { words, command_line_of_program (words, sizeof words) } };
  p = ghc_put_event_program_args (p, now (), &args);
  const struct ghc_osprocess_pid pid = { .capset = EVENTLOG_PROCESS, .pid = (uint32_t) getpid () };
  p = ghc_put_event_osprocess_pid (p, now (), &pid);
  const struct ghc_osprocess_ppid ppid
      = { .capset = EVENTLOG_PROCESS, .ppid = (uint32_t) getppid () };
  return ghc_put_event_osprocess_ppid (p, now (), &ppid);
}

static uint8_t *
put_clock (uint8_t *p)
{
  struct timespec t;
  clock_gettime (CLOCK_REALTIME, &t);
  const struct ghc_wall_clock_time event = { .capset = EVENTLOG_CLOCK,
                                             .seconds = (uint64_t) t.tv_sec,
                                             .nanoseconds = (uint32_t) t.tv_nsec };
  return ghc_put_event_wall_clock_time (p, now (), &event);
}

/* With a block that describes the process. */
static size_t
put_header (uint8_t *to, const struct log_origin *origin)
{
  uint8_t *p = to;
  caps = NULL; /* in a forked child they are the parent's */
  n_caps = 0;
  heap_size = 0;
  p = ghc_put_number (p, GHC_HEADER_BEGIN, 4);
  p = ghc_put_number (p, GHC_TYPES_BEGIN, 4);
#define TYPE(ID) p = put_type (p, GHC_##ID);
#include <proflog/mono-eventlog.def>
  p = ghc_put_number (p, GHC_TYPES_END, 4);
  p = ghc_put_number (p, GHC_HEADER_END, 4);
  p = ghc_put_number (p, GHC_DATA_BEGIN, 4);
  uint8_t *const block = p, *const events = p + GHC_BLOCK_MARKER_SIZE;
  const struct mlpd_buffer_header header = { .time_base = now (), .thread = GHC_NO_CAP };
  p = put_clock (put_process (put_sets (events), origin));
  put_frame (block, &header, events, (size_t) (p - events));
  return (size_t) (p - to);
}

/* ---- the state of the log ---- */

/* NULL: there is no memory. */
static struct cap *
cap_of (uint64_t number)
{
  if (number >= n_caps && number < EVENTLOG_CAPS_MAX) {
    const size_t size = (size_t) number + 64;
    struct cap *larger = realloc (caps, size * sizeof *caps);
    if (larger == NULL)
      return NULL;
    memset (larger + n_caps, 0, (size - n_caps) * sizeof *caps);
    caps = larger;
    n_caps = size;
  }
  return number < n_caps ? &caps[number] : NULL;
}

static void
note (const struct mlpd_buffer_header *header, const uint8_t *events, size_t length)
{
  struct ghc_walk walk = { .at = events, .end = events + length };
  struct cap *cap = cap_of (header->thread);
  while (cap != NULL && ghc_walk_event (&walk)) {
    cap->time = walk.time;
    switch (walk.tag) {
    case GHC_TAG_CAP_CREATE:
      cap->is_placed = true;
      break;
    case GHC_TAG_CREATE_THREAD:
      cap->thread = (uint32_t) GHC_WALK_FIELD (walk.payload, create_thread, thread);
      cap->runs = false;
      break;
    case GHC_TAG_RUN_THREAD:
      cap->runs = true;
      break;
    case GHC_TAG_STOP_THREAD:
      cap->runs = false;
      cap->status = (uint16_t) GHC_WALK_FIELD (walk.payload, stop_thread, status);
      if (cap->status == GHC_STOP_STATUS_FINISHED)
        cap->thread = 0;
      break;
    case GHC_TAG_HEAP_ALLOCATED:
      cap->allocated = GHC_WALK_FIELD (walk.payload, heap_allocated, bytes);
      break;
    case GHC_TAG_HEAP_SIZE:
      heap_size = GHC_WALK_FIELD (walk.payload, heap_size, bytes);
      heap_cap = (size_t) header->thread;
      break;
    }
  }
}

/* The name of a thread that lives; NULL: it has none, or has ended meanwhile. */
static const struct name *
thread_name (uint32_t thread)
{
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next)
    if (atomic_load (&r->eventlog.id) == thread)
      return names_find (NAME_THREAD, atomic_load (&r->thread));
  return NULL;
}

/* Records the state of a thread of the file before; that was at the time of the capability's last
 * event there, as later events may have happened before this file was begun. */
static uint8_t *
put_thread (uint8_t *p, const struct cap *cap)
{
  const struct ghc_create_thread made = { .thread = cap->thread };
  p = ghc_put_event_create_thread (p, cap->time, &made);
  const struct name *name = thread_name (cap->thread);
  if (name != NULL) {
    const size_t length = name->length < EVENTLOG_TEXT_MAX ? name->length : EVENTLOG_TEXT_MAX;
    const struct ghc_thread_label label
        = { .thread = cap->thread, .label = { name->text, length } };
    p = ghc_put_event_thread_label (p, cap->time, &label);
  }
  const struct ghc_run_thread runs = { .thread = cap->thread };
  p = ghc_put_event_run_thread (p, cap->time, &runs);
  if (cap->runs)
    return p;
  const struct ghc_stop_thread stops = { .thread = cap->thread, .status = cap->status };
  return ghc_put_event_stop_thread (p, cap->time, &stops);
}

static void
put_state (struct log_file *to)
{
  uint8_t bytes[EVENTLOG_TEXT_MAX + 512];
  for (size_t i = 0; i < n_caps; i++) {
    const struct cap *cap = &caps[i];
    const struct mlpd_buffer_header header = { .time_base = cap->time, .thread = i };
    const uint16_t number = (uint16_t) i;
    uint8_t *p = bytes;
    if (!cap->is_placed)
      continue;
    const struct ghc_cap_create made = { .cap = number };
    p = ghc_put_event_cap_create (p, cap->time, &made);
    for (uint32_t set = EVENTLOG_PROCESS; set <= EVENTLOG_CLOCK; set++) {
      const struct ghc_capset_assign_cap assigned = { .capset = set, .cap = number };
      p = ghc_put_event_capset_assign_cap (p, cap->time, &assigned);
    }
    const struct ghc_heap_allocated allocated
        = { .heap_capset = EVENTLOG_PROCESS, .bytes = cap->allocated };
    if (cap->allocated != 0)
      p = ghc_put_event_heap_allocated (p, cap->time, &allocated);
    const struct ghc_heap_size size = { .heap_capset = EVENTLOG_PROCESS, .bytes = heap_size };
    if (heap_size != 0 && i == heap_cap)
      p = ghc_put_event_heap_size (p, cap->time, &size);
    if (cap->thread != 0)
      p = put_thread (p, cap);
    log_put_events (to, header, bytes, (size_t) (p - bytes));
  }
}

/* ---- the end ---- */

static void
put_allocated (struct log_file *to, const struct recorder *r)
{
  uint8_t bytes[64];
  const struct mlpd_buffer_header header = { .time_base = now (), .thread = r->number };
  const struct ghc_heap_allocated event
      = { .heap_capset = EVENTLOG_PROCESS,
          .bytes = atomic_load_explicit (&r->eventlog.allocated, memory_order_relaxed) };
  const struct cap *cap = cap_of (r->number);
  if (cap == NULL || !cap->is_placed || event.bytes <= cap->allocated)
    return;
  const uint8_t *end = ghc_put_event_heap_allocated (bytes, now (), &event);
  log_put_events (to, header, bytes, (size_t) (end - bytes));
}

static void
put_message (struct log_file *to, const char *text)
{
  uint8_t bytes[256];
  const struct mlpd_buffer_header header = { .time_base = now (), .thread = GHC_NO_CAP };
  const struct ghc_log_msg event = { .message = { text, strlen (text) } };
  const uint8_t *end = ghc_put_event_log_msg (bytes, now (), &event);
  log_put_events (to, header, bytes, (size_t) (end - bytes));
}

static void
put_losses (struct log_file *to, uint64_t lost, int reason, uint64_t time)
{
  char text[GHC_LOSSES_MAX];
  (void) time;
  if (reason != 0)
    snprintf (text, sizeof text, GHC_LOSSES_FAILED, lost, strerror (reason));
  else
    snprintf (text, sizeof text, GHC_LOSSES_DROPPED, lost);
  put_message (to, text);
}

static void
put_limit (struct log_file *to, const char *reason)
{
  char text[GHC_LOSSES_MAX];
  snprintf (text, sizeof text, GHC_LOSSES_START PROFLOG_LIMIT_MARK "%s", reason);
  put_message (to, text);
}

/* The bytes that threads have allocated since they recorded them last. */
static void
put_last (struct log_file *to)
{
  for (const struct recorder *r = recorder_first (); r != NULL; r = r->next)
    put_allocated (to, r);
}

static void
put_end (uint8_t *to, uint64_t time)
{
  (void) time;
  ghc_put_number (to, GHC_DATA_END, 2);
}

const struct log_format log_format_eventlog = {
  .name = "eventlog",
  .frame_size = GHC_BLOCK_MARKER_SIZE,
  .end_size = 2,
  .put_header = put_header,
  .put_frame = put_frame,
  .events = { pass },
  .note = note,
  .put_state = put_state,
  .put_losses = put_losses,
  .put_limit = put_limit,
  .put_last = put_last,
  .put_end = put_end,
};
