/* query-watch.c -- ends statements that take too long, or need too much memory.
 *
 * SQLite's own limit of memory is no limit of time: a function that adds texts up goes on without
 * them to the last row when it was refused memory, and says so then.  So the limit is in the
 * functions that allocate for SQLite, which wake the thread that watches.
 */
#include "config.h"

#include "decoder/query/query-watch.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/command/output.h"
#include <unistd.h>

#define GRACE_US 900000 /* for SQLite to notice that it is interrupted */

/* ---- the memory ---- */

/* SQLite calls these functions under a lock of its own. */
static struct {
  sqlite3_mem_methods plain;
  int64_t limit, used;
  struct query_watch *watch; /* NULL: none */
} memory;

static void
note_refusal (void)
{
  struct query_watch *const w = memory.watch;
  if (w == NULL)
    return;
  g_mutex_lock (&w->lock);
  w->is_exhausted |= w->runs;
  g_cond_signal (&w->changed);
  g_mutex_unlock (&w->lock);
}

static void *
allocate (int bytes)
{
  void *const block = memory.used + bytes <= memory.limit ? memory.plain.xMalloc (bytes) : NULL;
  if (block != NULL)
    memory.used += memory.plain.xSize (block);
  else
    note_refusal ();
  return block;
}

static void
release (void *block)
{
  memory.used -= memory.plain.xSize (block);
  memory.plain.xFree (block);
}

static void *
resize (void *block, int bytes)
{
  const int before = memory.plain.xSize (block);
  void *const grown
      = memory.used - before + bytes <= memory.limit ? memory.plain.xRealloc (block, bytes) : NULL;
  if (grown != NULL)
    memory.used += memory.plain.xSize (grown) - before;
  else
    note_refusal ();
  return grown;
}

void
query_watch_limit_memory (uint64_t bytes)
{
  sqlite3_config (SQLITE_CONFIG_GETMALLOC, &memory.plain);
  sqlite3_mem_methods limited = memory.plain;
  limited.xMalloc = allocate;
  limited.xFree = release;
  limited.xRealloc = resize;
  memory.limit = (int64_t) MIN (bytes, G_MAXINT64);
  sqlite3_config (SQLITE_CONFIG_MALLOC, &limited);
  sqlite3_soft_heap_limit64 (memory.limit); /* caches are given up before that */
}

/* ---- the thread ---- */

/* Waits until that time while the statement goes on and `is_exhausted` stays, under the lock.
 * Whether it is that time. */
static bool
wait_until (struct query_watch *w, gint64 until)
{
  const gint64 deadline = w->deadline;
  const bool is_exhausted = w->is_exhausted;
  while (w->runs && w->deadline == deadline && w->is_exhausted == is_exhausted && !w->is_over)
    if (until == G_MAXINT64)
      g_cond_wait (&w->changed, &w->lock);
    else if (!g_cond_wait_until (&w->changed, &w->lock, until))
      return w->runs && w->deadline == deadline && !w->is_over;
  return false;
}

static void
report (const struct query_watch *w)
{
  if (w->is_exhausted)
    cli_message ("proflog query: the statement needs more memory than --max-memory allows "
                 "(%" G_GUINT64_FORMAT " bytes)",
                 w->memory);
  else
    cli_message ("proflog query: the statement takes longer than --timeout");
}

static gpointer
run (gpointer data)
{
  struct query_watch *const w = data;
  g_mutex_lock (&w->lock);
  while (!w->is_over) {
    if (!w->runs) {
      g_cond_wait (&w->changed, &w->lock);
      continue;
    }
    if (!w->is_exhausted && !wait_until (w, w->deadline))
      continue;
    sqlite3_interrupt (w->db);
    if (!wait_until (w, g_get_monotonic_time () + GRACE_US))
      continue;
    output_abandon ();
    report (w);
    _exit (CLI_INPUT);
  }
  g_mutex_unlock (&w->lock);
  return NULL;
}

void
query_watch_init (struct query_watch *w, sqlite3 *db, uint64_t bytes)
{
  *w = (struct query_watch){ .db = db, .memory = bytes, .deadline = G_MAXINT64 };
  g_mutex_init (&w->lock);
  g_cond_init (&w->changed);
  memory.watch = w;
}

static void
set (struct query_watch *w, bool runs, gint64 deadline, bool is_over)
{
  g_mutex_lock (&w->lock);
  w->runs = runs;
  w->deadline = deadline;
  w->is_exhausted = false;
  w->is_over = is_over;
  g_cond_signal (&w->changed);
  g_mutex_unlock (&w->lock);
}

void
query_watch_clear (struct query_watch *w)
{
  if (w->db == NULL)
    return;
  memory.watch = NULL;
  set (w, false, G_MAXINT64, true);
  if (w->thread != NULL)
    g_thread_join (w->thread);
  g_mutex_clear (&w->lock);
  g_cond_clear (&w->changed);
}

bool
query_watch_begin (struct query_watch *w, gint64 us)
{
  g_autoptr (GError) error = NULL;
  set (w, true, us != 0 ? g_get_monotonic_time () + us : G_MAXINT64, false);
  if (w->thread == NULL)
    w->thread = g_thread_try_new ("limits", run, w, &error);
  if (w->thread == NULL)
    cli_message ("proflog query: there is no thread to watch the statement: %s", error->message);
  return w->thread != NULL;
}

void
query_watch_end (struct query_watch *w)
{
  set (w, false, G_MAXINT64, false);
}

bool
query_watch_was_exhausted (struct query_watch *w)
{
  g_mutex_lock (&w->lock);
  const bool was = w->is_exhausted;
  g_mutex_unlock (&w->lock);
  return was;
}

void
query_watch_report (struct query_watch *w)
{
  g_mutex_lock (&w->lock);
  report (w);
  g_mutex_unlock (&w->lock);
}
