/* marks.c -- counts marks, and measures the intervals between them. */
#include "config.h"

#include "decoder/core/marks.h"
#include <string.h>

static void
mark_free (void *data)
{
  struct mark *mark = data;
  g_free (mark->name);
  g_free (mark);
}

static void
interval_free (void *data)
{
  struct mark_interval *interval = data;
  g_free (interval->name);
  g_free (interval);
}

static guint
hash_mark (gconstpointer data)
{
  const struct mark *mark = data;
  return g_str_hash (mark->name) ^ mark->is_message;
}

static gboolean
equal_marks (gconstpointer a, gconstpointer b)
{
  const struct mark *x = a, *y = b;
  return x->is_message == y->is_message && strcmp (x->name, y->name) == 0;
}

/* Texts end at a byte of 0 in C; the bytes after it are not lost. */
static void
append_text (GString *to, const char *text, size_t length)
{
  const char *const end = text + length, *zero;
  for (; length != 0 && (zero = memchr (text, 0, length)) != NULL; length = (size_t) (end - text)) {
    g_string_append_len (to, text, zero - text);
    g_string_append (to, "\\u0000");
    text = zero + 1;
  }
  g_string_append_len (to, text, (gssize) length);
}

char *
marks_text (const char *text, size_t length)
{
  GString *to = g_string_sized_new (length + 1);
  append_text (to, text, length);
  return g_string_free (to, FALSE);
}

void
marks_init (struct marks *m)
{
  *m = (struct marks){
    .all = g_ptr_array_new_with_free_func (mark_free),
    .by_key = g_hash_table_new (hash_mark, equal_marks),
    .text = g_string_new (NULL),
  };
  mark_pairs_init (&m->edges);
}

void
marks_clear (struct marks *m)
{
  g_hash_table_destroy (m->by_key);
  g_ptr_array_unref (m->all);
  g_string_free (m->text, TRUE);
  mark_pairs_clear (&m->edges);
}

void
marks_choose (struct marks *m, struct mark_choice choice)
{
  m->choice = m->edges.choice = choice;
}

static bool
is_wanted (const struct marks *m, const char *name)
{
  return m->choice.is_wanted == NULL || m->choice.is_wanted (m->choice.data, name);
}

/* ---- more than there is room for ---- */

/* All but those that `stays` has.  Returns how often they were. */
static uint64_t
drop_marks (struct marks *m, GHashTable *stays)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (mark_free);
  g_hash_table_remove_all (m->by_key);
  m->bytes = 0;
  uint64_t count = 0;
  for (guint i = 0; i < m->all->len; i++) {
    struct mark *mark = g_steal_pointer (&g_ptr_array_index (m->all, i));
    if (!g_hash_table_contains (stays, mark)) {
      count += mark->count;
      mark_free (mark);
      continue;
    }
    g_ptr_array_add (all, mark);
    g_hash_table_add (m->by_key, mark);
    m->bytes += strlen (mark->name);
  }
  g_ptr_array_set_free_func (m->all, NULL);
  g_ptr_array_unref (m->all);
  m->all = all;
  return count;
}

/* The first one stays, so that it is known that there are some. */
static void
drop_unwanted (struct marks *m)
{
  g_autoptr (GHashTable) stays = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < m->all->len; i++) {
    struct mark *mark = g_ptr_array_index (m->all, i);
    if (i == 0 || is_wanted (m, mark->name))
      g_hash_table_add (stays, mark);
  }
  drop_marks (m, stays);
  m->has_only_wanted = true;
}

/* The most frequent first; of as many the latest. */
static gint
compare_counts (gconstpointer a, gconstpointer b)
{
  const struct mark *x = *(const struct mark *const *) a, *y = *(const struct mark *const *) b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->last > y->last ? -1 : x->last < y->last;
}

static void
drop_rare (struct marks *m)
{
  g_autoptr (GHashTable) stays = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (m->all, NULL, NULL);
  g_ptr_array_set_free_func (sorted, NULL);
  g_ptr_array_sort (sorted, compare_counts);
  size_t bytes = 0;
  guint i = 0;
  for (; i < sorted->len / 2; i++) {
    struct mark *mark = g_ptr_array_index (sorted, i);
    bytes += strlen (mark->name);
    if (bytes > MARK_NAMES_BYTES_MAX / 2)
      break;
    g_hash_table_add (stays, mark);
  }
  m->missing_at_most += ((const struct mark *) g_ptr_array_index (sorted, i))->count;
  m->others += drop_marks (m, stays);
}

static void
make_room (struct marks *m)
{
  if (m->choice.is_wanted != NULL && !m->has_only_wanted)
    drop_unwanted (m);
  if (m->all->len >= MARK_NAMES_MAX / 4 * 3 || m->bytes >= MARK_NAMES_BYTES_MAX / 4 * 3)
    drop_rare (m);
}

/* ---- events ---- */

/* NULL: there are too many names, and this one is not wanted. */
static struct mark *
find_mark (struct marks *m, bool is_message, GString *name)
{
  const struct mark key = { .name = name->str, .is_message = is_message };
  struct mark *mark = g_hash_table_lookup (m->by_key, &key);
  if (mark != NULL || (m->has_only_wanted && !is_wanted (m, name->str)))
    return mark;
  if (m->all->len >= MARK_NAMES_MAX || m->bytes + name->len > MARK_NAMES_BYTES_MAX)
    make_room (m);
  if (m->has_only_wanted && !is_wanted (m, name->str))
    return NULL;
  mark = g_new0 (struct mark, 1);
  mark->name = g_strdup (name->str);
  mark->is_message = is_message;
  m->bytes += strlen (mark->name);
  g_ptr_array_add (m->all, mark);
  g_hash_table_add (m->by_key, mark);
  return mark;
}

static void
count_mark (struct marks *m, bool is_message, uint64_t time)
{
  struct mark *mark = find_mark (m, is_message, m->text);
  m->count++;
  if (mark == NULL)
    return;
  mark->first = mark->count == 0 ? time : MIN (mark->first, time);
  mark->last = MAX (mark->last, time);
  mark->count++;
}

void
marks_add (struct marks *m, const struct mark_event *event)
{
  g_string_truncate (m->text, 0);
  append_text (m->text, event->name, event->length);
  if (event->at.counts)
    count_mark (m, event->is_message, event->at.time);
  mark_pairs_add (&m->edges, m->text->str, &event->at);
}

void
marks_add_span (struct marks *m, uint64_t number, const char *name, size_t length,
                const struct mark_time *at)
{
  g_string_truncate (m->text, 0);
  if (name != NULL)
    append_text (m->text, name, length);
  mark_pairs_add_span (&m->edges, number, name != NULL ? m->text->str : NULL, at);
}

/* ---- intervals ---- */

static gint
compare_durations (gconstpointer a, gconstpointer b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

static gint
compare_intervals (gconstpointer a, gconstpointer b)
{
  const struct mark_interval *x = *(const struct mark_interval *const *) a;
  const struct mark_interval *y = *(const struct mark_interval *const *) b;
  if (x->total_ns != y->total_ns)
    return x->total_ns < y->total_ns ? 1 : -1;
  return strcmp (x->name, y->name);
}

/* The duration that `percent` percent of all do not exceed. */
static uint64_t
percentile (const GArray *sorted, guint percent)
{
  const guint64 rank = ((guint64) sorted->len * percent + 99) / 100;
  return sorted->len == 0 ? 0 : g_array_index (sorted, uint64_t, MAX (rank, 1) - 1);
}

/* An interval that has both ends.  One that goes from thread to thread is of none. */
struct extent {
  uint64_t begin, end;
  uint64_t thread;
  bool is_across;
  struct mark_interval *of;
};

struct measure {
  GPtrArray *intervals;
  GArray *durations; /* of uint64_t, of one name */
  GArray *extents;   /* of struct extent, of all */
};

static void
add_pair (struct measure *to, struct mark_interval *interval, const struct mark_pair *pair)
{
  if (!pair->begin.counts || !pair->end.counts) {
    interval->unfinished += pair->begin.counts || pair->end.counts;
    return;
  }
  const struct extent extent = {
    .begin = pair->begin.time,
    .end = pair->end.time,
    .thread = pair->begin.thread,
    .is_across = pair->begin.thread != pair->end.thread,
    .of = interval,
  };
  const uint64_t duration = extent.end - extent.begin;
  interval->total_ns += duration;
  interval->self_ns += duration;
  interval->across_threads += extent.is_across;
  g_array_append_val (to->durations, duration);
  g_array_append_val (to->extents, extent);
}

static void
measure (void *data, const char *name, const struct mark_pair *pairs, guint n)
{
  struct measure *to = data;
  struct mark_interval *interval = g_new0 (struct mark_interval, 1);
  g_array_set_size (to->durations, 0);
  for (guint i = 0; i < n; i++)
    add_pair (to, interval, &pairs[i]);
  if (to->durations->len == 0 && interval->unfinished == 0) {
    g_free (interval);
    return;
  }
  g_array_sort (to->durations, compare_durations);
  interval->name = g_strdup (name);
  interval->count = to->durations->len;
  interval->p50_ns = percentile (to->durations, 50);
  interval->p90_ns = percentile (to->durations, 90);
  interval->p99_ns = percentile (to->durations, 99);
  interval->max_ns = percentile (to->durations, 100);
  g_ptr_array_add (to->intervals, interval);
}

/* In order of time; of those that begin together the longest first. */
static gint
compare_extents (gconstpointer a, gconstpointer b)
{
  const struct extent *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

static gint
compare_by_thread (gconstpointer a, gconstpointer b)
{
  const struct extent *x = a, *y = b;
  if (x->is_across != y->is_across)
    return x->is_across ? 1 : -1;
  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  return compare_extents (a, b);
}

/* Adds the part of an interval that those before it do not cover. */
static void
cover (uint64_t *covered_ns, uint64_t *end, const struct extent *extent)
{
  if (extent->end > MAX (*end, extent->begin))
    *covered_ns += extent->end - MAX (*end, extent->begin);
  *end = MAX (*end, extent->end);
}

/* The time of an interval is not that of the innermost one that it begins in. */
static void
nest (GArray *open, const struct extent *extent)
{
  while (open->len != 0 && g_array_index (open, struct extent, open->len - 1).end <= extent->begin)
    g_array_set_size (open, open->len - 1);
  if (open->len != 0) {
    const struct extent *outer = &g_array_index (open, struct extent, open->len - 1);
    const uint64_t inner_ns = MIN (outer->end, extent->end) - extent->begin;
    outer->of->self_ns -= inner_ns;
    outer->of->now.self_ns -= inner_ns;
  }
  g_array_append_val (open, *extent);
}

uint64_t
marks_share_average (const struct mark_share *share)
{
  return share->count != 0 ? share->self_ns / share->count : 0;
}

/* The share of a thread is complete. */
static void
end_share (struct mark_interval *interval)
{
  const struct mark_share now = interval->now;
  if (now.count == 0)
    return;
  interval->now = (struct mark_share){ 0 };
  interval->threads++;
  if (interval->threads == 1
      || marks_share_average (&now) > marks_share_average (&interval->slowest)) {
    interval->second = interval->slowest;
    interval->slowest = now;
  } else if (marks_share_average (&now) >= marks_share_average (&interval->second)) {
    interval->second = now;
  }
}

/* Adds the intervals of one thread, and their covered time. */
static guint
measure_thread (GArray *threads, GArray *open, const struct extent *extents, guint n)
{
  struct mark_thread thread = { .thread = extents->thread };
  uint64_t end = 0;
  guint i = 0;
  g_array_set_size (open, 0);
  for (; i < n && extents[i].thread == thread.thread && !extents[i].is_across; i++) {
    struct mark_share *share = &extents[i].of->now;
    share->thread = thread.thread;
    share->count++;
    share->self_ns += extents[i].end - extents[i].begin;
    nest (open, &extents[i]);
    cover (&thread.covered_ns, &end, &extents[i]);
  }
  for (guint k = 0; k < i; k++)
    end_share (extents[k].of);
  thread.count = i;
  g_array_append_val (threads, thread);
  return i;
}

static void
measure_extents (struct mark_intervals *to, GArray *extents)
{
  GArray *open = g_array_new (FALSE, FALSE, sizeof (struct extent));
  const struct extent *all = (const struct extent *) (const void *) extents->data;
  uint64_t end = 0;
  g_array_sort (extents, compare_by_thread);
  for (guint i = 0; i < extents->len && !all[i].is_across;)
    i += measure_thread (to->threads, open, all + i, extents->len - i);
  g_array_sort (extents, compare_extents);
  for (guint i = 0; i < extents->len; i++)
    cover (&to->covered_ns, &end, &all[i]);
  g_array_unref (open);
}

void
marks_measure (struct marks *m, struct mark_intervals *to)
{
  *to = (struct mark_intervals){ .all = g_ptr_array_new_with_free_func (interval_free),
                                 .threads
                                 = g_array_new (FALSE, FALSE, sizeof (struct mark_thread)) };
  struct measure with = { .intervals = to->all,
                          .durations = g_array_new (FALSE, FALSE, sizeof (uint64_t)),
                          .extents = g_array_new (FALSE, FALSE, sizeof (struct extent)) };
  mark_pairs_each (&m->edges, measure, &with);
  measure_extents (to, with.extents);
  g_ptr_array_sort (to->all, compare_intervals);
  g_array_unref (with.durations);
  g_array_unref (with.extents);
}

void
marks_clear_intervals (struct mark_intervals *intervals)
{
  g_ptr_array_unref (intervals->all);
  g_array_unref (intervals->threads);
}
