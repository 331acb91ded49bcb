/* live-feed.h -- a stream of bytes that may hold several logs, one after the other, of either
 * format, as items.
 *
 * A log of Mono that is cut, as its writer was killed, may be followed by the header of the next
 * one, even within its last buffer.
 */
#ifndef PROFLOG_LIVE_FEED_H
#define PROFLOG_LIVE_FEED_H

#include <glib.h>
#include <proflog/ghc-reader.h>
#include <proflog/mlpd-reader.h>
#include <stdbool.h>

/* Functions for the contents of the stream. */
struct live_handler {
  void (*mono) (void *data, const struct mlpd_item *item);
  void (*ghc) (void *data, const struct ghc_item *item);
  /* Whole buffers, one after the other, before they come as items: true if they need not.  They
   * are of the log whose header came last.  NULL: they do. */
  bool (*buffers) (void *data, const uint8_t *bytes, size_t length, uint64_t offset);
  void *data;
};

/* Bytes that cannot be read, or losses. */
struct live_feed_damage {
  const char *message;
  uint64_t skipped; /* bytes */
  bool is_end;      /* the log ends too early */
  bool is_slowness; /* this reader, or another one of the program's, did not keep up */
};

/* Is asked of each damage before the handler gets it: false if it is none, and the handler does
 * not. */
typedef bool (*live_feed_judge) (void *data, const struct live_feed_damage *damage);

struct live_feed;

/* Did an eventlog begin in it? */
bool live_feed_is_eventlog (const struct live_feed *feed);

/* `handler` is borrowed.  Free it with live_feed_free. */
struct live_feed *live_feed_new (const struct live_handler *handler);
void live_feed_set_judge (struct live_feed *feed, live_feed_judge judge, void *data);
void live_feed_free (struct live_feed *feed);

/* Another stream follows; the one before it ends. */
void live_feed_begin (struct live_feed *feed);

/* The next bytes of the stream.  With `buffers` they may be retained until there are some more, or
 * live_feed_flush.  False when this can be no log: live_feed_error has the reason; nothing more of
 * the stream is of use. */
bool live_feed_push (struct live_feed *feed, const uint8_t *bytes, size_t length);
bool live_feed_flush (struct live_feed *feed);

/* A buffer of which a part is at hand is read as far as that goes, as there may be no more of it:
 * its length may be damaged. */
bool live_feed_read_part (struct live_feed *feed);

/* Nothing follows. */
bool live_feed_finish (struct live_feed *feed);

/* Whether all that came up to now ends with a log's end mark. */
bool live_feed_is_complete (const struct live_feed *feed);

/* Whether some of the bytes up to now wait for later ones. */
bool live_feed_is_waiting (const struct live_feed *feed);

/* Whether something waits though the bytes up to now end as a log does: then nothing will follow,
 * and a length or the like is damaged.  In an eventlog that may be chance, as the mark has two
 * bytes; so it is worth a question only when the log does not grow. */
bool live_feed_waits_after_end (const struct live_feed *feed);

/* The feed's; NULL if there was none. */
const GError *live_feed_error (const struct live_feed *feed);

#endif
