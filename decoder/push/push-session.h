/* push-session.h -- the connection to the servers, and logs on their way to them. */
#ifndef PROFLOG_PUSH_SESSION_H
#define PROFLOG_PUSH_SESSION_H

#include "decoder/push/clickhouse-push.h"
#include "decoder/push/push-profile.h"

enum push_fate {
  PUSH_SENT,
  PUSH_NO_LOG,    /* it cannot be read: another try would not help */
  PUSH_NO_SERVER, /* it may be sent later */
};

struct push_session {
  struct push_values *values;
  struct query *query;
  struct push_secret secret;
  struct push_http *http;
  struct clickhouse_push clickhouse;
  bool is_open; /* clickhouse is there */
};

/* Reads the credentials.  False with an error; to be ended in any case. */
bool push_session_begin (struct push_session *session, struct push_values *values,
                         struct query *query, GError **error);
void push_session_end (struct push_session *session);

/* Sends stacks of a program, whose time they state. */
bool push_session_send_stacks (struct push_session *session, const struct export_stacks *stacks,
                               const char *kind, const char *program, GError **error);

/* Sends a file, under this name.  With an error unless it was sent. */
enum push_fate push_session_send (struct push_session *session, const char *path, const char *name,
                                  GError **error);

#endif
