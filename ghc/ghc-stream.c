/* ghc-stream.c -- splits the runtime's bytes into headers, blocks and end marks. */
#include "config.h"

#include "ghc/ghc-stream.h"
#include "eventlog/event-memory.h"
#include "eventlog/eventlog-parts.h"
#include <proflog/ghc-encode.h>
#include <proflog/ghc-walk.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  TYPES_AT = 4 + 4,                   /* in a header */
  TYPE_LEAST = 4 + 2 + 2 + 4 + 4 + 4, /* bytes of a type */
  HEADER_END_SIZE = 4 + 4 + 4,
  MARKER_TIME_AT = 2,
  MARKER_SIZE_AT = GHC_EVENT_HEADER_SIZE,
  MARKER_END_AT = MARKER_SIZE_AT + 4,
  MARKER_CAP_AT = MARKER_END_AT + 8,
  MARKER_PAYLOAD = GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE,
};

/* A header or block that is being put together. */
struct bytes {
  uint8_t *bytes;
  size_t length, size;
  uint64_t events;
};

static struct event_memory *memory;
static uint32_t forms[GHC_DATA_END + 1]; /* by tags, as the runtime declares them (ghc-walk.h) */
static uint16_t kinds[GHC_DATA_END + 1];
static struct bytes header, block;
static unsigned block_cap;
static uint64_t last_time;
static bool records = true;
static bool enabled[EVENTLOG_CLASSES];
static uint8_t classes[GHC_KINDS + 1];
static struct ghc_stream_figures figures;

static void
forget_forms (void)
{
  memset (forms, 0, sizeof forms);
  /* One may stand before the header. */
  forms[eventlog_tag (GHC_BLOCK_MARKER)] = ghc_event_form (MARKER_PAYLOAD);
}

bool
ghc_stream_start (void)
{
  forget_forms ();
  for (size_t i = 0; i <= GHC_DATA_END; i++)
    kinds[i] = GHC_UNKNOWN;
  for (int i = 0; i < GHC_KINDS; i++) {
    kinds[eventlog_tag ((enum ghc_kind) i)] = (uint16_t) i;
    classes[i] = (uint8_t) eventlog_class_of ((enum ghc_kind) i);
  }
  classes[GHC_UNKNOWN] = EVENTLOG_CLASSES;
  for (int i = 0; i < EVENTLOG_CLASSES; i++)
    enabled[i] = true;
  memory = event_memory_new ();
  return memory != NULL;
}

/* False without memory. */
static bool
append (struct bytes *to, const void *bytes, size_t length)
{
  if (to->length + length > to->size) {
    const size_t size = 2 * (to->length + length);
    uint8_t *larger = realloc (to->bytes, size);
    if (larger == NULL)
      return false;
    to->bytes = larger;
    to->size = size;
  }
  if (length != 0)
    memcpy (to->bytes + to->length, bytes, length);
  to->length += length;
  return true;
}

/* ---- blocks that are put ---- */

static void
begin_block (struct bytes *to, unsigned cap, uint64_t time)
{
  uint8_t marker[GHC_BLOCK_MARKER_SIZE];
  uint8_t *p = ghc_put_number (marker, eventlog_tag (GHC_BLOCK_MARKER), 2);
  const struct ghc_block_marker payload = { .end_time = time, .cap = (uint16_t) cap };
  ghc_put_block_marker (ghc_put_number (p, time, 8), MARKER_PAYLOAD, &payload);
  to->length = 0;
  to->events = 0;
  append (to, marker, sizeof marker);
}

/* The runtime writes the end of a collection late, with the time at which it was. */
static void
widen_block (struct bytes *b, uint64_t time)
{
  if (time < proflog_be64 (b->bytes + MARKER_TIME_AT))
    ghc_put_number (b->bytes + MARKER_TIME_AT, time, 8);
  if (time > proflog_be64 (b->bytes + MARKER_END_AT))
    ghc_put_number (b->bytes + MARKER_END_AT, time, 8);
}

static void
end_block (struct bytes *b, ghc_stream_put put, void *data)
{
  if (b->events != 0) {
    ghc_put_number (b->bytes + MARKER_SIZE_AT, b->length, 4);
    put (data, b->bytes, b->length, b->events);
  }
  b->length = 0;
  b->events = 0;
}

static void
append_event (struct bytes *to, uint16_t tag, uint64_t time, const uint8_t *payload, size_t length)
{
  uint8_t start[GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE];
  uint8_t *p = ghc_put_number (ghc_put_number (start, tag, 2), time, 8);
  if ((forms[tag] & GHC_FORM_VARIES) != 0)
    p = ghc_put_number (p, length, GHC_LENGTH_SIZE);
  const size_t before = to->length;
  if (append (to, start, (size_t) (p - start)) && append (to, payload, length))
    to->events++;
  else
    to->length = before;
}

/* ---- the runtime's header ---- */

/* Nothing but the end mark has its tag. */
static void
declare (unsigned tag, unsigned size)
{
  if (tag != GHC_DATA_END)
    forms[tag] = ghc_event_form (size);
}

/* The bytes of the type at the start; 0: it is none, or not whole. */
static size_t
type_size (const uint8_t *bytes, size_t length)
{
  if (length < TYPE_LEAST || proflog_be32 (bytes) != GHC_TYPE_BEGIN)
    return 0;
  const size_t text = proflog_be32 (bytes + 8);
  if (text > length - TYPE_LEAST)
    return 0;
  const size_t more = proflog_be32 (bytes + 12 + text);
  return more <= length - TYPE_LEAST - text ? TYPE_LEAST + text + more : 0;
}

/* The bytes of a header at the start; 0: it is none, or not whole. */
static size_t
header_size (const uint8_t *bytes, size_t length)
{
  size_t at = TYPES_AT;
  if (length < at || proflog_be32 (bytes + 4) != GHC_TYPES_BEGIN)
    return 0;
  for (size_t n; (n = type_size (bytes + at, length - at)) != 0;)
    at += n;
  return length - at >= HEADER_END_SIZE && proflog_be32 (bytes + at) == GHC_TYPES_END
                 && proflog_be32 (bytes + at + 4) == GHC_HEADER_END
                 && proflog_be32 (bytes + at + 8) == GHC_DATA_BEGIN
             ? at + HEADER_END_SIZE
             : 0;
}

/* The same.  One that makes no sense declares nothing. */
static size_t
handle_header (const uint8_t *bytes, size_t length, bool *is_new)
{
  const size_t size = header_size (bytes, length);
  if (size == 0)
    return 0;
  forget_forms ();
  for (size_t at = TYPES_AT, n; (n = type_size (bytes + at, size - at)) != 0; at += n)
    declare (proflog_be16 (bytes + at + 4), proflog_be16 (bytes + at + 6));
  *is_new = header.length == 0;
  if (*is_new)
    append (&header, bytes, size);
  return size;
}

/* ---- the runtime's events ---- */

static void
handle_event (uint16_t tag, uint64_t time, const uint8_t *payload, size_t length)
{
  const enum ghc_kind kind = (enum ghc_kind) kinds[tag];
  figures.events++;
  if (time > last_time)
    last_time = time;
  if (event_memory_cares (kind)) {
    event_memory_store (memory, kind, block_cap, time, payload, length);
    figures.remembered = event_memory_count (memory);
  }
  const unsigned class = classes[kind];
  if (!records || (class < EVENTLOG_CLASSES && !enabled[class])) {
    figures.left_out++;
    return;
  }
  if (block.length == 0)
    begin_block (&block, block_cap, time);
  if (block.length == 0)
    return; /* no memory */
  append_event (&block, tag, time, payload, length);
  widen_block (&block, time);
}

/* The bytes of the event at the start; 0: it makes no sense. */
static size_t
handle_one (const uint8_t *bytes, size_t length, ghc_stream_put put, void *data)
{
  struct ghc_event_head head;
  if (ghc_event_head (bytes, length, forms, &head) != GHC_HEAD_READ || head.size > length)
    return 0;
  if (kinds[head.tag] == GHC_BLOCK_MARKER) {
    end_block (&block, put, data);
    block_cap = proflog_be16 (bytes + MARKER_CAP_AT);
  } else {
    handle_event ((uint16_t) head.tag, head.time, bytes + head.start, head.size - head.start);
  }
  return head.size;
}

void
ghc_stream_write (const uint8_t *bytes, size_t length, ghc_stream_put put, void *data)
{
  block_cap = GHC_NO_CAP;
  while (length >= 2) {
    bool is_new = false;
    size_t n;
    if (length >= 4 && proflog_be32 (bytes) == GHC_HEADER_BEGIN)
      n = handle_header (bytes, length, &is_new);
    else if (proflog_be16 (bytes) == GHC_DATA_END)
      n = 2;
    else
      n = handle_one (bytes, length, put, data);
    if (is_new && records)
      put (data, header.bytes, header.length, 0);
    if (n == 0)
      break;
    bytes += n;
    length -= n;
  }
  figures.lost_bytes += length;
  end_block (&block, put, data);
}

/* ---- for readers that come late ---- */

struct introduction {
  struct bytes block;
  unsigned cap;
  ghc_stream_put put;
  void *data;
};

/* Events that are announced again do not count. */
static void
put_repeated (void *data, const uint8_t *bytes, size_t length, uint64_t events)
{
  struct introduction *i = data;
  (void) events;
  i->put (i->data, bytes, length, 0);
}

/* A block has the events of one capability that follow each other. */
static void
reannounce (void *data, enum ghc_kind kind, unsigned cap, const uint8_t *payload, size_t length)
{
  struct introduction *i = data;
  if (i->block.length != 0 && i->cap != cap)
    end_block (&i->block, put_repeated, i);
  if (i->block.length == 0)
    begin_block (&i->block, cap, last_time);
  i->cap = cap;
  if (i->block.length == 0)
    return; /* no memory */
  append_event (&i->block, eventlog_tag (kind), last_time, payload, length);
}

void
ghc_stream_report_missed (uint64_t missed, ghc_stream_put put, void *data)
{
  struct bytes b = { 0 };
  char text[80];
  const uint16_t tag = eventlog_tag (GHC_LOG_MSG);
  if ((forms[tag] & GHC_FORM_VARIES) == 0)
    return;
  const int n = snprintf (text, sizeof text,
                          GHC_LOSSES_START "%" PRIu64 GHC_LOSSES_END "are missing here", missed);
  begin_block (&b, GHC_NO_CAP, last_time);
  append_event (&b, tag, last_time, (const uint8_t *) text, (size_t) n);
  b.events = b.events != 0 ? missed : 0;
  end_block (&b, put, data);
  free (b.bytes);
}

void
ghc_stream_introduce (uint64_t missed, ghc_stream_put put, void *data)
{
  struct introduction i = { .put = put, .data = data };
  if (header.length == 0)
    return;
  put (data, header.bytes, header.length, 0);
  event_memory_replay (memory, last_time, reannounce, &i);
  end_block (&i.block, put_repeated, &i);
  free (i.block.bytes);
  if (missed != 0)
    ghc_stream_report_missed (missed, put, data);
}

/* ---- recording ---- */

void
ghc_stream_record (bool on)
{
  records = on;
}

bool
ghc_stream_records (void)
{
  return records;
}

void
ghc_stream_enable (enum eventlog_class which, bool on)
{
  enabled[which] = on;
}

bool
ghc_stream_is_enabled (enum eventlog_class which)
{
  return enabled[which];
}

void
ghc_stream_get_figures (struct ghc_stream_figures *f)
{
  *f = figures;
}
