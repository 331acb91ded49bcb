/* steps.h -- how a push reader goes on: step by step, each with what its window has. */
#ifndef PROFLOG_STEPS_H
#define PROFLOG_STEPS_H

#include "decoder/formats/window.h"

#include <proflog/read.h>

enum step {
  STEP_ITEM,
  STEP_GO_ON,
  STEP_SHORT, /* the window is too short for a decision */
  STEP_END,
  STEP_ERROR,
};

typedef enum step (*step_function) (void *reader);

/* Takes steps until there is an item, or none without more input.  `at_end` is taken when a step
 * finds the window too short and nothing will be added to it.  Inlined, for both are constant. */
static inline __attribute__ ((always_inline)) enum proflog_result
steps_take (struct window *window, step_function step, step_function at_end, void *reader)
{
  for (;;) {
    enum step taken = step (reader);
    if (taken == STEP_SHORT) {
      if (window_widen (window))
        continue;
      if (!window->finished) {
        window_keep (window);
        return PROFLOG_NEED_MORE;
      }
      taken = at_end (reader);
    }
    if (taken == STEP_ITEM)
      return PROFLOG_EVENT;
    if (taken != STEP_GO_ON)
      return taken == STEP_END ? PROFLOG_END : PROFLOG_ERROR;
  }
}

#endif
