/* event-hub.c -- queues frames for each reader.
 *
 * A reader that has all that there is is suspended: the daemon does not inspect its connection
 * until it is resumed.  `lock` orders both.
 */
#include "config.h"

#include "decoder/serve/served.h"
#include <pthread.h>
#include <string.h>

enum { PIECE = 16384 }; /* bytes that the daemon requests at a time */

struct hub_reader {
  struct event_hub *hub;
  struct MHD_Connection *connection;
  uint64_t next;
  char word[64];       /* that is being sent, before the frame; "": none */
  struct frame *frame; /* NULL: none */
  size_t at;           /* of the word or the frame */
  bool is_suspended;
  bool is_woken; /* and is to get something */
};

struct event_hub {
  pthread_mutex_t lock;
  struct frames *frames;
  GPtrArray *readers;
  bool is_closing;
  guint users; /* the owner, the readers */
};

struct event_hub *
event_hub_new (struct frames *frames)
{
  struct event_hub *hub = g_new0 (struct event_hub, 1);
  pthread_mutex_init (&hub->lock, NULL);
  hub->frames = frames;
  hub->users = 1;
  hub->readers = g_ptr_array_new ();
  return hub;
}

/* Releases the lock and a use of the hub. */
static void
leave (struct event_hub *hub)
{
  const bool is_last = --hub->users == 0;
  pthread_mutex_unlock (&hub->lock);
  if (!is_last)
    return;
  g_ptr_array_unref (hub->readers);
  frames_free (hub->frames);
  pthread_mutex_destroy (&hub->lock);
  g_free (hub);
}

void
event_hub_unref (struct event_hub *hub)
{
  pthread_mutex_lock (&hub->lock);
  leave (hub);
}

/* Finds the next text for the reader, if there is any. */
static void
find_text (struct hub_reader *r)
{
  uint64_t lost;
  r->at = 0;
  r->frame = frames_pop (r->hub->frames, &r->next, &lost);
  if (lost != 0)
    g_snprintf (r->word, sizeof r->word,
                "event: lost\ndata: {\"frames\":%" G_GUINT64_FORMAT "}\n\n", lost);
  else if (r->frame == NULL && r->is_woken)
    g_strlcpy (r->word, ":\n\n", sizeof r->word);
  r->is_woken = false;
}

static bool
has_text (const struct hub_reader *r)
{
  return r->frame != NULL || r->word[0] != 0;
}

/* Copies some bytes of the text; returns how many. */
static size_t
copy_some (struct hub_reader *r, char *buffer, size_t max)
{
  const char *text = r->word[0] != 0 ? r->word : r->frame->text;
  const size_t length = r->word[0] != 0 ? strlen (r->word) : r->frame->length;
  const size_t n = MIN (max, length - r->at);
  memcpy (buffer, text + r->at, n);
  r->at += n;
  if (r->at < length)
    return n;
  r->at = 0;
  if (r->word[0] != 0)
    r->word[0] = 0;
  else
    g_clear_pointer (&r->frame, frame_unref);
  return n;
}

/* For the daemon: more bytes. */
static ssize_t
send_some (void *data, uint64_t position, char *buffer, size_t max)
{
  struct hub_reader *r = data;
  struct event_hub *hub = r->hub;
  (void) position;
  pthread_mutex_lock (&hub->lock);
  if (!has_text (r))
    find_text (r);
  const bool waits = !has_text (r) && !hub->is_closing;
  if (waits) {
    r->is_suspended = true;
    MHD_suspend_connection (r->connection);
  }
  pthread_mutex_unlock (&hub->lock);
  if (waits)
    return 0;
  return has_text (r) ? (ssize_t) copy_some (r, buffer, max) : MHD_CONTENT_READER_END_OF_STREAM;
}

static void
forget (void *data)
{
  struct hub_reader *r = data;
  struct event_hub *hub = r->hub;
  frame_unref (r->frame);
  pthread_mutex_lock (&hub->lock);
  g_ptr_array_remove_fast (hub->readers, r);
  g_free (r);
  leave (hub);
}

struct MHD_Response *
event_hub_connect (struct event_hub *hub, struct MHD_Connection *connection, const char *last)
{
  const uint64_t next = frames_next (hub->frames);
  guint64 had;
  struct hub_reader *r = g_new0 (struct hub_reader, 1);
  r->hub = hub;
  r->connection = connection;
  r->next = next - (next != 0);
  if (last != NULL && g_ascii_string_to_unsigned (last, 10, 0, G_MAXINT64, &had, NULL)
      && had < next)
    r->next = had + 1;
  pthread_mutex_lock (&hub->lock);
  const bool is_full = hub->readers->len >= EVENT_READERS_MAX || hub->is_closing;
  if (!is_full) {
    g_ptr_array_add (hub->readers, r);
    hub->users++;
  }
  pthread_mutex_unlock (&hub->lock);
  if (is_full) {
    g_free (r);
    return NULL;
  }
  struct MHD_Response *response
      = MHD_create_response_from_callback (MHD_SIZE_UNKNOWN, PIECE, send_some, r, forget);
  if (response == NULL)
    forget (r);
  return response;
}

static void
wake (struct event_hub *hub, bool closes)
{
  pthread_mutex_lock (&hub->lock);
  hub->is_closing |= closes;
  for (guint i = 0; i < hub->readers->len; i++) {
    struct hub_reader *r = g_ptr_array_index (hub->readers, i);
    if (!r->is_suspended)
      continue;
    r->is_suspended = false;
    r->is_woken = !closes;
    MHD_resume_connection (r->connection);
  }
  pthread_mutex_unlock (&hub->lock);
}

void
event_hub_wake (struct event_hub *hub)
{
  wake (hub, false);
}

void
event_hub_close (struct event_hub *hub)
{
  wake (hub, true);
}
