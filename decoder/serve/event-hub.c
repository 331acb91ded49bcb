/* event-hub.c -- see event-hub.h.
 *
 * A reader who has all that there is is suspended: the daemon does not look at his connection until
 * it is resumed.  `lock` orders both.
 */
#include "config.h"

#include "decoder/serve/event-hub.h"
#include <string.h>

enum { PIECE = 16384 }; /* bytes that are asked of a reader at a time */

struct reader {
  struct event_hub *hub;
  struct MHD_Connection *connection;
  uint64_t next;
  uint64_t lost; /* since he was told */
  GBytes *text;  /* that is being sent; NULL: none */
  size_t at;     /* of it */
  bool is_suspended;
  bool is_woken; /* and is to get something */
};

struct event_hub {
  GMutex lock;
  struct frames *frames;
  GPtrArray *readers;
  bool is_closing;
};

struct event_hub *
event_hub_new (struct frames *frames)
{
  struct event_hub *hub = g_new0 (struct event_hub, 1);
  g_mutex_init (&hub->lock);
  hub->frames = frames;
  hub->readers = g_ptr_array_new ();
  return hub;
}

void
event_hub_free (struct event_hub *hub)
{
  g_ptr_array_unref (hub->readers);
  g_mutex_clear (&hub->lock);
  g_free (hub);
}

static GBytes *
text_of (const char *text)
{
  return g_bytes_new (text, strlen (text));
}

/* What the reader gets now; NULL if there is nothing. */
static GBytes *
next_text (struct reader *r)
{
  uint64_t lost;
  if (r->lost != 0) {
    char *text
        = g_strdup_printf ("event: lost\ndata: {\"frames\":%" G_GUINT64_FORMAT "}\n\n", r->lost);
    r->lost = 0;
    return g_bytes_new_take (text, strlen (text));
  }
  const uint64_t before = r->next;
  GBytes *frame = frames_take (r->hub->frames, &r->next, &lost);
  if (lost == 0)
    return frame;
  /* First that something is missing, then what follows. */
  g_bytes_unref (frame);
  r->next = before + lost;
  r->lost = lost;
  return next_text (r);
}

/* For the daemon: more bytes. */
static ssize_t
send_some (void *data, uint64_t position, char *buffer, size_t max)
{
  struct reader *r = data;
  struct event_hub *hub = r->hub;
  (void) position;
  g_mutex_lock (&hub->lock);
  if (r->text == NULL)
    r->text = next_text (r);
  if (r->text == NULL && r->is_woken)
    r->text = text_of (":\n\n");
  r->is_woken = false;
  if (r->text == NULL && !hub->is_closing) {
    r->is_suspended = true;
    MHD_suspend_connection (r->connection);
  }
  const bool ends = r->text == NULL && hub->is_closing;
  g_mutex_unlock (&hub->lock);
  if (r->text == NULL)
    return ends ? MHD_CONTENT_READER_END_OF_STREAM : 0;
  gsize length;
  const char *bytes = g_bytes_get_data (r->text, &length);
  const size_t n = MIN (max, length - r->at);
  memcpy (buffer, bytes + r->at, n);
  r->at += n;
  if (r->at == length) {
    g_clear_pointer (&r->text, g_bytes_unref);
    r->at = 0;
  }
  return (ssize_t) n;
}

static void
forget (void *data)
{
  struct reader *r = data;
  g_mutex_lock (&r->hub->lock);
  g_ptr_array_remove_fast (r->hub->readers, r);
  g_mutex_unlock (&r->hub->lock);
  g_bytes_unref (r->text);
  g_free (r);
}

struct MHD_Response *
event_hub_connect (struct event_hub *hub, struct MHD_Connection *connection, const char *last)
{
  const uint64_t next = frames_next (hub->frames);
  guint64 had;
  struct reader *r = g_new0 (struct reader, 1);
  r->hub = hub;
  r->connection = connection;
  r->next = next - (next != 0);
  if (last != NULL && g_ascii_string_to_unsigned (last, 10, 0, G_MAXINT64, &had, NULL)
      && had < next)
    r->next = had + 1;
  g_mutex_lock (&hub->lock);
  const bool is_full = hub->readers->len >= EVENT_READERS_MAX || hub->is_closing;
  if (!is_full)
    g_ptr_array_add (hub->readers, r);
  g_mutex_unlock (&hub->lock);
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
  g_mutex_lock (&hub->lock);
  hub->is_closing |= closes;
  for (guint i = 0; i < hub->readers->len; i++) {
    struct reader *r = g_ptr_array_index (hub->readers, i);
    if (!r->is_suspended)
      continue;
    r->is_suspended = false;
    r->is_woken = !closes;
    MHD_resume_connection (r->connection);
  }
  g_mutex_unlock (&hub->lock);
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
