/* thread-stacks.c -- reads the module's reply to "stacks". */
#include "config.h"

#include "decoder/live/thread-stacks.h"
#include "decoder/core/method-words.h"
#include "decoder/mlpd/model/wait-kind.h"
#include "decoder/output/emitter.h"
#include <stdbool.h>
#include <string.h>

/* ---- the reply ---- */

/* A row is "  KEY VALUE, KEY VALUE".  All texts are owned. */

struct held_lock {
  char *id; /* of the thread that waits for it */
  char *lock, *owner, *deadlock, *type;
};

struct described_thread {
  char *id, *tid, *state, *name;
  GPtrArray *frames; /* innermost first */
};

struct described {
  GPtrArray *threads; /* of struct described_thread */
  GPtrArray *locks;   /* of struct held_lock */
};

/* The value of the next key of a row; of the last key all that follows, which may have any bytes
 * (transfer full).  NULL: the row has another key here. */
static char *
take_value (const char **at, const char *key, bool is_last)
{
  if (!g_str_has_prefix (*at, key))
    return NULL;
  const char *const value = *at + strlen (key);
  const char *const end = is_last ? value + strlen (value) : strstr (value, ", ");
  if (end == NULL)
    return NULL;
  *at = is_last ? end : end + strlen (", ");
  g_autofree char *text = g_strndup (value, (gsize) (end - value));
  return emitter_printable (text);
}

static void
thread_free (gpointer data)
{
  struct described_thread *const t = data;
  g_free (t->id);
  g_free (t->tid);
  g_free (t->state);
  g_free (t->name);
  g_ptr_array_free (t->frames, TRUE);
  g_free (t);
}

static void
lock_free (gpointer data)
{
  struct held_lock *const l = data;
  g_free (l->id);
  g_free (l->lock);
  g_free (l->owner);
  g_free (l->deadlock);
  g_free (l->type);
  g_free (l);
}

static bool
add_thread (struct described *d, const char *row)
{
  struct described_thread *const t = g_new0 (struct described_thread, 1);
  t->frames = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (d->threads, t);
  return (t->id = take_value (&row, "  id ", false)) != NULL
         && (t->tid = take_value (&row, "tid ", false)) != NULL
         && (t->state = take_value (&row, "state ", false)) != NULL
         && (t->name = take_value (&row, "name ", true)) != NULL;
}

static bool
add_frame (struct described *d, const char *row)
{
  g_autofree char *tid = take_value (&row, "  tid ", false);
  g_autofree char *method = tid != NULL ? take_value (&row, "method ", true) : NULL;
  for (guint i = 0; method != NULL && i < d->threads->len; i++) {
    struct described_thread *const t = d->threads->pdata[i];
    if (strcmp (t->tid, tid) == 0) {
      g_ptr_array_add (t->frames, g_steal_pointer (&method));
      return true;
    }
  }
  return false;
}

static bool
add_lock (struct described *d, const char *row)
{
  struct held_lock *const l = g_new0 (struct held_lock, 1);
  g_ptr_array_add (d->locks, l);
  return (l->id = take_value (&row, "  id ", false)) != NULL
         && (l->lock = take_value (&row, "lock ", false)) != NULL
         && (l->owner = take_value (&row, "owner ", false)) != NULL
         && (l->deadlock = take_value (&row, "deadlock ", false)) != NULL
         && (l->type = take_value (&row, "type ", true)) != NULL;
}

/* False: the reply is not one. */
static bool
read_rows (struct described *d, char **lines)
{
  bool (*add) (struct described *, const char *) = NULL;
  for (char **line = lines; *line != NULL && **line != 0; line++)
    if (strcmp (*line, "threads: ") == 0)
      add = add_thread;
    else if (strcmp (*line, "frames: ") == 0)
      add = add_frame;
    else if (strcmp (*line, "locks: ") == 0)
      add = add_lock;
    else if (add == NULL || !add (d, *line))
      return false;
  return true;
}

/* ---- text ---- */

static const struct described_thread *
find_thread (const struct described *d, const char *id)
{
  for (guint i = 0; i < d->threads->len; i++) {
    const struct described_thread *const t = d->threads->pdata[i];
    if (strcmp (t->id, id) == 0)
      return t;
  }
  return NULL;
}

static const struct held_lock *
find_lock (const struct described *d, const char *id)
{
  for (guint i = 0; i < d->locks->len; i++) {
    const struct held_lock *const l = d->locks->pdata[i];
    if (strcmp (l->id, id) == 0)
      return l;
  }
  return NULL;
}

/* "Main (0x7f, tid 5)"; without more than the id "thread 0x7f". */
static void
append_thread (GString *text, const struct described *d, const char *id)
{
  const struct described_thread *const t = find_thread (d, id);
  if (t != NULL)
    g_string_append_printf (text, "%s (%s, tid %s)", *t->name != 0 ? t->name : "thread", id,
                            t->tid);
  else
    g_string_append_printf (text, "thread %s", id);
}

static void
append_lock (GString *text, const struct described *d, const struct held_lock *l)
{
  g_string_append_printf (text, "waits for the lock %s (%s), ", l->lock, l->type);
  if (strcmp (l->owner, "0x0") == 0) {
    g_string_append (text, "owner unknown");
  } else {
    g_string_append (text, "owned by ");
    append_thread (text, d, l->owner);
  }
}

/* The state of the thread, by the code that it waits in: one that is there has just come, or was
 * woken by its sample, where the system lets it run. */
static void
append_state (GString *text, const struct described *d, const struct described_thread *t)
{
  const enum wait_kind kind
      = t->frames->len != 0 ? wait_kind_of_method (t->frames->pdata[0]) : WAIT_NONE;
  const struct held_lock *const lock = find_lock (d, t->id);
  const bool waits = strcmp (t->state, "waits") == 0 || kind != WAIT_NONE;
  if (lock != NULL && waits)
    append_lock (text, d, lock);
  else if (waits)
    g_string_append (text, wait_kind_sentence (kind));
  else
    g_string_append (text, strcmp (t->state, "runs") == 0 ? "runs" : "not seen");
}

/* The first of the waits of a deadlock lists all, each followed by that of the lock's owner. */
static void
append_deadlock (GString *text, const struct described *d, guint first)
{
  const struct held_lock *const begin = d->locks->pdata[first];
  GString *const lines = g_string_new (NULL);
  const struct held_lock *l = begin;
  guint n = 0;
  do {
    g_string_append (lines, "    ");
    append_thread (lines, d, l->id);
    g_string_append_c (lines, ' ');
    append_lock (lines, d, l);
    g_string_append_c (lines, '\n');
    l = find_lock (d, l->owner);
    n++;
  } while (l != NULL && l != begin && n < d->locks->len);
  g_string_append_printf (text, "Deadlock of %u threads:\n%s", n, lines->str);
  g_string_free (lines, TRUE);
}

static void
append_deadlocks (GString *text, const struct described *d)
{
  for (guint i = 0; i < d->locks->len; i++) {
    const struct held_lock *const l = d->locks->pdata[i];
    bool is_first = strcmp (l->deadlock, "0") != 0;
    for (guint k = 0; k < i; k++)
      is_first
          &= strcmp (((const struct held_lock *) d->locks->pdata[k])->deadlock, l->deadlock) != 0;
    if (is_first)
      append_deadlock (text, d, i);
  }
}

static char *
describe (const struct described *d)
{
  GString *const text = g_string_new (NULL);
  append_deadlocks (text, d);
  for (guint i = 0; i < d->threads->len; i++) {
    const struct described_thread *const t = d->threads->pdata[i];
    append_thread (text, d, t->id);
    g_string_append (text, ": ");
    append_state (text, d, t);
    g_string_append_c (text, '\n');
    for (guint k = 0; k < t->frames->len; k++) {
      g_autofree char *words = method_words (t->frames->pdata[k], true);
      g_string_append_printf (text, "    %s\n", words);
    }
  }
  return g_string_free (text, FALSE);
}

char *
thread_stacks_describe (const char *reply, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (reply, "\n", -1);
  if (lines[0] != NULL && lines[1] != NULL && g_str_has_prefix (lines[0], "error ")) {
    g_autofree char *message = emitter_printable (lines[1]);
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, message);
    return NULL;
  }
  struct described d = { .threads = g_ptr_array_new_with_free_func (thread_free),
                         .locks = g_ptr_array_new_with_free_func (lock_free) };
  const bool good = lines[0] != NULL && strcmp (lines[0], "ok") == 0 && read_rows (&d, lines + 1);
  char *const text = good ? describe (&d) : NULL;
  if (!good)
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                         "the program's reply is invalid");
  g_ptr_array_free (d.threads, TRUE);
  g_ptr_array_free (d.locks, TRUE);
  return text;
}
