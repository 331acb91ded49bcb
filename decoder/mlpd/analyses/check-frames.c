/* check-frames.c -- searches the frame that is left. */
#include "config.h"

#include "decoder/mlpd/analyses/check-frames.h"

/* A frame is searched for so far down: a leave of a deeper one is as good as lost. */
#define FRAMES_SEARCHED 1000

void
check_frames_clear (struct check_frames *f)
{
  g_free (f->all);
  *f = (struct check_frames){ .all = NULL };
}

void
check_frames_grow (struct check_frames *f)
{
  f->room = MAX (2 * f->room, 8);
  f->all = g_renew (struct check_frame, f->all, f->room);
}

bool
check_frames_leave_below (struct check_frames *f, uint64_t method, uint64_t *unleft,
                          uint64_t *offset)
{
  if (f->deeper > 0) {
    f->deeper--;
    return true;
  }
  for (guint i = 0; i < MIN (f->n, FRAMES_SEARCHED); i++)
    if (f->all[f->n - 1 - i].method == method) {
      if (i > 0)
        *offset = f->all[f->n - i].offset;
      *unleft = i;
      f->n -= i + 1;
      return true;
    }
  return false;
}
