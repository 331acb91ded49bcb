/* mlpd-reader-private.h -- the state and the steps of the reader of .mlpd logs.
 *
 *   mlpd-reader.c        which step is next
 *   mlpd-check-marks.c   sums of buffers
 *   mlpd-reader-emit.c   items, damage and errors
 *
 * The reader inspects the log through an input buffer (input-buffer.h).  Each state has a step,
 * which yields an item, goes on to another state or reports that the input buffer is too short for
 * a decision.  The decision of a step must not depend on where the input buffer happens to end.
 */
#ifndef PROFLOG_MLPD_READER_PRIVATE_H
#define PROFLOG_MLPD_READER_PRIVATE_H

#include "decoder/core/input-buffer.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-check-marks.h"
#include <proflog/mlpd-reader.h>
#include <stdbool.h>

#define ID_SIZE 4

/* Longest event that is read as one: no writer has buffers anywhere near that. */
#define MLPD_EVENT_BYTES_MAX (16u << 20)

/* Highest major version whose header is known. */
#define MAJOR_MAX 3

enum mlpd_reader_state {
  STATE_START,   /* nothing was read */
  STATE_NEWER,   /* after a file header of an unknown version */
  STATE_BORDER,  /* where a buffer may begin, or another log */
  STATE_EVENTS,  /* in a buffer */
  STATE_LOSS,    /* after the header of a loss mark */
  STATE_CHECK,   /* after that of a check mark */
  STATE_SKIP,    /* in a buffer that the caller skips */
  STATE_DAMAGED, /* in a buffer, after damage */
  STATE_SEARCH,  /* for something that makes sense */
  STATE_OTHER,   /* in another log, after the one that is read */
  STATE_ENDING,  /* the input has ended */
  STATE_END,
  STATE_ERROR,
};

struct mlpd_reader {
  enum mlpd_reader_state state;
  struct input_buffer input;

  bool has_byte_objects; /* as requested */
  bool has_header;
  bool end_is_settled; /* the last buffer was an end mark, or the missing one was reported */
  struct mlpd_file_header header;
  char *header_texts[3];   /* that `header` points to */
  uint64_t version_offset; /* of the version in it that is not known */
  struct mlpd_buffer_header buffer;
  uint64_t buffer_offset;
  uint64_t buffer_left; /* bytes of events */
  struct mlpd_decoder decoder;

  /* Comparing buffers with their check marks. */
  struct {
    bool is_on;
    struct mlpd_marked last; /* before the buffer or mark that is read */
    uint64_t found;          /* the sum before the mark that is read */
  } verify;

  /* Damage whose end is not reached yet. */
  uint64_t damage_offset;
  struct mlpd_damage damage;
  char *message;

  struct mlpd_item item;
  GError *error;
};

static inline size_t
mlpd_reader_left (const struct mlpd_reader *r)
{
  return input_buffer_left (&r->input);
}

static inline void
mlpd_reader_consume (struct mlpd_reader *r, size_t bytes)
{
  if (r->verify.is_on)
    content_sum_add (&r->verify.last.sum, r->input.at, bytes);
  input_buffer_consume (&r->input, bytes);
}

/* ---- mlpd-check-marks.c ---- */

/* At the beginning of a buffer that is no check mark. */
void mlpd_begin_sum (struct mlpd_reader *r);
enum step mlpd_read_check (struct mlpd_reader *r);

/* ---- mlpd-reader-emit.c ---- */

static inline enum step
mlpd_reader_emit (struct mlpd_reader *r, enum mlpd_item_type type, uint64_t offset, uint64_t size,
                  bool in_buffer)
{
  r->item.type = type;
  r->item.offset = offset;
  r->item.size = size;
  r->item.header = r->has_header ? &r->header : NULL;
  r->item.buffer = in_buffer ? &r->buffer : NULL;
  r->item.damage = NULL;
  r->item.payload = NULL;
  return STEP_ITEM;
}

/* Damage begins here; its size is known when its end is found. */
void mlpd_reader_begin_damage (struct mlpd_reader *r, enum mlpd_damage_reason reason,
                               const char *format, ...) G_GNUC_PRINTF (3, 4);

/* The damage goes as far as the log was read. */
enum step mlpd_reader_emit_damage (struct mlpd_reader *r, bool in_buffer);

/* The reader ends with this error. */
enum step mlpd_reader_fail (struct mlpd_reader *r, enum proflog_read_error code, const char *format,
                            ...) G_GNUC_PRINTF (3, 4);

enum mlpd_found {
  FOUND_NOTHING,
  FOUND_HEADER,
  FOUND_SHORT, /* the input buffer ends before that is clear */
};

#endif
