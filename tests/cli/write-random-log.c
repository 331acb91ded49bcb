/* write-random-log.c -- writes a log of random events to standard output.
 *
 *   write-random-log SEED [plain | calls | ghc]
 *
 * A Mono log of any events; plain: with events that mprof-report reads wherever they stand; calls:
 * of calls.  ghc: an eventlog.
 */
#include "config.h"

#include "tests/prop/random-calls.h"
#include "tests/prop/random-events.h"
#include "tests/prop/random-ghc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESSES = 20, BUFFERS = 6, EVENTS = 60 };

static void
put_events (guint32 seed, gboolean plain, GByteArray *log)
{
  struct random_events random = { .few = ADDRESSES, .plain = plain };
  random_events_init (&random, seed);
  random_log (&random, log, BUFFERS, EVENTS, NULL);
  random_events_clear (&random);
}

static void
put_calls (guint32 seed, GByteArray *log)
{
  GRand *rand = g_rand_new_with_seed (seed);
  random_calls (rand, log, TRUE);
  g_rand_free (rand);
}

static void
put_eventlog (guint32 seed, GByteArray *log)
{
  struct random_ghc random = { 0 };
  random_ghc_init (&random, seed);
  random_ghc_log (&random, log, NULL);
  random_ghc_clear (&random);
}

int
main (int argc, char **argv)
{
  const char *kind = argc > 2 ? argv[2] : "";
  if (argc < 2)
    return 2;
  const guint32 seed = (guint32) strtoul (argv[1], NULL, 10);
  GByteArray *log = g_byte_array_new ();
  if (strcmp (kind, "ghc") == 0)
    put_eventlog (seed, log);
  else if (strcmp (kind, "calls") == 0)
    put_calls (seed, log);
  else
    put_events (seed, strcmp (kind, "plain") == 0, log);
  const size_t written = fwrite (log->data, 1, log->len, stdout);
  const int status = written == log->len && fflush (stdout) == 0 ? 0 : 1;
  g_byte_array_unref (log);
  return status;
}
