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

/* `frames` (transfer full) have events as they are sent.  Close it, then give it back with
 * event_hub_unref: it and the frames stay until all responses have ended. */
struct event_hub *event_hub_new (struct frames *frames);
void event_hub_unref (struct event_hub *hub);

/* A response that goes on until either end closes: the frames after the one of number `last`,
 * which the reader had, or if that is NULL or none, from the newest on.  NULL if there are too many
 * readers.  For the daemon's thread. */
struct MHD_Response *event_hub_connect (struct event_hub *hub, struct MHD_Connection *connection,
                                        const char *last);

/* Sends frames that came, or if there are none a sign of life, which shows which readers are gone.
 */
void event_hub_wake (struct event_hub *hub);

/* Ends all responses; there are no more. */
void event_hub_close (struct event_hub *hub);

#endif
