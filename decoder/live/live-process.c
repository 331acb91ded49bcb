/* live-process.c -- queries a process for its log, and finds the files of that. */
#include "config.h"

#include "decoder/live/live-process.h"
#include "decoder/live/live-source.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The path here of a file of another process, which may have another directory and other files. */
static char *
absolute (long pid, const char *path)
{
  if (path[0] == '/')
    return process_path (pid, path);
  g_autofree char *link = g_strdup_printf ("/proc/%ld/cwd", pid);
  g_autofree char *directory = g_file_read_link (link, NULL);
  if (directory == NULL)
    return g_strdup (path);
  g_autofree char *whole = g_build_filename (directory, path, NULL);
  return process_path (pid, whole);
}

/* libproflog-ghc reports its output as it was given; a listening socket can be connected to. */
static const char *
path_of (const char *log)
{
  return g_str_has_prefix (log, LIVE_LISTEN) ? log + strlen (LIVE_LISTEN) : log;
}

/* ---- its status ---- */

void
live_process_log_clear (struct live_process_log *log)
{
  g_free (log->source);
  if (log->names != NULL)
    g_ptr_array_unref (log->names);
  *log = (struct live_process_log){ 0 };
}

const char *
live_process_file (const struct live_process_log *log, uint64_t number)
{
  const uint64_t kept = log->names != NULL ? log->names->len : 0;
  return number <= log->files && log->files - number < kept
             ? g_ptr_array_index (log->names, kept - 1 - (log->files - number))
             : NULL;
}

bool
live_process_is_same (const char *source, const char *other)
{
  struct stat a, b;
  return strcmp (source, other) == 0
         || (stat (source, &a) == 0 && stat (other, &b) == 0 && a.st_dev == b.st_dev
             && a.st_ino == b.st_ino);
}

uint64_t
live_process_number (const struct live_process_log *log, const char *file)
{
  for (guint i = log->names != NULL ? log->names->len : 0; i > 0; i--)
    if (live_process_is_same (g_ptr_array_index (log->names, i - 1), file))
      return log->files - (log->names->len - i);
  return 0;
}

/* Parses a line of a status that concerns files. */
static void
parse_line (struct live_process_log *log, long pid, const char *line)
{
  static const char files[] = "files: ", row[] = "  number ", name[] = ", name ";
  const char *at = g_str_has_prefix (line, row) ? strstr (line, name) : NULL;
  if (g_str_has_prefix (line, files))
    log->files = g_ascii_strtoull (line + strlen (files), NULL, 10);
  else if (at != NULL)
    g_ptr_array_add (log->names, absolute (pid, at + strlen (name)));
}

static bool
parse_status (long pid, const char *reply, struct live_process_log *log, GError **error)
{
  static const char key[] = "log: ";
  struct stat st;
  struct live_process_log reported = { .names = g_ptr_array_new_with_free_func (g_free) };
  char *path = NULL, **lines = g_strsplit (reply, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    if (path == NULL && g_str_has_prefix (*line, key))
      path = absolute (pid, path_of (*line + strlen (key)));
    parse_line (&reported, pid, *line);
  }
  if (path != NULL && stat (path, &st) == 0 && S_ISREG (st.st_mode))
    reported.source = g_strdup (path);
  else if (path != NULL && stat (path, &st) == 0 && S_ISSOCK (st.st_mode))
    reported.source = g_strconcat (LIVE_CONNECT, path, NULL);
  else if (path != NULL && strcmp (path, DETACHED_OUTPUT) == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "process %ld is no longer being recorded; to restart: proflog attach %ld", pid,
                 pid);
  else
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "process %ld: its log goes to %s, which no other process can read", pid,
                 path != NULL ? path : "nowhere");
  g_free (path);
  g_strfreev (lines);
  const bool good = reported.source != NULL;
  struct live_process_log *unused = good ? log : &reported;
  live_process_log_clear (unused);
  if (good)
    *log = reported;
  return good;
}

bool
live_process_query (long pid, struct live_process_log *log, GError **error)
{
  char *reply = control_client_request (pid, "status\n", error);
  const bool good = reply != NULL && parse_status (pid, reply, log, error);
  g_free (reply);
  return good;
}

/* ---- logs that are found without a query ---- */

/* app.0001.mlpd -> app.0002.mlpd; NULL if there is no number before the last point, or at the end.
 */
static char *
next_name (const char *file)
{
  enum { DIGITS = 4 };
  const char *base = strrchr (file, '/') != NULL ? strrchr (file, '/') + 1 : file;
  const char *end = strrchr (base, '.');
  if (end == NULL)
    return NULL;
  if (strspn (end + 1, "0123456789") == strlen (end + 1))
    end += strlen (end);
  const char *digits = end;
  while (digits > base && g_ascii_isdigit (digits[-1]))
    digits--;
  if (end - digits < DIGITS || digits == base || digits[-1] != '.')
    return NULL;
  const guint64 number = g_ascii_strtoull (digits, NULL, 10);
  return g_strdup_printf ("%.*s%04" G_GUINT64_FORMAT "%s", (int) (digits - file), file, number + 1,
                          end);
}

char *
live_process_next_numbered (const char *file)
{
  enum { BEGUN_BEFORE_S = 1 }; /* the end of a file is written when the next one has begun */
  struct stat st, next;
  char *name = next_name (file);
  if (name != NULL && stat (file, &st) == 0 && stat (name, &next) == 0 && S_ISREG (next.st_mode)
      && next.st_mtime + BEGUN_BEFORE_S >= st.st_mtime)
    return name;
  g_free (name);
  return NULL;
}

/* ---- flushes ---- */

struct live_flusher {
  long pid;
  unsigned ms;
  atomic_bool has_flushed, is_stopped;
  atomic_uint users;            /* the owner, the thread */
  pthread_mutex_t lock;         /* of `last` */
  struct live_process_log last; /* the report that was not taken yet; `files` stays when it is */
};

static void
leave (struct live_flusher *f)
{
  if (atomic_fetch_sub (&f->users, 1) != 1)
    return;
  live_process_log_clear (&f->last);
  pthread_mutex_destroy (&f->lock);
  g_free (f);
}

bool
live_flusher_last_log (struct live_flusher *f, struct live_process_log *log)
{
  pthread_mutex_lock (&f->lock);
  const bool any = f->last.source != NULL && f->last.files >= log->files; /* else it is old */
  if (any) {
    live_process_log_clear (log);
    *log = f->last;
    f->last = (struct live_process_log){ .files = f->last.files };
  }
  pthread_mutex_unlock (&f->lock);
  return any;
}

/* A reader may come to the end of this file when the program replies no more. */
static void
update_files (struct live_flusher *f, const char *reply)
{
  static const char key[] = "\nfiles: ";
  const char *at = reply != NULL ? strstr (reply, key) : NULL;
  struct live_process_log now = { 0 };
  pthread_mutex_lock (&f->lock);
  const uint64_t known = f->last.files;
  pthread_mutex_unlock (&f->lock);
  if (at == NULL || g_ascii_strtoull (at + strlen (key), NULL, 10) == known
      || !live_process_query (f->pid, &now, NULL))
    return;
  pthread_mutex_lock (&f->lock);
  live_process_log_clear (&f->last);
  f->last = now;
  pthread_mutex_unlock (&f->lock);
}

static void *
flush (void *data)
{
  struct live_flusher *f = data;
  while (!atomic_load (&f->is_stopped)) {
    char *reply = control_client_request (f->pid, "flush\n", NULL);
    update_files (f, reply);
    g_free (reply);
    atomic_store (&f->has_flushed, true);
    g_usleep (f->ms * UINT64_C (1000));
  }
  leave (f);
  return NULL;
}

struct live_flusher *
live_flusher_start (long pid, unsigned ms)
{
  pthread_t thread;
  sigset_t all, before;
  struct live_flusher *f = g_new0 (struct live_flusher, 1);
  f->pid = pid;
  f->ms = ms;
  f->users = 1;
  pthread_mutex_init (&f->lock, NULL);
  /* Signals are for the thread that reads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  atomic_fetch_add (&f->users, 1);
  if (pthread_create (&thread, NULL, flush, f) == 0) {
    pthread_detach (thread);
  } else {
    atomic_store (&f->has_flushed, true); /* no more than now */
    leave (f);
  }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return f;
}

bool
live_flusher_has_flushed (struct live_flusher *f)
{
  return atomic_load (&f->has_flushed);
}

void
live_flusher_stop (struct live_flusher *f)
{
  atomic_store (&f->is_stopped, true);
  leave (f);
}
