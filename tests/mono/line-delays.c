/* line-delays.c -- how late lines of `proflog follow --format jsonl` come: from the time of an
 * event to when its line is here.  Our module takes times from the clock that does not jump; GHC's
 * begin with the program, and an event of it states the time of the day.
 *
 *   line-delays KIND   prints "LINES LONGEST-IN-MS" of the lines of this kind */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The number after a key; false: it has none. */
static bool
find (const char *line, const char *key, double *number)
{
  const char *found = strstr (line, key);
  if (found != NULL)
    *number = (double) strtoull (found + strlen (key), NULL, 10);
  return found != NULL;
}

static double
ns_of (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

int
main (int argc, char **argv)
{
  static char line[1 << 20];
  char kind[128];
  unsigned lines = 0;
  double longest = 0, time, seconds, ns, start = 0;
  clockid_t clock = CLOCK_MONOTONIC;
  if (argc != 2)
    return 2;
  snprintf (kind, sizeof kind, "\"kind\":\"%s\"", argv[1]);
  while (fgets (line, sizeof line, stdin) != NULL) {
    if (!find (line, "\"time_ns\":", &time))
      continue;
    if (strstr (line, "\"wall-clock-time\"") != NULL && find (line, "\"seconds\":", &seconds)
        && find (line, "\"nanoseconds\":", &ns)) {
      clock = CLOCK_REALTIME;
      start = seconds * 1e9 + ns - time;
    }
    if (strstr (line, kind) == NULL)
      continue;
    const double delay = (ns_of (clock) - start - time) / 1e6;
    lines++;
    if (delay > longest)
      longest = delay;
  }
  printf ("%u %.0f\n", lines, longest);
  return 0;
}
