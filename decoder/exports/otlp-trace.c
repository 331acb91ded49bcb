/* otlp-trace.c -- collects samples and figures of the runtime, and writes them at the end. */
#include "config.h"

#include "decoder/exports/otlp-trace.h"
#include <string.h>

#define SECOND_NS UINT64_C (1000000000)

/* The profiles of a process. */
enum { PROFILE_SAMPLES, PROFILE_CPU, PROFILE_WAITS, PROFILES };

static const struct {
  const char *type, *unit;
} profile_types[PROFILES] = {
  [PROFILE_SAMPLES] = { "samples", "count" },
  [PROFILE_CPU] = { "cpu", "nanoseconds" },
  [PROFILE_WAITS] = { "wait", "nanoseconds" },
};

struct otlp_process {
  const struct trace_track *track;
  GArray *heap;                              /* of struct otlp_point; so are the next ones */
  GArray *collections[OTLP_GENERATIONS + 1]; /* their number up to that time; the last: of an
                                              * unknown generation */
  GArray *paused;                            /* ns up to that time */
  GArray *threads;                           /* the number of them */
  GArray *lives;                             /* of struct life */
};

/* A thread begins, or ends. */
struct life {
  uint64_t time;
  int change;
};

/* A span was on a thread. */
struct stay {
  uint64_t from, to;
  uint64_t latest; /* the end of this and of all before it that is latest */
  uint32_t link;
};

struct otlp_track {
  const struct trace_track *track;
  guint process; /* number in `processes` */
  guint thread;  /* number in the profiles; 0: none yet */
  bool is_alive;
  GArray *stays;             /* of struct stay; NULL: none */
  struct otlp_sample sample; /* the latest one, whose time of the processor may follow */
  bool has_sample;
};

/* ---- tracks ---- */

static void
free_process (void *data)
{
  struct otlp_process *p = data;
  g_array_unref (p->heap);
  for (guint i = 0; i <= OTLP_GENERATIONS; i++)
    g_array_unref (p->collections[i]);
  g_array_unref (p->paused);
  g_array_unref (p->threads);
  g_array_unref (p->lives);
  g_free (p);
}

static void
free_track (void *data)
{
  struct otlp_track *t = data;
  if (t->stays != NULL)
    g_array_unref (t->stays);
  g_free (t);
}

static GArray *
new_points (void)
{
  return g_array_new (FALSE, FALSE, sizeof (struct otlp_point));
}

static void
add_process (struct otlp_trace *e, const struct trace_track *track)
{
  struct otlp_process *p = g_new0 (struct otlp_process, 1);
  struct otlp_program *program = otlp_profiles_program (&e->profiles);
  p->track = track;
  p->heap = new_points ();
  for (guint i = 0; i <= OTLP_GENERATIONS; i++)
    p->collections[i] = new_points ();
  p->paused = new_points ();
  p->threads = new_points ();
  p->lives = g_array_new (FALSE, FALSE, sizeof (struct life));
  for (guint i = 0; i < PROFILES; i++)
    otlp_program_profile (program, profile_types[i].type, profile_types[i].unit);
  g_ptr_array_add (e->processes, p);
}

static struct otlp_track *
own_of (const struct otlp_trace *e, const struct trace_track *track)
{
  return e->tracks->pdata[track->number - 1];
}

static struct otlp_process *
process_of (const struct otlp_trace *e, const struct trace_track *track)
{
  return e->processes->pdata[own_of (e, track)->process];
}

static void
put_track (struct trace *t, const struct trace_track *track)
{
  struct otlp_trace *e = t->data;
  if (track->number <= e->tracks->len) /* it has another name */
    return;
  struct otlp_track *own = g_new0 (struct otlp_track, 1);
  own->track = track;
  g_ptr_array_add (e->tracks, own);
  if (track->kind == TRACE_PROCESS) {
    own->process = e->processes->len;
    add_process (e, track);
  } else {
    own->process = own_of (e, track->parent)->process;
  }
}

/* ---- samples ---- */

static uint64_t
day_time (const struct trace *t, uint64_t time)
{
  return t->start_ns + time;
}

static void
add_value (struct otlp_trace *e, const struct otlp_track *own, guint profile, uint64_t value)
{
  const struct otlp_program *program = e->profiles.programs->pdata[own->process];
  struct otlp_sample sample = own->sample;
  sample.value = value;
  g_array_append_val (g_array_index (program->profiles, struct otlp_profile, profile).samples,
                      sample);
}

/* One of which nothing more is known: the thread ran. */
static void
put_waiting_sample (struct otlp_trace *e, struct otlp_track *own)
{
  if (own->has_sample)
    add_value (e, own, PROFILE_SAMPLES, 1);
  own->has_sample = false;
}

static void
put_sample (struct trace *t, const struct trace_track *track, const struct trace_stack *stack,
            uint64_t time)
{
  struct otlp_trace *e = t->data;
  struct otlp_track *own = own_of (e, track);
  put_waiting_sample (e, own);
  if (own->thread == 0)
    own->thread = otlp_profiles_thread (&e->profiles, track->thread, track->name);
  own->sample = (struct otlp_sample){ .stack = trace_stacks_sampled (t, &e->stacks, stack),
                                      .thread = own->thread,
                                      .time = MAX (day_time (t, time), 1) };
  own->has_sample = true;
  e->samples++;
  e->last = MAX (e->last, own->sample.time);
}

/* The thread ran, or waited: the same rule as for the figures of reports. */
static void
put_sample_time (struct trace *t, const struct trace_track *track, uint64_t cpu_ns,
                 uint64_t wait_ns, bool is_idle)
{
  struct otlp_trace *e = t->data;
  struct otlp_track *own = own_of (e, track);
  if (cpu_ns >= wait_ns)
    put_waiting_sample (e, own);
  own->has_sample = false;
  if (cpu_ns != 0)
    add_value (e, own, PROFILE_CPU, cpu_ns);
  if (wait_ns != 0 && !is_idle)
    add_value (e, own, PROFILE_WAITS, wait_ns);
}

/* ---- spans ---- */

static uint32_t
number_of_link (struct otlp_trace *e, const struct trace_linked_span *span)
{
  struct otlp_link link;
  const uint64_t high = GUINT64_TO_BE (span->trace_high), low = GUINT64_TO_BE (span->trace_low);
  const uint64_t id = GUINT64_TO_BE (span->id);
  memcpy (link.trace, &high, sizeof high);
  memcpy (link.trace + sizeof high, &low, sizeof low);
  memcpy (link.span, &id, sizeof id);
  for (guint i = e->profiles.links->len; i > 0; i--)
    if (memcmp (&g_array_index (e->profiles.links, struct otlp_link, i - 1), &link, sizeof link)
        == 0)
      return i;
  return otlp_profiles_link (&e->profiles, &link);
}

static void
put_linked_span (struct trace *t, const struct trace_track *track,
                 const struct trace_linked_span *span, uint64_t from, uint64_t to)
{
  struct otlp_trace *e = t->data;
  struct otlp_track *own = own_of (e, track);
  const struct stay stay = { .from = day_time (t, from),
                             .to = to == UINT64_MAX ? UINT64_MAX : day_time (t, to),
                             .link = number_of_link (e, span) };
  if (own->stays == NULL)
    own->stays = g_array_new (FALSE, FALSE, sizeof stay);
  g_array_append_val (own->stays, stay);
}

/* Of those that begin together the inner ones, which end first, are last. */
static int
compare_stays (gconstpointer a, gconstpointer b)
{
  const struct stay *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to > y->to ? -1 : x->to < y->to;
}

static void
sort_stays (GArray *stays)
{
  uint64_t latest = 0;
  g_array_sort (stays, compare_stays);
  for (guint i = 0; i < stays->len; i++) {
    struct stay *stay = &g_array_index (stays, struct stay, i);
    stay->latest = latest = MAX (latest, stay->to);
  }
}

/* The innermost span on the thread at a time; 0: none. */
static uint32_t
link_at (const GArray *stays, uint64_t time)
{
  guint low = 0, high = stays->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (stays, struct stay, middle).from <= time)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low > 0; low--) {
    const struct stay *stay = &g_array_index (stays, struct stay, low - 1);
    if (stay->to > time)
      return stay->link;
    if (stay->latest <= time)
      break;
  }
  return 0;
}

static void
link_samples (struct otlp_trace *e)
{
  g_autoptr (GPtrArray) by_thread = g_ptr_array_new ();
  g_ptr_array_set_size (by_thread, (gint) e->profiles.threads->len + 1);
  for (guint i = 0; i < e->tracks->len; i++) {
    const struct otlp_track *own = e->tracks->pdata[i];
    if (own->stays == NULL)
      continue;
    sort_stays (own->stays);
    by_thread->pdata[own->thread] = own->thread != 0 ? own->stays : NULL;
  }
  for (guint i = 0; i < e->profiles.programs->len; i++) {
    const struct otlp_program *program = e->profiles.programs->pdata[i];
    for (guint k = 0; k < program->profiles->len; k++) {
      GArray *samples = g_array_index (program->profiles, struct otlp_profile, k).samples;
      for (guint s = 0; s < samples->len; s++) {
        struct otlp_sample *sample = &g_array_index (samples, struct otlp_sample, s);
        const GArray *stays = by_thread->pdata[sample->thread];
        sample->link = stays != NULL ? link_at (stays, sample->time) : 0;
      }
    }
  }
}

/* ---- figures of the runtime ---- */

/* Of a second the last value stays. */
static void
add_point (GArray *points, uint64_t time, uint64_t value)
{
  const struct otlp_point point = { time, value };
  struct otlp_point *last
      = points->len != 0 ? &g_array_index (points, struct otlp_point, points->len - 1) : NULL;
  if (last != NULL && last->time / SECOND_NS == time / SECOND_NS)
    *last = point;
  else
    g_array_append_val (points, point);
}

static uint64_t
last_value (const GArray *points)
{
  return points->len != 0 ? g_array_index (points, struct otlp_point, points->len - 1).value : 0;
}

static void
put_counter (struct trace *t, const struct trace_track *track, struct trace_value value,
             uint64_t time)
{
  if (track->quantity == TIMELINE_HEAP_SIZE && !value.is_real && value.whole >= 0)
    add_point (process_of (t->data, track)->heap, day_time (t, time), (uint64_t) value.whole);
}

static void
count_collection (struct otlp_process *p, guint generation, uint64_t time)
{
  GArray *of = p->collections[generation == TIMELINE_GENERATION_UNKNOWN
                                  ? OTLP_GENERATIONS
                                  : MIN (generation, OTLP_GENERATIONS - 1)];
  add_point (of, time, last_value (of) + 1);
}

/* Collections of Mono are on lanes of its process. */
static void
put_slice (struct trace *t, const struct trace_track *track, guint name, uint64_t time)
{
  (void) name;
  if (track->role == TRACE_COLLECTIONS && track->parent->kind == TRACE_PROCESS)
    count_collection (process_of (t->data, track), track->generation, day_time (t, time));
}

static void
put_slice_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  (void) t;
  (void) track;
  (void) time;
}

/* Those of GHC are pauses, each of its process. */
static void
put_pause (struct trace *t, const struct trace_track *track, guint generation, uint64_t begin,
           uint64_t end)
{
  struct otlp_process *p = process_of (t->data, track);
  const uint64_t time = day_time (t, end);
  add_point (p->paused, time, last_value (p->paused) + (end - MIN (begin, end)));
  if (track->role != TRACE_PAUSES)
    count_collection (p, generation, time);
}

static void
change_threads (struct trace *t, const struct trace_track *track, bool is_alive, uint64_t time)
{
  struct otlp_track *own = own_of (t->data, track);
  const struct life life = { day_time (t, time), is_alive ? 1 : -1 };
  if (own->is_alive == is_alive)
    return;
  own->is_alive = is_alive;
  g_array_append_val (process_of (t->data, track)->lives, life);
}

/* Capabilities are no threads. */
static void
put_activity (struct trace *t, const struct trace_track *track, uint64_t time)
{
  if (track->thread != 0)
    change_threads (t, track, true, time);
}

static void
put_thread_end (struct trace *t, const struct trace_track *track, uint64_t time)
{
  change_threads (t, track, false, time);
}

static int
compare_lives (gconstpointer a, gconstpointer b)
{
  const struct life *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

static void
count_threads (struct otlp_process *p)
{
  int64_t threads = 0;
  g_array_sort (p->lives, compare_lives);
  for (guint i = 0; i < p->lives->len; i++) {
    const struct life *life = &g_array_index (p->lives, struct life, i);
    threads += life->change;
    add_point (p->threads, life->time, (uint64_t) MAX (threads, 0));
  }
}

/* ---- the trace ---- */

static void
begin (struct trace *t)
{
  (void) t;
}

/* Code has a type; frames in brackets are none. */
static enum export_frame_type
type_of (const struct trace *t, guint name, const char *text, bool is_managed)
{
  return text[0] == '['                                                ? EXPORT_FRAME_OTHER
         : g_hash_table_contains (t->natives, GUINT_TO_POINTER (name)) ? EXPORT_FRAME_NATIVE
         : is_managed                                                  ? EXPORT_FRAME_MANAGED
                                                                       : EXPORT_FRAME_OTHER;
}

/* Frames that stacks have, in the order of their first use. */
static void
put_stacks (struct trace *t, bool is_managed)
{
  struct otlp_trace *e = t->data;
  g_autofree uint32_t *frames = g_new0 (uint32_t, t->names->len + 1);
  for (guint i = 1; i <= e->stacks.keys->len; i++) {
    const guint name = trace_stacks_name (&e->stacks, i);
    const char *text = t->names->pdata[name];
    if (frames[name] == 0)
      frames[name] = otlp_profiles_frame (&e->profiles, text, type_of (t, name, text, is_managed));
    otlp_profiles_stack (&e->profiles, trace_stacks_outer (&e->stacks, i), frames[name]);
  }
}

/* The program is called as its log, without the types of files. */
static void
set_resource (struct otlp_resource *r, const struct trace_track *process)
{
  g_autofree char *name = g_path_get_basename (process->name);
  name[1 + strcspn (name + 1, ".")] = 0;
  otlp_resource_set (r, "service.name", name);
  if (process->runtime != NULL)
    otlp_resource_set (r, "process.runtime.name", process->runtime);
  r->pid = process->log_pid;
}

static void
end (struct trace *t)
{
  struct otlp_trace *e = t->data;
  bool is_managed = true; /* all of them */
  for (guint i = 0; i < e->tracks->len; i++)
    put_waiting_sample (e, e->tracks->pdata[i]);
  for (guint i = 0; i < e->processes->len; i++) {
    struct otlp_process *p = e->processes->pdata[i];
    struct otlp_program *program = e->profiles.programs->pdata[i];
    count_threads (p);
    set_resource (&program->resource, p->track);
    is_managed &= g_strcmp0 (p->track->runtime, "mono") == 0;
  }
  put_stacks (t, is_managed);
  link_samples (e);
  e->profiles.start_ns = day_time (t, t->from_ns);
  const uint64_t last = MAX (e->last, day_time (t, t->to_ns));
  e->profiles.duration_ns = last - MIN (e->profiles.start_ns, last) + 1; /* with the last event */
}

void
otlp_trace_init (struct otlp_trace *e)
{
  *e = (struct otlp_trace){ .processes = g_ptr_array_new_with_free_func (free_process),
                            .tracks = g_ptr_array_new_with_free_func (free_track) };
  otlp_profiles_init (&e->profiles);
  trace_stacks_init (&e->stacks);
}

void
otlp_trace_clear (struct otlp_trace *e)
{
  otlp_profiles_clear (&e->profiles);
  trace_stacks_clear (&e->stacks);
  g_ptr_array_unref (e->processes);
  g_ptr_array_unref (e->tracks);
}

/* ---- metrics ---- */

static void
put_metrics_of (const struct otlp_trace *e, guint process, GString *to)
{
  const struct otlp_process *p = e->processes->pdata[process];
  const struct otlp_program *program = e->profiles.programs->pdata[process];
  struct otlp_runtime runtime = { .is_ghc = g_strcmp0 (p->track->runtime, "ghc") == 0,
                                  .start_ns = e->profiles.start_ns,
                                  .heap = p->heap,
                                  .paused = p->paused,
                                  .threads = p->threads };
  for (guint i = 0; i <= OTLP_GENERATIONS; i++)
    runtime.collections[i] = p->collections[i];
  otlp_runtime_put (&program->resource, &runtime, to);
}

void
otlp_trace_put_metrics (const struct otlp_trace *e, GString *to)
{
  for (guint i = 0; i < e->processes->len; i++)
    put_metrics_of (e, i, to);
}

/* ---- files ---- */

static void
begin_file (struct trace *t)
{
  struct otlp_trace *own = g_new0 (struct otlp_trace, 1);
  otlp_trace_init (own);
  t->data = own;
}

static void
end_file (struct trace *t)
{
  otlp_trace_clear (t->data);
  g_free (t->data);
}

static void
end_profiles (struct trace *t)
{
  struct otlp_trace *own = t->data;
  end (t);
  otlp_profiles_put (&own->profiles, t->out->bytes);
  end_file (t);
}

static void
end_metrics (struct trace *t)
{
  end (t);
  otlp_trace_put_metrics (t->data, t->out->bytes);
  end_file (t);
}

/* ---- the formats ---- */

#define FORMAT(begins, ends)                                                                       \
  {                                                                                                \
    .needs_idle = true, .has_natives = true, .no_calls = true, .begin = (begins), .end = (ends),   \
    .track = put_track, .name = trace_copy_name, .slice = put_slice, .slice_end = put_slice_end,   \
    .counter = put_counter, .activity = put_activity, .pause = put_pause, .sample = put_sample,    \
    .sample_time = put_sample_time, .linked_span = put_linked_span, .thread_end = put_thread_end   \
  }

const struct trace_format otlp_trace_format = FORMAT (begin, end);
const struct trace_format otlp_trace_profiles = FORMAT (begin_file, end_profiles);
const struct trace_format otlp_trace_metrics = FORMAT (begin_file, end_metrics);
