/* ghc-report-values.c -- values that several sections of reports of eventlogs have. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"

uint64_t
ghc_mean (uint64_t total, uint64_t count)
{
  return count != 0 ? total / count : 0;
}

char *
ghc_process_name (const struct ghc_capset *process)
{
  if (process->arguments != NULL && process->has_pid)
    return g_strdup_printf ("%s (process %u)", process->arguments, process->pid);
  if (process->arguments != NULL)
    return g_strdup (process->arguments);
  return process->has_pid ? g_strdup_printf ("process %u", process->pid)
                          : g_strdup_printf ("capability set %u", process->id);
}
