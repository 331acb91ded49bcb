/* input-buffer.h -- the contiguous bytes of the input that a push reader sees, and its way through
 * them.
 *
 * The window is the pushed bytes, as they are; or, where a unit lies across two pushes, a copy of
 * the tail of the one and some of the head of the other.
 */
#ifndef PROFLOG_INPUT_BUFFER_H
#define PROFLOG_INPUT_BUFFER_H

#include <glib.h>
#include <proflog/read.h>
#include <stdbool.h>
#include <stdint.h>

struct input_buffer {
  /* The bytes that were not read, and the offset of the first of them in the log. */
  const uint8_t *at;
  const uint8_t *end;
  uint64_t offset;
  bool finished; /* nothing will be pushed */
  /* The last pushed bytes.  `carry` is the window if in_carry: its last `copied` bytes are the
   * first of the pushed ones. */
  const uint8_t *pushed;
  size_t pushed_length;
  GByteArray *carry;
  size_t copied;
  bool in_carry;
};

void input_buffer_init (struct input_buffer *input);
void input_buffer_clear (struct input_buffer *input);

/* May something be pushed? */
bool input_buffer_can_push (const struct input_buffer *input);

/* Gives the window bytes, which must stay as they are until input_buffer_retain. */
void input_buffer_push (struct input_buffer *input, const void *bytes, size_t length);

/* Nothing follows. */
void input_buffer_finish (struct input_buffer *input);

static inline size_t
input_buffer_left (const struct input_buffer *w)
{
  return (size_t) (w->end - w->at);
}

/* The next bytes were read. */
static inline void
input_buffer_consume (struct input_buffer *w, size_t bytes)
{
  w->at += bytes;
  w->offset += bytes;
}

/* Does nothing follow the window? */
bool input_buffer_is_last (const struct input_buffer *input);

/* Are all bytes read that were pushed, and returned? */
bool input_buffer_is_empty (const struct input_buffer *input);

/* The window is too short: makes it longer, false if all that was pushed is in it.  Copies no
 * more than the unit across the border needs (twice that at most). */
bool input_buffer_extend (struct input_buffer *input);

/* Retains the bytes that were not read: the pushed ones go back to their owner. */
void input_buffer_retain (struct input_buffer *input);

/* ---- how a reader goes on: step by step, each with the window that it has ---- */

enum step {
  STEP_ITEM,
  STEP_CONTINUE,
  STEP_NEED_MORE, /* the window is too short for a decision */
  STEP_END,
  STEP_ERROR,
};

typedef enum step (*step_function) (void *reader);

/* Runs steps until there is an item, or none without more input.  `at_end` is run when a step finds
 * the window too short and nothing will be added to it.  Inlined, for both are constant. */
static inline __attribute__ ((always_inline)) enum proflog_result
reader_run_steps (struct input_buffer *input, step_function step, step_function at_end,
                  void *reader)
{
  for (;;) {
    enum step taken = step (reader);
    if (taken == STEP_NEED_MORE) {
      if (input_buffer_extend (input))
        continue;
      if (!input->finished) {
        input_buffer_retain (input);
        return PROFLOG_NEED_MORE;
      }
      taken = at_end (reader);
    }
    if (taken == STEP_ITEM)
      return PROFLOG_EVENT;
    if (taken != STEP_CONTINUE)
      return taken == STEP_END ? PROFLOG_END : PROFLOG_ERROR;
  }
}

#endif
