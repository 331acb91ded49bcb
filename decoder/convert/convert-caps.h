/* convert-caps.h -- the eventlog of a Mono program, as the module writes it: a capability for each
 * thread that runs, with blocks of its own. */
#ifndef PROFLOG_CONVERT_CAPS_H
#define PROFLOG_CONVERT_CAPS_H

#include <glib.h>
#include <proflog/ghc-writer.h>

enum {
  CONVERT_PROCESS = 0, /* the set of capabilities of the process */
  CONVERT_CLOCK = 1,   /* the set of those that share a clock */
};

struct convert_cap {
  struct ghc_writer *writer;
  uint16_t number;
  guint events;       /* in its block */
  uint64_t time;      /* of its last event, since the start */
  uint64_t allocated; /* bytes, by its threads */
  uint64_t allocated_recorded;
  bool is_free; /* its thread has ended */
};

struct convert_caps {
  GPtrArray *all; /* of struct convert_cap, by number */
  GString *out;   /* bytes to be written */
  uint64_t start; /* on the log's clock */
  uint64_t end;   /* the latest time */
  GError *error;  /* the first one */
};

/* The facts in the header of the log. */
struct convert_origin {
  uint64_t start;    /* on the log's clock */
  uint64_t clock_ns; /* the same since 1970; 0: unknown */
  uint32_t pid;
};

/* Begins an eventlog with the process. */
void convert_caps_init (struct convert_caps *caps, const struct convert_origin *origin);
void convert_caps_clear (struct convert_caps *caps);

/* A capability that is free, or a new one, at a time of the log's clock.  NULL: there are too many.
 */
struct convert_cap *convert_caps_take (struct convert_caps *caps, uint64_t time);

/* Adds an event at a time of the log's clock. */
void convert_caps_put (struct convert_caps *caps, struct convert_cap *cap, enum ghc_kind kind,
                       uint64_t time, const union ghc_payload *payload);

/* Counts allocated bytes, and adds their sum if it has grown by enough. */
void convert_caps_allocate (struct convert_caps *caps, struct convert_cap *cap, uint64_t time,
                            uint64_t bytes);

/* Adds the sum of allocated bytes, if it has grown. */
void convert_caps_put_allocated (struct convert_caps *caps, struct convert_cap *cap, uint64_t time);

/* Ends all blocks and the log. */
void convert_caps_end (struct convert_caps *caps);

#endif
