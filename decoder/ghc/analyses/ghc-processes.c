/* ghc-processes.c -- collects capability sets, processes and tasks from their events. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-processes.h"
#include "decoder/ghc/ghc-describe.h"

/* A thread of the system that was a task of a capability. */
struct task {
  uint64_t os_thread;
  guint cap;
};

static guint
hash_task (gconstpointer key)
{
  const struct task *t = key;
  const uint64_t mixed = (t->os_thread ^ (uint64_t) t->cap << 48) * UINT64_C (0x9e3779b97f4a7c15);
  return (guint) (mixed >> 32);
}

static gboolean
equal_tasks (gconstpointer a, gconstpointer b)
{
  const struct task *x = a, *y = b;
  return x->os_thread == y->os_thread && x->cap == y->cap;
}

static void
free_capset (gpointer data)
{
  struct ghc_capset *c = data;
  g_free (c->runtime);
  g_free (c->arguments);
  g_free (c->host);
  g_free (c);
}

void
ghc_processes_init (struct ghc_processes *m)
{
  *m = (struct ghc_processes){
    .capsets = g_hash_table_new_full (NULL, NULL, NULL, free_capset),
    .tasks = g_hash_table_new_full (hash_task, equal_tasks, g_free, NULL),
  };
}

void
ghc_processes_clear (struct ghc_processes *m)
{
  g_hash_table_unref (m->capsets);
  g_hash_table_unref (m->tasks);
}

const struct ghc_capset *
ghc_processes_capset (const struct ghc_processes *m, guint id)
{
  return g_hash_table_lookup (m->capsets, GUINT_TO_POINTER (id));
}

/* The set that an event names; NULL if there are too many. */
static struct ghc_capset *
named_capset (struct ghc_processes *m, guint id, uint64_t time)
{
  struct ghc_capset *c = g_hash_table_lookup (m->capsets, GUINT_TO_POINTER (id));
  if (c == NULL && g_hash_table_size (m->capsets) >= GHC_CAPSETS_MAX)
    return NULL;
  if (c == NULL) {
    c = g_new0 (struct ghc_capset, 1);
    c->id = id;
    g_hash_table_insert (m->capsets, GUINT_TO_POINTER (id), c);
  }
  c->first = c->has_times ? MIN (c->first, time) : time;
  c->last = MAX (c->last, time);
  c->has_times = true;
  return c;
}

static void
set_text (char **to, struct ghc_text text)
{
  g_free (*to);
  *to = g_strndup (text.text, text.length);
}

static char *
join_words (struct ghc_texts texts)
{
  GString *words = g_string_new (NULL);
  struct ghc_text text;
  while (ghc_texts_next (&texts, &text)) {
    if (words->len != 0)
      g_string_append_c (words, ' ');
    g_string_append_len (words, text.text, (gssize) text.length);
  }
  return g_string_free (words, FALSE);
}

/* The value of HOSTNAME; NULL: it is not set. */
static char *
find_host (struct ghc_texts variables)
{
  static const char name[] = "HOSTNAME=";
  const size_t length = strlen (name);
  struct ghc_text text;
  while (ghc_texts_next (&variables, &text))
    if (text.length > length && memcmp (text.text, name, length) == 0)
      return g_strndup (text.text + length, text.length - length);
  return NULL;
}

static void
add_task (struct ghc_processes *m, const struct ghc_task_create *event)
{
  const struct task task = { event->os_thread, event->cap };
  m->task_events++;
  if (!g_hash_table_contains (m->tasks, &task))
    g_hash_table_add (m->tasks, g_memdup2 (&task, sizeof task));
}

/* Events that state something about a set. */
static void
describe (struct ghc_capset *c, enum ghc_kind kind, uint64_t time, const union ghc_payload *p)
{
  switch (kind) {
  case GHC_CAPSET_CREATE:
    c->has_type = true;
    c->type = p->capset_create.capset_type;
    break;
  case GHC_RTS_IDENTIFIER:
    set_text (&c->runtime, p->rts_identifier.identifier);
    break;
  case GHC_PROGRAM_ARGS:
    g_free (c->arguments);
    c->arguments = join_words (p->program_args.arguments);
    break;
  case GHC_PROGRAM_ENV:
    if (c->host == NULL)
      c->host = find_host (p->program_env.variables);
    break;
  case GHC_OSPROCESS_PID:
    c->has_pid = true;
    c->pid = p->osprocess_pid.pid;
    break;
  case GHC_OSPROCESS_PPID:
    c->has_ppid = true;
    c->ppid = p->osprocess_ppid.ppid;
    break;
  case GHC_WALL_CLOCK_TIME:
    if (c->has_wall_clock)
      break;
    c->has_wall_clock = true;
    c->wall_clock
        = p->wall_clock_time.seconds * UINT64_C (1000000000) + p->wall_clock_time.nanoseconds;
    c->wall_clock_at = time;
    break;
  case GHC_HEAP_INFO_GHC:
    c->has_heap = true;
    c->heap = p->heap_info_ghc;
    break;
  default:
    break;
  }
}

/* The set that an event names, if it does. */
static bool
names_set (enum ghc_kind kind, const union ghc_payload *p, guint *id)
{
  switch (kind) {
  case GHC_CAPSET_CREATE:
    *id = p->capset_create.capset;
    return true;
  case GHC_CAPSET_DELETE:
    *id = p->capset_delete.capset;
    return true;
  case GHC_CAPSET_ASSIGN_CAP:
    *id = p->capset_assign_cap.capset;
    return true;
  case GHC_CAPSET_REMOVE_CAP:
    *id = p->capset_remove_cap.capset;
    return true;
  case GHC_RTS_IDENTIFIER:
    *id = p->rts_identifier.capset;
    return true;
  case GHC_PROGRAM_ARGS:
    *id = p->program_args.capset;
    return true;
  case GHC_PROGRAM_ENV:
    *id = p->program_env.capset;
    return true;
  case GHC_OSPROCESS_PID:
    *id = p->osprocess_pid.capset;
    return true;
  case GHC_OSPROCESS_PPID:
    *id = p->osprocess_ppid.capset;
    return true;
  case GHC_WALL_CLOCK_TIME:
    *id = p->wall_clock_time.capset;
    return true;
  case GHC_HEAP_INFO_GHC:
    *id = p->heap_info_ghc.heap_capset;
    return true;
  default:
    return false;
  }
}

void
ghc_processes_event (struct ghc_processes *m, enum ghc_kind kind, uint64_t time,
                     const union ghc_payload *p)
{
  guint id;
  if (kind == GHC_TASK_CREATE) {
    add_task (m, &p->task_create);
  } else if (names_set (kind, p, &id)) {
    struct ghc_capset *c = named_capset (m, id, time);
    if (c != NULL && kind == GHC_OSPROCESS_PID && c->has_pid && c->pid != p->osprocess_pid.pid
        && !m->has_earlier_pid) {
      m->has_earlier_pid = true;
      m->earlier_pid = c->pid;
      m->later_pid = p->osprocess_pid.pid;
    }
    if (c != NULL)
      describe (c, kind, time, p);
  }
}

static bool
is_process (const struct ghc_capset *c)
{
  return c->has_type && c->type == GHC_CAPSET_TYPE_OS_PROCESS;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const struct ghc_capset *const *x = a, *const *y = b;
  return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

GPtrArray *
ghc_processes_list (const struct ghc_processes *m)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter i;
  gpointer capset;
  g_hash_table_iter_init (&i, m->capsets);
  while (g_hash_table_iter_next (&i, NULL, &capset))
    if (is_process (capset))
      g_ptr_array_add (all, capset);
  g_ptr_array_sort (all, compare_ids);
  return all;
}

const struct ghc_capset *
ghc_processes_clock (const struct ghc_processes *m)
{
  const struct ghc_capset *found = NULL;
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, m->capsets);
  while (g_hash_table_iter_next (&i, NULL, &value)) {
    const struct ghc_capset *c = value;
    if (c->has_wall_clock && (found == NULL || c->wall_clock_at < found->wall_clock_at))
      found = c;
  }
  return found;
}

bool
ghc_processes_are_mono (const struct ghc_processes *m)
{
  bool found = false;
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, m->capsets);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct ghc_capset *c = value;
    if (c->runtime == NULL)
      continue;
    found = g_str_equal (c->runtime, "mono") || g_str_has_prefix (c->runtime, "mono ");
    if (!found)
      break;
  }
  return found;
}

guint
ghc_processes_tasks (const struct ghc_processes *m, bool (*has) (const void *data, guint cap),
                     const void *data)
{
  GHashTable *threads = g_hash_table_new (g_int64_hash, g_int64_equal);
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, m->tasks);
  while (g_hash_table_iter_next (&i, &value, NULL)) {
    struct task *task = value;
    if (has (data, task->cap))
      g_hash_table_add (threads, &task->os_thread);
  }
  const guint n = g_hash_table_size (threads);
  g_hash_table_unref (threads);
  return n;
}

const char *
ghc_processes_host (const struct ghc_processes *m)
{
  const struct ghc_capset *first = NULL;
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, m->capsets);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct ghc_capset *c = value;
    if (c->host != NULL && (first == NULL || c->id < first->id))
      first = c;
  }
  return first != NULL ? first->host : NULL;
}
