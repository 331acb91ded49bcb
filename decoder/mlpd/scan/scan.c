/* scan.c -- picks the loops that a buffer is scanned by. */
#include "config.h"

#include "decoder/mlpd/scan/scan.h"

#include "decoder/mlpd/scan/scan-block-bmi2.h"
#include "decoder/mlpd/scan/scan-block.h"
#include "decoder/mlpd/scan/scan-bulk.h"

/* Frames of a thread that are retained.  A chunk that leaves more open is of no program's making,
 * and is read event by event. */
#define SCAN_FRAMES_MAX 400000

#ifdef SCAN_BMI2
/* Processors that have the instructions, but for those in which they are slower than without. */
static bool
find_bmi2 (void)
{
  __builtin_cpu_init ();
  return __builtin_cpu_supports ("bmi") && __builtin_cpu_supports ("bmi2")
         && __builtin_cpu_supports ("popcnt") && __builtin_cpu_supports ("avx2")
         && !__builtin_cpu_is ("znver1") && !__builtin_cpu_is ("znver2")
         && !__builtin_cpu_is ("bdver4");
}
#else
static bool
find_bmi2 (void)
{
  return false;
}
#endif

bool
scan_has_bmi2 (void)
{
  static gsize found = 0; /* 1: no, 2: yes */
  if (g_once_init_enter (&found))
    g_once_init_leave (&found, find_bmi2 () ? 2 : 1);
  return found == 2;
}

bool
scan_block (struct scan *s, const struct mlpd_buffer_header *header, const uint8_t *bytes,
            size_t length, uint64_t offset)
{
  const uint64_t header_offset = offset - MLPD_BUFFER_HEADER_SIZE;
  if (scan_buffer_use (&s->options, header, header_offset) == BUFFER_SKIP) {
    scan_skip (s, header);
    return true;
  }
  scan_buffer (s, header, header_offset);
  const bool good = scan_has_bmi2 () ? scan_block_bmi2 (s, bytes, length, offset)
                                     : scan_block_plain (s, bytes, length, offset);
  return good && scan_current_thread (s)->n_frames <= SCAN_FRAMES_MAX;
}

void
scan_finish (struct scan *s)
{
  if (s->options.bins != NULL)
    scan_pass_finish (s);
  for (guint i = 0; i < s->threads->len; i++)
    scan_retire_thread (s, &g_array_index (s->threads, struct scan_thread, i));
}
