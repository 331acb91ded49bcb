/* push-watch.c -- looks at the folder once a second.
 *
 * A log is finished when no process has it open for writing and nothing was written for a moment;
 * where the writer cannot be seen, that of another user or container, for longer.  A log that
 * cannot be sent goes to the queue (push-queue.c), which is sent first when the server is there
 * again.
 */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-join.h"
#include "decoder/command/message.h"
#include "decoder/input/log-writer.h"
#include "decoder/push/push.h"
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  LOOK_US = 1000000,
  QUIET_SECONDS = 2,        /* since something was written */
  QUIET_SECONDS_OTHER = 30, /* of logs whose writer may not be seen */
};

struct watch {
  struct push_session *session;
  struct push_queue queue;
  GHashTable *done; /* set of logs that were sent or queued: their identity, size and time */
  bool is_down;     /* that there is no server was reported */
  int status;
};

static volatile sig_atomic_t is_over;

static void
end (int number)
{
  is_over = number;
}

/* The second one ends the program in any case. */
static void
catch_signals (void)
{
  const struct sigaction action = { .sa_handler = end, .sa_flags = SA_RESETHAND };
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

/* ---- logs of the folder ---- */

/* In a container there may be processes that only others see. */
static bool
sees_all_processes (void)
{
  char name[64] = "";
  /* The number of the first namespace is fixed: PROC_PID_INIT_INO in Linux. */
  return readlink ("/proc/self/ns/pid", name, sizeof name - 1) > 0
         && strcmp (name, "pid:[4026531836]") == 0;
}

static bool
is_finished (const char *path, const struct stat *state)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const bool is_visible = sees_all_processes () && (state->st_uid == geteuid () || geteuid () == 0);
  const gint64 quiet = is_visible ? QUIET_SECONDS : QUIET_SECONDS_OTHER;
  return state->st_size != 0 && now - state->st_mtim.tv_sec >= quiet && log_writer_of (path) == 0;
}

static char *
identity_of (const struct stat *state)
{
  return g_strdup_printf ("%ju %ju %jd %jd.%09ld", (uintmax_t) state->st_dev,
                          (uintmax_t) state->st_ino, (intmax_t) state->st_size,
                          (intmax_t) state->st_mtim.tv_sec, state->st_mtim.tv_nsec);
}

/* ---- sending ---- */

static void
report_no_server (struct watch *w, const GError *error)
{
  if (!w->is_down)
    cli_message ("proflog push: %s; logs wait in %s", error->message, w->queue.folder);
  w->is_down = true;
}

static void
keep (struct watch *w, const char *path)
{
  GError *error = NULL;
  guint dropped;
  if (!push_queue_add (&w->queue, path, path, &dropped, &error)) {
    cli_message ("proflog push: %s: it is not kept: %s", path, error->message);
    g_error_free (error);
    w->status = CLI_INPUT;
  }
  if (dropped == 0)
    return;
  w->status = CLI_INPUT;
  cli_message ("proflog push: the queue is full: %u logs were dropped, the oldest first", dropped);
}

/* Sends the log, or reports why not.  PUSH_NO_SERVER: it may be sent later. */
static enum push_fate
send_log (struct watch *w, const char *path, const char *name)
{
  GError *error = NULL;
  const enum push_fate fate = push_session_send (w->session, path, name, &error);
  if (fate == PUSH_NO_LOG) {
    cli_message ("proflog push: %s: %s", name, error->message);
    w->status = CLI_INPUT;
  } else if (fate == PUSH_NO_SERVER)
    report_no_server (w, error);
  else
    w->is_down = false;
  g_clear_error (&error);
  return fate;
}

/* Sends the queue as long as there is a server.  False if there is none. */
static bool
send_queue (struct watch *w)
{
  g_autoptr (GArray) list = push_queue_list (&w->queue);
  for (guint i = 0; i < list->len && is_over == 0; i++) {
    const struct push_waiting *waiting = &g_array_index (list, struct push_waiting, i);
    if (send_log (w, waiting->path, waiting->name) == PUSH_NO_SERVER)
      return false;
    push_queue_remove (waiting);
  }
  return true;
}

static void
send_new (struct watch *w, bool has_server)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  GPtrArray *found = NULL;
  g_ptr_array_add (words, (gpointer) w->session->values->watch);
  log_folders_expand (&found, words, NULL); /* there may be none yet */
  for (guint i = 0; found != NULL && i < found->len && is_over == 0; i++) {
    struct stat state;
    const char *const path = found->pdata[i];
    if (stat (path, &state) != 0)
      continue;
    g_autofree char *identity = identity_of (&state);
    if (g_hash_table_contains (w->done, identity) || !is_finished (path, &state))
      continue;
    has_server = has_server && send_log (w, path, path) != PUSH_NO_SERVER;
    if (!has_server)
      keep (w, path);
    g_hash_table_add (w->done, g_steal_pointer (&identity));
  }
  g_clear_pointer (&found, g_ptr_array_unref);
}

/* ---- all ---- */

static bool
begin (struct watch *w, GError **error)
{
  const struct push_values *const v = w->session->values;
  g_autofree char *folder
      = v->queue != NULL ? g_strdup (v->queue) : g_build_filename (v->watch, ".proflog-push", NULL);
  if (!g_file_test (v->watch, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR, "%s is no folder", v->watch);
    return false;
  }
  w->done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return push_queue_open (&w->queue, folder, v->queue_bytes, error);
}

int
push_watch (struct push_session *session)
{
  struct watch w = { .session = session };
  GError *error = NULL;
  const bool good = begin (&w, &error);
  if (!good) {
    cli_message ("proflog push: %s", error->message);
    g_error_free (error);
  }
  catch_signals ();
  while (good && is_over == 0) {
    const bool has_server = send_queue (&w);
    send_new (&w, has_server);
    g_usleep (LOOK_US);
  }
  if (good) { /* waiting logs were not sent */
    g_autoptr (GArray) waiting = push_queue_list (&w.queue);
    if (waiting->len != 0) {
      cli_message ("proflog push: logs that wait in %s: %u", w.queue.folder, waiting->len);
      w.status = CLI_INPUT;
    }
  }
  push_queue_close (&w.queue);
  g_clear_pointer (&w.done, g_hash_table_unref);
  return good ? w.status : CLI_INPUT;
}
