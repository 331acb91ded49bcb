/* unpack.h -- the formats of compression that logs may have.
 *
 * An unpacker belongs to one thread at a time.
 */
#ifndef PROFLOG_UNPACK_H
#define PROFLOG_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unpack_kind { UNPACK_NONE, UNPACK_GZIP, UNPACK_ZSTD, UNPACK_KINDS };

/* This many of the first bytes determine the format. */
enum { UNPACK_ID_SIZE = 4 };

/* The compression that these bytes, or fewer at the end of a file, begin. */
enum unpack_kind unpack_kind_of (const uint8_t *bytes, size_t length);

/* Whether this build can read it. */
bool unpack_is_there (enum unpack_kind kind);

/* A log that is inflated to more than UNPACK_FREE_BYTES may be UNPACK_MAX_RATIO times as large as
 * its file. */
enum { UNPACK_FREE_BYTES = 64 << 20, UNPACK_MAX_RATIO = 200 };

/* Another ratio, for this process (--max-ratio); 0: no limit.  Before any unpacker runs. */
void unpack_set_max_ratio (uint64_t ratio);

/* The largest inflated size of `bytes` bytes; 0: there is no limit. */
uint64_t unpack_limit (uint64_t bytes);

struct unpacker;

/* Of a format that this build can read.  NULL without memory.  Free it with unpacker_free, which
 * accepts NULL. */
struct unpacker *unpacker_new (enum unpack_kind kind);
void unpacker_free (struct unpacker *unpacker);

/* Source and target; both move on. */
struct unpack_space {
  const uint8_t *in;
  size_t in_left;
  uint8_t *out;
  size_t out_left;
};

enum unpack_result {
  UNPACK_GOES_ON,   /* as far as there was input, or room */
  UNPACK_ENDED,     /* the member is whole; a file may have several, one after the other */
  UNPACK_NO_MEMORY, /* nothing can be done */
  UNPACK_CORRUPT,   /* *why states the reason */
  UNPACK_TOO_LARGE, /* the same; the inflated bytes are within one call's room above the limit */
};

/* *why is the unpacker's. */
enum unpack_result unpacker_run (struct unpacker *unpacker, struct unpack_space *space,
                                 const char **why);

/* Something else of the same format begins. */
void unpacker_restart (struct unpacker *unpacker);

#endif
