/* log-head.c -- compares the first bytes of a file with those of logs. */
#include "config.h"

#include "decoder/input/unpack.h"
#include "decoder/system/processes.h"
#include <glib.h>
#include <proflog/ghc.h>
#include <proflog/mlpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum log_head
log_head_of (const char *path)
{
  const uint32_t mono = GUINT32_TO_LE (MLPD_FILE_ID), ghc = GUINT32_TO_BE (GHC_HEADER_BEGIN);
  uint8_t bytes[UNPACK_ID_SIZE];
  G_STATIC_ASSERT (sizeof mono <= sizeof bytes && sizeof ghc <= sizeof bytes);
  FILE *file = fopen (path, "re");
  const size_t n = file != NULL ? fread (bytes, 1, sizeof bytes, file) : 0;
  const bool is_read = file != NULL && ferror (file) == 0;
  if (file != NULL)
    fclose (file);
  if (!is_read)
    return LOG_HEAD_OTHER;
  if (n >= sizeof mono
      && (memcmp (bytes, &mono, sizeof mono) == 0 || memcmp (bytes, &ghc, sizeof ghc) == 0))
    return LOG_HEAD_LOG;
  return n == 0                                     ? LOG_HEAD_EMPTY
         : unpack_kind_of (bytes, n) != UNPACK_NONE ? LOG_HEAD_PACKED
                                                    : LOG_HEAD_OTHER;
}
