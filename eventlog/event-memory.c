/* event-memory.c -- stores the latest announcement of each thing in a hash table. */
#include "config.h"

#include "eventlog/event-memory.h"
#include <proflog/ghc-encode.h>
#include <stdlib.h>
#include <string.h>

enum {
  THREAD_BYTES = 4,     /* of a thread's number, which its events begin with */
  STOP_STATUS_AT = 4,   /* in STOP_THREAD */
  MIGRATE_CAP_AT = 4,   /* in MIGRATE_THREAD */
  TASK_CAP_AT = 8,      /* in TASK_CREATE */
  TASK_NEW_CAP_AT = 10, /* in TASK_MIGRATE */
  CLOCK_SECONDS_AT = 4, /* in WALL_CLOCK_TIME */
  CLOCK_NS_AT = 12,
  CLOCK_BYTES = 16,
  FIRST_BUCKETS = 1 << 8,
};

struct remembered {
  struct remembered *next_in_bucket;
  struct remembered *before, *after; /* in the order in which they came */
  uint64_t key;
  enum ghc_kind kind;
  unsigned cap;
  uint64_t time;
  size_t length;
  uint8_t payload[];
};

struct event_memory {
  struct remembered **buckets;
  size_t n_buckets; /* a power of 2 */
  struct remembered *first, *last;
  uint64_t count, bytes, forgotten;
};

/* By kind: the number of bytes that identify its subject. */
static const struct key_size {
  bool is_remembered;
  int bytes;
} key_sizes[GHC_KINDS] = {
#define REMEMBER(KIND, bytes) [GHC_##KIND] = { true, bytes },
#include "eventlog/event-memory.def"
};

static const struct end {
  enum ghc_kind kind, other;
  size_t bytes;
} ends[] = {
#define FORGET(KIND, OTHER, bytes) { GHC_##KIND, GHC_##OTHER, bytes },
#include "eventlog/event-memory.def"
};

enum { ENDS = sizeof ends / sizeof *ends };

static uint64_t
number (const uint8_t *bytes, size_t count)
{
  uint64_t value = 0;
  for (size_t i = 0; i < count; i++)
    value = value << 8 | bytes[i];
  return value;
}

struct event_memory *
event_memory_new (void)
{
  struct event_memory *m = calloc (1, sizeof *m);
  if (m == NULL)
    return NULL;
  m->n_buckets = FIRST_BUCKETS;
  m->buckets = calloc (m->n_buckets, sizeof *m->buckets);
  if (m->buckets != NULL)
    return m;
  free (m);
  return NULL;
}

void
event_memory_free (struct event_memory *m)
{
  if (m == NULL)
    return;
  for (struct remembered *r = m->first; r != NULL;) {
    struct remembered *after = r->after;
    free (r);
    r = after;
  }
  free (m->buckets);
  free (m);
}

/* ---- the table ---- */

static struct remembered **
bucket_of (const struct event_memory *m, enum ghc_kind kind, uint64_t key)
{
  uint64_t hash = (key + kind) * UINT64_C (0x9e3779b97f4a7c15);
  hash ^= hash >> 32;
  return &m->buckets[hash & (m->n_buckets - 1)];
}

/* Where the pointer to it is, or would be. */
static struct remembered **
find (const struct event_memory *m, enum ghc_kind kind, uint64_t key)
{
  struct remembered **at = bucket_of (m, kind, key);
  while (*at != NULL && ((*at)->kind != kind || (*at)->key != key))
    at = &(*at)->next_in_bucket;
  return at;
}

static void
grow (struct event_memory *m)
{
  const size_t n = 2 * m->n_buckets;
  struct remembered **buckets = calloc (n, sizeof *buckets);
  if (buckets == NULL)
    return; /* it gets slower */
  free (m->buckets);
  m->buckets = buckets;
  m->n_buckets = n;
  for (struct remembered *r = m->first; r != NULL; r = r->after) {
    struct remembered **at = bucket_of (m, r->kind, r->key);
    r->next_in_bucket = *at;
    *at = r;
  }
}

static void
forget (struct event_memory *m, struct remembered **at)
{
  struct remembered *r = *at;
  if (r == NULL)
    return;
  *at = r->next_in_bucket;
  *(r->before != NULL ? &r->before->after : &m->first) = r->after;
  *(r->after != NULL ? &r->after->before : &m->last) = r->before;
  m->count--;
  m->bytes -= r->length;
  free (r);
}

/* All of a kind whose payloads begin so. */
static void
forget_all (struct event_memory *m, enum ghc_kind kind, const uint8_t *start, size_t bytes)
{
  for (struct remembered *r = m->first; r != NULL;) {
    struct remembered *after = r->after;
    if (r->kind == kind && r->length >= bytes && memcmp (r->payload, start, bytes) == 0)
      forget (m, find (m, kind, r->key));
    r = after;
  }
}

static struct remembered *
new_entry (struct event_memory *m, size_t length)
{
  struct remembered *r = NULL;
  if (m->count < EVENT_MEMORY_EVENTS && m->bytes + length <= EVENT_MEMORY_BYTES)
    r = malloc (sizeof *r + length);
  if (r == NULL)
    m->forgotten++;
  return r;
}

/* This announcement replaces the one before of the same subject. */
static void
remember (struct event_memory *m, enum ghc_kind kind, unsigned cap, uint64_t time, uint64_t key,
          const uint8_t *payload, size_t length)
{
  struct remembered **at = find (m, kind, key), *old = *at, *before = m->last;
  struct remembered *after = NULL;
  if (old != NULL) {
    before = old->before;
    after = old->after;
    forget (m, at);
  } else if (m->count >= m->n_buckets) {
    grow (m);
    at = find (m, kind, key);
  }
  struct remembered *r = new_entry (m, length);
  if (r == NULL)
    return;
  *r = (struct remembered){ .next_in_bucket = *at,
                            .before = before,
                            .after = after,
                            .key = key,
                            .kind = kind,
                            .cap = cap,
                            .time = time,
                            .length = length };
  if (length != 0)
    memcpy (r->payload, payload, length);
  *at = r;
  *(before != NULL ? &before->after : &m->first) = r;
  *(after != NULL ? &after->before : &m->last) = r;
  m->count++;
  m->bytes += length;
}

/* ---- events ---- */

static void
note_ends (struct event_memory *m, enum ghc_kind kind, const uint8_t *payload, size_t length)
{
  if (kind == GHC_STOP_THREAD
      && (length < STOP_STATUS_AT + 2
          || number (payload + STOP_STATUS_AT, 2) != GHC_STOP_STATUS_FINISHED))
    return;
  for (size_t i = 0; i < ENDS; i++) {
    const struct end *e = &ends[i];
    if (e->kind != kind || length < e->bytes)
      continue;
    if (key_sizes[e->other].bytes == (int) e->bytes)
      forget (m, find (m, e->other, number (payload, e->bytes)));
    else
      forget_all (m, e->other, payload, e->bytes);
  }
}

static void
move_thread (struct event_memory *m, const uint8_t *payload, size_t length)
{
  static const enum ghc_kind kinds[] = { GHC_CREATE_THREAD, GHC_CREATE_SPARK_THREAD,
                                         GHC_THREAD_LABEL, GHC_ASSIGN_THREAD_TO_PROCESS };
  if (length < MIGRATE_CAP_AT + 2)
    return;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct remembered *r = *find (m, kinds[i], number (payload, THREAD_BYTES));
    if (r != NULL)
      r->cap = (unsigned) number (payload + MIGRATE_CAP_AT, 2);
  }
}

static void
move_task (struct event_memory *m, const uint8_t *payload, size_t length)
{
  if (length < TASK_NEW_CAP_AT + 2)
    return;
  struct remembered *r = *find (m, GHC_TASK_CREATE, number (payload, 8));
  if (r != NULL && r->length >= TASK_CAP_AT + 2)
    memcpy (r->payload + TASK_CAP_AT, payload + TASK_NEW_CAP_AT, 2);
}

void
event_memory_store (struct event_memory *m, enum ghc_kind kind, unsigned cap, uint64_t time,
                    const uint8_t *payload, size_t length)
{
  if (kind >= GHC_KINDS)
    return;
  const struct key_size key = key_sizes[kind];
  const size_t bytes = (size_t) abs (key.bytes);
  if (key.is_remembered && length >= bytes)
    remember (m, kind, cap, time,
              number (key.bytes < 0 ? payload + (length - bytes) : payload, bytes), payload,
              length);
  else if (kind == GHC_MIGRATE_THREAD)
    move_thread (m, payload, length);
  else if (kind == GHC_TASK_MIGRATE)
    move_task (m, payload, length);
  else
    note_ends (m, kind, payload, length);
}

/* The event states a moment of the wall clock: the one of its own time. */
static void
report_clock (const struct remembered *r, uint64_t time, event_memory_function function, void *data)
{
  static const uint64_t second = 1000000000;
  uint8_t payload[CLOCK_BYTES];
  const uint64_t passed = time > r->time ? time - r->time : 0;
  const uint64_t ns = number (r->payload + CLOCK_NS_AT, 4) + passed % second;
  const uint64_t seconds
      = number (r->payload + CLOCK_SECONDS_AT, 8) + passed / second + ns / second;
  memcpy (payload, r->payload, CLOCK_SECONDS_AT);
  ghc_put_number (ghc_put_number (payload + CLOCK_SECONDS_AT, seconds, 8), ns % second, 4);
  function (data, r->kind, r->cap, payload, sizeof payload);
}

void
event_memory_replay (const struct event_memory *m, uint64_t time, event_memory_function function,
                     void *data)
{
  for (const struct remembered *r = m->first; r != NULL; r = r->after)
    if (r->kind == GHC_WALL_CLOCK_TIME && r->length == CLOCK_BYTES)
      report_clock (r, time, function, data);
    else
      function (data, r->kind, r->cap, r->payload, r->length);
}

uint64_t
event_memory_count (const struct event_memory *m)
{
  return m->count;
}

uint64_t
event_memory_forgotten (const struct event_memory *m)
{
  return m->forgotten;
}
