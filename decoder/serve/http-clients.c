/* http-clients.c -- counts connections by user, and closes late ones. */
#include "config.h"

#include "decoder/serve/http.h"
#include <arpa/inet.h>
#include <glib.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  OTHERS_OF_USER = 8, /* connections of another user */
  REQUEST_S = 2,      /* until the head of a request is there */
  PATIENCE_S = 60,    /* with a connection on which nothing moves afterwards */
};

struct client {
  uid_t user; /* LOOPBACK_NOBODY: not known */
  int fd;
  gint64 since;    /* us; 0: a request has come */
  bool is_waiting; /* no request is in work */
  size_t target;   /* length of that of the last request; of the server's thread */
};

struct http_clients {
  unsigned port, most;
  uid_t admitted;       /* the user of the connection that begins; of the server's thread */
  GPtrArray *connected; /* of struct client, under the lock */
  pthread_mutex_t lock;
};

struct http_clients *
http_clients_new (unsigned port, unsigned most)
{
  struct http_clients *c = g_new0 (struct http_clients, 1);
  c->port = port;
  c->most = most;
  c->connected = g_ptr_array_new_with_free_func (g_free);
  pthread_mutex_init (&c->lock, NULL);
  return c;
}

void
http_clients_free (struct http_clients *c)
{
  g_ptr_array_unref (c->connected);
  pthread_mutex_destroy (&c->lock);
  g_free (c);
}

/* Under the lock. */
static void
close_late (struct http_clients *c)
{
  const gint64 now = g_get_monotonic_time ();
  for (guint i = 0; i < c->connected->len; i++) {
    struct client *client = g_ptr_array_index (c->connected, i);
    if (client->since != 0 && now - client->since > REQUEST_S * G_USEC_PER_SEC)
      shutdown (client->fd, SHUT_RDWR); /* the server sees its end */
  }
}

/* Under the lock. */
static bool
has_room (const struct http_clients *c, uid_t user)
{
  unsigned others = 0, own = 0;
  if (user == geteuid ())
    return true; /* up to all that the server has */
  for (guint i = 0; i < c->connected->len; i++) {
    const struct client *client = g_ptr_array_index (c->connected, i);
    others += client->user != geteuid ();
    own += client->user == user;
  }
  return others < c->most / 2 && (own < OTHERS_OF_USER || user == LOOPBACK_NOBODY);
}

/* Under the lock.  The owner's newest connections are those that a request comes on: of too many
 * that wait for one, the oldest ends. */
static void
close_oldest_waiting (struct http_clients *c)
{
  struct client *oldest = NULL;
  unsigned waiting = 0;
  for (guint i = 0; i < c->connected->len; i++) {
    struct client *client = g_ptr_array_index (c->connected, i);
    if (!client->is_waiting || client->user != geteuid ())
      continue;
    oldest = oldest != NULL ? oldest : client;
    waiting++;
  }
  if (waiting < HTTP_CLIENTS_WAITING)
    return;
  oldest->is_waiting = false; /* it ends once */
  shutdown (oldest->fd, SHUT_RDWR);
}

enum MHD_Result
http_clients_admit (void *data, const struct sockaddr *address, socklen_t size)
{
  struct http_clients *c = data;
  const struct sockaddr_in *from = (const struct sockaddr_in *) (const void *) address;
  if (size < sizeof *from || address->sa_family != AF_INET)
    return MHD_NO;
  c->admitted = loopback_user (ntohs (from->sin_port), c->port);
  pthread_mutex_lock (&c->lock);
  close_late (c);
  if (c->admitted == geteuid ())
    close_oldest_waiting (c);
  const bool is_admitted = has_room (c, c->admitted);
  pthread_mutex_unlock (&c->lock);
  return is_admitted ? MHD_YES : MHD_NO;
}

void
http_clients_notify (void *data, struct MHD_Connection *connection, void **context,
                     enum MHD_ConnectionNotificationCode code)
{
  struct http_clients *c = data;
  pthread_mutex_lock (&c->lock);
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    struct client *client = g_new0 (struct client, 1);
    client->user = c->admitted;
    client->fd
        = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    client->since = g_get_monotonic_time ();
    client->is_waiting = true;
    g_ptr_array_add (c->connected, client);
    *context = client;
    MHD_set_connection_option (connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned) REQUEST_S);
  } else {
    g_ptr_array_remove (c->connected, *context); /* the others stay in order */
  }
  pthread_mutex_unlock (&c->lock);
}

static struct client *
client_of (struct MHD_Connection *connection)
{
  return MHD_get_connection_info (connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void *
http_clients_note_target (void *data, const char *target, struct MHD_Connection *connection)
{
  (void) data;
  client_of (connection)->target = strlen (target);
  return NULL;
}

size_t
http_clients_target (struct MHD_Connection *connection)
{
  return client_of (connection)->target;
}

void
http_clients_note_request (struct http_clients *c, struct MHD_Connection *connection)
{
  struct client *client = client_of (connection);
  pthread_mutex_lock (&c->lock);
  const bool is_first = client->since != 0;
  client->since = 0;
  client->is_waiting = false;
  pthread_mutex_unlock (&c->lock);
  if (is_first)
    MHD_set_connection_option (connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned) PATIENCE_S);
}

void
http_clients_note_answer (struct http_clients *c, struct MHD_Connection *connection)
{
  pthread_mutex_lock (&c->lock);
  client_of (connection)->is_waiting = true;
  pthread_mutex_unlock (&c->lock);
}

void
http_clients_expire (struct http_clients *c)
{
  pthread_mutex_lock (&c->lock);
  close_late (c);
  pthread_mutex_unlock (&c->lock);
}
