/* program-watch.c -- lists recorded programs on a thread. */
#include "config.h"

#include "decoder/cli/program-watch.h"
#include "decoder/cli/control-programs.h"
#include "decoder/cli/process-log.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* Time between two lists, and how often a list's own time it is at least: so it needs at most 5 %
 * of a processor. */
#define PAUSE_US G_USEC_PER_SEC
enum { PAUSE_FACTOR = 19 };

struct program_watch {
  pthread_mutex_t lock;
  GArray *latest; /* NULL: it was taken */
};

GArray *
program_watch_list (void)
{
  g_autoptr (GArray) programs = control_programs_list ();
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (long));
  for (guint i = 0; i < programs->len; i++) {
    const struct control_program *p = &g_array_index (programs, struct control_program, i);
    g_autofree char *log
        = p->state == CONTROL_UNCONTROLLED ? process_log_find (p->pid, false) : NULL;
    if (p->state == CONTROL_RECORDED || log != NULL)
      g_array_append_val (pids, p->pid);
  }
  return pids;
}

static void *
watch_programs (void *data)
{
  struct program_watch *w = data;
  for (;;) {
    const gint64 start = g_get_monotonic_time ();
    GArray *pids = program_watch_list ();
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
