/* query-timeout.c -- a thread that interrupts statements. */
#include "config.h"

#include "decoder/query/query-timeout.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/command/output.h"
#include <unistd.h>

#define GRACE_US 900000 /* for SQLite to notice that it is interrupted */

/* Waits until that time, under the lock.  False if the statement that has this deadline has ended.
 */
static bool
wait_for (struct query_timeout *t, gint64 deadline, gint64 until)
{
  while (t->deadline == deadline && !t->is_over)
    if (!g_cond_wait_until (&t->changed, &t->lock, until))
      return t->deadline == deadline && !t->is_over;
  return false;
}

static gpointer
watch (gpointer data)
{
  struct query_timeout *const t = data;
  g_mutex_lock (&t->lock);
  while (!t->is_over) {
    const gint64 deadline = t->deadline;
    if (deadline == 0) {
      g_cond_wait (&t->changed, &t->lock);
      continue;
    }
    if (!wait_for (t, deadline, deadline))
      continue;
    sqlite3_interrupt (t->db);
    if (!wait_for (t, deadline, deadline + GRACE_US))
      continue;
    output_abandon ();
    cli_message ("proflog query: the statement takes longer than --timeout");
    _exit (CLI_INPUT);
  }
  g_mutex_unlock (&t->lock);
  return NULL;
}

void
query_timeout_init (struct query_timeout *t, sqlite3 *db)
{
  *t = (struct query_timeout){ .db = db };
  g_mutex_init (&t->lock);
  g_cond_init (&t->changed);
}

static void
set (struct query_timeout *t, gint64 deadline, bool is_over)
{
  g_mutex_lock (&t->lock);
  t->deadline = deadline;
  t->is_over = is_over;
  g_cond_signal (&t->changed);
  g_mutex_unlock (&t->lock);
}

void
query_timeout_clear (struct query_timeout *t)
{
  if (t->db == NULL)
    return;
  set (t, 0, true);
  if (t->thread != NULL)
    g_thread_join (t->thread);
  g_mutex_clear (&t->lock);
  g_cond_clear (&t->changed);
}

void
query_timeout_begin (struct query_timeout *t, gint64 us)
{
  if (us == 0)
    return;
  set (t, g_get_monotonic_time () + us, false);
  if (t->thread == NULL)
    t->thread = g_thread_new ("timeout", watch, t);
}

void
query_timeout_end (struct query_timeout *t)
{
  set (t, 0, false);
}
