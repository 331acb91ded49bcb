/* push-log.h -- what is known of a log that is sent, and sent with each of its rows. */
#ifndef PROFLOG_PUSH_LOG_H
#define PROFLOG_PUSH_LOG_H

#include "decoder/push/push-values.h"
#include "decoder/query/query.h"

/* Hexadecimal digits of an id. */
#define PUSH_ID_LENGTH 32

struct push_log {
  char id[PUSH_ID_LENGTH + 1]; /* of the bytes of its file: it is the same wherever the file lies */
  char *name;
  char *host, *program, *version; /* "": unknown */
  uint64_t pid;
  uint64_t start_s; /* since 1970, UTC; 0: unknown */
  uint64_t duration_ns;
  GPtrArray *labels;   /* of const char *: names and values in turn */
  struct sql_log *sql; /* what its tables are read from */
  char *copy;          /* a file without its texts; NULL: none */
};

/* Adds the labels of the command line, names and values in turn. */
void push_log_add_labels (GPtrArray *labels, const struct push_values *values);

/* The value of a label of this name; "" if there is none. */
const char *push_log_label (const GPtrArray *labels, const char *name);

/* The host of the command line, or this one; "" where it is not to be stated. */
const char *push_log_host (const struct push_values *values);

/* Opens a log as the only one of the connection; its texts are replaced by words of the key, if
 * that is requested.  False with an error, which does not name the log; it is to be closed in any
 * case. */
bool push_log_open (struct push_log *log, struct query *query, const struct push_values *values,
                    const char *key, const char *path, const char *name, GError **error);
void push_log_close (struct push_log *log, struct query *query);

#endif
