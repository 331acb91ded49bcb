/* out-of-room.h -- errors of a disk, a file or a memory that is full. */
#ifndef PROFILER_OUT_OF_ROOM_H
#define PROFILER_OUT_OF_ROOM_H

#include <errno.h>
#include <stdbool.h>

/* The disk or a quota is full. */
static inline bool
is_disk_full (int error)
{
  return error == ENOSPC || error == EDQUOT;
}

/* The same, or files may not get larger, or there is no memory.  Such an error soon meets the log,
 * too, and the line about the log's end reports it: no other line does. */
static inline bool
is_out_of_room (int error)
{
  return is_disk_full (error) || error == EFBIG || error == ENOMEM;
}

#endif
