/* ghc-walk.h -- goes over events of an eventlog as the newest writer declares them (ghc-events.def), to
 * know where each ends and when it was.  For the module's own eventlogs; ghc-reader.h reads those of
 * others.
 *
 *   struct ghc_walk walk = { .at = bytes, .end = bytes + length, .time = before };
 *   while (ghc_walk_event (&walk))
 *     ...walk.tag, walk.payload, walk.time
 *   passed = (size_t) (walk.at - bytes);
 *
 * It is made of the event list, allocates nothing, and takes any bytes: it ends before the first event
 * that is not of the list or not whole.
 */
#ifndef PROFLOG_GHC_WALK_H
#define PROFLOG_GHC_WALK_H

#include <proflog/big-endian.h>
#include <proflog/ghc.h>

#if defined(__GNUC__)
#define GHC_WALK_UNUSED __attribute__ ((unused))
#else
#define GHC_WALK_UNUSED
#endif

/* GHC_TAG_CREATE_THREAD, ... */
enum ghc_tag {
#define EVENT(ID, id, tag, declared, since, group, role, doc) GHC_TAG_##ID = tag,
#include <proflog/ghc-events.def>
};

/* How long the events of a tag are, as a log's header declares it ("form"): all bytes of one, or,
 * with GHC_FORM_VARIES, those in front of a payload that varies.  0: the tag is not declared. */
enum { GHC_FORM_VARIES = 1 << 24 };

static inline GHC_WALK_UNUSED uint32_t
ghc_event_form (unsigned declared_size)
{
  return declared_size == GHC_VARIABLE ? GHC_FORM_VARIES | (GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE)
                                       : GHC_EVENT_HEADER_SIZE + declared_size;
}

/* Texts of an event about an info table, and the bytes of the payload in front of them. */
enum { GHC_IPE_TEXTS = 6, GHC_IPE_TEXTS_AT = 8 };

/* The beginning of every event. */
struct ghc_event_head {
  unsigned tag;
  uint64_t time;
  size_t start; /* bytes in front of the payload */
  size_t size;  /* bytes of the event, of which some may not be there */
};

enum ghc_head {
  GHC_HEAD_READ,
  GHC_HEAD_SHORT,      /* too few bytes for tag and time; the tag is set if it is there */
  GHC_HEAD_NO_LENGTH,  /* too few for the length of a variable payload; tag and time are set */
  GHC_HEAD_UNDECLARED, /* the tag is set */
};

/* The time of an event of which GHC_EVENT_HEADER_SIZE bytes are there. */
static inline GHC_WALK_UNUSED uint64_t
ghc_event_time (const uint8_t *event)
{
  return proflog_be64 (event + sizeof (uint16_t));
}

/* How many bytes fewer than its length an event about an info table (GHC_TAG_IPE) has: one if its
 * six texts end there.  From 9.6 on, GHC's length counts the colon in the last text twice. */
static inline GHC_WALK_UNUSED size_t
ghc_ipe_excess (const uint8_t *payload, size_t left, size_t length)
{
  unsigned texts = 0;
  if (length <= GHC_IPE_TEXTS_AT + GHC_IPE_TEXTS || left < length - 1 || payload[length - 2] != 0)
    return 0;
  for (size_t at = GHC_IPE_TEXTS_AT; at < length - 1; at++)
    texts += payload[at] == 0;
  return texts == GHC_IPE_TEXTS;
}

/* Reads all of a head but its tag, which is set, of an event of which GHC_EVENT_HEADER_SIZE bytes
 * are there. */
static inline GHC_WALK_UNUSED enum ghc_head
ghc_read_head (const uint8_t *at, size_t left, uint32_t form, struct ghc_event_head *head)
{
  if (form == 0)
    return GHC_HEAD_UNDECLARED;
  head->time = ghc_event_time (at);
  head->start = GHC_EVENT_HEADER_SIZE;
  head->size = form;
  if ((form & GHC_FORM_VARIES) == 0)
    return GHC_HEAD_READ;
  if (left < GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE)
    return GHC_HEAD_NO_LENGTH;
  head->start = GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE;
  const size_t length = proflog_be16 (at + GHC_EVENT_HEADER_SIZE);
  head->size = head->start + length;
  if (head->tag == GHC_TAG_IPE)
    head->size -= ghc_ipe_excess (at + head->start, left - head->start, length);
  return GHC_HEAD_READ;
}

/* Reads the head of the event at `at`, of which `left` bytes are there.  `forms` are those of its
 * log, one for each tag, GHC_DATA_END + 1 in all. */
static inline GHC_WALK_UNUSED enum ghc_head
ghc_event_head (const uint8_t *at, size_t left, const uint32_t *forms, struct ghc_event_head *head)
{
  if (left < GHC_EVENT_HEADER_SIZE) {
    head->tag = left >= sizeof (uint16_t) ? proflog_be16 (at) : (unsigned) GHC_DATA_END;
    return left >= sizeof (uint16_t) && forms[head->tag] == 0 ? GHC_HEAD_UNDECLARED
                                                              : GHC_HEAD_SHORT;
  }
  head->tag = proflog_be16 (at);
  return ghc_read_head (at, left, forms[head->tag], head);
}

struct ghc_walk {
  const uint8_t *at, *end;
  uint64_t time;          /* of the event */
  unsigned tag;           /* of the event */
  const uint8_t *payload; /* of the event, after its length where that varies */
  size_t size;            /* of the payload */
};

/* The form of events with this tag. */
static inline GHC_WALK_UNUSED uint32_t
ghc_walk_form (unsigned wanted)
{
  switch (wanted) {
#define VARIABLE GHC_VARIABLE
#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  case tag:                                                                                        \
    return ghc_event_form (declared);
#include <proflog/ghc-events.def>
#undef VARIABLE
  default:
    return 0;
  }
}

/* Goes on to the next event; false: there is none. */
static inline GHC_WALK_UNUSED bool
ghc_walk_event (struct ghc_walk *w)
{
  struct ghc_event_head head;
  const size_t left = (size_t) (w->end - w->at);
  if (left < GHC_EVENT_HEADER_SIZE)
    return false;
  head.tag = proflog_be16 (w->at);
  if (ghc_read_head (w->at, left, ghc_walk_form (head.tag), &head) != GHC_HEAD_READ
      || head.size > left)
    return false;
  w->tag = head.tag;
  w->time = head.time;
  w->payload = w->at + head.start;
  w->size = head.size - head.start;
  w->at += head.size;
  return true;
}

/* GHC_WALK_FIELD (payload, id, field): a number of a payload, in front of any field that varies. */
#define EVENT(ID, id, tag, declared, since, group, role, doc) struct ghc_place_##id { char place_before;
#define FIELD(id, field, wire, unit, when, doc) char field[GHC_LEAST_##wire == 0 ? 1 : GHC_LEAST_##wire];
#define END_EVENT(id) };
#include <proflog/ghc-events.def>
#define GHC_WALK_FIELD(payload, id, field)                                                         \
  proflog_be ((payload) + offsetof (struct ghc_place_##id, field) - 1,                        \
                   sizeof (((struct ghc_place_##id *) 0)->field))

#endif
