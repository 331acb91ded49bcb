/* text-mode.h -- logs that were copied as a text of Windows: with a 0d before each 0a.
 *
 * Not thread safe; different ones are independent.
 */
#ifndef PROFLOG_TEXT_MODE_H
#define PROFLOG_TEXT_MODE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Removes each 0d before a 0a from a sequence of chunks. */
struct text_mode {
  uint64_t *removed; /* borrowed: counts them; NULL: nothing is removed */
  bool has_cr;       /* the last byte was a 0d, which was not given yet */
  GByteArray *bytes; /* of the present chunk, without them */
};

/* Whether there is a 0d before each 0a of the beginning of a log, and some 0a. */
bool text_mode_is_likely (const uint8_t *bytes, size_t length);

/* Free its memory with text_mode_clear. */
void text_mode_init (struct text_mode *mode, uint64_t *removed);
void text_mode_clear (struct text_mode *mode);

/* From here on the chunks are those of the log's beginning, or of somewhere else. */
void text_mode_restart (struct text_mode *mode);

/* Replaces a chunk by its bytes without them, valid until the next call.  A 0d at its end comes
 * with the next chunk; the end of the log is a chunk of no bytes. */
void text_mode_remove (struct text_mode *mode, const uint8_t **bytes, size_t *length);

#endif
