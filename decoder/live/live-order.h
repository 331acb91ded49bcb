/* live-order.h -- puts the lines of a stream that does not end in order of time, as far as that can
 * be done without waiting longer than is allowed.
 *
 * What one writer (a thread of Mono, a capability of GHC) states comes in order; what several state
 * does not, of one log or of several.  A line is held until all writers that reported something
 * lately have come so far, or nothing has come for a moment, so that whatever was flushed together
 * is here, or it was held as long as is allowed.  Lines that come after a later one was given are
 * late; how many, and how much, is counted.
 *
 * Memory is bounded: of too many lines the first are given.
 */
#ifndef PROFLOG_LIVE_ORDER_H
#define PROFLOG_LIVE_ORDER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes of text that are held at most. */
#define LIVE_ORDER_BYTES_MAX ((size_t) 32 << 20)

/* A thread or a capability, which is another one in each log. */
struct live_writer {
  uint64_t id;
  guint log;
};

struct live_line {
  uint64_t time;     /* of the event */
  uint64_t sequence; /* of its coming */
  uint64_t came;     /* when, on our clock in ns */
  uint64_t late_ns;  /* this much later lines were given before; 0: none */
  char *text;
  size_t length;
};

struct live_order {
  uint64_t delay_ns;  /* that a line is held at most */
  uint64_t settle_ns; /* without anything new; then all is given */
  uint64_t
      hold_until; /* not all logs have reported: until then, only the delay ends a line's wait */
  GArray *heap;   /* of struct live_line, the earliest first */
  GHashTable *writers;
  size_t bytes; /* of text that is held */
  uint64_t sequence;
  uint64_t last_came; /* when something came last */
  uint64_t mark_at;   /* when `mark` was computed; 0: it is to be */
  uint64_t mark;      /* how far all writers have come */
  uint64_t largest;   /* time that came */
  uint64_t printed;   /* time of the last line that was passed */
  bool has_printed;
  /* What is reported about it. */
  uint64_t lines, late, late_max_ns, held_max_ns, held_total_ns;
};

void live_order_init (struct live_order *order, uint64_t delay_ns, uint64_t settle_ns);
void live_order_clear (struct live_order *order);

/* A line of an event of this writer came.  The text is copied. */
void live_order_add (struct live_order *order, struct live_writer writer, uint64_t time,
                     uint64_t now, const char *text, size_t length);

/* This writer has reported all up to a time. */
void live_order_reached (struct live_order *order, struct live_writer writer, uint64_t time,
                         uint64_t now);

/* The log ended, or begins anew: its writers are waited for no more. */
void live_order_forget (struct live_order *order, guint log);

/* The next line that may be given now, or with `all` if there is any.  Its text is the caller's,
 * with g_free. */
bool live_order_pop (struct live_order *order, uint64_t now, bool all, struct live_line *line);

/* When there will be one if nothing comes; UINT64_MAX if none is held. */
uint64_t live_order_next (const struct live_order *order);

#endif
