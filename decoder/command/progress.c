/* progress.c -- a line that is written over until the work is done. */
#include "config.h"

#include "decoder/command/progress.h"
#include <stdio.h>
#include <unistd.h>

#define FIRST_US G_USEC_PER_SEC
#define EVERY_US (G_USEC_PER_SEC / 5)

void
progress_set_place (struct progress *p, guint log, guint logs)
{
  p->log = log;
  p->logs = logs;
}

void
progress_begin (struct progress *p, uint64_t total, bool quiet)
{
  const struct progress before = *p;
  *p = (struct progress){ .enabled = !quiet && isatty (STDERR_FILENO) == 1,
                          .total = total,
                          .log = before.log,
                          .logs = before.logs };
  if (!p->enabled)
    return;
  if (p->log > 1) {
    p->start = before.start;
    p->next = before.next;
    p->shown = before.shown;
    return;
  }
  p->start = g_get_monotonic_time ();
  p->next = p->start + FIRST_US;
}

static void
show (const struct progress *p, uint64_t bytes, gint64 now)
{
  double mb = (double) bytes / 1e6, seconds = (double) (now - p->start) / G_USEC_PER_SEC;
  /* A compressed log is longer than its file stated. */
  if (p->logs > 1) {
    fprintf (stderr, "\rlog %u of %u\033[K", p->log, p->logs);
  } else if (p->total != 0 && bytes != 0 && bytes <= p->total) {
    const double left = MIN (seconds * (double) (p->total - bytes) / (double) bytes, 359999);
    fprintf (stderr, "\r%3.0f %%  %.0f MB/s  %u:%02u left\033[K",
             100.0 * (double) bytes / (double) p->total, mb / seconds, (unsigned) left / 60,
             (unsigned) left % 60);
  } else {
    fprintf (stderr, "\r%.0f MB  %.0f MB/s\033[K", mb, mb / seconds);
  }
  fflush (stderr);
}

void
progress_update (struct progress *p, uint64_t bytes)
{
  p->bytes = bytes;
  if (!p->enabled)
    return;
  gint64 now = g_get_monotonic_time ();
  if (now < p->next)
    return;
  p->next = now + EVERY_US;
  p->shown = true;
  show (p, bytes, now);
}

void
progress_clear (struct progress *p)
{
  if (p->shown)
    fputs ("\r\033[K", stderr);
  p->shown = false;
}

void
progress_end (struct progress *p)
{
  if (p->log >= p->logs)
    progress_clear (p);
}
