/* stretches.h -- divides a log into stretches of whole buffers that can be scanned by themselves.
 *
 * Only headers are looked at.  What does not look like whole buffers (file headers, damage, a cut
 * end) comes as a stretch that is `plain` bytes: the reader (mlpd-reader.h) decides what it is.
 *
 * Of a plain file, no more is read here than what tells where buffers begin, as long as they seem
 * to follow one another; whoever scans a stretch reads it, and finds whether they do.  All else is
 * read in turn.
 */
#ifndef PROFLOG_STRETCHES_H
#define PROFLOG_STRETCHES_H

#include "decoder/analyses/buffer-choice.h"
#include "decoder/formats/log-input.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

struct stretch {
  uint8_t *bytes; /* if they were read */
  size_t length;
  size_t room;
  uint64_t offset; /* in the log */
  bool plain;
  bool passed;   /* nobody asks for it: `length` bytes that were not read */
  bool unread;   /* `length` bytes to be read of the input: its end may be a guess */
  bool end_mark; /* its last buffer is empty; unread: not known */
};

struct stretches {
  struct log_input *input;      /* borrowed */
  unsigned threads;             /* that scan them */
  size_t bytes;                 /* of a stretch at most, unless one buffer is larger */
  bool reads_headers;           /* only, at present */
  uint64_t alloc_sampling;      /* that the header tells of, see mlpd-origin.h */
  GByteArray *carry;            /* read, and not given yet */
  uint64_t offset;              /* of the first byte of that */
  bool at_end;                  /* of the input */
  struct buffer_choice *choice; /* borrowed; NULL: all is asked for */
  guint next;                   /* of the choice's index */
  bool has_header;
  struct mlpd_file_header header; /* without its texts: of the buffers that follow */
};

/* More than a file header has in front of its texts. */
#define STRETCH_BYTES_MIN 64

/* Stretches of up to so many bytes (at least these), or of one buffer that is larger; for so many
 * threads. */
void stretches_init (struct stretches *stretches, struct log_input *input, unsigned threads,
                     size_t bytes);
void stretches_clear (struct stretches *stretches);

/* Before the first stretch: not all is asked for. */
void stretches_choose (struct stretches *stretches, struct buffer_choice *choice);

/* Begins the choice with the first buffer, if there is one that was not begun.
 * The next stretch, into *stretch, whose memory is used again; length 0 at the end.  False with
 * PROFLOG_READ_ERROR_INPUT if reading fails. */
bool stretches_next (struct stretches *stretches, struct stretch *stretch, GError **error);

#endif
