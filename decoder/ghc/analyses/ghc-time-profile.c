/* ghc-time-profile.c -- counts the samples of each stack. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-time-profile.h"

void
ghc_time_profile_init (struct ghc_time_profile *p, uint64_t from, uint64_t to,
                       const struct ghc_provenances *provenances)
{
  const struct ghc_time_node root = { 0 };
  *p = (struct ghc_time_profile){ .from = from, .to = to, .provenances = provenances };
  ghc_cost_centres_init (&p->centres);
  ghc_call_stacks_init (&p->stacks);
  p->caps = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  p->nodes = g_array_new (FALSE, FALSE, sizeof (struct ghc_time_node));
  p->waiting = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  p->thread_ids = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  p->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  ghc_node_map_init (&p->places);
  id_map_init (&p->threads);
  g_array_append_val (p->nodes, root);
}

void
ghc_time_profile_keep_order (struct ghc_time_profile *p)
{
  p->order = g_array_new (FALSE, FALSE, sizeof (struct ghc_time_sample));
}

void
ghc_time_profile_clear (struct ghc_time_profile *p)
{
  g_clear_pointer (&p->order, g_array_unref);
  ghc_cost_centres_clear (&p->centres);
  ghc_call_stacks_clear (&p->stacks);
  g_hash_table_unref (p->labels);
  g_array_unref (p->thread_ids);
  id_map_clear (&p->threads);
  g_hash_table_unref (p->caps);
  ghc_node_map_clear (&p->places);
  g_array_unref (p->nodes);
  g_array_unref (p->waiting);
}

static struct ghc_time_node *
node_at (const struct ghc_time_profile *p, uint32_t place)
{
  return &g_array_index (p->nodes, struct ghc_time_node, place);
}

/* The place of the node below this one; 0 if there is none and there are too many. */
static uint32_t
step_down (struct ghc_time_profile *p, uint32_t parent, uint32_t frame, uint64_t path)
{
  struct ghc_node_slot *slot = ghc_node_map_slot (&p->places, path, parent, frame);
  if (slot->node != 0 || p->nodes->len >= GHC_TIME_NODES_MAX)
    return slot->node;
  const uint32_t number = p->nodes->len;
  const struct ghc_time_node node
      = { .parent = parent, .depth = node_at (p, parent)->depth + 1, .frame = frame };
  g_array_append_val (p->nodes, node);
  ghc_node_map_add (&p->places, slot,
                    (struct ghc_node_slot){ parent, frame, number, (uint32_t) path });
  return number;
}

/* When a sample was taken, and where. */
struct moment {
  uint64_t time;
  unsigned cap;
};

static void
keep_order (struct ghc_time_profile *p, uint32_t node, struct moment at)
{
  const struct ghc_time_sample sample = { at.time, at.cap, node };
  if (p->order != NULL && p->order->len >= GHC_TIME_SAMPLES_MAX)
    g_clear_pointer (&p->order, g_array_unref);
  if (p->order != NULL)
    g_array_append_val (p->order, sample);
}

/* A node of the tree. */
struct place {
  uint32_t node;
  uint64_t path; /* ghc-node-map.h */
};

/* Frames whose nodes are fetched at a time. */
enum { FETCHED = 32 };

/* Steps down through so many frames at most, whose places in `frames` differ by `step`; false if
 * there is no node for one of them. */
static bool
step_through (struct ghc_time_profile *p, struct place *at, const uint32_t *frames, ptrdiff_t step,
              size_t n)
{
  uint64_t paths[FETCHED], path = at->path;
  for (size_t i = 0; i < n; i++) {
    path = ghc_node_map_path (path, frames[(ptrdiff_t) i * step]);
    ghc_node_map_fetch (&p->places, path);
    paths[i] = path;
  }
  for (size_t i = 0; i < n; i++) {
    const uint32_t below = step_down (p, at->node, frames[(ptrdiff_t) i * step], paths[i]);
    if (below == 0)
      return false;
    *at = (struct place){ below, paths[i] };
  }
  return true;
}

/* A stack below a node, whose frames begin with the innermost or the outermost. */
static void
add_stack (struct ghc_time_profile *p, struct place at, const uint32_t *frames, size_t n,
           bool is_innermost, struct moment moment)
{
  const size_t depth = MIN (n, GHC_TIME_DEPTH_MAX);
  const ptrdiff_t step = is_innermost ? -1 : 1;
  bool is_whole = depth == n;
  for (size_t i = 0; i < depth; i += FETCHED) {
    const size_t first = is_innermost ? n - 1 - i : i;
    if (!step_through (p, &at, frames + first, step, MIN (depth - i, FETCHED))) {
      is_whole = false;
      break;
    }
  }
  p->cut += !is_whole;
  node_at (p, at.node)->self++;
  keep_order (p, at.node, moment);
}

/* False if samples of the other kind came first. */
static bool
count_sample (struct ghc_time_profile *p, unsigned cap, bool is_call_stack)
{
  if (p->samples != 0 && p->has_call_stacks != is_call_stack) {
    p->others++;
    return false;
  }
  uint64_t *of_cap = g_hash_table_lookup (p->caps, GUINT_TO_POINTER (cap));
  if (of_cap == NULL) {
    of_cap = g_new0 (uint64_t, 1);
    g_hash_table_insert (p->caps, GUINT_TO_POINTER (cap), of_cap);
  }
  ++*of_cap;
  p->samples++;
  p->has_call_stacks = is_call_stack;
  return true;
}

static void
add_sample (struct ghc_time_profile *p, const struct ghc_prof_sample_cost_centre *event,
            uint64_t time)
{
  if (p->selection != NULL && !selection_has_cap (p->selection, event->cap))
    return;
  if (count_sample (p, event->cap, false))
    add_stack (p, (struct place){ 0 }, event->stack.items, event->stack.count, true,
               (struct moment){ time, event->cap });
}

/* ---- call stacks ---- */

/* The node that the stacks of a thread lie below. */
static struct place
node_of_thread (struct ghc_time_profile *p, uint32_t thread)
{
  if (!p->by_thread)
    return (struct place){ 0 };
  const guint number = id_map_number (&p->threads, thread);
  if (number == p->thread_ids->len)
    g_array_append_val (p->thread_ids, thread);
  const uint64_t path = ghc_node_map_path (0, UINT32_MAX - number);
  return (struct place){ step_down (p, 0, UINT32_MAX - number, path), path };
}

static void
add_call_stack (struct ghc_time_profile *p, uint32_t thread, const uint32_t *frames, size_t n,
                struct moment at)
{
  add_stack (p, node_of_thread (p, thread), frames, n, p->is_innermost, at);
}

/* In front of the frames of one that waits. */
enum { HEAD_COUNT, HEAD_THREAD, HEAD_CAP, HEAD_TIME_HIGH, HEAD_TIME_LOW, HEAD_WORDS };

/* Their order is judged. */
static void
add_waiting (struct ghc_time_profile *p)
{
  const uint32_t *stacks = (const uint32_t *) (void *) p->waiting->data;
  p->is_innermost = ghc_call_stacks_begin_innermost (&p->stacks, p->provenances);
  for (guint i = 0; i < p->waiting->len; i += stacks[i + HEAD_COUNT] + HEAD_WORDS) {
    const uint32_t *head = stacks + i;
    const struct moment at
        = { (uint64_t) head[HEAD_TIME_HIGH] << 32 | head[HEAD_TIME_LOW], head[HEAD_CAP] };
    add_call_stack (p, head[HEAD_THREAD], head + HEAD_WORDS, head[HEAD_COUNT], at);
  }
  g_array_set_size (p->waiting, 0);
}

static bool
is_selected (const struct ghc_time_profile *p, const struct ghc_call_stack *stack)
{
  if (p->selection == NULL)
    return true;
  const char *label = g_hash_table_lookup (p->labels, GUINT_TO_POINTER (stack->thread));
  return selection_has_cap (p->selection, stack->cap)
         && selection_has_thread (p->selection, stack->thread, label);
}

static void
add_message (struct ghc_time_profile *p, const struct ghc_item *item, bool counts)
{
  const struct ghc_text *message = &item->payload->user_binary_msg.bytes;
  struct ghc_call_stack stack;
  if (!ghc_call_stacks_has (message)
      || !ghc_call_stacks_add (&p->stacks, item->cap, message, &stack) || !counts
      || !is_selected (p, &stack) || !count_sample (p, stack.cap, true))
    return;
  if (p->stacks.stacks > GHC_CALL_STACKS_JUDGED && p->waiting->len == 0) {
    add_call_stack (p, stack.thread, stack.frames, stack.count,
                    (struct moment){ item->time, stack.cap });
    return;
  }
  const uint32_t head[HEAD_WORDS] = { [HEAD_COUNT] = (uint32_t) stack.count,
                                      [HEAD_THREAD] = stack.thread,
                                      [HEAD_CAP] = stack.cap,
                                      [HEAD_TIME_HIGH] = (uint32_t) (item->time >> 32),
                                      [HEAD_TIME_LOW] = (uint32_t) item->time };
  g_array_append_vals (p->waiting, head, G_N_ELEMENTS (head));
  if (stack.count != 0)
    g_array_append_vals (p->waiting, stack.frames, (guint) stack.count);
  if (p->stacks.stacks >= GHC_CALL_STACKS_JUDGED)
    add_waiting (p);
}

void
ghc_time_profile_item (struct ghc_time_profile *p, const struct ghc_item *item)
{
  const bool counts = item->time >= p->from && item->time < p->to;
  if (item->kind == GHC_HEAP_PROF_COST_CENTRE)
    ghc_cost_centres_add (&p->centres, &item->payload->heap_prof_cost_centre);
  else if (item->kind == GHC_PROF_BEGIN)
    p->interval = item->payload->prof_begin.tick_interval;
  else if (item->kind == GHC_THREAD_LABEL)
    g_hash_table_insert (p->labels, GUINT_TO_POINTER (item->payload->thread_label.thread),
                         g_strndup (item->payload->thread_label.label.text,
                                    item->payload->thread_label.label.length));
  else if (item->kind == GHC_USER_BINARY_MSG)
    add_message (p, item, counts);
  else if (item->kind == GHC_PROF_SAMPLE_COST_CENTRE && counts)
    add_sample (p, &item->payload->prof_sample_cost_centre, item->time);
}

void
ghc_time_profile_finish (struct ghc_time_profile *p)
{
  add_waiting (p);
  if (p->has_call_stacks) /* of the other samples */
    p->interval = 0;
  for (guint i = 0; i < p->nodes->len; i++)
    node_at (p, i)->total = 0;
  for (guint i = p->nodes->len; i > 0; i--) {
    struct ghc_time_node *node = node_at (p, i - 1);
    node->total += node->self;
    if (i > 1)
      node_at (p, node->parent)->total += node->total;
  }
}

static int
compare_frames (gconstpointer a, gconstpointer b)
{
  const struct ghc_time_frame *x = a, *y = b;
  return x->frame < y->frame ? -1 : x->frame > y->frame;
}

bool
ghc_time_profile_is_idle (const struct ghc_time_profile *p, uint32_t frame)
{
  return !p->has_call_stacks && ghc_cost_centres_is_idle (&p->centres, frame);
}

const char *
ghc_time_profile_kind (const struct ghc_time_profile *p, uint32_t frame)
{
  return p->has_call_stacks ? ghc_call_stacks_kind (frame) : "cost-centre";
}

static char *
name_thread (const struct ghc_time_profile *p, guint number)
{
  const uint32_t thread = g_array_index (p->thread_ids, uint32_t, number);
  const char *label = g_hash_table_lookup (p->labels, GUINT_TO_POINTER (thread));
  return g_strdup_printf ("Thread %u%s%s", thread, label != NULL ? " " : "",
                          label != NULL ? label : "");
}

char *
ghc_time_profile_name (const struct ghc_time_profile *p, uint32_t frame)
{
  if (UINT32_MAX - frame < p->thread_ids->len)
    return name_thread (p, UINT32_MAX - frame);
  return p->has_call_stacks ? ghc_call_stacks_name (&p->stacks, p->provenances, frame)
                            : ghc_cost_centres_name (&p->centres, frame);
}

char *
ghc_time_profile_location (const struct ghc_time_profile *p, uint32_t frame)
{
  if (p->has_call_stacks)
    return ghc_call_stacks_location (&p->stacks, p->provenances, frame);
  const struct ghc_cost_centre *found = ghc_cost_centres_find (&p->centres, frame);
  return found != NULL ? g_strdup (found->location) : NULL;
}

const char *
ghc_time_profile_module (const struct ghc_time_profile *p, uint32_t frame)
{
  if (p->has_call_stacks)
    return ghc_call_stacks_module (&p->stacks, p->provenances, frame);
  const struct ghc_cost_centre *found = ghc_cost_centres_find (&p->centres, frame);
  return found != NULL ? found->module : NULL;
}

/* Siblings stand together; among them the larger ones first, then by frame. */
static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct ghc_time_profile *p = data;
  const struct ghc_time_node *x = node_at (p, *(const guint *) a),
                             *y = node_at (p, *(const guint *) b);
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return x->frame < y->frame ? -1 : x->frame > y->frame;
}

GArray *
ghc_time_profile_tree (const struct ghc_time_profile *p)
{
  const guint n = p->nodes->len;
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  GArray *tree = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  guint *first = g_new0 (guint, n + 1); /* child of each node in `sorted` */
  for (guint i = 1; i < n; i++)
    g_array_append_val (sorted, i);
  g_array_sort_with_data (sorted, compare_siblings, (gpointer) p);
  for (guint i = sorted->len; i > 0; i--)
    first[node_at (p, g_array_index (sorted, guint, i - 1))->parent] = i;
  /* The stack holds where siblings go on: one after the place in `sorted`. */
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint at = first[0];
  while (at != 0 || stack->len != 0) {
    if (at == 0) {
      at = g_array_index (stack, guint, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      continue;
    }
    const guint node = g_array_index (sorted, guint, at - 1);
    const bool has_next
        = at < sorted->len
          && node_at (p, g_array_index (sorted, guint, at))->parent == node_at (p, node)->parent;
    const guint next = has_next ? at + 1 : 0;
    g_array_append_val (tree, node);
    if (next != 0)
      g_array_append_val (stack, next);
    at = first[node];
  }
  g_array_unref (stack);
  g_array_unref (sorted);
  g_free (first);
  return tree;
}

/* Frames as they are collected from the tree. */
struct frame_sums {
  GArray *all;          /* struct ghc_time_frame */
  struct id_map places; /* in `all`, by frame */
  GArray *open;         /* guint, by place: nodes of it above the current one */
  GArray *path;         /* guint: the places of these, the outermost first */
};

/* Leaves the nodes below this depth. */
static void
leave (struct frame_sums *f, uint32_t depth)
{
  for (; f->path->len > depth; g_array_set_size (f->path, f->path->len - 1))
    g_array_index (f->open, guint, g_array_index (f->path, guint, f->path->len - 1))--;
}

static void
enter (struct frame_sums *f, const struct ghc_time_node *node)
{
  const guint place = id_map_number (&f->places, node->frame), none = 0;
  if (place == f->all->len) {
    const struct ghc_time_frame frame = { .frame = node->frame };
    g_array_append_val (f->all, frame);
    g_array_append_val (f->open, none);
  }
  struct ghc_time_frame *frame = &g_array_index (f->all, struct ghc_time_frame, place);
  frame->self += node->self;
  if (g_array_index (f->open, guint, place)++ == 0)
    frame->total += node->total;
  g_array_append_val (f->path, place);
}

GArray *
ghc_time_profile_frames (const struct ghc_time_profile *p)
{
  GArray *tree = ghc_time_profile_tree (p);
  struct frame_sums f = { .all = g_array_new (FALSE, FALSE, sizeof (struct ghc_time_frame)),
                          .open = g_array_new (FALSE, FALSE, sizeof (guint)),
                          .path = g_array_new (FALSE, FALSE, sizeof (guint)) };
  id_map_init (&f.places);
  for (guint i = 0; i < tree->len; i++) {
    const struct ghc_time_node *node = node_at (p, g_array_index (tree, guint, i));
    leave (&f, node->depth - 1);
    enter (&f, node);
  }
  id_map_clear (&f.places);
  g_array_unref (f.open);
  g_array_unref (f.path);
  g_array_unref (tree);
  g_array_sort (f.all, compare_frames);
  return f.all;
}
