/* http-guard.h -- which requests a server on this machine accepts.
 *
 * Any program here can connect to it, and any page in the user's browser can make the browser do
 * so. So a client has to know a secret, which is the first part of all paths.  It has to address
 * the server by its own name, not by another name that leads here.  A request that changes
 * something has to come from the page of this server, which alone can add the header.
 */
#ifndef PROFLOG_HTTP_GUARD_H
#define PROFLOG_HTTP_GUARD_H

#include <glib.h>
#include <stdbool.h>

/* Characters of a secret; one that we make has 128 bits in 32 of them. */
enum { HTTP_TOKEN_MIN = 22, HTTP_TOKEN_MAX = 128 };

/* The header that a command has, with any value. */
#define HTTP_COMMAND_HEADER "X-Proflog-Command"

/* A new secret, at random.  Free with g_free; NULL with an error. */
char *http_token_new (GError **error);

/* The secret in a file, which is made with a new one, for its owner alone, if it is not there. Free
 * with g_free; NULL with an error, also if others can read or write the file. */
char *http_token_of_file (const char *path, GError **error);

/* What a path has after the secret ("" or "name"); NULL if it does not begin with it.  How long
 * that takes does not reveal how much of it was right. */
const char *http_guard_path (const char *path, const char *token);

/* Whether a Host header (NULL: none) names the server at this port of 127.0.0.1. */
bool http_guard_host (const char *host, unsigned port);

/* Whether an Origin header, which need not be there (NULL), is that of our page. */
bool http_guard_origin (const char *origin, unsigned port);

#endif
