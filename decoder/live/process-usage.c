/* process-usage.c -- reads /proc/PID/stat. */
#include "config.h"

#include "decoder/live/process-usage.h"
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool
process_usage_read (long pid, struct process_usage *usage)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/stat", pid);
  g_autofree char *text = NULL;
  uint64_t user, system;
  int64_t pages;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return false;
  /* The name may have spaces and brackets.  After it: utime and stime are fields 14 and 15, rss is
   * field 24. */
  const char *rest = strrchr (text, ')');
  if (rest == NULL
      || sscanf (rest + 1,
                 " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
                 " %*s %*s %*s %*s %*s %*s %*s %*s %" SCNd64,
                 &user, &system, &pages)
             != 3
      || pages <= 0)
    return false;
  const uint64_t ticks = (uint64_t) sysconf (_SC_CLK_TCK);
  usage->cpu_ns = (user + system) * (UINT64_C (1000000000) / ticks);
  usage->memory_bytes = (uint64_t) pages * (uint64_t) sysconf (_SC_PAGESIZE);
  return true;
}
