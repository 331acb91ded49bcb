/* reader-loop.h -- how a push reader goes on: step by step, each with what its window has. */
#ifndef PROFLOG_READER_LOOP_H
#define PROFLOG_READER_LOOP_H

#include "decoder/core/input-buffer.h"

#include <proflog/read.h>

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
