/* check-frames.h -- the open calls of a thread, and those that do not fit. */
#ifndef PROFLOG_CHECK_FRAMES_H
#define PROFLOG_CHECK_FRAMES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Open calls of a thread that are distinguished.  Where enters are recorded without leaves there
 * are as many as events. */
#define CHECK_FRAMES_MAX 100000

struct check_frame {
  uint64_t method;
  uint64_t offset; /* of the enter */
};

struct check_frames {
  struct check_frame *all;
  guint n, room;
  uint64_t deeper; /* calls above these, which are counted only */
};

void check_frames_clear (struct check_frames *frames);

/* The slow part of check_frames_enter: there is no room. */
void check_frames_grow (struct check_frames *frames);

static inline void
check_frames_enter (struct check_frames *f, uint64_t method, uint64_t offset)
{
  if (G_UNLIKELY (f->n == CHECK_FRAMES_MAX)) {
    f->deeper++;
    return;
  }
  if (G_UNLIKELY (f->n == f->room))
    check_frames_grow (f);
  f->all[f->n++] = (struct check_frame){ method, offset };
}

/* The same for a frame that is not on top. */
bool check_frames_leave_below (struct check_frames *frames, uint64_t method, uint64_t *unleft,
                               uint64_t *offset);

/* Leaves the frame on top if it is one of the method. */
static inline bool
check_frames_leave_top (struct check_frames *f, uint64_t method)
{
  if (G_UNLIKELY (f->n == 0 || f->deeper != 0 || f->all[f->n - 1].method != method))
    return false;
  f->n--;
  return true;
}

/* Leaves a frame.  Frames above it were not left: `unleft` is their number, `offset` that of the
 * first; 0 where there are none.  False if there is no such frame. */
static inline bool
check_frames_leave (struct check_frames *f, uint64_t method, uint64_t *unleft, uint64_t *offset)
{
  *unleft = 0;
  return check_frames_leave_top (f, method) || check_frames_leave_below (f, method, unleft, offset);
}

#endif
