/* push-http.h -- requests to servers.  One thread at a time. */
#ifndef PROFLOG_PUSH_HTTP_H
#define PROFLOG_PUSH_HTTP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The credentials of a user of a server: from a file or from the environment, never from the
 * command line, which every user of the machine can read. */
struct push_secret {
  char *user, *password; /* NULL: none */
  char *token;           /* of "Bearer TOKEN"; NULL: none */
  char *key;             /* of the words of --anonymize; NULL: none */
};

/* Reads the file, which no other user may read; NULL: the variables PROFLOG_PUSH_USER,
 * PROFLOG_PUSH_PASSWORD, PROFLOG_PUSH_TOKEN and PROFLOG_PUSH_KEY.  The file has lines NAME=VALUE
 * with the names user, password, token and key.  False with an error. */
bool push_secret_read (struct push_secret *secret, const char *path, GError **error);
void push_secret_clear (struct push_secret *secret);

/* Else it would break the header that it goes into. */
bool push_http_is_one_line (const char *text);

/* The outcome of a request. */
enum push_outcome {
  PUSH_DONE,
  PUSH_UNSURE,  /* the server may have carried it out, or not: it did not answer, or is busy */
  PUSH_REFUSED, /* it answered that it will not */
};

struct push_http;

/* `patience`: the time for which a request is repeated, in ns. */
struct push_http *push_http_new (const struct push_secret *secret, uint64_t patience);
void push_http_free (struct push_http *http);

struct push_request {
  const char *url;
  const char *const *headers; /* "NAME: VALUE", NULL ends the list; NULL: none */
  const char *bytes;
  size_t length;
  bool compress; /* gzip */
};

/* Posts once.  The answer replaces `answer`; with PUSH_UNSURE and PUSH_REFUSED there is an error.
 */
enum push_outcome push_http_post (struct push_http *http, const struct push_request *request,
                                  GString *answer, GError **error);

/* The time of a request with its repetitions. */
struct push_wait {
  gint64 deadline, pause; /* us */
};

void push_wait_begin (struct push_wait *wait, const struct push_http *http);

/* After an attempt with this outcome and error (taken; NULL: none).  PUSH_UNSURE: it is to be
 * repeated, after a wait that is longer each time.  When the time is over, PUSH_REFUSED with the
 * error. */
enum push_outcome push_wait_after (struct push_wait *wait, enum push_outcome outcome,
                                   GError **problem, GError **error);

/* Posts until the outcome is sure: only requests that may be carried out twice. */
bool push_http_repeat (struct push_http *http, const struct push_request *request, GString *answer,
                       GError **error);

/* Bytes that were sent, as they went out. */
uint64_t push_http_sent (const struct push_http *http);

#endif
