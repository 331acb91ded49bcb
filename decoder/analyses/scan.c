/* scan.c -- adds a stretch of a log up, and keeps what it cannot. */
#include "decoder/analyses/scan.h"
#include "config.h"
#include "decoder/analyses/scan-masses.h"
#include "decoder/formats/mlpd-describe.h"
#include <string.h>

#define ARENA_BLOCK ((size_t) 64 * 1024)

/* Frames of a thread that are kept.  A stretch that leaves more open is of no program's making, and
 * is read event by event. */
#define SCAN_FRAMES_MAX 400000

void
scan_init (struct scan *s, const struct scan_options *options)
{
  *s = (struct scan){ .options = *options };
  for (int i = 0; i < SCAN_SORTS; i++)
    scan_symbols_init (&s->symbols[i]);
  s->threads = g_array_new (FALSE, TRUE, sizeof (struct scan_thread));
  s->events = g_array_new (FALSE, FALSE, sizeof (struct scan_event));
  s->heaps = g_array_new (FALSE, FALSE, sizeof (struct scan_heap));
  s->types = g_array_new (FALSE, TRUE, sizeof (struct scan_type));
  traces_init (&s->traces);
  trace_sums_init (&s->trace_sums);
  s->trace_methods = g_array_new (FALSE, FALSE, sizeof (guint));
  s->methods = g_array_new (FALSE, TRUE, sizeof (struct scan_method_sum));
  scan_symbols_init (&s->thread_ids);
  s->arena = g_ptr_array_new_with_free_func (g_free);
  s->large = g_ptr_array_new_with_free_func (g_free);
  if (options->traces)
    recent_traces_init (&s->recent_traces);
  if (scan_has_stacks (s)) {
    scan_symbols_init (&s->stacks.keys);
    s->stacks.calls = g_array_new (FALSE, TRUE, sizeof (guint));
  }
}

static void
forget_threads (struct scan *s)
{
  for (guint i = 0; i < s->threads->len; i++) {
    struct scan_thread *t = &g_array_index (s->threads, struct scan_thread, i);
    g_free (t->frames);
    g_clear_pointer (&t->levels, g_array_unref);
    g_free (t->totals);
    g_clear_pointer (&t->calls, g_array_unref);
    g_free (t->methods);
  }
  g_array_set_size (s->threads, 0);
}

static void
forget_heaps (struct scan *s)
{
  for (guint i = 0; i < s->heaps->len; i++) {
    struct scan_heap *heap = &g_array_index (s->heaps, struct scan_heap, i);
    g_array_unref (heap->types);
    g_free (heap->object_types.items);
    g_free (heap->reference_types.items);
    g_clear_pointer (&heap->packed.bytes, g_byte_array_unref);
  }
  g_array_set_size (s->heaps, 0);
}

void
scan_clear (struct scan *s)
{
  forget_threads (s);
  forget_heaps (s);
  mlpd_decoder_clear (&s->decoder);
  for (int i = 0; i < SCAN_SORTS; i++)
    scan_symbols_clear (&s->symbols[i]);
  g_array_unref (s->methods);
  g_array_unref (s->threads);
  g_array_unref (s->events);
  g_array_unref (s->heaps);
  g_array_unref (s->types);
  traces_clear (&s->traces);
  trace_sums_clear (&s->trace_sums);
  g_array_unref (s->trace_methods);
  recent_traces_clear (&s->recent_traces);
  scan_symbols_clear (&s->thread_ids);
  if (scan_has_stacks (s)) {
    scan_symbols_clear (&s->stacks.keys);
    g_array_unref (s->stacks.calls);
  }
  g_ptr_array_unref (s->arena);
  g_ptr_array_unref (s->large);
}

void
scan_start (struct scan *s, const struct mlpd_file_header *header, uint64_t alloc_sampling)
{
  forget_threads (s);
  forget_heaps (s);
  for (int i = 0; i < SCAN_SORTS; i++)
    scan_symbols_start (&s->symbols[i]);
  scan_symbols_start (&s->thread_ids);
  if (scan_has_stacks (s)) {
    scan_symbols_start (&s->stacks.keys);
    g_array_set_size (s->stacks.calls, 0);
    s->stacks.bases = 0;
  }
  g_ptr_array_set_size (s->large, 0);
  g_array_set_size (s->methods, 0);
  g_array_set_size (s->events, 0);
  g_array_set_size (s->types, 0);
  traces_start (&s->traces);
  trace_sums_start (&s->trace_sums);
  recent_traces_forget (&s->recent_traces);
  s->arena_blocks = 0;
  s->arena_used = ARENA_BLOCK;
  s->kept = 0;
  memset (s->kinds, 0, sizeof s->kinds);
  s->thread = G_MAXUINT;
  s->heap_is_open = s->after_class = s->has_time = false;
  s->latest = 0;
  s->use = BUFFER_TAKE;
  s->moves = s->alloc_samples = s->n_events = s->blocks = s->kept_methods = 0;
  if (header != NULL && memcmp (header, &s->header, sizeof *header) != 0) {
    mlpd_decoder_start_file (&s->decoder, header);
    s->header = *header;
  }
  if (header != NULL)
    s->alloc_sampling = alloc_sampling;
  s->version = s->decoder.bases.version;
}

/* ---- memory of kept events ---- */

static void *
keep_bytes (struct scan *s, const void *bytes, size_t length)
{
  const size_t wanted = (length + 7) & ~(size_t) 7;
  if (length == 0)
    return NULL;
  s->kept += wanted;
  if (wanted > ARENA_BLOCK) {
    void *own = g_memdup2 (bytes, length);
    g_ptr_array_add (s->large, own);
    return own;
  }
  if (s->arena_used + wanted > ARENA_BLOCK) {
    if (s->arena_blocks == s->arena->len)
      g_ptr_array_add (s->arena, g_malloc (ARENA_BLOCK));
    s->arena_blocks++;
    s->arena_used = 0;
  }
  char *kept = (char *) g_ptr_array_index (s->arena, s->arena_blocks - 1) + s->arena_used;
  s->arena_used += wanted;
  return memcpy (kept, bytes, length);
}

static void
keep_string (struct scan *s, struct mlpd_string *string)
{
  if (string->text != NULL)
    string->text = keep_bytes (s, string->text, string->length + 1);
}

static void
keep_counters (struct scan *s, struct mlpd_counters *counters)
{
  struct mlpd_counter *items
      = keep_bytes (s, counters->items, counters->count * sizeof *counters->items);
  for (size_t i = 0; i < counters->count; i++) {
    keep_string (s, &items[i].section_name);
    keep_string (s, &items[i].name);
  }
  counters->items = items;
}

static void
keep_counter_values (struct scan *s, struct mlpd_counter_values *values)
{
  struct mlpd_counter_value *items
      = keep_bytes (s, values->items, values->count * sizeof *values->items);
  for (size_t i = 0; i < values->count; i++)
    keep_string (s, &items[i].text);
  values->items = items;
}

static void
keep_references (struct scan *s, struct mlpd_references *r)
{
  r->items = keep_bytes (s, r->items, r->count * sizeof *r->items);
  if (r->offsets != NULL)
    r->offsets = keep_bytes (s, r->offsets, r->count * sizeof *r->offsets);
}

/* What a payload points to becomes the scan's. */
static void
keep_pointed (struct scan *s, enum mlpd_kind kind, union mlpd_payload *payload)
{
  const struct mlpd_description *description = mlpd_describe (kind);
  for (size_t i = 0; i < description->n_fields; i++) {
    void *value = (char *) payload + description->fields[i].offset;
    switch (description->fields[i].wire) {
    case MLPD_WIRE_STRZ:
    case MLPD_WIRE_HELPER_NAME:
      keep_string (s, value);
      break;
    case MLPD_WIRE_BACKTRACE:
    case MLPD_WIRE_PTRS:
    case MLPD_WIRE_OBJS: {
      struct mlpd_list *list = value;
      list->items = keep_bytes (s, list->items, list->count * sizeof *list->items);
      break;
    }
    case MLPD_WIRE_REFS:
      keep_references (s, value);
      break;
    case MLPD_WIRE_ROOTS: {
      struct mlpd_roots *roots = value;
      roots->items = keep_bytes (s, roots->items, roots->count * sizeof *roots->items);
      break;
    }
    case MLPD_WIRE_FRAMES: {
      struct mlpd_frames *frames = value;
      frames->items = keep_bytes (s, frames->items, frames->count * sizeof *frames->items);
      break;
    }
    case MLPD_WIRE_COUNTERS:
      keep_counters (s, value);
      break;
    case MLPD_WIRE_COUNTER_VALUES:
      keep_counter_values (s, value);
      break;
    default:
      break;
    }
  }
}

static struct scan_event *
keep_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t offset)
{
  const struct scan_event event = { .kind = kind,
                                    .thread = s->thread,
                                    .follows_class = s->after_class,
                                    .offset = offset,
                                    .time = s->decoder.bases.time,
                                    .payload = *payload };
  g_array_append_val (s->events, event);
  s->kept += sizeof event;
  struct scan_event *kept = &g_array_index (s->events, struct scan_event, s->events->len - 1);
  keep_pointed (s, kind, &kept->payload);
  return kept;
}

/* ---- threads ---- */

static guint
find_thread (struct scan *s, uint64_t id, uint64_t offset)
{
  guint found = scan_symbols_use (&s->thread_ids, id, 0);
  if (found < s->threads->len && g_array_index (s->threads, struct scan_thread, found).ended) {
    scan_symbols_announce (&s->thread_ids, id, 0);
    found = scan_symbols_use (&s->thread_ids, id, 0);
  }
  if (found == s->threads->len) {
    const struct scan_thread t = {
      .id = id, .rare = s->events->len, .offset = offset, .keeps_calls = s->options.replay_calls
    };
    g_array_append_val (s->threads, t);
  }
  return found;
}

enum buffer_use
scan_use (const struct scan_options *options, const struct mlpd_buffer_header *header,
          uint64_t offset)
{
  if (options->sought != NULL && header->time_base > options->sought->until)
    return BUFFER_PASS;
  return options->choice == NULL
             ? BUFFER_TAKE
             : buffer_choice_use (options->choice, header->thread, header->time_base, offset);
}

void
scan_pass (struct scan *s, const struct mlpd_buffer_header *header)
{
  if (!s->has_time)
    s->first_base = header->time_base;
  s->has_time = true;
}

void
scan_buffer (struct scan *s, const struct mlpd_buffer_header *header, uint64_t offset)
{
  const guint thread = find_thread (s, header->thread, offset);
  s->use = scan_use (&s->options, header, offset);
  if (thread != s->thread) {
    s->thread = thread;
    s->heap_is_open = false;
  }
  s->after_class = false;
  s->said_again = header->obj_base == MLPD_AGAIN_BASE;
  scan_pass (s, header);
  s->blocks += s->block_counts = s->options.choice == NULL;
  mlpd_decoder_start_buffer (&s->decoder, header);

  /* A leave takes what its frame's method has for granted. */
  struct scan_thread *t = scan_thread_now (s);
  if (t->n_methods == 0 && t->n_frames > 1)
    scan_make_methods (s, t, s->symbols[SCAN_METHOD].all->len);
}

/* ---- events ---- */

/* A method was announced.  If frames of it are open, only the merge knows whether it has another
 * name now, which a leave does not concern those frames of, or the same, of which a call inside of
 * them is recursion: from here on their threads' calls are kept. */
static void
announce_method (struct scan *s, uint64_t address)
{
  if (!scan_symbols_announce (&s->symbols[SCAN_METHOD], address, s->events->len))
    return;
  recent_traces_forget (&s->recent_traces);
  for (guint i = 0; i < s->threads->len; i++) {
    struct scan_thread *t = &g_array_index (s->threads, struct scan_thread, i);
    for (guint frame = 1; frame < t->n_frames && !t->keeps_calls; frame++)
      t->keeps_calls = t->frames[frame].address == address;
  }
}

static void
note_announcement (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METADATA_CLASS:
    scan_symbols_announce (&s->symbols[SCAN_CLASS], p->metadata_class.klass, s->events->len);
    break;
  case MLPD_METADATA_VTABLE:
    scan_symbols_announce (&s->symbols[SCAN_VTABLE], p->metadata_vtable.vtable, s->events->len);
    break;
  case MLPD_METHOD_JIT:
    announce_method (s, p->method_jit.method);
    break;
  case MLPD_METADATA_THREAD:
    /* Ids are reused: the next buffer of this one is another thread's. */
    if (p->metadata_thread.action == MLPD_LOAD_END_UNLOAD
        && scan_thread_now (s)->id == p->metadata_thread.thread)
      scan_thread_now (s)->ended = true;
    break;
  default:
    break;
  }
}

/* An event that is not added up but kept. */
static void
take_rare (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t offset)
{
  struct scan_event *kept = keep_event (s, kind, payload, offset);
  kept->name_only = s->said_again && buffer_choice_is_name (kind);
  if (kind == MLPD_HEAP_START || kind == MLPD_HEAP_END
      || (kind == MLPD_GC_EVENT && payload->gc_event.event == MLPD_GC_EVENT_PRE_STOP_WORLD))
    s->heap_is_open = false;
  note_announcement (s, kind, payload);
}

static void
take_alloc (struct scan *s, const struct mlpd_alloc *e)
{
  struct type_sum weight;
  const guint type = scan_alloc (s, e, &weight);
  if (s->options.traces)
    scan_keep_trace (s, type, e->backtrace, weight);
}

/* Calls do not matter where objects are looked for. */
static void
take_call (struct scan *s, bool enter, uint64_t method, uint64_t time)
{
  if (s->options.sought != NULL)
    return;
  if (enter)
    scan_enter (s, method, time);
  else
    scan_leave (s, method, time);
}

/* What is added up; false for a kind that is not. */
static bool
take_mass (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METHOD_ENTER:
    take_call (s, true, p->method_enter.method, p->method_enter.time);
    return true;
  case MLPD_METHOD_LEAVE:
    take_call (s, false, p->method_leave.method, p->method_leave.time);
    return true;
  case MLPD_METHOD_EXC_LEAVE:
    take_call (s, false, p->method_exc_leave.method, p->method_exc_leave.time);
    return true;
  case MLPD_ALLOC:
    take_alloc (s, &p->alloc);
    return true;
  case MLPD_GC_MOVE:
    scan_moves (s, &p->gc_move);
    return true;
  case MLPD_HEAP_OBJECT:
    scan_heap_object (s, &p->heap_object);
    return true;
  default:
    return false;
  }
}

/* Is an event that was added up to be kept, too? */
static bool
is_asked_for (const struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  return s->options.replay[kind]
         && (s->options.objects == NULL
             || object_filter_takes (s->options.objects, s->version, kind, payload))
         && (s->options.sought == NULL || sought_objects_take (s->options.sought, kind, payload));
}

/* An event of any kind. */
void
scan_take_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload,
                 uint64_t offset, uint64_t size)
{
  scan_count (s, kind, size);
  if (!take_mass (s, kind, payload) || is_asked_for (s, kind, payload))
    take_rare (s, kind, payload, offset);
  s->after_class
      = kind == MLPD_METADATA_CLASS && payload->metadata_class.action == MLPD_LOAD_END_LOAD;
}

static void
touch (struct scan *s, uint64_t time)
{
  struct scan_thread *t = scan_thread_now (s);
  if (t->events++ == 0)
    t->start = t->end = time;
  t->start = MIN (t->start, time);
  t->end = MAX (t->end, time);
}

/* An event that does not count. */
static void
take_name (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t offset)
{
  s->after_class = false;
  /* Whoever writes values of counters writes differences to what others wrote.  Heap shots are
   * numbered. */
  const bool comes_before
      = kind == MLPD_HEAP_START
        || (kind == MLPD_SAMPLE_COUNTERS && s->decoder.bases.time < s->options.choice->to);
  if (!buffer_choice_is_name (kind) && !comes_before)
    return;
  keep_event (s, kind, payload, offset)->name_only = true;
  note_announcement (s, kind, payload);
}

void
scan_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t offset,
            uint64_t size)
{
  uint64_t time = s->decoder.bases.time;
  mlpd_event_time (kind, payload, &time);
  /* Up to data version 12 hits have a clock of their own: they count where they stand. */
  if (kind != MLPD_SAMPLE_HIT || s->version >= MLPD_VERSION_NO_FLAGS)
    s->decoder.bases.time = time;
  const uint64_t thread = scan_thread_now (s)->id, place_in_time = s->decoder.bases.time;
  s->latest = MAX (s->latest, place_in_time);
  if (s->use != BUFFER_TAKE
      && !buffer_choice_has_event (s->options.choice, thread, place_in_time, offset, s->version,
                                   kind, payload)) {
    take_name (s, kind, payload, offset);
    return;
  }
  scan_count_block (s);
  /* The merge finds the threads that were sampled. */
  if (kind != MLPD_SAMPLE_HIT || s->version < MLPD_VERSION_SAMPLED_THREADS)
    touch (s, time);
  s->n_events++;
  scan_take_event (s, kind, payload, offset, size);
}

#ifdef SCAN_BMI2
/* Processors that have the instructions, but for those in which they are slower than without. */
static bool
find_bmi2 (void)
{
  __builtin_cpu_init ();
  return __builtin_cpu_supports ("bmi") && __builtin_cpu_supports ("bmi2")
         && __builtin_cpu_supports ("popcnt") && __builtin_cpu_supports ("avx2")
         && !__builtin_cpu_is ("znver1") && !__builtin_cpu_is ("znver2")
         && !__builtin_cpu_is ("bdver4");
}
#else
static bool
find_bmi2 (void)
{
  return false;
}

bool
scan_block_bmi2 (struct scan *s, const uint8_t *bytes, size_t length, uint64_t offset)
{
  return scan_block_plain (s, bytes, length, offset);
}
#endif

bool
scan_has_bmi2 (void)
{
  static gsize found = 0; /* 1: no, 2: yes */
  if (g_once_init_enter (&found))
    g_once_init_leave (&found, find_bmi2 () ? 2 : 1);
  return found == 2;
}

bool
scan_block (struct scan *s, const struct mlpd_buffer_header *header, const uint8_t *bytes,
            size_t length, uint64_t offset)
{
  const uint64_t header_offset = offset - MLPD_BUFFER_HEADER_SIZE;
  if (scan_use (&s->options, header, header_offset) == BUFFER_PASS) {
    scan_pass (s, header);
    return true;
  }
  scan_buffer (s, header, header_offset);
  const bool good = scan_has_bmi2 () ? scan_block_bmi2 (s, bytes, length, offset)
                                     : scan_block_plain (s, bytes, length, offset);
  return good && scan_thread_now (s)->n_frames <= SCAN_FRAMES_MAX;
}

void
scan_finish (struct scan *s)
{
  for (guint i = 0; i < s->threads->len; i++)
    scan_retire_thread (s, &g_array_index (s->threads, struct scan_thread, i));
}
