/* ghc-anonymizer.h -- replaces what the events of an eventlog report about a program and its user.
 *
 * The same text becomes the same word everywhere; which, follows from a key, so that nothing has to
 * be remembered and no one can find out a text by trying texts.
 */
#ifndef PROFLOG_GHC_ANONYMIZER_H
#define PROFLOG_GHC_ANONYMIZER_H

#include <proflog/ghc-writer.h>

/* What there is to replace. */
enum ghc_secret {
  GHC_SECRET_ARGS, /* words of the command line */
  GHC_SECRET_ENV,
  GHC_SECRET_MESSAGES, /* of program and runtime, and markers */
  GHC_SECRET_LABELS,   /* of threads */
  GHC_SECRET_NAMES,    /* of the program's parts: all other texts */
  GHC_SECRET_BYTES,    /* messages of bytes, and what is not known */
  GHC_SECRETS,
  GHC_NO_SECRET = GHC_SECRETS, /* text of the compiler */
};

struct ghc_anonymizer {
  bool keeps[GHC_SECRETS];
  GBytes *key;
  uint8_t breakdowns[256]; /* of heap profiles, by number; 0: not known */
  /* Of the event that was changed last. */
  GStringChunk *texts;
  union ghc_payload payload;
};

/* The key may be anything; NULL: a random one. */
void ghc_anonymizer_init (struct ghc_anonymizer *anonymizer, const char *key);
void ghc_anonymizer_clear (struct ghc_anonymizer *anonymizer);

/* "args", "env", "messages", "labels", "names", "bytes"; GHC_SECRETS if it is none of these. */
enum ghc_secret ghc_secret_of_name (const char *name);

/* The same the other way round; of those below GHC_SECRETS. */
const char *ghc_secret_name (enum ghc_secret secret);

/* Replaces what is in the event; events have to come in order.  It is good until the next call. */
void ghc_anonymizer_event (struct ghc_anonymizer *anonymizer, const struct ghc_item *item,
                           struct ghc_event *event);

#endif
