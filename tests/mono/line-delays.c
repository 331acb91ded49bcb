/* line-delays.c -- how late lines of `proflog follow --format jsonl` come: from the time of an
 * event, which our module takes from the clock that does not jump, to when its line is here.
 *
 *   line-delays KIND   prints "LINES LONGEST-IN-MS" of the lines of this kind */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int
main (int argc, char **argv)
{
  static char line[1 << 20];
  char kind[128];
  unsigned lines = 0;
  double longest = 0;
  if (argc != 2)
    return 2;
  snprintf (kind, sizeof kind, "\"kind\":\"%s\"", argv[1]);
  while (fgets (line, sizeof line, stdin) != NULL) {
    static const char key[] = "\"time_ns\":";
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    const char *time = strstr (line, key);
    if (time == NULL || strstr (line, kind) == NULL)
      continue;
    const double ns = (double) strtoull (time + strlen (key), NULL, 10);
    const double delay = ((double) now.tv_sec * 1e9 + (double) now.tv_nsec - ns) / 1e6;
    lines++;
    if (delay > longest)
      longest = delay;
  }
  printf ("%u %.0f\n", lines, longest);
  return 0;
}
