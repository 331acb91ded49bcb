/* program-watch.c -- lists recorded programs on a thread. */
#include "config.h"

#include "decoder/system/program-watch.h"
#include "decoder/system/control-programs.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* Time between two lists, and how often a list's own time it is at least: so it needs at most 5 %
 * of a processor. */
#define PAUSE_US G_USEC_PER_SEC
enum { PAUSE_FACTOR = 19 };

/* After a program has not replied, until the next query. */
#define RETRY_US (60 * G_USEC_PER_SEC)

struct program_watch {
  GHashTable *retries; /* process id -> gint64 *: time of its next query; 0: it has replied */
  pthread_mutex_t lock;
  GArray *latest; /* NULL: it was taken */
};

/* Whether the program answers requests.  One that is stopped is not waited for. */
static bool
answers (struct program_watch *w, long pid)
{
  gint64 *retry = g_hash_table_lookup (w->retries, GSIZE_TO_POINTER (pid));
  if (retry != NULL && (*retry == 0 || g_get_monotonic_time () < *retry))
    return *retry == 0;
  if (control_client_is_stopped (pid))
    return false;
  if (retry == NULL) {
    retry = g_new (gint64, 1);
    g_hash_table_insert (w->retries, GSIZE_TO_POINTER (pid), retry);
  }
  g_autofree char *reply = control_client_request (pid, "status\n", NULL);
  *retry = reply != NULL ? 0 : g_get_monotonic_time () + RETRY_US;
  return reply != NULL;
}

static bool
can_be_read (struct program_watch *w, const struct control_program *p)
{
  if (p->state == CONTROL_RECORDED)
    return answers (w, p->pid);
  g_autofree char *log = p->state == CONTROL_UNCONTROLLED ? process_log_find (p->pid, false) : NULL;
  return log != NULL;
}

static gboolean
is_gone (void *pid, void *retry, void *pids)
{
  (void) retry;
  return !process_list_has (pids, (long) GPOINTER_TO_SIZE (pid));
}

/* The process ids of programs whose logs can be read. */
static GArray *
list_programs (struct program_watch *w)
{
  g_autoptr (GArray) programs = control_programs_list ();
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (long));
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (long));
  for (guint i = 0; i < programs->len; i++) {
    const struct control_program *p = &g_array_index (programs, struct control_program, i);
    g_array_append_val (all, p->pid);
    if (can_be_read (w, p))
      g_array_append_val (pids, p->pid);
  }
  g_hash_table_foreach_remove (w->retries, is_gone, all);
  return pids;
}

static void *
watch_programs (void *data)
{
  struct program_watch *w = data;
  for (;;) {
    const gint64 start = g_get_monotonic_time ();
    GArray *pids = list_programs (w);
    const gint64 took = g_get_monotonic_time () - start;
    pthread_mutex_lock (&w->lock);
    g_clear_pointer (&w->latest, g_array_unref);
    w->latest = pids;
    pthread_mutex_unlock (&w->lock);
    g_usleep ((gulong) MAX (PAUSE_US, took * PAUSE_FACTOR));
  }
  return NULL;
}

struct program_watch *
program_watch_start (void)
{
  struct program_watch *w = g_new0 (struct program_watch, 1);
  pthread_t thread;
  sigset_t all, before;
  w->retries = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  pthread_mutex_init (&w->lock, NULL);
  /* Signals are for the thread that reads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  const bool good = pthread_create (&thread, NULL, watch_programs, w) == 0;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (good) {
    pthread_detach (thread);
    return w;
  }
  pthread_mutex_destroy (&w->lock);
  g_hash_table_destroy (w->retries);
  g_free (w);
  return NULL;
}

GArray *
program_watch_take (struct program_watch *w)
{
  pthread_mutex_lock (&w->lock);
  GArray *pids = g_steal_pointer (&w->latest);
  pthread_mutex_unlock (&w->lock);
  return pids;
}
