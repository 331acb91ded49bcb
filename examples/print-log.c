/* print-log.c -- prints the events of a log of Mono or GHC, as `proflog dump` does, of a part of it
 * if one is given.
 *
 *   print-log app.mlpd [time-range 1s~2s] [thread main]...
 */
#include <proflog/log.h>
#include <stdio.h>

int
main (int argc, char **argv)
{
  GError *error = NULL;
  struct proflog_log *log = proflog_log_open (argc > 1 ? argv[1] : "-", &error);
  for (int i = 2; log != NULL && error == NULL && i + 1 < argc; i += 2)
    proflog_log_select (log, argv[i], argv[i + 1], &error);
  if (error != NULL) {
    fprintf (stderr, "print-log: %s\n", error->message);
    return 2;
  }
  GString *line = g_string_new (NULL);
  enum proflog_result result;
  while ((result = proflog_log_next (log)) == PROFLOG_EVENT) {
    g_string_truncate (line, 0);
    proflog_log_print (log, line);
    puts (line->str);
  }
  if (result == PROFLOG_ERROR)
    fprintf (stderr, "print-log: %s\n", proflog_log_error (log)->message);
  g_string_free (line, TRUE);
  proflog_log_close (log);
  return result == PROFLOG_ERROR;
}
