/* event-hub.h -- frames for browsers, as server-sent events.
 *
 * Each reader gets frames at its own pace.  A reader that stalls loses frames and gets their
 * number. A reader takes the memory of one frame.
 */
#ifndef PROFLOG_EVENT_HUB_H
#define PROFLOG_EVENT_HUB_H

#include "decoder/serve/frames.h"
#include <microhttpd.h>

/* Readers at a time. */
enum { EVENT_READERS_MAX = 16 };

struct event_hub;

/* `frames`, which are borrowed, have events as they are sent.  Free it with event_hub_free when the
 * daemon of all connections has stopped. */
struct event_hub *event_hub_new (struct frames *frames);
void event_hub_free (struct event_hub *hub);

/* A response that goes on until either end closes: the frames after the one of number `last`,
 * which the reader had, or if that is NULL or none, from the newest on.  NULL if there are too many
 * readers.  For the daemon's thread. */
struct MHD_Response *event_hub_connect (struct event_hub *hub, struct MHD_Connection *connection,
                                        const char *last);

/* Sends frames that came, or if there are none a sign of life, which shows who is gone. */
void event_hub_wake (struct event_hub *hub);

/* Ends all responses: the daemon is to be stopped. */
void event_hub_close (struct event_hub *hub);

#endif
