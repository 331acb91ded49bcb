/* scan.c -- adds a stretch of a log up, and keeps what it cannot. */
#include "decoder/analyses/scan.h"
#include "config.h"
#include "decoder/analyses/scan-masses.h"
#include "decoder/formats/mlpd-wires.h"
#include <string.h>

#define ARENA_BLOCK ((size_t) 64 * 1024)

void
scan_init (struct scan *s, const struct scan_options *options)
{
  *s = (struct scan){ .options = *options };
  for (int i = 0; i < SCAN_SORTS; i++)
    scan_symbols_init (&s->symbols[i]);
  s->methods = g_array_new (FALSE, TRUE, sizeof (struct scan_method));
  s->threads = g_array_new (FALSE, TRUE, sizeof (struct scan_thread));
  s->events = g_array_new (FALSE, FALSE, sizeof (struct scan_event));
  s->heaps = g_array_new (FALSE, FALSE, sizeof (struct scan_heap));
  s->types = g_array_new (FALSE, TRUE, sizeof (struct scan_type));
  traces_init (&s->traces);
  trace_sums_init (&s->trace_sums);
  s->trace_methods = g_array_new (FALSE, FALSE, sizeof (guint));
  scan_symbols_init (&s->thread_ids);
  s->arena = g_ptr_array_new_with_free_func (g_free);
  s->large = g_ptr_array_new_with_free_func (g_free);
  recent_scan_init (&s->recent);
}

static void
forget_threads (struct scan *s)
{
  for (guint i = 0; i < s->threads->len; i++) {
    struct scan_thread *t = &g_array_index (s->threads, struct scan_thread, i);
    g_free (t->frames);
    g_clear_pointer (&t->levels, g_array_unref);
    g_clear_pointer (&t->totals, g_array_unref);
    g_clear_pointer (&t->calls, g_array_unref);
  }
  g_array_set_size (s->threads, 0);
}

static void
forget_heaps (struct scan *s)
{
  for (guint i = 0; i < s->heaps->len; i++) {
    struct scan_heap *heap = &g_array_index (s->heaps, struct scan_heap, i);
    g_array_unref (heap->types);
    g_clear_pointer (&heap->object_types, g_array_unref);
    g_clear_pointer (&heap->reference_types, g_array_unref);
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
  scan_symbols_clear (&s->thread_ids);
  g_ptr_array_unref (s->arena);
  g_ptr_array_unref (s->large);
  recent_scan_clear (&s->recent);
}

void
scan_start (struct scan *s, const struct mlpd_file_header *header)
{
  forget_threads (s);
  forget_heaps (s);
  for (int i = 0; i < SCAN_SORTS; i++)
    scan_symbols_start (&s->symbols[i]);
  scan_symbols_start (&s->thread_ids);
  recent_scan_start (&s->recent);
  g_ptr_array_set_size (s->large, 0);
  g_array_set_size (s->methods, 0);
  g_array_set_size (s->events, 0);
  g_array_set_size (s->types, 0);
  traces_start (&s->traces);
  trace_sums_start (&s->trace_sums);
  if (s->arena->len > 1)
    g_ptr_array_set_size (s->arena, 1);
  s->arena_used = s->arena->len != 0 ? 0 : ARENA_BLOCK;
  memset (s->kinds, 0, sizeof s->kinds);
  s->thread = G_MAXUINT;
  s->heap_is_open = s->after_class = s->has_time = false;
  s->moves = s->n_events = s->blocks = 0;
  if (header != NULL)
    mlpd_decoder_start_file (&s->decoder, header);
  s->version = s->decoder.bases.version;
}

/* ---- memory of kept events ---- */

static void *
keep_bytes (struct scan *s, const void *bytes, size_t length)
{
  const size_t wanted = (length + 7) & ~(size_t) 7;
  if (length == 0)
    return NULL;
  if (wanted > ARENA_BLOCK) {
    void *own = g_memdup2 (bytes, length);
    g_ptr_array_add (s->large, own);
    return own;
  }
  if (s->arena_used + wanted > ARENA_BLOCK) {
    g_ptr_array_add (s->arena, g_malloc (ARENA_BLOCK));
    s->arena_used = 0;
  }
  char *kept = (char *) g_ptr_array_index (s->arena, s->arena->len - 1) + s->arena_used;
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
  struct scan_event *kept = &g_array_index (s->events, struct scan_event, s->events->len - 1);
  keep_pointed (s, kind, &kept->payload);
  return kept;
}

/* ---- threads ---- */

/* The present thread's open frames count for the methods; switching counts others'. */
static void
count_frames (struct scan *s, const struct scan_thread *t, uint64_t change)
{
  for (guint i = 1; i < t->n_frames; i++)
    g_array_index (s->methods, struct scan_method, t->frames[i].method).counts += change;
}

static guint
find_thread (struct scan *s, uint64_t id)
{
  guint found = scan_symbols_use (&s->thread_ids, id, 0);
  if (found < s->threads->len && g_array_index (s->threads, struct scan_thread, found).ended) {
    scan_symbols_announce (&s->thread_ids, id, 0);
    found = scan_symbols_use (&s->thread_ids, id, 0);
  }
  if (found == s->threads->len) {
    const struct scan_thread t
        = { .id = id, .rare = s->events->len, .keeps_calls = s->options.replay_calls };
    g_array_append_val (s->threads, t);
  }
  return found;
}

void
scan_buffer (struct scan *s, const struct mlpd_buffer_header *header)
{
  const guint thread = find_thread (s, header->thread);
  if (thread != s->thread) {
    if (s->thread != G_MAXUINT)
      count_frames (s, &g_array_index (s->threads, struct scan_thread, s->thread), (uint64_t) -1);
    count_frames (s, &g_array_index (s->threads, struct scan_thread, thread), 1);
    s->thread = thread;
    s->heap_is_open = false;
  }
  s->after_class = false;
  if (!s->has_time)
    s->first_base = header->time_base;
  s->has_time = true;
  s->blocks++;
  mlpd_decoder_start_buffer (&s->decoder, header);
}

/* ---- events ---- */

static bool
is_name (enum mlpd_kind kind)
{
  const uint8_t type = mlpd_describe (kind)->type;
  return type == MLPD_TYPE_METADATA || kind == MLPD_METHOD_JIT || kind == MLPD_SAMPLE_SYMBOL
         || kind == MLPD_SAMPLE_COUNTERS_DESC || kind == MLPD_HEAP_ROOT_REGISTER
         || kind == MLPD_HEAP_ROOT_UNREGISTER;
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
    scan_symbols_announce (&s->symbols[SCAN_METHOD], p->method_jit.method, s->events->len);
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
  if (kind == MLPD_EXCEPTION_THROW)
    kept->type = recent_scan_find (&s->recent, payload->exception_throw.object);
  else if (kind == MLPD_MONITOR)
    kept->type = recent_scan_find (&s->recent, payload->monitor.object);
  else if (kind == MLPD_HEAP_START || kind == MLPD_HEAP_END)
    s->heap_is_open = false;
  note_announcement (s, kind, payload);
}

/* What is added up; false for a kind that is not. */
static bool
take_mass (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *p)
{
  switch (kind) {
  case MLPD_METHOD_ENTER:
    scan_enter (s, p->method_enter.method, p->method_enter.time);
    return true;
  case MLPD_METHOD_LEAVE:
    scan_leave (s, p->method_leave.method, p->method_leave.time);
    return true;
  case MLPD_METHOD_EXC_LEAVE:
    scan_leave (s, p->method_exc_leave.method, p->method_exc_leave.time);
    return true;
  case MLPD_ALLOC:
    scan_alloc (s, &p->alloc);
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

/* An event of any kind. */
static void
take_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t offset,
            uint64_t size)
{
  scan_count (s, kind, size);
  if (!take_mass (s, kind, payload) || s->options.replay[kind])
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

void
scan_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t offset,
            uint64_t size)
{
  uint64_t time = s->decoder.bases.time;
  mlpd_event_time (kind, payload, &time);
  s->decoder.bases.time = time;
  if (s->options.has_times && (time < s->options.from || time > s->options.to) && !is_name (kind))
    return;
  touch (s, time);
  s->n_events++;
  take_event (s, kind, payload, offset, size);
}

/* ---- whole buffers ---- */

/* So many bytes hold the event byte and the numbers of the events that are read by roomy cursors.
 */
#define ROOMY ((size_t) 1 + 4 * CURSOR_ROOM)

enum {
  BYTE_ENTER = MLPD_TYPE_METHOD | 0x20,
  BYTE_LEAVE = MLPD_TYPE_METHOD | 0x10,
  BYTE_HEAP_OBJECT = MLPD_TYPE_HEAP | 0x20,
};

/* Every event by itself. */
static bool
scan_block_slowly (struct scan *s, struct cursor *c, uint64_t offset)
{
  const uint8_t *const bytes = c->at;
  while (c->at < c->end) {
    const uint8_t *const start = c->at;
    enum mlpd_kind kind;
    if (mlpd_decode_event (&s->decoder, c, &kind) != MLPD_DECODED)
      return false;
    scan_event (s, kind, &s->decoder.payload, offset + (uint64_t) (start - bytes),
                (uint64_t) (c->at - start));
  }
  return true;
}

#define TAKE(kind, name, lists, take)                                                              \
  {                                                                                                \
    struct cursor checked = { .at = start + 1, .end = c.end };                                     \
    struct mlpd_##name e;                                                                          \
    mlpd_get_##name (&b, lists, &checked, byte, &e);                                               \
    if (G_UNLIKELY (checked.error != CURSOR_OK))                                                   \
      return false;                                                                                \
    take;                                                                                          \
    c.at = checked.at;                                                                             \
    scan_count (s, kind, (uint64_t) (c.at - start));                                               \
  }

/* A call that takes more than a frame and its method. */
struct slow_call {
  uint8_t byte; /* 0: none */
  uint64_t method;
  uint64_t time;
};

/* Calls in one go, for which there is room on the stack. */
#define CALLS_MAX 512
#define CALL_BYTES_MIN 3

/* Calls come by the thousand with nothing between them: this reads as many as there are and stops
 * before anything else, behind a call that takes longer, or at a number of many bytes.  All it
 * works on is in variables: no function is called here. */
static inline __attribute__ ((always_inline)) const uint8_t *
scan_calls (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
            uint64_t address_mask, uint64_t *n_events, struct slow_call *slow)
{
  uint64_t events = 0;
  struct mlpd_bases b = *bases;
  struct scan_thread *const t = scan_thread_now (s);
  struct scan_method *const methods = (struct scan_method *) (void *) s->methods->data;
  const struct scan_symbols symbols = s->symbols[SCAN_METHOD];
  struct scan_frame *top = &t->frames[t->n_frames - 1];
  const struct scan_frame *const first = t->frames;
  const struct scan_place place = scan_place_now (s, t);
  b.address_mask = address_mask;
  slow->byte = 0;
  while (at < end) {
    struct cursor c = { .at = at + 1, .end = end, .roomy = true };
    const uint8_t byte = *at;
    const uint64_t time = b.time, method = b.method;
    if (byte == BYTE_ENTER) {
      struct mlpd_method_enter e;
      mlpd_get_method_enter (&b, NULL, &c, byte, &e);
      const size_t size = (size_t) (c.at - at);
      if (G_UNLIKELY (size >= SCAN_SIZES))
        goto undo;
      s->kinds[MLPD_METHOD_ENTER].of_size[size]++;
      const struct scan_slot *slot = scan_symbols_near (&symbols, e.method);
      if (G_UNLIKELY (slot->address != e.method)) {
        *slow = (struct slow_call){ byte, e.method, e.time };
        at = c.at;
        events++;
        break;
      }
      methods[slot->number].counts += SCAN_CALL;
      *++top = (struct scan_frame){ .address = e.method, .start = e.time, .method = slot->number };
    } else if (byte == BYTE_LEAVE) {
      struct mlpd_method_leave e;
      mlpd_get_method_leave (&b, NULL, &c, byte, &e);
      const size_t size = (size_t) (c.at - at);
      if (G_UNLIKELY (size >= SCAN_SIZES))
        goto undo;
      s->kinds[MLPD_METHOD_LEAVE].of_size[size]++;
      struct scan_method *const m = &methods[top->method];
      if (G_UNLIKELY (top == first || top->address != e.method
                      || (SCAN_ACTIVE (m) == 1
                          && (m->place.level != place.level || m->place.thread != place.thread)))) {
        *slow = (struct slow_call){ byte, e.method, e.time };
        at = c.at;
        events++;
        break;
      }
      const uint64_t ns = span_ns (top->start, e.time);
      m->self_ns += ns - MIN (ns, top->callees_ns);
      m->total_ns += SCAN_ACTIVE (m) == 1 ? ns : 0;
      m->counts--;
      top--;
      top->callees_ns += ns;
    } else {
      break;
    }
    at = c.at;
    events++;
    continue;
  undo:
    b.time = time;
    b.method = method;
    break;
  }
  *n_events += events;
  t->n_frames = (guint) (top - first) + 1;
  bases->time = b.time;
  bases->method = b.method;
  return at;
}

static __attribute__ ((noinline)) const uint8_t *
scan_calls_64 (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
               uint64_t *n_events, struct slow_call *slow)
{
  return scan_calls (s, at, end, bases, UINT64_MAX, n_events, slow);
}

static __attribute__ ((noinline)) const uint8_t *
scan_calls_32 (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
               uint64_t *n_events, struct slow_call *slow)
{
  return scan_calls (s, at, end, bases, UINT32_MAX, n_events, slow);
}

/* All calls up to anything else, or to a number of many bytes. */
static const uint8_t *
scan_all_calls (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
                uint64_t *n_events)
{
  for (;;) {
    struct scan_thread *t = scan_thread_now (s);
    if (t->keeps_calls || t->n_frames == 0 || s->methods->len == 0)
      return at;
    while (t->room - t->n_frames < CALLS_MAX)
      scan_make_room (t);
    const uint8_t *const stop
        = end - at > CALLS_MAX * CALL_BYTES_MIN ? at + CALLS_MAX * CALL_BYTES_MIN : end;
    struct slow_call slow;
    const uint8_t *const before = at;
    at = (bases->address_mask == UINT64_MAX ? scan_calls_64 : scan_calls_32) (s, at, stop, bases,
                                                                              n_events, &slow);
    if (slow.byte == BYTE_ENTER)
      scan_enter (s, slow.method, slow.time);
    else if (slow.byte == BYTE_LEAVE)
      scan_leave (s, slow.method, slow.time);
    else if (at < stop || at == before || at >= end)
      return at;
  }
}

/* The same for allocations without backtraces, of types that were met before. */
static inline __attribute__ ((always_inline)) const uint8_t *
scan_allocs (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
             uint64_t *n_events)
{
  struct mlpd_bases b = *bases;
  struct scan_type *const types = (struct scan_type *) (void *) s->types->data;
  const bool has_vtables = b.version >= MLPD_VERSION_ROOT_ADDRESSES;
  const struct scan_symbols symbols = s->symbols[has_vtables ? SCAN_VTABLE : SCAN_CLASS];
  const guint n_types = s->types->len;
  struct recent_scan recent = s->recent;
  uint64_t events = 0;
  while (at < end && *at == MLPD_TYPE_ALLOC) {
    struct cursor c = { .at = at + 1, .end = end, .roomy = true };
    const uint64_t time = b.time;
    struct mlpd_alloc e;
    mlpd_get_alloc (&b, NULL, &c, MLPD_TYPE_ALLOC, &e);
    const uint64_t type = has_vtables ? e.vtable : e.klass;
    const struct scan_slot *slot = scan_symbols_near (&symbols, type);
    if (G_UNLIKELY (c.at - at >= SCAN_SIZES || slot->address != type || slot->number >= n_types)) {
      b.time = time;
      break;
    }
    types[slot->number].objects++;
    types[slot->number].bytes += e.size;
    recent_scan_alloc (&recent, e.object, slot->number);
    s->kinds[MLPD_ALLOC].of_size[c.at - at]++;
    events++;
    at = c.at;
  }
  *n_events += events;
  bases->time = b.time;
  return at;
}

/* ... and for objects of heap shots, of which the references are not looked at. */
static inline __attribute__ ((always_inline)) const uint8_t *
scan_heap_objects (struct scan *s, const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases,
                   uint64_t *n_events)
{
  struct mlpd_bases b = *bases;
  struct scan_heap *const heap = &g_array_index (s->heaps, struct scan_heap, s->heaps->len - 1);
  struct scan_type *const types = (struct scan_type *) (void *) heap->types->data;
  const bool has_vtables = b.version >= MLPD_VERSION_ROOT_ADDRESSES;
  const struct scan_symbols symbols = s->symbols[has_vtables ? SCAN_VTABLE : SCAN_CLASS];
  const guint n_types = heap->types->len;
  uint64_t events = 0, objects = 0, bytes = 0, references = 0;
  while (at < end && *at == BYTE_HEAP_OBJECT) {
    /* The list may go beyond what is roomy. */
    struct cursor c = { .at = at + 1, .end = end + ROOMY };
    const uint64_t time = b.time;
    struct mlpd_heap_object e;
    mlpd_get_heap_object (&b, NULL, &c, BYTE_HEAP_OBJECT, &e);
    const uint64_t type = has_vtables ? e.vtable : e.klass;
    const struct scan_slot *slot = scan_symbols_near (&symbols, type);
    if (G_UNLIKELY (c.error != CURSOR_OK || b.time < time || slot->address != type
                    || slot->number >= n_types)) {
      b.time = time;
      break;
    }
    types[slot->number].objects += e.size != 0;
    types[slot->number].bytes += e.size;
    objects += e.size != 0;
    bytes += e.size;
    references += e.references.count;
    scan_count (s, MLPD_HEAP_OBJECT, (uint64_t) (c.at - at));
    events++;
    at = c.at;
  }
  heap->rare = s->events->len;
  heap->records += events;
  heap->objects += objects;
  heap->bytes += bytes;
  heap->references += references;
  *n_events += events;
  bases->time = b.time;
  return at;
}

/* The events that come in masses are decoded and added up in one go, with the bases in registers.
 */
static inline __attribute__ ((always_inline)) bool
scan_block_fast (struct scan *s, const uint8_t *bytes, size_t length, uint64_t offset,
                 unsigned version)
{
  struct mlpd_bases b = s->decoder.bases;
  struct cursor c = cursor_over (bytes, length);
  struct scan_thread *t = scan_thread_now (s);
  const uint8_t *class_end = NULL;
  uint64_t events = 0, first = UINT64_MAX, last = 0, latest = 0;
  b.version = version;
  const uint8_t *const roomy_end = length > ROOMY ? c.end - ROOMY : bytes;
  struct mlpd_lists *const unless_traces = s->options.traces ? &s->decoder.lists : NULL;
  const bool plain = !s->options.traces && !s->options.replay[MLPD_ALLOC]
                     && !s->options.replay[MLPD_HEAP_OBJECT];
  const bool masses = !s->options.replay[MLPD_ALLOC] && !s->options.replay[MLPD_HEAP_OBJECT]
                      && !s->options.replay[MLPD_GC_MOVE];
  while (c.at < c.end) {
    const uint8_t *start = c.at;
    if ((*start == BYTE_ENTER || *start == BYTE_LEAVE) && start < roomy_end && events != 0) {
      c.at = scan_all_calls (s, start, roomy_end, &b, &events);
      last = b.time;
    } else if (plain && start < roomy_end && events != 0) {
      if (*start == MLPD_TYPE_ALLOC)
        c.at = scan_allocs (s, start, roomy_end, &b, &events);
      else if (*start == BYTE_HEAP_OBJECT && s->heap_is_open)
        c.at = scan_heap_objects (s, start, roomy_end, &b, &events);
      last = b.time;
    }
    if (c.at == c.end)
      break;
    start = c.at;
    const uint8_t byte = *start;
    if ((byte & 0xef) == MLPD_TYPE_ALLOC && masses)
      TAKE (MLPD_ALLOC, alloc, unless_traces, scan_alloc (s, &e))
    else if (byte == BYTE_HEAP_OBJECT && masses)
      TAKE (MLPD_HEAP_OBJECT, heap_object, unless_traces, scan_heap_object (s, &e))
    else if (byte == (MLPD_TYPE_GC | 0x30) && masses)
      TAKE (MLPD_GC_MOVE, gc_move, &s->decoder.lists, scan_moves (s, &e))
    else {
      enum mlpd_kind kind;
      s->decoder.bases.time = b.time;
      s->decoder.bases.method = b.method;
      if (mlpd_decode_event (&s->decoder, &c, &kind) != MLPD_DECODED)
        return false;
      b.time = s->decoder.bases.time;
      b.method = s->decoder.bases.method;
      s->after_class = start == class_end;
      take_event (s, kind, &s->decoder.payload, offset + (uint64_t) (start - bytes),
                  (uint64_t) (c.at - start));
      if (s->after_class)
        class_end = c.at;
    }
    events++;
    if (G_UNLIKELY (b.time < last)) {
      latest = MAX (latest, last);
      first = MIN (first, b.time);
    }
    if (events == 1)
      first = MIN (first, b.time);
    last = b.time;
  }
  if (events == 0)
    return true;
  t = scan_thread_now (s);
  t->start = t->events == 0 ? first : MIN (t->start, first);
  t->end = MAX (t->end, MAX (latest, last));
  t->events += events;
  s->n_events += events;
  return true;
}

bool
scan_block (struct scan *s, const struct mlpd_buffer_header *header, const uint8_t *bytes,
            size_t length, uint64_t offset)
{
  scan_buffer (s, header);
  if (s->options.has_times) {
    struct cursor c = cursor_over (bytes, length);
    return scan_block_slowly (s, &c, offset);
  }
  switch (s->version) {
  case 1:
    return scan_block_fast (s, bytes, length, offset, 1);
  case MLPD_VERSION_LAST:
    return scan_block_fast (s, bytes, length, offset, MLPD_VERSION_LAST);
  default:
    return scan_block_fast (s, bytes, length, offset, s->version);
  }
}

void
scan_finish (struct scan *s)
{
  for (guint i = 0; i < s->methods->len; i++)
    scan_settle (s, i);
}
