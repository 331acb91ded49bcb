/* reply.h -- the reply to a client: figures under their keys, as JSON or as text. */
#ifndef AGENT_REPLY_H
#define AGENT_REPLY_H

#include <proflog/control.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
