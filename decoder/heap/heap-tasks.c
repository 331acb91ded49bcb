/* heap-tasks.c -- follows the continuations of tasks. */
#include "config.h"

#include "decoder/core/large-array.h"
#include "decoder/core/method-words.h"
#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-paths.h"
#include "decoder/heap/heap-tasks.h"
#include <stdlib.h>
#include <string.h>

/* Objects between a task and what waits for it; there may be a list of many that do. */
#define STEPS_MAX 8
#define CONTINUATIONS_MAX 100000

/* What an object is, by its class. */
enum kind { KIND_OTHER, KIND_OPERATION, KIND_TASK, KIND_SOURCE, KIND_LINK };

struct search {
  const struct heap_graph *g;
  struct heap_paths paths;
  uint8_t *kinds;   /* by class: enum kind */
  uint32_t *awaits; /* by object: the task that an operation or a task waits for */
  uint32_t *owners; /* by object: the operation, or the source, that completes a task */
  uint32_t *waits;  /* by object: the steps after it; WAIT_UNKNOWN: not found yet */
};

#define WAIT_UNKNOWN UINT32_MAX
#define WAIT_OPEN (UINT32_MAX - 1) /* it is being found */

/* ---- classes ---- */

/* mcs and csc. */
static bool
is_builder (const char *field)
{
  return g_str_has_prefix (field, "$builder.") || g_str_has_prefix (field, "<>t__builder.");
}

static bool
has_field (const struct heap_class *klass, bool (*is_wanted) (const char *field))
{
  for (guint i = 0; klass->fields != NULL && i < klass->fields->len; i++)
    if (is_wanted (g_array_index (klass->fields, struct heap_field, i).name))
      return true;
  return false;
}

bool
heap_class_is_operation (const struct heap_class *klass)
{
  return has_field (klass, is_builder);
}

static bool
is_continuation (const char *field)
{
  return strcmp (field, "m_continuationObject") == 0;
}

static enum kind
kind_of (const struct heap_class *klass)
{
  return has_field (klass, is_builder)        ? KIND_OPERATION
         : has_field (klass, is_continuation) ? KIND_TASK
         : g_str_has_prefix (klass->name, "System.Threading.Tasks.TaskCompletionSource")
             ? KIND_SOURCE
         : g_str_has_prefix (klass->name, "System.") ? KIND_LINK
                                                     : KIND_OTHER;
}

/* ---- what waits for what ---- */

/* The fields of the library that lead from a task to what goes on after it. */
static bool
leads_on (const char *field)
{
  static const char *const names[] = { "m_target",       "_target", "m_stateMachine", "m_action",
                                       "m_continuation", "m_task",  "_items" };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (field, names[i]) == 0)
      return true;
  return false;
}

static enum kind
kind_at (const struct search *s, uint32_t object)
{
  return (enum kind) s->kinds[s->g->classes[object]];
}

static void
push (GArray *stack, uint32_t object, uint32_t steps)
{
  const uint64_t item = (uint64_t) steps << 32 | object;
  g_array_append_val (stack, item);
}

/* All that waits for a task, from its continuations on.  A task that waits for several, as one of
 * WhenAll, has the first of them. */
static void
follow (const struct search *s, uint32_t task, uint32_t continuation)
{
  const struct heap_graph *g = s->g;
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  push (stack, continuation, 0);
  for (guint n = 0; stack->len != 0 && n < CONTINUATIONS_MAX; n++) {
    const uint64_t item = g_array_index (stack, uint64_t, stack->len - 1);
    const uint32_t object = (uint32_t) item, steps = (uint32_t) (item >> 32);
    const enum kind kind = kind_at (s, object);
    g_array_set_size (stack, stack->len - 1);
    if (kind == KIND_OPERATION || kind == KIND_TASK) {
      if (s->awaits[object] == HEAP_NONE && object != task)
        s->awaits[object] = task;
      continue;
    }
    if (kind != KIND_LINK || steps == STEPS_MAX)
      continue;
    const bool is_array = heap_class_is_array (&g->class_list[g->classes[object]]);
    for (uint32_t r = g->first[object]; r < g->first[object + 1]; r++) {
      const char *field = heap_field_plain (g, object, r);
      if (is_array || (field != NULL && leads_on (field)))
        push (stack, g->targets[r], steps + 1);
    }
  }
}

/* Notes what an object that roots lead to states of tasks. */
static void
note_object (const struct search *s, uint32_t object)
{
  const struct heap_graph *g = s->g;
  const enum kind kind = kind_at (s, object);
  if (kind == KIND_OTHER || kind == KIND_LINK)
    return;
  for (uint32_t r = g->first[object]; r < g->first[object + 1]; r++) {
    const char *field = heap_field_plain (g, object, r);
    const uint32_t target = g->targets[r];
    if (field == NULL)
      continue;
    if (kind == KIND_TASK && is_continuation (field))
      follow (s, object, target);
    if (kind_at (s, target) != KIND_TASK)
      continue;
    if (kind == KIND_OPERATION && is_builder (field))
      s->owners[target] = object;
    if (kind == KIND_SOURCE && s->owners[target] == HEAP_NONE)
      s->owners[target] = object;
  }
}

/* The operation that completes what the object waits for, or that itself; HEAP_NONE: it is not
 * known. */
static uint32_t
find_next (const struct search *s, uint32_t object)
{
  const uint32_t task = s->awaits[object];
  const uint32_t owner = task != HEAP_NONE ? s->owners[task] : HEAP_NONE;
  return owner != HEAP_NONE && kind_at (s, owner) == KIND_OPERATION ? owner : task;
}

/* ---- steps ---- */

static const struct heap_wait *
wait_at (const struct heap_tasks *t, uint32_t wait)
{
  return &g_array_index (t->waits, struct heap_wait, wait);
}

/* The number of these steps; those after it where they have the class. */
static uint32_t
add_wait (const struct heap_tasks *t, GHashTable *numbers, uint32_t klass, uint32_t next)
{
  for (uint32_t at = next; at != HEAP_WAIT_NONE; at = wait_at (t, at)->next)
    if (wait_at (t, at)->klass == klass)
      return next;
  const uint64_t key = (uint64_t) klass << 32 | next;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, &key));
  if (number == 0) {
    const struct heap_wait wait = { klass, next };
    number = t->waits->len;
    g_array_append_val (t->waits, wait);
    g_hash_table_insert (numbers, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (number));
  }
  return number;
}

/* Finds what an object waits for, and all after it.  What waits for itself ends there. */
static uint32_t
find_wait (const struct search *s, const struct heap_tasks *t, GHashTable *numbers, uint32_t object)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t at = object; at != HEAP_NONE && s->waits[at] == WAIT_UNKNOWN;
       at = find_next (s, at)) {
    s->waits[at] = WAIT_OPEN;
    g_array_append_val (way, at);
  }
  for (guint i = way->len; i-- > 0;) {
    const uint32_t at = g_array_index (way, uint32_t, i), next = find_next (s, at);
    if (next == HEAP_NONE) {
      s->waits[at] = HEAP_WAIT_NONE;
      continue;
    }
    const uint32_t after = s->waits[next] == WAIT_OPEN ? HEAP_WAIT_NONE : s->waits[next];
    const uint32_t named
        = kind_at (s, next) == KIND_TASK && s->owners[next] != HEAP_NONE ? s->owners[next] : next;
    s->waits[at] = add_wait (t, numbers, s->g->classes[named], after);
  }
  return s->waits[object];
}

/* ---- sums ---- */

static gint
compare_kinds (gconstpointer a, gconstpointer b)
{
  const struct heap_operations *x = a, *y = b;
  return x->klass != y->klass           ? (x->klass > y->klass) - (x->klass < y->klass)
         : x->wait != y->wait           ? (x->wait > y->wait) - (x->wait < y->wait)
         : x->has_state != y->has_state ? x->has_state - y->has_state
                                        : (x->state > y->state) - (x->state < y->state);
}

static gint
compare_operations (gconstpointer a, gconstpointer b)
{
  const struct heap_operations *x = a, *y = b;
  return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                              : compare_kinds (a, b);
}

/* By object: was it in the earlier snapshot?  NULL: there is none (free). */
static uint8_t *
mark_old (const struct heap_graph *g, const struct heap_graph *before,
          const struct heap_moves *moves)
{
  uint32_t n_moved;
  if (before == NULL)
    return NULL;
  uint8_t *old = g_new0 (uint8_t, (gsize) g->n_objects + 1);
  uint32_t *objects = heap_moves_follow (moves, before, g, &n_moved);
  for (uint32_t i = 0; i < before->n_objects; i++)
    if (objects[i] != HEAP_NONE)
      old[objects[i]] = 1;
  g_free (objects);
  return old;
}

static void
list_operations (struct heap_tasks *t, const struct search *s, const uint8_t *old)
{
  GHashTable *waits = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const struct heap_contents *contents = s->g->contents;
  for (uint32_t i = 0; i < s->paths.n_reached; i++) {
    const uint32_t object = s->paths.order[i];
    if (kind_at (s, object) != KIND_OPERATION)
      continue;
    struct heap_operations one = { .klass = s->g->classes[object],
                                   .wait = find_wait (s, t, waits, object),
                                   .count = 1,
                                   .came = old != NULL && !old[object] };
    one.has_state = contents != NULL
                    && heap_contents_find_state (contents, s->g->addresses[object], &one.state);
    g_array_append_val (t->operations, one);
  }
  t->count = t->operations->len;
  g_hash_table_destroy (waits);
}

/* Those of one kind become one. */
static void
add_up (struct heap_tasks *t)
{
  struct heap_operations *all = (struct heap_operations *) (void *) t->operations->data;
  guint kept = 0;
  g_array_sort (t->operations, compare_kinds);
  for (guint i = 0; i < t->operations->len; i++)
    if (kept != 0 && compare_kinds (&all[kept - 1], &all[i]) == 0) {
      all[kept - 1].count++;
      all[kept - 1].came += all[i].came;
    } else {
      all[kept++] = all[i];
    }
  g_array_set_size (t->operations, kept);
  g_array_sort (t->operations, compare_operations);
}

static uint32_t *
array_of (uint32_t n, uint32_t value)
{
  uint32_t *array = large_array ((size_t) n + 1, sizeof *array);
  for (uint32_t i = 0; i <= n; i++)
    array[i] = value;
  return array;
}

void
heap_tasks_init (struct heap_tasks *t, const struct heap_graph *g, const struct heap_graph *before,
                 const struct heap_moves *moves)
{
  const struct heap_wait none = { HEAP_NONE, HEAP_WAIT_NONE };
  struct search s = { .g = g,
                      .kinds = g_new0 (uint8_t, (gsize) g->n_classes + 1),
                      .awaits = array_of (g->n_objects, HEAP_NONE),
                      .owners = array_of (g->n_objects, HEAP_NONE),
                      .waits = array_of (g->n_objects, WAIT_UNKNOWN) };
  *t = (struct heap_tasks){ .waits = g_array_new (FALSE, FALSE, sizeof (struct heap_wait)),
                            .operations
                            = g_array_new (FALSE, FALSE, sizeof (struct heap_operations)) };
  g_array_append_val (t->waits, none);
  heap_paths_init (&s.paths, g);
  for (uint32_t i = 0; i < g->n_classes; i++)
    s.kinds[i] = (uint8_t) kind_of (&g->class_list[i]);
  for (uint32_t i = 0; i < g->n_objects; i++)
    if (s.paths.parents[i] != HEAP_PATH_NONE)
      note_object (&s, i);
  uint8_t *old = mark_old (g, before, moves);
  list_operations (t, &s, old);
  add_up (t);
  g_free (old);
  heap_paths_clear (&s.paths);
  free (s.awaits);
  free (s.owners);
  free (s.waits);
  g_free (s.kinds);
}

void
heap_tasks_clear (struct heap_tasks *t)
{
  g_array_unref (t->waits);
  g_array_unref (t->operations);
}

/* ---- names ---- */

/* Classes of the library, by how their names begin, and the methods that make them. */
static const struct {
  const char *klass, *text;
} promises[] = {
  { "System.Threading.Tasks.Task.DelayPromise", "Task.Delay" },
  { "System.Threading.Tasks.Task.WhenAllPromise", "Task.WhenAll" },
  { "System.Threading.Tasks.TaskFactory.CompleteOnInvokePromise", "Task.WhenAny" },
  { "System.Threading.Tasks.TaskCompletionSource", "TaskCompletionSource" },
  { "System.Threading.Tasks.UnwrapPromise", "Task.Run" },
  { "System.Threading.SemaphoreSlim.TaskNode", "SemaphoreSlim.WaitAsync" },
};

/* As methods are named: '/' is before classes in classes. */
static char *
method_of (const char *klass)
{
  GString *name = g_string_new (klass);
  guint depth = 0;
  for (gsize i = 0; i + 1 < name->len; i++) {
    if (depth == 0 && name->str[i] == '.' && name->str[i + 1] == '<')
      name->str[i] = '/';
    depth += name->str[i] == '<';
    depth -= name->str[i] == '>' && depth != 0;
  }
  g_string_append (name, ":MoveNext");
  char *words = method_words (name->str, false);
  g_string_free (name, TRUE);
  return words;
}

/* That it is no iterator is known. */
static char *
operation_text (const char *klass)
{
  static const char either[] = " (async or iterator)";
  g_autofree char *words = method_of (klass);
  if (!g_str_has_suffix (words, either))
    return g_steal_pointer (&words);
  return g_strdup_printf ("%.*s (async)", (int) (strlen (words) - strlen (either)), words);
}

char *
heap_operation_text (const struct heap_graph *g, uint32_t klass)
{
  const char *name = g->class_list[klass].name;
  if (heap_class_is_operation (&g->class_list[klass]))
    return operation_text (name);
  for (size_t i = 0; i < G_N_ELEMENTS (promises); i++)
    if (g_str_has_prefix (name, promises[i].klass))
      return g_strdup (promises[i].text);
  return g_strdup (name);
}

guint
heap_wait_steps (const struct heap_tasks *t, uint32_t wait)
{
  guint steps = 0;
  for (uint32_t at = wait; at != HEAP_WAIT_NONE; at = wait_at (t, at)->next)
    steps++;
  return steps;
}

char *
heap_wait_text (const struct heap_tasks *t, const struct heap_graph *g, uint32_t wait)
{
  if (wait == HEAP_WAIT_NONE)
    return NULL;
  GString *text = g_string_new (NULL);
  for (uint32_t at = wait; at != HEAP_WAIT_NONE; at = wait_at (t, at)->next) {
    g_autofree char *step = heap_operation_text (g, wait_at (t, at)->klass);
    g_string_append_printf (text, "%s%s", at == wait ? "" : " -> ", step);
  }
  return g_string_free (text, FALSE);
}

char *
heap_wait_innermost_text (const struct heap_tasks *t, const struct heap_graph *g, uint32_t wait)
{
  uint32_t innermost = wait;
  if (wait == HEAP_WAIT_NONE)
    return NULL;
  for (uint32_t at = wait; at != HEAP_WAIT_NONE; at = wait_at (t, at)->next)
    if (heap_class_is_operation (&g->class_list[wait_at (t, at)->klass])
        || !heap_class_is_operation (&g->class_list[wait_at (t, innermost)->klass]))
      innermost = at;
  return heap_operation_text (g, wait_at (t, innermost)->klass);
}
