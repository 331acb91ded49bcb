/* mutations.h -- damage to the bytes of a log, by a seed. */
#ifndef PROFLOG_MUTATIONS_H
#define PROFLOG_MUTATIONS_H

#include <glib.h>
#include <stdint.h>

/* Numbers that depend on the seed alone (splitmix64). */
struct mutation_random {
  uint64_t state;
};

uint64_t mutation_number (struct mutation_random *random, uint64_t below);

/* Damages the log, which has some bytes, in one to three ways: cut, bits flipped, bytes
 * overwritten, extreme numbers in the place of others, parts deleted, inserted, repeated or
 * exchanged.  Appends to `text` how. */
void mutate (GByteArray *log, struct mutation_random *random, GString *text);

#endif
