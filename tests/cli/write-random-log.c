/* write-random-log.c -- writes a Mono log of random events to standard output.
 *
 *   write-random-log SEED [plain]
 *
 * plain: with events that mprof-report reads wherever they stand.
 */
#include "config.h"

#include "tests/prop/random-events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESSES = 20, BUFFERS = 6, EVENTS = 60 };

int
main (int argc, char **argv)
{
  struct random_events random = { .few = ADDRESSES };
  GByteArray *log = g_byte_array_new ();
  if (argc != 2 && (argc != 3 || strcmp (argv[2], "plain") != 0))
    return 2;
  random.plain = argc == 3;
  random_events_init (&random, (guint32) strtoul (argv[1], NULL, 10));
  random_log (&random, log, BUFFERS, EVENTS, NULL);
  const size_t written = fwrite (log->data, 1, log->len, stdout);
  const int status = written == log->len && fflush (stdout) == 0 ? 0 : 1;
  g_byte_array_unref (log);
  random_events_clear (&random);
  return status;
}
