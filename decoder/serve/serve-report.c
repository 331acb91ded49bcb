/* serve-report.c -- the report of a log that is complete. */
#include "config.h"

#include "decoder/serve/serve-report.h"
#include "decoder/command/cli.h"
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* Runs `proflog report`, which takes signals for itself to remove what it writes: those that come
 * meanwhile are ours, afterwards. */
static int
run_report (const struct cli_command *report, int argc, char **argv)
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction before[G_N_ELEMENTS (ends)];
  sigset_t held, mask;
  sigemptyset (&held);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    sigaddset (&held, ends[i]);
    sigaction (ends[i], NULL, &before[i]);
  }
  pthread_sigmask (SIG_BLOCK, &held, &mask);
  const int status = report->run (report, argc, argv);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    sigaction (ends[i], &before[i], NULL);
  pthread_sigmask (SIG_SETMASK, &mask, NULL);
  return status;
}

/* The page of the report of files, NULL if there is none (transfer full). */
static GBytes *
make_report (const struct serve *s, const char *const *paths, guint n)
{
  static const char *const options[] = { "report", "-q", "--force", "--format", "html", "-o" };
  GBytes *page = NULL;
  char *name = NULL, *bytes = NULL;
  gsize length;
  const int fd = g_file_open_tmp ("proflog-report-XXXXXX", &name, NULL);
  if (fd < 0)
    return NULL;
  close (fd);
  GPtrArray *arguments = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    g_ptr_array_add (arguments, (char *) options[i]);
  g_ptr_array_add (arguments, name);
  g_ptr_array_add (arguments, (char *) "--");
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (arguments, (char *) paths[i]);
  const int count = (int) arguments->len;
  g_ptr_array_add (arguments, NULL);
  if (run_report (s->report, count, (char **) arguments->pdata) <= CLI_TRUE
      && g_file_get_contents (name, &bytes, &length, NULL))
    page = g_bytes_new_take (bytes, length);
  g_ptr_array_unref (arguments);
  g_unlink (name);
  g_free (name);
  return page;
}

/* The path of a source that is a file and not a process; NULL: it is none. */
static const char *
file_of (const struct live_reading *r)
{
  const char *path = r->pid == 0 && r->source != NULL ? live_source_file (r->source) : NULL;
  return path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) ? path : NULL;
}

/* Of all sources, if all are files. */
static void
put_joint_report (struct serve *s)
{
  const guint n = s->readings.count;
  const char **paths = g_new0 (const char *, n);
  guint files = 0;
  while (files < n && (paths[files] = file_of (&s->readings.all[files])) != NULL)
    files++;
  GBytes *page = files == n ? make_report (s, paths, n) : NULL;
  if (page != NULL)
    http_server_set_joint_report (s->server, page);
  g_free (paths);
}

bool
serve_put_reports (struct serve *s)
{
  bool any = false;
  for (guint i = 0; i < s->readings.count; i++) {
    const char *path = s->readings.all[i].is_over && !serve_shown (s, i)->has_report
                           ? file_of (&s->readings.all[i])
                           : NULL;
    GBytes *page = path != NULL ? make_report (s, &path, 1) : NULL;
    serve_shown (s, i)->has_report |= s->readings.all[i].is_over;
    if (page == NULL)
      continue;
    http_server_set_report (s->server, i, page);
    any = true;
  }
  if (any && s->readings.open == 0 && s->readings.count > 1)
    put_joint_report (s);
  return any;
}
