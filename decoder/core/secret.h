/* secret.h -- kinds of texts that anonymize replaces, and the words that replace them.
 *
 * The same text becomes the same word everywhere.  The word follows from a key, so that nothing has
 * to be remembered and a text cannot be found out by trials.
 */
#ifndef PROFLOG_SECRET_H
#define PROFLOG_SECRET_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The kinds of texts to replace. */
enum secret {
  SECRET_ARGS, /* words of the command line */
  SECRET_ENV,
  SECRET_MESSAGES, /* of program and runtime, and markers */
  SECRET_LABELS,   /* of threads */
  SECRET_NAMES,    /* of the program's parts: all other texts */
  SECRET_BYTES,    /* messages of bytes, and unknown events */
  SECRETS,
  NO_SECRET = SECRETS, /* text of the compiler or runtime */
};

#define SECRET_HASH_BYTES 6 /* that make a word; they are written in hex */

struct secrets {
  bool keeps[SECRETS]; /* are not replaced */
  GBytes *key;
};

/* The key may be anything; NULL: a random one. */
void secrets_init (struct secrets *secrets, const char *key);
void secrets_clear (struct secrets *secrets);

/* "args", "env", "messages", "labels", "names", "bytes"; SECRETS if it is none of these. */
enum secret secret_of_name (const char *name);

/* The same the other way round; of those below SECRETS. */
const char *secret_name (enum secret secret);

/* The prefix of replaced texts. */
const char *secret_word (enum secret secret);

/* The hash of a text. */
void secrets_hash (const struct secrets *secrets, const char *text, size_t length,
                   uint8_t hash[static SECRET_HASH_BYTES]);

/* Appends the word for a text, which begins with `word`; nothing for an empty text. */
void secrets_append (const struct secrets *secrets, GString *to, const char *word, const char *text,
                     size_t length);

#endif
