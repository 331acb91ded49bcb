/* make-corpus.c -- writes logs for the corpora of the fuzz targets: random ones of both formats.
 *
 *   make-corpus FOLDER
 *
 * `make regenerate-corpus` writes tests/fuzz/corpus/mlpd and ghc with it.  Inputs for other targets
 * are written by hand. */
#include "config.h"

#include "tests/prop/random-events.h"
#include "tests/prop/random-ghc.h"
#include <stdlib.h>

enum { LOGS = 8, MLPD_MOST = 3000, GHC_MOST = 3500 };

static void
write_log (const char *folder, const char *format, guint nth, const GByteArray *log)
{
  g_autofree char *name = g_strdup_printf ("random-%u.in", nth);
  g_autofree char *path = g_build_filename (folder, format, name, NULL);
  GError *error = NULL;
  if (!g_file_set_contents (path, (const char *) log->data, log->len, &error))
    g_error ("%s", error->message);
}

/* The next one that is short enough. */
static GByteArray *
new_mlpd_log (guint *seed)
{
  for (;; ++*seed) {
    /* Few addresses, so that events are about the same things. */
    struct random_events random = { .few = 6 };
    GByteArray *log = g_byte_array_new ();
    random_events_init (&random, *seed);
    random_log (&random, log, 3, 25, NULL);
    random_events_clear (&random);
    if (log->len <= MLPD_MOST)
      return log;
    g_byte_array_unref (log);
  }
}

static GByteArray *
new_ghc_log (guint *seed)
{
  for (;; ++*seed) {
    struct random_ghc random;
    GByteArray *log = g_byte_array_new ();
    random_ghc_init (&random, *seed);
    random_ghc_log (&random, log, NULL);
    random_ghc_clear (&random);
    if (log->len <= GHC_MOST)
      return log;
    g_byte_array_unref (log);
  }
}

int
main (int argc, char **argv)
{
  guint mlpd_seed = 1, ghc_seed = 1;
  if (argc != 2)
    return 2;
  for (guint nth = 1; nth <= LOGS; nth++, mlpd_seed++, ghc_seed++) {
    g_autoptr (GByteArray) mlpd = new_mlpd_log (&mlpd_seed);
    g_autoptr (GByteArray) ghc = new_ghc_log (&ghc_seed);
    write_log (argv[1], "mlpd", nth, mlpd);
    write_log (argv[1], "ghc", nth, ghc);
  }
  return 0;
}
