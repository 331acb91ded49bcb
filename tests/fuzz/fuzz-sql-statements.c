/* fuzz-sql-statements.c -- any text as statements of `proflog query` on two small logs. */
#include "config.h"

#include "tests/fuzz/fuzz.h"
#ifdef HAVE_SQLITE
#include "decoder/query/query.h"
#include "tests/prop/random-events.h"
#include "tests/prop/random-ghc.h"
#include <sqlite3.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEPS = 1000, BEATS_MOST = 20, ROWS_MOST = 200, MEMORY = 64 << 20 };

static struct query query;
static guint beats;

/* The name of a file in memory, with a log (g_free). */
static char *
put_log (GByteArray *log)
{
  const int fd = memfd_create ("log", MFD_CLOEXEC);
  if (fd < 0 || write (fd, log->data, log->len) != (ssize_t) log->len)
    g_error ("there is no file in memory");
  g_byte_array_unref (log);
  return g_strdup_printf ("/proc/self/fd/%d", fd);
}

static char *
new_mono_log (void)
{
  struct random_events random = { .few = 6 };
  GByteArray *log = g_byte_array_new ();
  random_events_init (&random, 1);
  random_log (&random, log, 3, 20, NULL);
  random_events_clear (&random);
  return put_log (log);
}

static char *
new_eventlog (void)
{
  struct random_ghc random;
  GByteArray *log = g_byte_array_new ();
  random_ghc_init (&random, 1);
  random_ghc_log (&random, log, NULL);
  random_ghc_clear (&random);
  return put_log (log);
}

static int
is_over (void *data)
{
  (void) data;
  return ++beats > BEATS_MOST;
}

static void
open_logs (void)
{
  static struct query_values values;
  static char *logs[3];
  logs[0] = new_mono_log ();
  logs[1] = new_eventlog ();
  values.log.quiet = true;
  values.log.name = "query";
  values.log.output.file = fopen ("/dev/null", "w");
  sqlite3_hard_heap_limit64 (MEMORY);
  if (!query_open (&query, &values, logs))
    g_error ("the logs cannot be opened");
  sqlite3_progress_handler (query.db, STEPS, is_over, NULL);
}

static void
run (sqlite3_stmt *statement)
{
  for (guint rows = 0; rows < ROWS_MOST && sqlite3_step (statement) == SQLITE_ROW; rows++)
    for (int i = 0; i < sqlite3_column_count (statement); i++)
      sqlite3_column_text (statement, i);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  sqlite3_stmt *statement = NULL;
  g_autofree char *text = fuzz_text (data, size);
  const char *rest = text;
  if (query.db == NULL)
    open_logs ();
  beats = 0;
  while (*rest != 0 && sqlite3_prepare_v2 (query.db, rest, -1, &statement, &rest) == SQLITE_OK) {
    if (statement != NULL)
      run (statement);
    sqlite3_finalize (statement);
  }
  return 0;
}
#else
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  return data == NULL && size == 1;
}
#endif
