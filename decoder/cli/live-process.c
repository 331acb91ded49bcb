/* live-process.c -- see live-process.h. */
#include "config.h"

#include "decoder/cli/live-process.h"
#include "decoder/cli/control-client.h"
#include "decoder/live/live-source.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

long
live_process_of (const char *spec)
{
  guint64 pid;
  return g_ascii_string_to_unsigned (spec, 10, 1, G_MAXINT, &pid, NULL)
                 && !g_file_test (spec, G_FILE_TEST_EXISTS)
             ? (long) pid
             : 0;
}

/* What a file of another process's is called here; it may have another directory. */
static char *
absolute (long pid, const char *path)
{
  if (path[0] == '/')
    return g_strdup (path);
  char *link = g_strdup_printf ("/proc/%ld/cwd", pid);
  char *directory = g_file_read_link (link, NULL);
  char *whole = directory != NULL ? g_build_filename (directory, path, NULL) : g_strdup (path);
  g_free (directory);
  g_free (link);
  return whole;
}

/* libproflog-ghc tells its output as it was given; who listens there can be connected to. */
static const char *
path_of (const char *log)
{
  return g_str_has_prefix (log, LIVE_LISTEN) ? log + strlen (LIVE_LISTEN) : log;
}

char *
live_process_log (long pid, GError **error)
{
  static const char key[] = "log: ";
  struct stat st;
  char *log = NULL, *source = NULL;
  char *reply = control_client_ask (pid, "status\n", error);
  if (reply == NULL)
    return NULL;
  char **lines = g_strsplit (reply, "\n", -1);
  for (char **line = lines; *line != NULL && log == NULL; line++)
    if (g_str_has_prefix (*line, key))
      log = absolute (pid, path_of (*line + strlen (key)));
  if (log != NULL && stat (log, &st) == 0 && S_ISREG (st.st_mode))
    source = g_strdup (log);
  else if (log != NULL && stat (log, &st) == 0 && S_ISSOCK (st.st_mode))
    source = g_strconcat (LIVE_CONNECT, log, NULL);
  else
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "process %ld: its log goes to %s, which nobody else can read", pid,
                 log != NULL ? log : "nowhere");
  g_free (log);
  g_strfreev (lines);
  g_free (reply);
  return source;
}

/* ---- flushes ---- */

static long flushed;
static unsigned flush_ms;

static void *
flush (void *data)
{
  (void) data;
  for (;;) {
    g_free (control_client_ask (flushed, "flush\n", NULL));
    g_usleep (flush_ms * UINT64_C (1000));
  }
  return NULL;
}

void
live_process_flush_every (long pid, unsigned ms)
{
  pthread_t thread;
  sigset_t all, before;
  flushed = pid;
  flush_ms = ms;
  /* Signals are for the thread that reads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  if (pthread_create (&thread, NULL, flush, NULL) == 0)
    pthread_detach (thread);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}
