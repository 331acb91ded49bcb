/* control-dispatch.h -- finds the verb of a request and runs it. */
#ifndef AGENT_CONTROL_DISPATCH_H
#define AGENT_CONTROL_DISPATCH_H

#include "agent/reply.h"

enum {
  CONTROL_WORDS_MAX = 32, /* arguments of a request */
  CONTROL_TEXT,
};

/* A verb of requests, which a program provides. */
struct control_verb {
  const char *name;
  size_t least, most; /* arguments; CONTROL_TEXT: one, all that follows, with its blanks */
  void (*run) (struct reply *reply, size_t count, char **words);
};

struct control_verbs {
  const struct control_verb *list;
  size_t count;
};

/* Before the first request: the time from which control_reply_start counts. */
void control_dispatch_start (void);

/* In the child of a fork. */
void control_dispatch_after_fork (void);

/* Runs the verb that the request begins with, and fills the reply, errors included.  `request` is
 * changed.  From any thread, one after the other. */
void control_dispatch (const struct control_verbs *verbs, char *request, struct reply *reply);

/* Replies when control_dispatch_start was called, and how many seconds ago. */
void control_reply_start (struct reply *reply);

#endif
