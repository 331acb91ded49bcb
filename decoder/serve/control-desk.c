/* control-desk.c -- runs the commands of readers on a thread, one after the other. */
#include "config.h"

#include "decoder/output/emitter.h"
#include "decoder/serve/served.h"
#include <proflog/control.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

struct control_job {
  struct control_desk *desk;
  struct MHD_Connection *connection; /* suspended; NULL: not, or it is gone */
  char *line, *answer;
  guint users; /* the request, the desk */
};

struct control_desk {
  pthread_mutex_t lock;
  pthread_cond_t news;
  long pid;
  char *(*ask) (long pid, const char *line, GError **error);
  GQueue waiting;           /* of struct control_job */
  struct control_job *busy; /* that the thread is at; NULL: none */
  bool is_closed;
  guint users; /* the owner, the thread, the jobs */
};

/* ---- lines ---- */

static bool
is_word (const char *word)
{
  for (const char *p = word; *p != 0; p++)
    if (!g_ascii_islower (*p) && !g_ascii_isdigit (*p) && *p != '-' && *p != '_')
      return false;
  return *word != 0;
}

char *
control_desk_line (const char *body, size_t length)
{
  static const char *const verbs[] = { "start", "stop", "flush", "sync", "heapshot", NULL };
  static const char *const with_classes[] = { "enable", "disable", NULL };
  if (length > CONTROL_COMMAND_MAX || memchr (body, 0, length) != NULL)
    return NULL;
  g_autofree char *text = g_strndup (body, length);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  const guint count = g_strv_length (words);
  for (guint i = 0; i < count; i++)
    if (!is_word (words[i]))
      return NULL;
  if (count == 0
      || !(count == 1 ? g_strv_contains (verbs, words[0])
                      : g_strv_contains (with_classes, words[0])))
    return NULL;
  return g_strconcat ("json ", text, "\n", NULL);
}

/* ---- answers ---- */

static char *
error_answer (const char *message)
{
  GString *text
      = g_string_new ("{\"ok\":false,\"error\":\"" PROFLOG_CONTROL_FAILED "\",\"message\":");
  emitter_append_json_string (text, message, strlen (message));
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

/* The program may have stated anything. */
static char *
answer_of (char *reply, GError *error)
{
  if (reply == NULL) {
    char *answer = error_answer (error->message);
    g_error_free (error);
    return answer;
  }
  char *valid = g_utf8_make_valid (g_strchomp (reply), -1);
  g_free (reply);
  if (g_str_has_prefix (valid, "{\"ok\":"))
    return valid;
  g_free (valid);
  return error_answer ("the program's reply is invalid");
}

/* Releases the lock and a use of the desk. */
static void
leave (struct control_desk *desk)
{
  const bool is_last = --desk->users == 0;
  pthread_mutex_unlock (&desk->lock);
  if (!is_last)
    return;
  pthread_mutex_destroy (&desk->lock);
  pthread_cond_destroy (&desk->news);
  g_free (desk);
}

/* Drops a use of the job; the desk is locked, and its caller has a use of it. */
static void
unref (struct control_job *job)
{
  if (--job->users != 0)
    return;
  job->desk->users--;
  g_free (job->line);
  g_free (job->answer);
  g_free (job);
}

/* The desk is locked. */
static void
resume (struct control_job *job)
{
  if (job->connection != NULL)
    MHD_resume_connection (job->connection);
  job->connection = NULL;
}

static void *
work (void *data)
{
  struct control_desk *desk = data;
  pthread_mutex_lock (&desk->lock);
  while (!desk->is_closed) {
    struct control_job *job = g_queue_pop_head (&desk->waiting);
    if (job == NULL) {
      pthread_cond_wait (&desk->news, &desk->lock);
      continue;
    }
    desk->busy = job;
    pthread_mutex_unlock (&desk->lock);
    GError *error = NULL;
    char *reply = desk->ask (desk->pid, job->line, &error);
    char *answer = answer_of (reply, error);
    pthread_mutex_lock (&desk->lock);
    job->answer = answer;
    resume (job);
    desk->busy = NULL;
    unref (job);
  }
  leave (desk);
  return NULL;
}

struct control_desk *
control_desk_new (long pid, char *(*ask) (long pid, const char *line, GError **error))
{
  struct control_desk *desk = g_new0 (struct control_desk, 1);
  pthread_t thread;
  sigset_t all, before;
  pthread_mutex_init (&desk->lock, NULL);
  pthread_cond_init (&desk->news, NULL);
  desk->pid = pid;
  desk->ask = ask;
  desk->users = 2;
  g_queue_init (&desk->waiting);
  /* Signals are for the thread that reads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  const bool good = pthread_create (&thread, NULL, work, desk) == 0;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (!good) {
    pthread_mutex_destroy (&desk->lock);
    pthread_cond_destroy (&desk->news);
    g_free (desk);
    return NULL;
  }
  pthread_detach (thread);
  return desk;
}

struct control_job *
control_desk_submit (struct control_desk *desk, struct MHD_Connection *connection, char *line)
{
  struct control_job *job = NULL;
  pthread_mutex_lock (&desk->lock);
  if (!desk->is_closed && g_queue_get_length (&desk->waiting) < CONTROL_WAITING_MAX) {
    job = g_new0 (struct control_job, 1);
    *job = (struct control_job){ .desk = desk, .connection = connection, .line = line, .users = 2 };
    desk->users++;
    g_queue_push_tail (&desk->waiting, job);
    MHD_suspend_connection (connection);
    pthread_cond_signal (&desk->news);
  }
  pthread_mutex_unlock (&desk->lock);
  if (job == NULL)
    g_free (line);
  return job;
}

const char *
control_job_answer (struct control_job *job)
{
  pthread_mutex_lock (&job->desk->lock);
  const char *answer = job->answer;
  pthread_mutex_unlock (&job->desk->lock);
  return answer;
}

void
control_job_free (struct control_job *job)
{
  struct control_desk *desk = job->desk;
  pthread_mutex_lock (&desk->lock);
  job->connection = NULL;
  desk->users++; /* the job may have the last one */
  unref (job);
  leave (desk);
}

void
control_desk_close (struct control_desk *desk)
{
  pthread_mutex_lock (&desk->lock);
  desk->is_closed = true;
  if (desk->busy != NULL)
    resume (desk->busy);
  for (struct control_job *job; (job = g_queue_pop_head (&desk->waiting)) != NULL; unref (job))
    resume (job);
  pthread_cond_signal (&desk->news);
  pthread_mutex_unlock (&desk->lock);
}

void
control_desk_unref (struct control_desk *desk)
{
  pthread_mutex_lock (&desk->lock);
  leave (desk);
}
