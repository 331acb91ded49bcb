/* log-figures.c -- five figures of `proflog report`, from the library alone: counted event by
 * event, and as its report states them.  Of a log of Mono or of GHC.
 *
 *   log-figures app.mlpd
 */
#include <proflog/log.h>
#include <stdio.h>
#include <string.h>

/* A figure of the report, and the events that make it: their number, or the sum or the greatest of
 * a field of theirs. */
struct figure {
  const char *key, *kind, *field;
  const char *value; /* only events count whose field has this value; NULL: all */
  enum { COUNT, SUM, GREATEST } how;
  uint64_t number;
};

static struct figure of_mono[] = {
  { "allocations.objects", "alloc", NULL, NULL, COUNT, 0 },
  { "allocations.bytes", "alloc", "size", NULL, SUM, 0 },
  { "gc.collections", "gc-event", "event", "start", COUNT, 0 },
  { "gc.max_heap_bytes", "gc-resize", "size", NULL, GREATEST, 0 },
  { "exceptions.throws", "exception-throw", NULL, NULL, COUNT, 0 },
};

static struct figure of_ghc[] = {
  { "gc.collections", "gc-stats-ghc", NULL, NULL, COUNT, 0 },
  { "heap.copied_bytes", "gc-stats-ghc", "copied", NULL, SUM, 0 },
  { "heap.max_residency_bytes", "heap-live", "bytes", NULL, GREATEST, 0 },
  { "heap.max_memory_bytes", "heap-size", "bytes", NULL, GREATEST, 0 },
  { "scheduling.runs", "run-thread", NULL, NULL, COUNT, 0 },
};

enum { FIGURES = 5 };

static void
add_event (struct figure *figure, const struct proflog_log *log)
{
  uint64_t number = 1;
  const char *kind = proflog_log_kind (log); /* NULL: damage */
  if (kind == NULL || strcmp (kind, figure->kind) != 0
      || (figure->value != NULL
          && strcmp (proflog_log_name (log, figure->field), figure->value) != 0)
      || (figure->how != COUNT && !proflog_log_number (log, figure->field, &number)))
    return;
  if (figure->how != GREATEST)
    figure->number += number;
  else if (number > figure->number)
    figure->number = number;
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  struct proflog_log *log = proflog_log_open (argc > 1 ? argv[1] : "-", &error);
  struct proflog_report *report = log != NULL ? proflog_log_report (log, NULL, &error) : NULL;
  if (report == NULL) {
    fprintf (stderr, "log-figures: %s\n", error->message);
    return 1;
  }
  const bool is_mono = proflog_log_format (log) == PROFLOG_LOG_MONO;
  struct figure *const figures = is_mono ? of_mono : of_ghc;
  while (proflog_log_next (log) == PROFLOG_EVENT)
    for (int i = 0; i < FIGURES; i++)
      add_event (&figures[i], log);
  for (int i = 0; i < FIGURES; i++) {
    uint64_t reported = 0;
    proflog_report_number (report, figures[i].key, &reported);
    printf ("%s %llu %llu\n", figures[i].key, (unsigned long long) figures[i].number,
            (unsigned long long) reported);
  }
  proflog_report_free (report);
  proflog_log_close (log);
  return 0;
}
