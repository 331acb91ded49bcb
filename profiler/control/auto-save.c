/* auto-save.c -- a thread that waits for requests, which are a bit each. */
#include "config.h"

#include "profiler/control/auto-save.h"
#include "agent/clock.h"
#include "agent/native-thread.h"
#include "agent/requests.h"
#include "agent/warn.h"
#include "profiler/options/event-classes.h"
#include "profiler/sink/sink-name.h"
#include "profiler/sink/sink.h"
#include "profiler/write/log-keep.h"
#include "profiler/write/log-save.h"
#include <errno.h>
#include <limits.h>
#include <proflog/program.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  STACK_BYTES = 1024 * 1024,
  END_LIMIT_MS = 5000, /* how long the end of the program waits for a copy */
  NUMBERS_MAX = 100000,
  MS = 1000000,
};

enum reason { ON_EXCEPTION, ON_PAUSE, ON_HEAP, ON_SIGNAL, REASONS };
static const char *const reason_names[REASONS] = {
  [ON_EXCEPTION] = "exception",
  [ON_PAUSE] = "pause",
  [ON_HEAP] = "heap",
  [ON_SIGNAL] = "signal",
};

/* NULL: nothing requests a copy.  Running threads note events while this is set: released with all
 * else. */
static const struct save_options *_Atomic set_options;
static const struct control_verbs *verbs;
static char pattern[PATH_MAX]; /* of the names */
static pthread_t thread;
static uint64_t every_ms;
static bool is_started;
static sem_t wake;
static _Atomic unsigned requested; /* bits of reasons */
static _Atomic bool is_ending;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint64_t count;
  char name[PATH_MAX];
  char problem[PATH_MAX + 128]; /* why the last one failed; "": it did not */
} saved;                        /* under the lock */

static const struct save_options *
get_options (void)
{
  return atomic_load_explicit (&set_options, memory_order_acquire);
}

/* ---- requests ---- */

/* sem_post may be called in a signal handler.  The bit is seen by the thread that the post wakes:
 * sequentially consistent. */
static void
request (enum reason reason)
{
  if (atomic_fetch_or (&requested, 1u << reason) == 0)
    sem_post (&wake);
}

bool
auto_save_wants_types (void)
{
  const struct save_options *const options = get_options ();
  return options != NULL && options->type_count != 0;
}

/* A type is named with its namespace or without. */
static bool
is_type (const char *class_name, const char *type)
{
  if (strcmp (class_name, type) == 0)
    return true;
  const char *point = strrchr (class_name, '.');
  return point != NULL && strcmp (point + 1, type) == 0;
}

void
auto_save_note_throw (const char *class_name)
{
  const struct save_options *const options = get_options ();
  for (unsigned i = 0; i < options->type_count; i++)
    if (is_type (class_name, options->types[i])) {
      request (ON_EXCEPTION);
      return;
    }
}

static uint64_t stopped_at; /* by clock_now; 0: the world has not been stopped since the start */

void
auto_save_note_stop (void)
{
  const struct save_options *const options = get_options ();
  if (options != NULL && options->pause_ns != 0)
    stopped_at = clock_now ();
}

void
auto_save_note_start (void)
{
  const struct save_options *const options = get_options ();
  if (options != NULL && options->pause_ns != 0 && stopped_at != 0
      && clock_now () - stopped_at >= options->pause_ns)
    request (ON_PAUSE);
}

void
auto_save_note_heap (uint64_t bytes)
{
  const struct save_options *const options = get_options ();
  if (options != NULL && options->heap_bytes != 0 && bytes > options->heap_bytes)
    request (ON_HEAP);
}

/* Of a program that is no longer recorded, the signal has the program's own effect. */
static void
on_signal (int signal)
{
  if (log_keep_has_file () || !atomic_load (&event_recording_paused)) {
    request (ON_SIGNAL);
    return;
  }
  const struct sigaction before = { .sa_handler = SIG_DFL };
  sigaction (signal, &before, NULL);
  raise (signal);
}

/* Unless the program has a handler already. */
static void
take_signal (void)
{
  struct sigaction before, action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  sigemptyset (&action.sa_mask);
  if (sigaction (SIGUSR2, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
    sigaction (SIGUSR2, &action, NULL);
  else
    proflog_warn ("save-on=signal: the program handles SIGUSR2, which saves nothing");
}

/* ---- saving ---- */

/* The first free name after that of *number, which becomes its number. */
static bool
next_name (unsigned *number, char *name, size_t size, char *why, size_t why_size)
{
  struct stat st;
  do {
    if (!sink_name_file (name, size, pattern, ++*number, why, why_size))
      return false;
  } while (lstat (name, &st) == 0 && *number < NUMBERS_MAX);
  return true;
}

static bool
run_verb (const char *verb, const char *argument, char *why, size_t size)
{
  char text[PATH_MAX + 64];
  snprintf (text, sizeof text, "%s %s", verb, argument);
  return control_inside (verbs, text, why, size) == PROFLOG_DONE;
}

static void
note_problem (const char *reason, size_t length)
{
  pthread_mutex_lock (&lock);
  snprintf (saved.problem, sizeof saved.problem, "%.*s", (int) length, reason);
  pthread_mutex_unlock (&lock);
}

static void
note_saved (const char *name)
{
  pthread_mutex_lock (&lock);
  saved.count++;
  saved.problem[0] = 0;
  snprintf (saved.name, sizeof saved.name, "%s", name);
  pthread_mutex_unlock (&lock);
}

/* A mark in the log names the reason, where the log can have one. */
static void
save (unsigned reasons)
{
  static bool is_reported;
  static unsigned last;
  unsigned number = last;
  char name[PATH_MAX], why[2 * PATH_MAX + 256], mark[64];
  for (int i = 0; i < REASONS; i++)
    if ((reasons & 1u << i) != 0) {
      snprintf (mark, sizeof mark, "proflog: save-on %s", reason_names[i]);
      run_verb ("mark", mark, why, sizeof why);
    }
  if (next_name (&number, name, sizeof name, why, sizeof why)
      && run_verb ("save", name, why, sizeof why)) {
    last = number;
    note_saved (name);
    return;
  }
  /* The first line of a reply is its kind. */
  const char *const line = strchr (why, '\n');
  const char *const reason = line != NULL ? line + 1 : why;
  note_problem (reason, strcspn (reason, "\n"));
  if (!is_reported)
    proflog_warn ("save-on=%s: %.*s", reason_names[__builtin_ctz (reasons)],
                  (int) strcspn (reason, "\n"), reason);
  is_reported = true;
}

static void *
run (void *unused)
{
  (void) unused;
  uint64_t next = 0; /* by the system's clock: none is saved before */
  while (!atomic_load (&is_ending) || atomic_load (&requested) != 0) {
    if (atomic_load (&requested) == 0)
      native_thread_wait (&wake, UINT64_MAX / 2);
    const unsigned reasons = atomic_exchange (&requested, 0);
    const uint64_t now = clock_of_system ();
    if (reasons == 0 || now < next)
      continue;
    save (reasons);
    next = now + every_ms * MS;
  }
  return NULL;
}

/* ---- start and end ---- */

/* Better known now than when it is needed. */
static void
check_directory (void)
{
  char directory[PATH_MAX];
  snprintf (directory, sizeof directory, "%s", pattern + (pattern[0] == '+'));
  *strrchr (directory, '/') = 0;
  if (strchr (directory, '%') != NULL || directory[0] == 0 || access (directory, W_OK | X_OK) == 0)
    return;
  const char *const reason = strerror (errno);
  note_problem (reason, strlen (reason));
  proflog_warn ("save-on: nothing can be saved in %s: %s", directory, reason);
}

/* The name of the log with .saved, or of a ring one in the directory in which the program starts.
 */
static bool
choose_pattern (const struct options *o)
{
  char why[PATH_MAX + 64];
  const bool is_beside = o->save.to[0] == 0 && o->ring_bytes == 0;
  const char *const name = o->save.to[0] != 0 ? o->save.to
                           : is_beside        ? o->output
                           : o->eventlog      ? "proflog-%p.saved.eventlog"
                                              : "proflog-%p.saved.mlpd";
  const bool is_good = sink_name_beside (pattern, name, is_beside ? ".saved" : "", why, sizeof why);
  if (!is_good)
    proflog_warn ("save-on: %s; nothing is saved", why);
  else
    check_directory ();
  return is_good;
}

void
auto_save_start (const struct options *o, const struct control_verbs *v)
{
  const struct save_options *const s = &o->save;
  if ((s->type_count == 0 && s->pause_ns == 0 && s->heap_bytes == 0 && !s->by_signal)
      || !choose_pattern (o))
    return;
  sem_init (&wake, 0, 0);
  verbs = v;
  every_ms = s->every_ms;
  const int error = native_thread_start (&thread, STACK_BYTES, run);
  if (error != 0) {
    proflog_warn ("save-on: nothing is saved: %s", strerror (error));
    return;
  }
  is_started = true;
  atomic_store_explicit (&set_options, s, memory_order_release);
  if (s->by_signal)
    take_signal ();
}

void
auto_save_finish (void)
{
  if (!is_started)
    return;
  is_started = false;
  atomic_store (&is_ending, true);
  sem_post (&wake);
  if (native_thread_join (thread, END_LIMIT_MS))
    return;
  log_save_give_up ();
  native_thread_join (thread, END_LIMIT_MS);
}

uint64_t
auto_save_count (char *name, char *problem, size_t size)
{
  pthread_mutex_lock (&lock);
  const uint64_t count = saved.count;
  snprintf (name, size, "%s", saved.name);
  snprintf (problem, size, "%s", saved.problem);
  pthread_mutex_unlock (&lock);
  return count;
}

void
auto_save_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  saved.count = 0;
  saved.name[0] = saved.problem[0] = 0;
  is_started = false;
  atomic_store (&set_options, NULL);
}
