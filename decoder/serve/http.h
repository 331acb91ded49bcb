/* http.h -- the parts of the web server: requests, clients, answers. */
#ifndef PROFLOG_HTTP_H
#define PROFLOG_HTTP_H

#include <glib.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- requests that a server on this machine accepts ---- */

/* Any program here can connect to it, and any page in the user's browser can make the browser do
 * so. So a client has to know a secret, which is the first part of all paths.  It has to address
 * the server by its own name, not by another name that leads here.  A request that changes
 * something has to come from the page of this server, which alone can add the header. */

/* Characters of a secret; one that we make has 128 bits in 32 of them. */
enum { HTTP_TOKEN_MIN = 22, HTTP_TOKEN_MAX = 128 };

/* The header that a command has, with any value. */
#define HTTP_COMMAND_HEADER "X-Proflog-Command"

/* A new secret, at random.  Free with g_free; NULL with an error. */
char *http_token_new (GError **error);

/* The secret in a file, which is made with a new one, for its owner alone, if it is not there. Free
 * with g_free; NULL with an error, also if others can read or write the file. */
char *http_token_of_file (const char *path, GError **error);

/* The rest of a path after the secret ("" or "name"); NULL if it does not begin with it.  How long
 * that takes does not reveal how much of it was right. */
const char *http_guard_path (const char *path, const char *token);

/* Whether a Host header (NULL: none) names the server at this port of 127.0.0.1. */
bool http_guard_host (const char *host, unsigned port);

/* Whether an Origin header, which need not be there (NULL), is that of our page. */
bool http_guard_origin (const char *origin, unsigned port);

/* ---- the user at the other end of a connection within this machine ---- */

#define LOOPBACK_NOBODY ((uid_t) -1)

/* The user that has the socket of 127.0.0.1 at port `from`, connected to port `to` there.
 * LOOPBACK_NOBODY if the kernel does not state it. */
uid_t loopback_user (unsigned from, unsigned to);

/* ---- the connections of a server, so that no other user of the machine holds it up ---- */

/* Any user can connect to a port of this machine, and only a request shows the secret.  So the
 * connections of each other user are few, and half of all are the owner's.  A connection that has
 * not sent a whole request in time is closed, whatever it sends meanwhile.  Of the owner's, too,
 * few wait for a request at a time. */

struct http_clients;

/* Connections of the server's user on which no request is in work, at most: so each has some time
 * to send one while others come by the thousand. */
enum { HTTP_CLIENTS_WAITING = 256 };

/* Of a server at this port with `connections` connections at a time. */
struct http_clients *http_clients_new (unsigned port, unsigned most);
void http_clients_free (struct http_clients *clients);

/* Whether a client from this address may connect: MHD's policy of acceptance. */
enum MHD_Result http_clients_admit (void *clients, const struct sockaddr *address, socklen_t size);

/* MHD's notification of a connection, which was admitted directly before, or has ended. */
void http_clients_notify (void *clients, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code);

/* MHD's callback with the target of a request, as its first line has it: its length is noted.  The
 * result is NULL, the request's first context. */
void *http_clients_note_target (void *clients, const char *target,
                                struct MHD_Connection *connection);

/* The length that was noted last. */
size_t http_clients_target (struct MHD_Connection *connection);

/* The head of a request has come. */
void http_clients_note_request (struct http_clients *clients, struct MHD_Connection *connection);

/* A request was answered, or given up. */
void http_clients_note_answer (struct http_clients *clients, struct MHD_Connection *connection);

/* Closes those that are late.  From any thread. */
void http_clients_expire (struct http_clients *clients);

/* ---- answers; all functions are thread safe ---- */

/* Queues the response, which it takes, with the headers of all.  NULL: there is no memory. */
enum MHD_Result http_answer (struct MHD_Connection *connection, unsigned status, const char *type,
                             struct MHD_Response *response);

/* The same of a page of a report, which has its scripts in it. */
enum MHD_Result http_answer_report (struct MHD_Connection *connection, unsigned status,
                                    const char *type, struct MHD_Response *response);

/* A response of a copy of the bytes; NULL without memory. */
struct MHD_Response *http_copy_of (const void *bytes, size_t length);

enum MHD_Result http_answer_text (struct MHD_Connection *connection, unsigned status,
                                  const char *text);
enum MHD_Result http_answer_json (struct MHD_Connection *connection, unsigned status,
                                  const char *text);

/* The method is none of those that are allowed. */
enum MHD_Result http_refuse_method (struct MHD_Connection *connection, const char *allowed);

/* The page is at `location`, which is relative to that of the request. */
enum MHD_Result http_answer_moved (struct MHD_Connection *connection, const char *location);

/* A header of the request; NULL: it has none of that name. */
const char *http_header (struct MHD_Connection *connection, const char *name);

/* The host that the request names; NULL: it names none, or several, or one that is no text. */
const char *http_host (struct MHD_Connection *connection);

/* Whether the head of a request with this method and version has nothing that MHD hides.  MHD ends
 * each text at its first byte of 0 and drops the rest, such as another host, without a word; but it
 * states the size of the whole head.  Blanks that need not be there count as hidden, too: no
 * browser or client of metrics writes them. */
bool http_is_all_seen (struct MHD_Connection *connection, const char *method, const char *version);

#endif
