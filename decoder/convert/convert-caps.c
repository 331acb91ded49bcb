/* convert-caps.c -- a writer for each capability, whose blocks follow each other in one log. */
#include "config.h"

#include "decoder/convert/convert-caps.h"

#include "decoder/ghc/ghc-describe.h"

#include <string.h>

enum {
  BLOCK_EVENTS = 4096,        /* in a block at most */
  ALLOCATED_STEP = 64 * 1024, /* bytes after which their sum is recorded */
  NS_PER_S = 1000000000,
};

/* No event is at time 0: of one with zeros alone, as CAPSET_ASSIGN_CAP may be, readers could not
 * find the end. */
enum { EARLIEST = 1 };

static uint64_t
eventlog_time (const struct convert_caps *caps, uint64_t time)
{
  return time > caps->start ? time - caps->start : EARLIEST;
}

/* ---- the header ---- */

static struct ghc_event_type
type_of (enum ghc_kind kind)
{
  const struct ghc_description *d = ghc_describe (kind);
  return (struct ghc_event_type){
    .tag = d->tag, .size = d->size, .description = { d->doc, strlen (d->doc) }, .more = { "", 0 }
  };
}

static struct ghc_writer *
new_writer (void)
{
  const struct ghc_event_type types[] = {
#define TYPE(ID) type_of (GHC_##ID),
#include <proflog/mono-eventlog.def>
  };
  struct ghc_writer *writer = ghc_writer_new ();
  ghc_writer_header (writer, types, G_N_ELEMENTS (types), NULL);
  return writer;
}

static void
take_bytes (struct convert_caps *caps, struct ghc_writer *writer)
{
  size_t length;
  const uint8_t *bytes = ghc_writer_take (writer, &length);
  g_string_append_len (caps->out, (const char *) bytes, (gssize) length);
}

/* ---- blocks ---- */

static void
end_block (struct convert_caps *caps, struct convert_cap *cap)
{
  ghc_writer_end_block_at (cap->writer, cap->time);
  take_bytes (caps, cap->writer);
  cap->events = 0;
}

static void
write_event (struct convert_caps *caps, struct convert_cap *cap, enum ghc_kind kind,
             const union ghc_payload *payload)
{
  const struct ghc_event event
      = { .tag = ghc_describe (kind)->tag, .time = cap->time, .payload = payload };
  ghc_writer_event (cap->writer, &event, caps->error == NULL ? &caps->error : NULL);
}

void
convert_caps_put (struct convert_caps *caps, struct convert_cap *cap, enum ghc_kind kind,
                  uint64_t time, const union ghc_payload *payload)
{
  const union ghc_payload marker = { .block_marker = { .cap = cap->number } };
  caps->end = MAX (caps->end, time);
  cap->time = MAX (cap->time, eventlog_time (caps, time));
  if (!ghc_writer_is_in_block (cap->writer))
    write_event (caps, cap, GHC_BLOCK_MARKER, &marker);
  write_event (caps, cap, kind, payload);
  if (++cap->events == BLOCK_EVENTS)
    end_block (caps, cap);
}

/* ---- capabilities ---- */

static struct convert_cap *
new_cap (uint16_t number)
{
  struct convert_cap *cap = g_new0 (struct convert_cap, 1);
  size_t header;
  cap->number = number;
  cap->writer = new_writer ();
  if (number != GHC_NO_CAP)
    ghc_writer_take (cap->writer, &header); /* the log has it already */
  return cap;
}

static void
free_cap (gpointer data)
{
  struct convert_cap *cap = data;
  ghc_writer_free (cap->writer);
  g_free (cap);
}

struct convert_cap *
convert_caps_take (struct convert_caps *caps, uint64_t time)
{
  for (guint i = 0; i < caps->all->len; i++) {
    struct convert_cap *cap = caps->all->pdata[i];
    if (cap->is_free) {
      cap->is_free = false;
      return cap;
    }
  }
  if (caps->all->len >= GHC_NO_CAP)
    return NULL;
  struct convert_cap *cap = new_cap ((uint16_t) caps->all->len);
  const union ghc_payload made = { .cap_create = { .cap = cap->number } };
  g_ptr_array_add (caps->all, cap);
  convert_caps_put (caps, cap, GHC_CAP_CREATE, time, &made);
  for (uint32_t set = CONVERT_PROCESS; set <= CONVERT_CLOCK; set++) {
    const union ghc_payload assigned
        = { .capset_assign_cap = { .capset = set, .cap = cap->number } };
    convert_caps_put (caps, cap, GHC_CAPSET_ASSIGN_CAP, time, &assigned);
  }
  return cap;
}

void
convert_caps_put_allocated (struct convert_caps *caps, struct convert_cap *cap, uint64_t time)
{
  const union ghc_payload sum
      = { .heap_allocated = { .heap_capset = CONVERT_PROCESS, .bytes = cap->allocated } };
  if (cap->allocated == cap->allocated_recorded)
    return;
  convert_caps_put (caps, cap, GHC_HEAP_ALLOCATED, time, &sum);
  cap->allocated_recorded = cap->allocated;
}

void
convert_caps_allocate (struct convert_caps *caps, struct convert_cap *cap, uint64_t time,
                       uint64_t bytes)
{
  cap->allocated += bytes;
  if (cap->allocated - cap->allocated_recorded >= ALLOCATED_STEP)
    convert_caps_put_allocated (caps, cap, time);
}

/* ---- the log ---- */

static void
put_process (struct convert_caps *caps, struct convert_cap *cap,
             const struct convert_origin *origin)
{
  static const char runtime[] = "mono";
  const union ghc_payload process
      = { .capset_create
          = { .capset = CONVERT_PROCESS, .capset_type = GHC_CAPSET_TYPE_OS_PROCESS } };
  const union ghc_payload clock
      = { .capset_create
          = { .capset = CONVERT_CLOCK, .capset_type = GHC_CAPSET_TYPE_CLOCK_DOMAIN } };
  const union ghc_payload identifier
      = { .rts_identifier
          = { .capset = CONVERT_PROCESS, .identifier = { runtime, sizeof runtime - 1 } } };
  const union ghc_payload pid
      = { .osprocess_pid = { .capset = CONVERT_PROCESS, .pid = origin->pid } };
  const union ghc_payload time
      = { .wall_clock_time = { .capset = CONVERT_CLOCK,
                               .seconds = origin->clock_ns / NS_PER_S,
                               .nanoseconds = (uint32_t) (origin->clock_ns % NS_PER_S) } };
  convert_caps_put (caps, cap, GHC_CAPSET_CREATE, origin->start, &process);
  convert_caps_put (caps, cap, GHC_CAPSET_CREATE, origin->start, &clock);
  convert_caps_put (caps, cap, GHC_RTS_IDENTIFIER, origin->start, &identifier);
  convert_caps_put (caps, cap, GHC_OSPROCESS_PID, origin->start, &pid);
  if (origin->clock_ns != 0)
    convert_caps_put (caps, cap, GHC_WALL_CLOCK_TIME, origin->start, &time);
  end_block (caps, cap);
}

void
convert_caps_init (struct convert_caps *caps, const struct convert_origin *origin)
{
  struct convert_cap *none = new_cap (GHC_NO_CAP);
  *caps = (struct convert_caps){ .all = g_ptr_array_new_with_free_func (free_cap),
                                 .out = g_string_new (NULL),
                                 .start = origin->start,
                                 .end = origin->start };
  put_process (caps, none, origin);
  free_cap (none);
}

void
convert_caps_clear (struct convert_caps *caps)
{
  g_ptr_array_unref (caps->all);
  g_string_free (caps->out, TRUE);
  g_clear_error (&caps->error);
}

void
convert_caps_end (struct convert_caps *caps)
{
  struct ghc_writer *last = ghc_writer_new ();
  for (guint i = 0; i < caps->all->len; i++) {
    convert_caps_put_allocated (caps, caps->all->pdata[i], caps->end);
    end_block (caps, caps->all->pdata[i]);
  }
  ghc_writer_end (last, false);
  take_bytes (caps, last);
  ghc_writer_free (last);
}
