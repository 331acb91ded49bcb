/* ghc-types.h -- the types of events that a header of an eventlog declares: the one table of them,
 * by which all that go over events know where each ends (ghc_event_head).
 */
#ifndef PROFLOG_GHC_TYPES_H
#define PROFLOG_GHC_TYPES_H

#include <glib.h>
#include <proflog/ghc-walk.h>

/* Longest block that is plausible: writers have buffers of 2 MiB. */
#define GHC_BLOCK_MAX (256u << 20)
/* So much before and after its block's times an event may be: a collection's end is written with a
 * time before that of its block, if that was begun in between. */
#define GHC_TIME_SLACK_NS 1000000

/* An event that is later than the end of its block by so much is damaged, although other events
 * follow it: no figure would make sense. */
#define GHC_TIME_FAR_NS (UINT64_C (86400) * 1000000000)

/* An event of variable size that is larger counts only if the next bytes make sense, too. */
#define GHC_EVENT_SMALL 1024

/* The earliest time after this one that is in order, and the latest before it. */
static inline uint64_t
ghc_time_floor (uint64_t time)
{
  return time > GHC_TIME_SLACK_NS ? time - GHC_TIME_SLACK_NS : 0;
}

static inline uint64_t
ghc_time_ceiling (uint64_t time)
{
  return time + MIN (GHC_TIME_SLACK_NS, UINT64_MAX - time);
}

struct ghc_types {
  GArray *types; /* of struct ghc_event_type; NULL: none are there */
  GStringChunk *texts;
  uint16_t *index;          /* by tag: 1 and where it is in `types`; 0: not declared */
  uint32_t *forms;          /* by tag: see ghc-walk.h; real sizes */
  struct ghc_header header; /* of the types; set by ghc_types_finish */
};

void ghc_types_init (struct ghc_types *types);
void ghc_types_clear (struct ghc_types *types);

/* None are there.  Inits those that were not, and costs less than that for others: a log may have
 * very many headers, and the tables by tag are large. */
void ghc_types_reset (struct ghc_types *types);

/* The type of a tag; NULL if it is not declared. */
static inline struct ghc_event_type *
ghc_types_find (const struct ghc_types *types, unsigned tag)
{
  const unsigned at = types->types != NULL && tag != GHC_DATA_END ? types->index[tag] : 0;
  return at != 0 ? &g_array_index (types->types, struct ghc_event_type, at - 1) : NULL;
}

/* Declares a type; texts are copied. */
void ghc_types_add (struct ghc_types *types, uint16_t tag, uint16_t size,
                    struct ghc_text description, struct ghc_text more);

/* When all are there: sets the header and corrects sizes that early writers declared wrong. */
void ghc_types_finish (struct ghc_types *types);

/* Are the same types declared? */
bool ghc_header_equals (const struct ghc_header *a, const struct ghc_header *b);

/* A copy that outlives the reader whose header it is.  Free it with ghc_types_free. */
struct ghc_types *ghc_types_copy (const struct ghc_header *header);
void ghc_types_free (struct ghc_types *types);

/* Frees the tables by tag: nothing can be found then, until the types are copied from their header.
 */
void ghc_types_pack (struct ghc_types *types);

#endif
