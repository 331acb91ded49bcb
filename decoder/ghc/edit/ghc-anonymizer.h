/* ghc-anonymizer.h -- replaces texts of an eventlog about a program and its user.
 */
#ifndef PROFLOG_GHC_ANONYMIZER_H
#define PROFLOG_GHC_ANONYMIZER_H

#include "decoder/core/secret.h"

#include <proflog/ghc-writer.h>

struct ghc_anonymizer {
  const struct secrets *secrets; /* borrowed */
  uint8_t breakdowns[256];       /* of heap profiles, by number; 0: not known */
  /* Of the event that was changed last. */
  GStringChunk *texts;
  union ghc_payload payload;
};

void ghc_anonymizer_init (struct ghc_anonymizer *anonymizer, const struct secrets *secrets);
void ghc_anonymizer_clear (struct ghc_anonymizer *anonymizer);

/* Replaces the texts of the event; events have to come in order.  It is good until the next
 * call. */
void ghc_anonymizer_event (struct ghc_anonymizer *anonymizer, const struct ghc_item *item,
                           struct ghc_event *event);

#endif
