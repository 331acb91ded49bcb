/* control-dispatch.h -- finds what a request asks for. */
#ifndef PROFLOG_CONTROL_DISPATCH_H
#define PROFLOG_CONTROL_DISPATCH_H

#include "profiler/control-reply.h"

enum { CONTROL_WORDS_MAX = 32 }; /* of a request */

struct control_verb {
  const char *name;
  size_t least, most; /* arguments */
  void (*run) (struct reply *reply, size_t count, char **words);
};

/* Runs the one of `count` verbs that the request begins with, or replies what is wrong with it.
 * `request` is changed. */
void control_dispatch (const struct control_verb *verbs, size_t count, char *request,
                       struct reply *reply);

#endif
