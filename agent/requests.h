/* requests.h -- requests to a program and their replies. */
#ifndef PROFLOG_REQUESTS_H
#define PROFLOG_REQUESTS_H

#include <proflog/control.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the reply to a client: figures under their keys, as JSON or as text ---- */

/* Initially all fields but `json` are zero. */
struct reply {
  bool json;
  bool is_inside; /* the program requested it, on a thread of its own */
  bool failed;    /* holds an error, and no figures */
  bool in_row;
  bool comma; /* the next one needs a comma before it */
  char *text; /* NULL without memory */
  size_t length, size;
  bool has_no_memory; /* `text` is NULL from now on */
};

void reply_number (struct reply *reply, const char *key, uint64_t number);
void reply_text (struct reply *reply, const char *key, const char *text);
void reply_bool (struct reply *reply, const char *key, bool value);

/* An id, in hexadecimal, as in reports and logs. */
void reply_id (struct reply *reply, const char *key, uint64_t id);

/* A list of texts (all of `names`, to a NULL, whose bit in `which` is set), or of rows of figures.
 */
void reply_names (struct reply *reply, const char *key, const char *const *names, unsigned which);
void reply_list (struct reply *reply, const char *key);
void reply_row (struct reply *reply);
void reply_end_row (struct reply *reply);
void reply_end_list (struct reply *reply);

/* The reply is this error, of a kind of proflog/control.h.  Later ones are ignored. */
void reply_error (struct reply *reply, const char *kind, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* Completes `text`. */
void reply_finish (struct reply *reply);

void reply_clear (struct reply *reply);

/* ---- verbs of requests ---- */

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

/* ---- the socket for requests of 'proflog ctl' ---- */

/* A thread of its own, which the runtime does not know, waits at it.  A client must be the
 * program's user or root, has a few seconds for the request, and can neither stop the program nor,
 * for longer than that, other clients. */

/* Listens, and runs these verbs on request.  If that is impossible, one line reports why and the
 * program keeps running. */
void control_start (const struct control_verbs *verbs);

/* Listens no more, and waits a moment for a request that is being carried out. */
void control_finish (void);

/* Whether control_finish was called: waits are to end. */
bool control_is_over (void);

/* In the child of a fork, which is not controlled. */
void control_after_fork (void);

/* ---- requests that the program itself makes (proflog/program.h) ---- */

/* Carries out a request of the program, on the calling thread; arguments and result are those of
 * proflog_control. */
int control_inside (const struct control_verbs *verbs, const char *request, char *text,
                    size_t size);

#endif
