/* unpack.h -- the formats of compression that logs may have.
 *
 * An unpacker belongs to one thread at a time.
 */
#ifndef PROFLOG_UNPACK_H
#define PROFLOG_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unpack_sort { UNPACK_NONE, UNPACK_GZIP, UNPACK_ZSTD, UNPACK_SORTS };

/* So many of the first bytes tell which it is. */
enum { UNPACK_ID_SIZE = 4 };

/* What these bytes, or fewer at the end of a file, begin. */
enum unpack_sort unpack_sort_of (const uint8_t *bytes, size_t length);

/* Whether this build can read it. */
bool unpack_is_there (enum unpack_sort sort);

struct unpacker;

/* Of a sort that is there.  NULL without memory.  Free it with unpacker_free, which takes NULL,
 * too. */
struct unpacker *unpacker_new (enum unpack_sort sort);
void unpacker_free (struct unpacker *unpacker);

/* What is read and where to; both move on. */
struct unpack_space {
  const uint8_t *in;
  size_t in_left;
  uint8_t *out;
  size_t out_left;
};

enum unpack_result {
  UNPACK_GOES_ON,   /* as far as there was input, or room */
  UNPACK_ENDED,     /* what was begun is whole; a file may have several, one behind the other */
  UNPACK_NO_MEMORY, /* nothing can be done */
  UNPACK_CORRUPT,   /* *why tells */
};

enum unpack_result unpacker_run (struct unpacker *unpacker, struct unpack_space *space,
                                 const char **why);

/* Something else of the same sort begins. */
void unpacker_restart (struct unpacker *unpacker);

#endif
