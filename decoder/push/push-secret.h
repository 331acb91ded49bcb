/* push-secret.h -- what a server knows its users by: from a file or from the environment, never
 * from the command line, which every user of the machine can read. */
#ifndef PROFLOG_PUSH_SECRET_H
#define PROFLOG_PUSH_SECRET_H

#include <glib.h>
#include <stdbool.h>

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

#endif
