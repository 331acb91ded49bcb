/* random-ghc.h -- for tests: random eventlogs of GHC. */
#ifndef PROFLOG_TESTS_RANDOM_GHC_H
#define PROFLOG_TESTS_RANDOM_GHC_H

#include <glib.h>
#include <proflog/ghc.h>

struct random_ghc {
  GRand *rand;
  GPtrArray *memory; /* of texts */
};

void random_ghc_init (struct random_ghc *random, guint32 seed);
void random_ghc_clear (struct random_ghc *random);

guint random_ghc_up_to (struct random_ghc *random, guint most);

/* Appends a log that is whole: types of events with sizes of any writer, blocks, events in them and
 * beside them, end mark; now and then another log after that.  With `lines`, also each event as
 * ghc_items_event writes it, markers of blocks left out. */
void random_ghc_log (struct random_ghc *random, GByteArray *log, GPtrArray *lines);

#endif
