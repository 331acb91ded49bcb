/* random-events.h -- for tests: random payloads for every event of the list, and logs of them. */
#ifndef PROFLOG_TESTS_RANDOM_EVENTS_H
#define PROFLOG_TESTS_RANDOM_EVENTS_H

#include <glib.h>
#include <proflog/mlpd.h>

struct random_events {
  GRand *rand;
  GPtrArray *memory;    /* of strings and lists */
  unsigned version;     /* data version of the events, and */
  guint64 address_mask; /* bits that their addresses may have; random_log chooses both */
  guint few;      /* this many addresses, fewer threads, times that go on, and actions, values and
                   * texts that all data versions have; 0: any */
  gboolean plain; /* only kinds of events that mprof-report reads wherever they stand */
  guint64 clock;  /* of these times */
  gboolean described;  /* their counters are */
  guint64 helper_type; /* of the event being made */
};

void random_events_init (struct random_events *random, guint32 seed);
void random_events_clear (struct random_events *random);

/* A number of random length, of up to 64 bits. */
guint64 random_number (struct random_events *random);

/* An event of a random kind that the data version has, with fields that fit it.  Its strings and
 * lists are the generator's, and stay until random_events_clear. */
enum mlpd_kind random_event (struct random_events *random, union mlpd_payload *payload);

/* Of data version 1, flags and name are none if no writer has such: then the event has no
 * payload. */
void random_event_make_plausible (enum mlpd_kind kind, union mlpd_payload *payload);

/* Appends a whole log of a random data version and pointer size, of `buffers` buffers of up to
 * `events` events each; with `lines`, also the text of each event as log-items.h writes it. */
void random_log (struct random_events *random, GByteArray *log, guint buffers, guint events,
                 GPtrArray *lines);

#endif
