/* ghc-walk.h -- goes over events of an eventlog as the newest writer declares them (ghc-events.def), to
 * know where each ends and when it was.  For what the module writes itself; what others wrote is read
 * by ghc-reader.h.
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

#include <proflog/ghc.h>

#if defined(__GNUC__)
#define GHC_WALK_UNUSED __attribute__ ((unused))
#else
#define GHC_WALK_UNUSED
#endif

/* GHC_TAG_CREATE_THREAD, ... */
enum ghc_tag {
#define EVENT(ID, id, tag, declared, since, doc) GHC_TAG_##ID = tag,
#include <proflog/ghc-events.def>
};

struct ghc_walk {
  const uint8_t *at, *end;
  uint64_t time;          /* of the event */
  unsigned tag;           /* likewise */
  const uint8_t *payload; /* likewise, without the length of one that varies */
  size_t size;            /* of the payload */
};

/* A number of the log's order of bytes. */
static inline GHC_WALK_UNUSED uint64_t
ghc_walk_number (const uint8_t *p, unsigned bytes)
{
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++)
    v = v << 8 | p[i];
  return v;
}

/* The declared size of events with this tag; -1: there is none. */
static inline GHC_WALK_UNUSED int
ghc_walk_size (unsigned wanted)
{
  switch (wanted) {
#define VARIABLE GHC_VARIABLE
#define EVENT(ID, id, tag, declared, since, doc)                                                   \
  case tag:                                                                                        \
    return declared;
#include <proflog/ghc-events.def>
#undef VARIABLE
  default:
    return -1;
  }
}

/* Goes on to the next event; false: there is none. */
static inline GHC_WALK_UNUSED bool
ghc_walk_event (struct ghc_walk *w)
{
  const size_t left = (size_t) (w->end - w->at);
  if (left < GHC_EVENT_HEADER_SIZE)
    return false;
  const unsigned tag = (unsigned) ghc_walk_number (w->at, 2);
  const int declared = ghc_walk_size (tag);
  size_t head = GHC_EVENT_HEADER_SIZE, size = (size_t) declared;
  if (declared == GHC_VARIABLE) {
    if (left < head + GHC_LENGTH_SIZE)
      return false;
    size = (size_t) ghc_walk_number (w->at + head, GHC_LENGTH_SIZE);
    head += GHC_LENGTH_SIZE;
  }
  if (declared < 0 || left < head + size)
    return false;
  w->tag = tag;
  w->time = ghc_walk_number (w->at + 2, 8);
  w->payload = w->at + head;
  w->size = size;
  w->at = w->payload + size;
  return true;
}

/* GHC_WALK_FIELD (payload, id, field): a number of a payload, in front of any field that varies. */
#define EVENT(ID, id, tag, declared, since, doc) struct ghc_place_##id { char place_before;
#define FIELD(id, field, wire, unit, when, doc) char field[GHC_LEAST_##wire == 0 ? 1 : GHC_LEAST_##wire];
#define END_EVENT(id) };
#include <proflog/ghc-events.def>
#define GHC_WALK_FIELD(payload, id, field)                                                         \
  ghc_walk_number ((payload) + offsetof (struct ghc_place_##id, field) - 1,                        \
                   sizeof (((struct ghc_place_##id *) 0)->field))

#endif
