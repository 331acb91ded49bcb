/* http-server.h -- figures for a browser and for Prometheus, at a port of this machine.
 *
 * Everything lies below /TOKEN/: the page, `events` (server-sent events), `history` (JSON),
 * `metrics`, `flame` (JSON), `control` and, of a log that is complete, `report`.  With an overview
 * each source has that below /TOKEN/NUMBER/, and /TOKEN/ has a page of all, `figures` (JSON),
 * `metrics` of all and, if all are complete, their `report`.  The server answers on a thread of its
 * own; one other thread puts the contents into it.
 */
#ifndef PROFLOG_HTTP_SERVER_H
#define PROFLOG_HTTP_SERVER_H

#include "decoder/live/live-figures.h"

struct http_server;

/* The served programs. */
struct http_server_source {
  uint64_t number;  /* in the address of its page; not 0 */
  const char *name; /* as UTF-8; borrowed */
  long pid;         /* of the program, which can be commanded; 0: it cannot */
};

struct http_server_options {
  unsigned port;     /* 0: any that is free */
  const char *token; /* the secret, with which all paths begin; copied */
  bool has_overview; /* else there is one source */
  char *(*ask) (long pid, const char *line, GError **error); /* see control-desk.c */
};

/* NULL with an error.  End it with http_server_stop. */
struct http_server *http_server_start (const struct http_server_options *options, GError **error);

/* Ends all connections. */
void http_server_stop (struct http_server *server);

/* To be called now and then: connections without a request are closed. */
void http_server_expire (struct http_server *server);

unsigned http_server_port (const struct http_server *server);

/* Adds a source after those that are there. */
void http_server_add (struct http_server *server, const struct http_server_source *source);

/* Removes a source; those after it move up.  Its connections end. */
void http_server_remove (struct http_server *server, guint source);

/* The figures of another interval, of each source.  Of one that is over these are the last. */
void http_server_put (struct http_server *server, const struct live_named *sources);

/* The report of a source as a page (transfer full), which is answered as `report`; frames that are
 * put from then on state that it is there. */
void http_server_set_report (struct http_server *server, guint source, GBytes *page);

/* The same of all sources, if there are several. */
void http_server_set_joint_report (struct http_server *server, GBytes *page);

/* Whether a browser has requested the flame graph of a source since the last http_server_set_flame.
 */
bool http_server_wants_flame (const struct http_server *server, guint source);

/* The answer to `flame` (JSON; transfer full). */
void http_server_set_flame (struct http_server *server, guint source, GBytes *flame);

/* To be called every few seconds when there is nothing new: readers that are gone are found. */
void http_server_beat (struct http_server *server);

#endif
