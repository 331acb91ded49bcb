/* http-clients.h -- the connections of a server, so that no other user of the machine holds it up.
 *
 * Any user can connect to a port of this machine, and only a request shows the secret.  So the
 * connections of each other user are few, and half of all are the owner's.  A connection that has
 * not sent a whole request in time is closed, whatever it sends meanwhile.  Of the owner's, too,
 * few wait for a request at a time.
 */
#ifndef PROFLOG_HTTP_CLIENTS_H
#define PROFLOG_HTTP_CLIENTS_H

#include <microhttpd.h>
#include <stdbool.h>

struct http_clients;

/* Connections of the server's user on which no request is in work, at most: so many that each has
 * some time to send one while others come by the thousand. */
enum { HTTP_CLIENTS_WAITING = 256 };

/* Of a server at this port that has so many connections at a time. */
struct http_clients *http_clients_new (unsigned port, unsigned most);
void http_clients_free (struct http_clients *clients);

/* Whether a client from this address may connect: MHD's policy of acceptance. */
enum MHD_Result http_clients_admit (void *clients, const struct sockaddr *address, socklen_t size);

/* MHD's notification of a connection, which was admitted directly before, or has ended. */
void http_clients_notify (void *clients, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code);

/* The head of a request has come. */
void http_clients_note_request (struct http_clients *clients, struct MHD_Connection *connection);

/* A request was answered, or given up. */
void http_clients_note_answer (struct http_clients *clients, struct MHD_Connection *connection);

/* Closes those that are late.  From any thread. */
void http_clients_expire (struct http_clients *clients);

#endif
