/* ghc-merge.c -- renumbers the events of several logs, and aligns their clocks. */
#include "config.h"

#include "decoder/ghc/edit/ghc-merge.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-start.h"
#include <string.h>

#define STOP_STATUS_MAX 32

void
ghc_merge_init (struct ghc_merge *m, size_t n_logs)
{
  *m = (struct ghc_merge){ .logs = g_new0 (struct ghc_merged, n_logs), .n_logs = n_logs };
  for (size_t i = 0; i < n_logs; i++) {
    m->logs[i].machines = g_array_new (FALSE, FALSE, sizeof (uint16_t));
    m->logs[i].program = i;
  }
  ghc_types_init (&m->types);
}

void
ghc_merge_clear (struct ghc_merge *m)
{
  for (size_t i = 0; i < m->n_logs; i++)
    g_array_unref (m->logs[i].machines);
  ghc_types_clear (&m->types);
  g_free (m->logs);
}

/* ---- numbers in events ---- */

static const struct {
  enum ghc_unit unit;
  uint64_t most; /* the highest number that there can be */
  const char *name;
  bool may_stay; /* where it does not clash: numbers are addresses, or known to other logs */
} numbered[GHC_NUMBERED] = {
#define NUMBERED(ID, names, most, may_stay) { GHC_UNIT_##ID, most, names, may_stay },
#include <proflog/ghc-units.def>
};

/* The kind of thing that a field numbers; GHC_NUMBERED: none. */
static enum ghc_numbered
unit_numbering (enum ghc_unit unit)
{
  unsigned i = 0;
  while (i < GHC_NUMBERED && numbered[i].unit != unit)
    i++;
  return (enum ghc_numbered) i;
}

/* The info of a thread that stops at a black hole is the thread that owns it. */
static bool
has_owner (const struct ghc_stop_thread *stop, bool is_7_8_2)
{
  return stop->info != 0
         && stop->status
                == (is_7_8_2 ? GHC_STOP_STATUS_7_8_2_BLACK_HOLE : GHC_STOP_STATUS_BLACK_HOLE);
}

static void
copy_payload (struct ghc_merge *m, const struct ghc_item *item)
{
  memcpy (&m->payload, item->payload, ghc_describe (item->kind)->payload_size);
}

/* Calls `take` with each number of the payload that is numbered, and puts the result in its place.
 */
typedef uint64_t (*take_number) (void *data, enum ghc_numbered what, uint64_t number);

static void
walk_field (const struct ghc_field *field, void *value, take_number take, void *data)
{
  const enum ghc_numbered what = unit_numbering (field->unit);
  if (what == GHC_NUMBERED)
    return;
  switch (field->wire) {
  case GHC_WIRE_U16: {
    uint16_t *number = value;
    *number = (uint16_t) take (data, what, *number);
    break;
  }
  case GHC_WIRE_U32: {
    uint32_t *number = value;
    *number = (uint32_t) take (data, what, *number);
    break;
  }
  case GHC_WIRE_U64: {
    uint64_t *number = value;
    *number = take (data, what, *number);
    break;
  }
  case GHC_WIRE_STACK: {
    struct ghc_stack *stack = value;
    for (size_t i = 0; i < stack->count; i++)
      stack->items[i] = (uint32_t) take (data, what, stack->items[i]);
    break;
  }
  default:
    break;
  }
}

static void
walk_numbers (enum ghc_kind kind, union ghc_payload *payload, bool is_7_8_2, take_number take,
              void *data)
{
  const struct ghc_description *description = ghc_describe (kind);
  for (size_t i = 0; i < description->n_fields; i++)
    walk_field (&description->fields[i], (char *) payload + description->fields[i].offset, take,
                data);
  if (kind == GHC_STOP_THREAD && has_owner (&payload->stop_thread, is_7_8_2))
    payload->stop_thread.info
        = (uint32_t) take (data, GHC_NUMBERED_THREAD, payload->stop_thread.info);
}

/* ---- survey ---- */

/* Brings two declarations of a type together: the longer one has room for both. */
static void
unite_type (struct ghc_event_type *type, const struct ghc_event_type *other)
{
  if (type->size == GHC_VARIABLE || other->size == GHC_VARIABLE)
    type->size = GHC_VARIABLE;
  else
    type->size = MAX (type->size, other->real_size);
}

/* Types that 6.12 declares wrong are declared as they are written. */
static void
survey_header (struct ghc_merge *m, struct ghc_merged *log, const struct ghc_header *header)
{
  log->is_7_8_2 |= header->is_7_8_2;
  log->is_6_12 |= header->is_6_12;
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    struct ghc_event_type *known = ghc_types_find (&m->types, type->tag);
    if (known != NULL)
      unite_type (known, type);
    else
      ghc_types_add (&m->types, type->tag, type->real_size, type->description, type->more);
  }
}

static uint64_t
survey_number (void *data, enum ghc_numbered what, uint64_t number)
{
  struct ghc_merged *log = data;
  if (what == GHC_NUMBERED_CAP && number >= GHC_NO_CAP)
    return number;
  log->highest[what] = MAX (log->highest[what], number);
  log->lowest[what] = log->has_numbers[what] ? MIN (log->lowest[what], number) : number;
  log->has_numbers[what] = true;
  return number;
}

/* Does a machine join in the log, by the number that it has there? */
static bool
joins (const struct ghc_merged *log, uint64_t machine)
{
  for (guint i = 0; i < log->machines->len; i++)
    if (g_array_index (log->machines, uint16_t, i) == machine)
      return true;
  return false;
}

static void
survey_time (struct ghc_merged *log, uint64_t time)
{
  log->first = log->has_events ? MIN (log->first, time) : time;
  log->last = MAX (log->last, time);
  log->has_events = true;
}

void
ghc_merge_survey (struct ghc_merge *m, size_t nth, const struct ghc_item *item)
{
  struct ghc_merged *log = &m->logs[nth];
  if (item->type == GHC_ITEM_HEADER)
    survey_header (m, log, item->header);
  if (item->type != GHC_ITEM_EVENT)
    return;
  if (item->kind != GHC_BLOCK_MARKER && !ghc_announces (item->kind))
    survey_time (log, item->time);
  if (item->kind == GHC_UNKNOWN)
    return;
  if (!log->has_clock)
    log->has_clock = ghc_clock_of (item, &log->start);
  if (item->kind == GHC_OSPROCESS_PID && log->pid == 0)
    log->pid = item->payload->osprocess_pid.pid;
  if (item->kind == GHC_CREATE_MACHINE && !joins (log, item->payload->create_machine.machine))
    g_array_append_val (log->machines, item->payload->create_machine.machine);
  copy_payload (m, item);
  walk_numbers (item->kind, &m->payload, item->header != NULL && item->header->is_7_8_2,
                survey_number, log);
}

/* ---- parts ---- */

/* Are both of one process, but not of the same time?  One may have announcements only. */
static bool
are_parts (const struct ghc_merged *log, const struct ghc_merged *other)
{
  const bool are_apart = !log->has_events || !other->has_events || log->last <= other->first
                         || other->last <= log->first;
  return log->has_clock && other->has_clock && log->start == other->start && log->pid != 0
         && log->pid == other->pid && are_apart;
}

/* May the nth log be a part of the log that this one is the first of? */
static bool
belongs_to (const struct ghc_merge *m, size_t nth, size_t program)
{
  for (size_t i = program; i < nth; i++)
    if (m->logs[i].program == program && !are_parts (&m->logs[nth], &m->logs[i]))
      return false;
  return true;
}

static void
unite_numbers (struct ghc_merged *program, const struct ghc_merged *part)
{
  for (unsigned what = 0; what < GHC_NUMBERED; what++) {
    if (!part->has_numbers[what])
      continue;
    program->lowest[what] = program->has_numbers[what]
                                ? MIN (program->lowest[what], part->lowest[what])
                                : part->lowest[what];
    program->highest[what] = MAX (program->highest[what], part->highest[what]);
    program->has_numbers[what] = true;
  }
}

static void
find_parts (struct ghc_merge *m)
{
  for (size_t i = 1; i < m->n_logs; i++) {
    size_t program = 0;
    while (program < i && (m->logs[program].program != program || !belongs_to (m, i, program)))
      program++;
    m->logs[i].program = program;
    m->logs[i].is_part = program != i;
    m->logs[program].is_part |= program != i;
    if (program == i)
      continue;
    unite_numbers (&m->logs[program], &m->logs[i]);
    memset (m->logs[i].has_numbers, 0, sizeof m->logs[i].has_numbers);
  }
}

/* Parts have the numbers of the log. */
static void
number_parts (struct ghc_merge *m)
{
  for (size_t i = 0; i < m->n_logs; i++)
    memcpy (m->logs[i].shift, m->logs[m->logs[i].program].shift, sizeof m->logs[i].shift);
}

bool
ghc_merge_precedes (const struct ghc_merge *m, size_t nth, size_t other)
{
  return m->logs[nth].program == m->logs[other].program
         && m->logs[nth].first < m->logs[other].first;
}

/* Is a part that begins at `first` rather the one of a time than one that begins at `best`? */
static bool
is_nearer (uint64_t time, uint64_t first, uint64_t best)
{
  return first <= time ? best > time || first > best : best > time && first < best;
}

/* The part in whose time this is; before the first one, that. */
static size_t
part_at (const struct ghc_merge *m, size_t program, uint64_t time)
{
  size_t found = program;
  for (size_t i = program + 1; i < m->n_logs; i++) {
    const struct ghc_merged *log = &m->logs[i], *best = &m->logs[found];
    if (log->program == program && log->has_events
        && (!best->has_events || is_nearer (time, log->first, best->first)))
      found = i;
  }
  return found;
}

bool
ghc_merge_includes (const struct ghc_merge *m, size_t nth, const struct ghc_item *item)
{
  const struct ghc_merged *log = &m->logs[nth];
  return !log->is_part || !ghc_announces (item->kind)
         || part_at (m, log->program, item->time) == nth;
}

/* ---- plan ---- */

/* Gives the nth log's numbers a shift; false if there are not enough. */
static bool
set_shift (struct ghc_merge *m, enum ghc_numbered what, size_t nth, uint64_t last, GError **error)
{
  const uint64_t most = numbered[what].most;
  struct ghc_merged *log = &m->logs[nth];
  /* Numbers that begin with 1 go on so. */
  log->shift[what] = last + (log->lowest[what] == 0 ? 1 : 0);
  if (log->shift[what] >= last && log->shift[what] <= most
      && log->highest[what] <= most - log->shift[what])
    return true;
  g_set_error (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_TOO_LONG,
               "there are not numbers enough for all %s: those of log %" G_GSIZE_FORMAT
               " go up to %" G_GUINT64_FORMAT ", and those of the logs before it to "
               "%" G_GUINT64_FORMAT "; the highest can be %" G_GUINT64_FORMAT,
               numbered[what].name, nth + 1, log->highest[what], last, most);
  return false;
}

/* Numbers of a log go on after those of the logs before it. */
static bool
plan_numbers (struct ghc_merge *m, enum ghc_numbered what, GError **error)
{
  uint64_t first = UINT64_MAX, last = 0; /* of the logs so far */
  for (size_t i = 0; i < m->n_logs; i++) {
    struct ghc_merged *log = &m->logs[i];
    if (!log->has_numbers[what])
      continue;
    const bool is_first = first > last;
    const bool clashes = log->lowest[what] <= last && log->highest[what] >= first;
    if (!is_first && (clashes || !numbered[what].may_stay) && !set_shift (m, what, i, last, error))
      return false;
    first = MIN (first, log->lowest[what] + log->shift[what]);
    last = MAX (last, log->highest[what] + log->shift[what]);
  }
  return true;
}

/* Would a log's machines be others' with this shift? */
static bool
machines_clash (const struct ghc_merge *m, size_t nth, uint64_t shift)
{
  const struct ghc_merged *log = &m->logs[nth];
  for (guint k = 0; k < log->machines->len; k++)
    for (size_t i = 0; i < nth; i++) {
      const uint64_t machine = g_array_index (log->machines, uint16_t, k) + shift;
      const uint64_t before = m->logs[i].shift[GHC_NUMBERED_MACHINE];
      if (machine >= before && joins (&m->logs[i], machine - before))
        return true;
    }
  return false;
}

/* Each machine has a log of its own, and calls the others by the numbers that all know.  So
 * machines keep their numbers, unless there is one twice: then these are other machines, and so are
 * those that come with them. */
static bool
plan_machines (struct ghc_merge *m, GError **error)
{
  const enum ghc_numbered what = GHC_NUMBERED_MACHINE;
  uint64_t last = 0;
  for (size_t i = 0; i < m->n_logs; i++) {
    struct ghc_merged *log = &m->logs[i];
    if (!log->has_numbers[what])
      continue;
    bool clashes = machines_clash (m, i, 0);
    for (size_t k = i; clashes && k > 0; k--) {
      log->shift[what] = m->logs[k - 1].shift[what];
      clashes = machines_clash (m, i, log->shift[what])
                || log->highest[what] > numbered[what].most - log->shift[what];
    }
    if (clashes && !set_shift (m, what, i, last, error))
      return false;
    last = MAX (last, log->highest[what] + log->shift[what]);
  }
  return true;
}

/* The log that began first begins the clock of all. */
static void
plan_clock (struct ghc_merge *m)
{
  uint64_t first = UINT64_MAX;
  for (size_t i = 0; i < m->n_logs; i++)
    if (m->logs[i].has_clock)
      first = MIN (first, m->logs[i].start);
  for (size_t i = 0; i < m->n_logs; i++)
    m->logs[i].later = m->logs[i].has_clock ? m->logs[i].start - first : 0;
}

/* A header of 7.8.2 states so by lacking an event; if not all logs are of that, their union must
 * not state it. */
static void
plan_versions (struct ghc_merge *m)
{
  size_t n = 0;
  for (size_t i = 0; i < m->n_logs; i++)
    n += m->logs[i].is_7_8_2;
  m->knows_7_8_2 = n != 0 && n != m->n_logs;
  if (m->knows_7_8_2 && ghc_types_find (&m->types, GHC_TAG_HACK_BUG_T9003) == NULL)
    ghc_types_add (&m->types, GHC_TAG_HACK_BUG_T9003, 0,
                   (struct ghc_text){ "Empty event for bug #9003", 25 },
                   (struct ghc_text){ NULL, 0 });
}

bool
ghc_merge_plan (struct ghc_merge *m, GError **error)
{
  find_parts (m);
  for (unsigned what = 0; what < GHC_NUMBERED_MACHINE; what++)
    if (!plan_numbers (m, (enum ghc_numbered) what, error))
      return false;
  if (!plan_machines (m, error))
    return false;
  number_parts (m);
  plan_clock (m);
  plan_versions (m);
  return true;
}

/* ---- events ---- */

static uint64_t
later (uint64_t time, uint64_t by)
{
  return time > UINT64_MAX - by ? UINT64_MAX : time + by;
}

uint64_t
ghc_merge_time (const struct ghc_merge *m, size_t nth, uint64_t time)
{
  return later (time, m->logs[nth].later);
}

static uint64_t
shift_number (void *data, enum ghc_numbered what, uint64_t number)
{
  const struct ghc_merged *log = data;
  if (what == GHC_NUMBERED_CAP && number >= GHC_NO_CAP)
    return number;
  return number + log->shift[what];
}

/* The log of a machine that another one's log names; that one, if there is none. */
static const struct ghc_merged *
log_of_machine (const struct ghc_merge *m, const struct ghc_merged *log, uint64_t machine)
{
  const enum ghc_numbered what = GHC_NUMBERED_MACHINE;
  for (size_t i = 0; i < m->n_logs; i++)
    if (m->logs[i].shift[what] == log->shift[what] && joins (&m->logs[i], machine)
        && !joins (log, machine))
      return &m->logs[i];
  return log;
}

/* Processes and threads at the other end of a message are numbered by the machine there. */
static void
shift_other_end (const struct ghc_merge *m, const struct ghc_merged *log,
                 const struct ghc_item *item, union ghc_payload *payload)
{
  const union ghc_payload *was = item->payload;
  if (item->kind == GHC_SEND_MESSAGE) {
    log = log_of_machine (m, log, was->send_message.receiver_machine);
    payload->send_message.receiver_process
        = (uint32_t) (was->send_message.receiver_process + log->shift[GHC_NUMBERED_PROCESS]);
  } else if (item->kind == GHC_RECEIVE_MESSAGE) {
    log = log_of_machine (m, log, was->receive_message.sender_machine);
    payload->receive_message.sender_process
        = (uint32_t) (was->receive_message.sender_process + log->shift[GHC_NUMBERED_PROCESS]);
    payload->receive_message.sender_thread
        = (uint32_t) (was->receive_message.sender_thread + log->shift[GHC_NUMBERED_THREAD]);
  }
}

/* The number that other writers have for a reason of 7.8.2. */
static uint16_t
status_of_7_8_2 (uint16_t status)
{
  const char *name = ghc_value_name (GHC_UNIT_STOP_STATUS_7_8_2, status);
  for (uint16_t i = 0; name != NULL && i < STOP_STATUS_MAX; i++)
    if (g_strcmp0 (ghc_value_name (GHC_UNIT_STOP_STATUS, i), name) == 0)
      return i;
  return status;
}

/* Fields that other writers have in another form. */
static void
convert (struct ghc_merge *m, const struct ghc_item *item, union ghc_payload *payload)
{
  if (item->kind == GHC_STOP_THREAD && m->knows_7_8_2 && item->header->is_7_8_2)
    payload->stop_thread.status = status_of_7_8_2 (payload->stop_thread.status);
  if (item->kind == GHC_NONMOVING_HEAP_CENSUS) {
    struct ghc_nonmoving_heap_census *census = &payload->nonmoving_heap_census;
    if (census->block_size == 0 && census->log2_block_size < 16)
      census->block_size = (uint16_t) (1u << census->log2_block_size);
  }
}

struct ghc_event
ghc_merge_event (struct ghc_merge *m, size_t nth, const struct ghc_item *item)
{
  struct ghc_merged *log = &m->logs[nth];
  struct ghc_event event = ghc_event_of_item (item);
  event.time = later (event.time, log->later);
  if (item->kind == GHC_UNKNOWN)
    return event;
  copy_payload (m, item);
  event.payload = &m->payload;
  walk_numbers (item->kind, &m->payload, item->header != NULL && item->header->is_7_8_2,
                shift_number, log);
  shift_other_end (m, log, item, &m->payload);
  if (item->kind == GHC_BLOCK_MARKER)
    m->payload.block_marker.end_time = later (m->payload.block_marker.end_time, log->later);
  else if (item->kind == GHC_HEAP_BIO_PROF_SAMPLE_BEGIN)
    m->payload.heap_bio_prof_sample_begin.sampled_at
        = later (m->payload.heap_bio_prof_sample_begin.sampled_at, log->later);
  else
    convert (m, item, &m->payload);
  return event;
}
