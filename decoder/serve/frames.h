/* frames.h -- frames that are sent to many readers, each at its own pace, in memory that does not
 * grow with them or with time: the last few frames.  A reader that falls behind has lost those
 * before, and learns how many.
 *
 * All functions may be called from any thread.
 */
#ifndef PROFLOG_FRAMES_H
#define PROFLOG_FRAMES_H

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct frames;

/* A text that several threads have; each returns it. */
struct frame {
  atomic_uint users;
  size_t length;
  char text[];
};

void frame_unref (struct frame *frame);

/* The last `count` frames are retained.  Free it with frames_free, when it is no longer used. */
struct frames *frames_new (guint count);
void frames_free (struct frames *frames);

/* The next frame, whose number is returned: from 0 on, one more each.  The text is copied. */
uint64_t frames_add (struct frames *frames, const GString *text);

/* The number that the next frame will have. */
uint64_t frames_next (struct frames *frames);

/* The frame of a number (give it back with frame_unref), which then is that of the next one.  If
 * that frame is gone, it is the first that is there, and *lost is how many were before it. NULL if
 * it is still to come. */
struct frame *frames_pop (struct frames *frames, uint64_t *number, uint64_t *lost);

#endif
