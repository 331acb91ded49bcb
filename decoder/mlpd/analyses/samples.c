/* samples.c -- finds addresses in sorted ranges. */
#include "config.h"

#include "decoder/mlpd/analyses/samples.h"

#include "decoder/core/chance.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/model/recording.h"
#include "decoder/mlpd/model/wait-kind.h"

/* Innermost frames in the tree: a runtime's stack has no more. */
#define TREE_FRAMES_MAX 4096

struct sample_code {
  uint64_t start;
  uint64_t size;
  guint method;
};

/* Where a hit was. */
struct sample_place {
  uint64_t ip;
  uint64_t leaf; /* the symbol of the innermost managed frame; NO_LEAF: there is none */
  guint node;    /* of its stack, in the tree of threads that ran or of waits */
  bool is_running;
};
#define NO_LEAF UINT64_MAX

struct place_sum {
  uint64_t hits;
  uint64_t running; /* of these, of threads that ran */
  uint64_t ns;      /* of processor time */
  uint64_t start;   /* of the first hit */
  uint64_t end;     /* of the last one */
};

static guint
hash_place (gconstpointer place)
{
  const struct sample_place *p = place;
  const uint64_t mixed
      = (p->ip ^ p->leaf << 32 ^ (uint64_t) p->node << 20) * UINT64_C (0x9E3779B97F4A7C15);
  return (guint) (mixed >> 32);
}

static gboolean
same_place (gconstpointer a, gconstpointer b)
{
  const struct sample_place *x = a, *y = b;
  return x->ip == y->ip && x->leaf == y->leaf && x->node == y->node
         && x->is_running == y->is_running;
}

static guint
hash_wait (gconstpointer wait)
{
  const struct sample_wait *w = wait;
  const struct sample_place place = { .ip = w->ip ^ w->thread, .leaf = w->node };
  return hash_place (&place);
}

static gboolean
same_wait (gconstpointer a, gconstpointer b)
{
  const struct sample_wait *x = a, *y = b;
  return x->thread == y->thread && x->ip == y->ip && x->node == y->node;
}

static void
free_wait_sum (gpointer sum)
{
  const struct sample_wait_sum *waited = sum;
  if (waited->times != NULL)
    g_array_free (waited->times, TRUE);
  g_free (sum);
}

void
samples_init (struct samples *s)
{
  *s = (struct samples){
    .threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free),
    .places = g_hash_table_new_full (hash_place, same_place, g_free, g_free),
    .waits = g_hash_table_new_full (hash_wait, same_wait, g_free, free_wait_sum),
    .codes = g_array_new (FALSE, FALSE, sizeof (struct sample_code)),
    .symbols = g_array_new (FALSE, FALSE, sizeof (struct sample_symbol)),
    .names = g_string_chunk_new (16 * 1024),
    .methods = g_array_new (FALSE, TRUE, sizeof (struct sample_sum)),
    .seen = g_array_new (FALSE, TRUE, sizeof (uint64_t)),
    .frames = g_array_new (FALSE, FALSE, sizeof (guint)),
  };
  call_tree_init (&s->tree, CALL_TIMES_HITS);
  call_tree_init (&s->wait_tree, CALL_TIMES_HITS);
}

void
samples_clear (struct samples *s)
{
  g_hash_table_destroy (s->threads);
  g_hash_table_destroy (s->places);
  g_hash_table_destroy (s->waits);
  g_array_free (s->codes, TRUE);
  g_array_free (s->symbols, TRUE);
  g_string_chunk_free (s->names);
  g_array_free (s->methods, TRUE);
  g_array_free (s->seen, TRUE);
  g_array_free (s->frames, TRUE);
  call_tree_clear (&s->tree);
  call_tree_clear (&s->wait_tree);
}

/* The sum of a key, all zeros where it is new. */
static void *
find_sum (GHashTable *table, const void *key, gsize key_size, gsize size)
{
  void *sum = g_hash_table_lookup (table, key);
  if (sum == NULL) {
    sum = g_malloc0 (size);
    g_hash_table_insert (table, g_memdup2 (key, key_size), sum);
  }
  return sum;
}
#define SUM(table, key, type) ((type *) find_sum ((table), &(key), sizeof (key), sizeof (type)))

static struct sample_sum *
sum_of (struct samples *s, guint method)
{
  if (method >= s->methods->len)
    g_array_set_size (s->methods, method + 1);
  return &g_array_index (s->methods, struct sample_sum, method);
}

/* Methods on the stack, each once a hit however often it is there. */
static void
count_total (struct samples *s, guint method, bool is_running, uint64_t ns)
{
  if (method >= s->seen->len)
    g_array_set_size (s->seen, method + 1);
  uint64_t *seen = &g_array_index (s->seen, uint64_t, method);
  if (*seen == s->hits)
    return;
  *seen = s->hits;
  struct sample_sum *sum = sum_of (s, method);
  sum->total += is_running;
  sum->total_ns += ns;
}

/* Enters the frames into a tree; returns the node of the innermost. */
static guint
enter_stack (struct call_tree *tree, const guint *methods, size_t n, uint64_t time)
{
  const struct call_times times = { .start = time, .end = time };
  guint node = CALL_TREE_ROOT;
  for (size_t i = MIN (n, TREE_FRAMES_MAX); i-- > 0;) {
    node = call_tree_enter (tree, node, methods[i], 1);
    call_tree_add_times (tree, node, &times);
  }
  return node;
}

static void
count_stack (struct samples *s, const guint *methods, size_t n, bool is_running, uint64_t cpu_ns)
{
  for (size_t i = 0; i < n; i++)
    count_total (s, methods[i], is_running, cpu_ns);
  if (n != 0)
    sum_of (s, methods[n - 1])->outermost++;
}

/* The middle of the hit's interval is surely in the wait: its ends may lie on either side. */
static void
count_wait (struct samples *s, const struct sample_wait *wait, uint64_t time,
            const struct sample_time *used)
{
  const uint64_t half = (used->cpu_ns + used->wait_ns) / 2;
  const struct sample_wait_time one = { .time = time > half ? time - half : 0,
                                        .ns = used->wait_ns,
                                        .hits = used->cpu_ns < used->wait_ns };
  struct sample_wait_sum *sum = SUM (s->waits, *wait, struct sample_wait_sum);
  sum->ns += one.ns;
  sum->hits += one.hits;
  if (!used->may_lock)
    return;
  if (sum->times == NULL)
    sum->times = g_array_new (FALSE, FALSE, sizeof one);
  g_array_append_val (sum->times, one);
}

uint64_t
samples_ns_per_hit (const struct samples *s)
{
  return s->running != 0 ? s->cpu_ns / s->running : 0;
}

void
samples_hit (struct samples *s, const struct mlpd_sample_hit *event, uint64_t time, uint64_t thread,
             const guint *methods, struct sample_time used)
{
  const size_t n = event->frames.count;
  const bool is_running = used.cpu_ns >= used.wait_ns;
  s->hits++;
  s->running += is_running;
  s->cpu_ns += used.cpu_ns;
  s->cpu_us_squares += (used.cpu_ns / 1000) * (used.cpu_ns / 1000);
  s->wait_ns += used.wait_ns;
  s->types[event->sample_type < SAMPLE_TYPES ? event->sample_type : 0]++;
  if (is_running)
    ++*SUM (s->threads, thread, uint64_t);
  count_stack (s, methods, n, is_running, used.cpu_ns);
  const guint runs = is_running ? enter_stack (&s->tree, methods, n, time) : CALL_TREE_ROOT;
  const guint waits
      = used.wait_ns != 0 ? enter_stack (&s->wait_tree, methods, n, time) : CALL_TREE_ROOT;
  const struct sample_place place = { .ip = samples_ip (event),
                                      .leaf = n != 0 ? methods[0] : NO_LEAF,
                                      .node = is_running ? runs : waits,
                                      .is_running = is_running };
  struct place_sum *sum = SUM (s->places, place, struct place_sum);
  sum->start = sum->hits == 0 ? time : MIN (sum->start, time);
  sum->end = MAX (sum->end, time);
  sum->hits++;
  sum->running += is_running;
  sum->ns += used.cpu_ns;
  if (used.wait_ns == 0)
    return;
  const struct sample_wait wait = { .thread = thread, .ip = place.ip, .node = waits };
  count_wait (s, &wait, time, &used);
}

void
samples_code (struct samples *s, guint method, uint64_t code, uint64_t size)
{
  const struct sample_code c = { .start = code, .size = size, .method = method };
  if (code != 0 && size < CODE_BYTES_MAX)
    g_array_append_val (s->codes, c);
}

void
samples_symbol (struct samples *s, const struct mlpd_sample_symbol *event)
{
  const struct sample_symbol symbol
      = { .address = event->address,
          .size = event->size,
          .name = g_string_chunk_insert_const (s->names, event->name.text) };
  g_array_append_val (s->symbols, symbol);
}

/* By address; of those that are the same, the latest last.  The elements begin with theirs. */
static int
compare_addresses (const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

/* The last element whose address is not above this one; NULL if there is none. */
static void *
find (const GArray *sorted, uint64_t address)
{
  guint low = 0, high = sorted->len;
  const guint size = g_array_get_element_size ((GArray *) sorted);
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (*(const uint64_t *) (const void *) (sorted->data + (size_t) middle * size) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? sorted->data + (size_t) (low - 1) * size : NULL;
}

/* The symbol of native code; NULL if it has none. */
static struct sample_symbol *
find_symbol (const struct samples *s, uint64_t ip)
{
  struct sample_symbol *symbol = find (s->symbols, ip);
  const bool is_in
      = symbol != NULL && ip - symbol->address < MAX (symbol->size, SAMPLE_SYMBOL_REACH);
  return is_in ? symbol : NULL;
}

const char *
samples_native_name (const struct samples *s, uint64_t ip)
{
  const struct sample_symbol *symbol = find_symbol (s, ip);
  return symbol != NULL ? symbol->name : NULL;
}

static void
resolve_bare (struct samples *s, struct sample_symbol *symbol, const struct place_sum *place)
{
  if (symbol != NULL) {
    symbol->bare += place->running;
    symbol->bare_ns += place->ns;
  } else {
    s->unnamed += place->hits;
    s->unnamed_running += place->running;
    s->unnamed_ns += place->ns;
  }
}

static void
resolve_native (struct samples *s, const struct sample_place *place, const struct place_sum *hits)
{
  struct sample_symbol *symbol = find_symbol (s, place->ip);
  s->unmanaged += hits->hits;
  if (symbol != NULL)
    symbol->hits += hits->running;
  else
    s->unresolved += hits->hits;
  if (place->leaf == NO_LEAF) {
    resolve_bare (s, symbol, hits);
    return;
  }
  struct sample_sum *sum = sum_of (s, (guint) place->leaf);
  sum->hits += hits->running;
  sum->native_hits += hits->running;
  sum->self_ns += hits->ns;
}

static const struct sample_code *
find_code (const struct samples *s, uint64_t ip)
{
  const struct sample_code *code = find (s->codes, ip);
  return code != NULL && ip - code->start < code->size ? code : NULL;
}

bool
samples_is_managed (const struct samples *s, uint64_t ip)
{
  return find_code (s, ip) != NULL;
}

bool
samples_method_at (const struct samples *s, uint64_t ip, guint *method)
{
  const struct sample_code *code = find_code (s, ip);
  if (code != NULL)
    *method = code->method;
  return code != NULL;
}

static void
resolve_own (struct samples *s, const struct sample_place *place, const struct place_sum *hits)
{
  const struct sample_code *code = find_code (s, place->ip);
  if (code == NULL) {
    resolve_native (s, place, hits);
    return;
  }
  struct sample_sum *sum = sum_of (s, code->method);
  s->managed += hits->hits;
  sum->hits += hits->running;
  if (place->leaf == NO_LEAF)
    sum->bare_hits += hits->running;
  sum->self_ns += hits->ns;
}

/* ---- the recording ---- */

/* While places are resolved. */
struct resolving {
  struct samples *s;
  struct symbols *symbols;
  GArray *below; /* of struct place_sum, by node of the tree: of the recording without a frame */
};

/* The methods of a stack do not have these hits. */
static void
uncount_totals (struct samples *s, const struct sample_place *place, const struct place_sum *hits)
{
  const struct call_tree *tree = place->is_running ? &s->tree : &s->wait_tree;
  const struct call_node *nodes = (const struct call_node *) (const void *) tree->nodes->data;
  for (guint i = place->node; i != CALL_TREE_ROOT; i = nodes[i].parent) {
    bool is_again = false;
    for (guint j = place->node; j != i && !is_again; j = nodes[j].parent)
      is_again = nodes[j].method == nodes[i].method;
    if (is_again)
      continue;
    sum_of (s, nodes[i].method)->total -= hits->running;
    sum_of (s, nodes[i].method)->total_ns -= hits->ns;
  }
}

static void
count_code_of_recording (struct samples *s, const struct sample_place *place,
                         const struct place_sum *hits)
{
  const struct sample_code *code = find_code (s, place->ip);
  struct sample_symbol *symbol = code == NULL ? find_symbol (s, place->ip) : NULL;
  *(code != NULL ? &s->managed : &s->unmanaged) += hits->hits;
  if (code != NULL)
    sum_of (s, code->method)->recording_hits += hits->running;
  else if (symbol == NULL)
    s->unresolved += hits->hits;
  if (symbol != NULL) {
    symbol->hits += hits->running;
    symbol->recording_hits += hits->running;
  }
}

/* Whether the hits are the recording's: in a wrapper, or in native code without one. */
static bool
is_of_recording (const struct resolving *r, const struct sample_place *place, bool *has_frame)
{
  const GArray *methods = r->symbols->all[SYMBOL_METHOD];
  *has_frame
      = place->leaf < methods->len
        && recording_is_method (g_array_index (methods, struct symbol, (guint) place->leaf).name);
  if (*has_frame)
    return true;
  const struct sample_symbol *symbol
      = find_code (r->s, place->ip) == NULL ? find_symbol (r->s, place->ip) : NULL;
  return symbol != NULL && recording_is_function (symbol->name);
}

static void
resolve (struct resolving *r, const struct sample_place *place, const struct place_sum *hits)
{
  struct samples *s = r->s;
  bool has_frame;
  if (!is_of_recording (r, place, &has_frame)) {
    resolve_own (s, place, hits);
    return;
  }
  s->recording_hits += hits->running;
  s->recording_ns += hits->ns;
  uncount_totals (s, place, hits);
  count_code_of_recording (s, place, hits);
  if (has_frame || !place->is_running)
    return;
  struct place_sum *below = &g_array_index (r->below, struct place_sum, place->node);
  below->start = below->running == 0 ? hits->start : MIN (below->start, hits->start);
  below->end = MAX (below->end, hits->end);
  below->running += hits->running;
}

/* The frame of a node: all that are the recording's are one. */
static guint
frame_of_node (const struct resolving *r, const struct call_node *node, guint recording)
{
  const GArray *methods = r->symbols->all[SYMBOL_METHOD];
  const bool is_wrapper
      = node->method < methods->len
        && recording_is_method (g_array_index (methods, struct symbol, node->method).name);
  return is_wrapper ? recording : node->method;
}

/* Makes the tree anew, with the frame of the recording. */
static void
fold_tree (struct resolving *r, guint recording)
{
  struct call_tree *tree = &r->s->tree, folded;
  g_autofree guint *places = g_new0 (guint, tree->nodes->len);
  call_tree_init (&folded, tree->kind);
  for (guint i = 0; i < tree->nodes->len; i++) {
    const struct call_node node = g_array_index (tree->nodes, struct call_node, i);
    const struct place_sum *below = &g_array_index (r->below, struct place_sum, i);
    const struct call_times times = { .start = below->start, .end = below->end };
    if (i != CALL_TREE_ROOT) {
      places[i] = call_tree_enter (&folded, places[node.parent],
                                   frame_of_node (r, &node, recording), node.calls);
      call_tree_add_times (&folded, places[i], call_tree_times (tree, i));
    }
    if (below->running != 0)
      call_tree_add_times (&folded, call_tree_enter (&folded, places[i], recording, below->running),
                           &times);
  }
  call_tree_clear (tree);
  *tree = folded;
}

static void
add_recording (struct resolving *r)
{
  static const struct mlpd_string name = { RECORDING_NAME, sizeof RECORDING_NAME - 1 };
  struct samples *s = r->s;
  if (s->recording_hits + s->recording_ns == 0)
    return;
  const guint recording = symbols_announce (r->symbols, SYMBOL_METHOD, RECORDING_METHOD, name);
  struct sample_sum *sum = sum_of (s, recording);
  sum->hits = sum->total = s->recording_hits;
  sum->self_ns = sum->total_ns = s->recording_ns;
  fold_tree (r, recording);
}

static void
forget_resolved (struct samples *s)
{
  for (guint i = 0; i < s->symbols->len; i++) {
    struct sample_symbol *symbol = &g_array_index (s->symbols, struct sample_symbol, i);
    symbol->hits = symbol->bare = symbol->bare_ns = 0;
  }
  for (guint i = 0; i < s->methods->len; i++) {
    struct sample_sum *sum = &g_array_index (s->methods, struct sample_sum, i);
    sum->hits = sum->native_hits = sum->bare_hits = sum->self_ns = 0;
  }
  s->managed = s->unmanaged = s->unresolved = 0;
  s->unnamed = s->unnamed_running = s->unnamed_ns = 0;
}

void
samples_resolve (struct samples *s, struct symbols *symbols)
{
  struct resolving r = { .s = s, .symbols = symbols };
  /* Stable, so that of equal addresses the one announced last is found. */
  g_array_sort (s->codes, compare_addresses);
  g_array_sort (s->symbols, compare_addresses);
  forget_resolved (s);
  r.below = g_array_new (FALSE, TRUE, sizeof (struct place_sum));
  g_array_set_size (r.below, s->tree.nodes->len);
  GHashTableIter iter;
  gpointer place, hits;
  g_hash_table_iter_init (&iter, s->places);
  while (g_hash_table_iter_next (&iter, &place, &hits))
    resolve (&r, place, hits);
  add_recording (&r);
  g_array_free (r.below, TRUE);
}

uint64_t
samples_own_hits (const struct samples *s)
{
  return s->running - s->recording_hits;
}

uint64_t
samples_own_ns (const struct samples *s)
{
  return s->cpu_ns - s->recording_ns;
}

double
samples_of_one_weight (const struct samples *s)
{
  const double hits = (double) samples_own_hits (s), ns = (double) samples_own_ns (s);
  const double weighed = chance_samples (ns / 1000, (double) s->cpu_us_squares);
  return weighed > 0 ? MIN (weighed, hits) : hits;
}

/* Fewer hits may all be of the runtime's start and of its compiler. */
#define INTERPRETED_HITS_MIN 10
#define INTERPRETED_OTHER 10 /* at most one of this number is of other code */

#define WRAPPER_TO_INTERPRETER "(wrapper other) object:interp_in"
#define INTERPRETER "interp_exec_method" /* as its function's name begins */

/* A program whose exceptions take its time has no methods in its stacks, either. */
static bool
methods_are_interpreted (const struct samples *s, const struct symbols *symbols)
{
  const GArray *methods = symbols->all[SYMBOL_METHOD];
  for (guint i = 0; i < s->symbols->len; i++) {
    const struct sample_symbol *symbol = &g_array_index (s->symbols, struct sample_symbol, i);
    if (symbol->bare != 0 && g_str_has_prefix (symbol->name, INTERPRETER))
      return true;
  }
  for (guint i = 0; i < s->codes->len; i++) {
    const guint method = g_array_index (s->codes, struct sample_code, i).method;
    const char *name
        = method < methods->len ? g_array_index (methods, struct symbol, method).name : NULL;
    if (name != NULL && g_str_has_prefix (name, WRAPPER_TO_INTERPRETER))
      return true;
  }
  return false;
}

uint64_t
samples_interpreted_hits (const struct samples *s, const struct symbols *symbols)
{
  const uint64_t own = samples_own_hits (s);
  uint64_t bare = s->unnamed_running;
  for (guint i = 0; i < s->symbols->len; i++)
    bare += g_array_index (s->symbols, struct sample_symbol, i).bare;
  return own >= INTERPRETED_HITS_MIN && bare >= own - own / INTERPRETED_OTHER
                 && methods_are_interpreted (s, symbols)
             ? bare
             : 0;
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  samples_init (state);
}

static void
clear (void *state)
{
  samples_clear (state);
}

static void
handle_code (void *state, const struct analysis_event *e)
{
  const struct mlpd_method_jit *j = &e->payload->method_jit;
  samples_code (state, symbols_use (e->model->symbols, SYMBOL_METHOD, j->method), j->code, j->size);
}

/* Of a hit that may be of the thread with this number, or of the next one that has its id: until
 * the end of the log. */
#define OR_NEXT (UINT64_C (1) << 63)

/* The thread that recorded a hit need not be the one that was sampled: a wait may be recorded when
 * its thread has ended, and another one has its id.  The middle of it is surely the thread's. */
static uint64_t
note_sampled_thread (const struct analysis_event *e, uint64_t time)
{
  const struct analysis_model *m = e->model;
  const uint64_t half = e->usage.elapsed_ns / 2, middle = time > half ? time - half : 0;
  bool is_late;
  const struct thread *t
      = threads_sampled (m->threads, e->payload->sample_hit.thread, middle, &is_late);
  m->log->last_time = MAX (m->log->last_time, time);
  return t == NULL ? OR_NEXT - 1 : is_late ? t->number | OR_NEXT : t->number;
}

/* By number the next thread with the id, or the thread itself (transfer full). */
static uint64_t *
list_next (const struct threads *threads)
{
  uint64_t *next = g_new (uint64_t, threads->all->len + 1);
  for (guint i = 0; i < threads->all->len; i++)
    next[i] = i;
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *t = g_ptr_array_index (threads->all, i);
    if (t->before != NULL)
      next[t->before->number] = i;
  }
  return next;
}

static void
move_waits (struct sample_wait_sum *to, struct sample_wait_sum *from)
{
  to->ns += from->ns;
  to->hits += from->hits;
  if (from->times == NULL)
    return;
  if (to->times == NULL)
    to->times = g_array_new (FALSE, FALSE, sizeof (struct sample_wait_time));
  g_array_append_vals (to->times, from->times->data, from->times->len);
}

/* All threads are known now. */
static void
settle_threads (struct samples *s, const struct threads *threads)
{
  g_autofree uint64_t *next = list_next (threads);
  GHashTable *hits = g_steal_pointer (&s->threads), *waits = g_steal_pointer (&s->waits);
  GHashTableIter iter;
  gpointer key, sum;
  s->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  s->waits = g_hash_table_new_full (hash_wait, same_wait, g_free, free_wait_sum);
  g_hash_table_iter_init (&iter, hits);
  while (g_hash_table_iter_next (&iter, &key, &sum)) {
    const uint64_t of = *(const uint64_t *) key;
    const uint64_t number = (of & OR_NEXT) != 0 ? next[of & ~OR_NEXT] : of;
    *SUM (s->threads, number, uint64_t) += *(const uint64_t *) sum;
  }
  g_hash_table_iter_init (&iter, waits);
  while (g_hash_table_iter_next (&iter, &key, &sum)) {
    struct sample_wait wait = *(const struct sample_wait *) key;
    wait.thread = (wait.thread & OR_NEXT) != 0 ? next[wait.thread & ~OR_NEXT] : wait.thread;
    move_waits (SUM (s->waits, wait, struct sample_wait_sum), sum);
  }
  g_hash_table_destroy (hits);
  g_hash_table_destroy (waits);
}

/* In native code that waits for locks, or in code that waits, though no rule states its kind. */
static bool
may_lock (const struct analysis_event *e, const GArray *frames)
{
  if (frames->len == 0)
    return false;
  const GArray *methods = e->model->symbols->all[SYMBOL_METHOD];
  const guint innermost = g_array_index (frames, guint, 0);
  const enum wait_kind kind
      = wait_kind_of_method (g_array_index (methods, struct symbol, innermost).name);
  return kind == WAIT_LOCK
         || (kind == WAIT_NONE && e->usage.cpu_ns < e->usage.elapsed_ns - e->usage.cpu_ns);
}

/* Of samples of processor time each stands for the interval that the header states. */
static struct sample_time
time_of (struct samples *s, const struct analysis_event *e)
{
  if (s->hits == 0)
    s->interval_ns = mlpd_header_cpu_sample_interval (&e->model->log->header);
  if (e->usage.elapsed_ns != 0)
    return (struct sample_time){ .cpu_ns = e->usage.cpu_ns,
                                 .wait_ns = e->usage.elapsed_ns - e->usage.cpu_ns,
                                 .may_lock = may_lock (e, s->frames) };
  return (struct sample_time){ .cpu_ns = s->interval_ns };
}

static void
handle_hit (void *state, const struct analysis_event *e)
{
  struct samples *s = state;
  const struct mlpd_sample_hit *hit = &e->payload->sample_hit;
  const bool has_thread = e->version >= MLPD_VERSION_SAMPLED_THREADS;
  uint64_t time = e->time;
  mlpd_event_time (MLPD_SAMPLE_HIT, e->payload, &time);
  const uint64_t thread = has_thread ? note_sampled_thread (e, time) : e->thread->number;
  g_array_set_size (s->frames, 0);
  for (size_t i = 0; i < hit->frames.count; i++) {
    const guint method
        = symbols_use (e->model->symbols, SYMBOL_METHOD, hit->frames.items[i].method);
    g_array_append_val (s->frames, method);
  }
  samples_hit (s, hit, time, thread, (const guint *) (const void *) s->frames->data,
               time_of (s, e));
}

static void
handle_symbol (void *state, const struct analysis_event *e)
{
  samples_symbol (state, &e->payload->sample_symbol);
}

static void
finish (void *state, const struct analysis_model *m)
{
  if (!m->options->bounded)
    settle_threads (state, m->threads);
  samples_resolve (state, m->symbols);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_METHOD_JIT, handle_code, handle_code },
  { MLPD_SAMPLE_HIT, handle_hit, NULL },
  { MLPD_SAMPLE_SYMBOL, handle_symbol, handle_symbol },
};

const struct analysis samples_analysis = { .state_bytes = sizeof (struct samples),
                                           .init = init,
                                           .clear = clear,
                                           .finish = finish,
                                           ANALYSIS_HANDLERS (handlers) };
