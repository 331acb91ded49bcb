/* names.c -- one table for each type of name: open addressing, read without locks. */
#include "config.h"

#include "profiler/names/names.h"
#include "agent/clock.h"
#include "profiler/names/name-journal.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names that could not be found ---- */

enum { PLACES_LOG2 = 12, NEAR = 64 };

/* Each name is in one of the NEAR places from its own on, if at all; 0: free. */
static uint64_t keys[(1 << PLACES_LOG2) + NEAR];
static _Atomic uint64_t count;

static uint64_t
name_key (enum name_type type, uint64_t address)
{
  return address * NAME_TYPES + type;
}

/* The place that has `wanted` (0: that is free) among those where `key` may be; NULL: none. */
static uint64_t *
find (uint64_t key, uint64_t wanted)
{
  uint64_t *const first = &keys[(key * UINT64_C (0x9E3779B97F4A7C15)) >> (64 - PLACES_LOG2)];
  for (uint64_t *place = first; place < first + NEAR; place++)
    if (*place == wanted)
      return place;
  return NULL;
}

/* There is no memory for this name; it was announced.  Under the lock of names.  A name for which
 * there is no place is not counted: there are thousands, so a loss is stated in any case.  The
 * count is relaxed: nothing else depends on it. */
static void
missing_names_add (enum name_type type, uint64_t address)
{
  const uint64_t key = name_key (type, address);
  uint64_t *const place = find (key, 0);
  if (place == NULL || find (key, key) != NULL)
    return;
  *place = key;
  atomic_fetch_add_explicit (&count, 1, memory_order_relaxed);
  spool_add_lost (1);
}

static void
missing_names_remove (enum name_type type, uint64_t address)
{
  if (atomic_load_explicit (&count, memory_order_relaxed) == 0)
    return;
  const uint64_t key = name_key (type, address);
  uint64_t *const place = find (key, key);
  if (place == NULL)
    return;
  *place = 0;
  atomic_fetch_sub_explicit (&count, 1, memory_order_relaxed);
  spool_subtract_lost (1);
}

void
names_count_missing_as_lost (void)
{
  const uint64_t missing = atomic_exchange (&count, 0);
  spool_subtract_lost (missing);
  recorder_add_lost (missing);
}

/* In the child of a fork, whose log begins with all names. */
static void
missing_names_start_over (void)
{
  memset (keys, 0, sizeof keys);
  count = 0;
}

/* Keys are addresses, which are never 0 or 1. */
#define KEY_EMPTY 0
#define KEY_DEAD 1

/* The announcement that the writer has written last: its time, which only the writer reads, and its
 * number.  The number is relaxed: another thread compares it under the lock with `last_sequence`,
 * and an old value only makes `waiting_since` earlier, which is safe. */
static uint64_t last_written_time;
static _Atomic uint64_t written_sequence;

/* The last announcement, and the time of the first that was not written yet; under the lock. */
static uint64_t last_sequence, waiting_since;

/* Dead names that are retained, the oldest first: some thousand methods, or a tenth of the smallest
 * log that is rotated. */
enum { DEAD_MAX = 1024, DEAD_BYTES = 96 * 1024 };

static struct {
  bool is_retained;
  struct listed_name names[DEAD_MAX]; /* a ring */
  size_t first, count, bytes;
} dead;

struct name_slot {
  _Atomic uint64_t key; /* stored after `name`: a thread that sees the key sees the name */
  _Atomic (const struct name *) name;
};

struct name_table {
  struct name_table *outgrown; /* the one before */
  size_t mask;                 /* slots - 1 */
  size_t filled;               /* slots that are not empty: living or dead */
  size_t living;
  struct name_slot slots[];
};

/* Replaced tables stay: a reader may be in one at any time.  Each is at most half as large as
 * the one that follows unless many names died, so they add up to little. */
static _Atomic (struct name_table *) tables[NAME_TYPES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t
hash (uint64_t address)
{
  return (size_t) ((address * UINT64_C (0x9E3779B97F4A7C15)) >> 20);
}

/* Without the lock.  The acquire of a key pairs with its release in fill_slot. */
static struct name_slot *
find_slot (struct name_table *t, uint64_t address)
{
  for (size_t i = hash (address);; i++) {
    struct name_slot *slot = &t->slots[i & t->mask];
    uint64_t key = atomic_load_explicit (&slot->key, memory_order_acquire);
    if (key == address)
      return slot;
    if (key == KEY_EMPTY)
      return NULL;
  }
}

/* The acquire of the table pairs with its release in make_room: all slots that were copied are
 * seen. That of the name pairs with its release in fill_slot: a slot whose name died may get
 * another one meanwhile, whose text must be seen, too. */
const struct name *
names_find (enum name_type type, uint64_t address)
{
  struct name_table *t = atomic_load_explicit (&tables[type], memory_order_acquire);
  struct name_slot *slot = t != NULL ? find_slot (t, address) : NULL;
  return slot != NULL ? atomic_load_explicit (&slot->name, memory_order_acquire) : NULL;
}

void
names_visit (enum name_type type, void (*use) (const struct name *name))
{
  struct name_table *t = atomic_load_explicit (&tables[type], memory_order_acquire);
  for (size_t i = 0; t != NULL && i <= t->mask; i++)
    if (atomic_load_explicit (&t->slots[i].key, memory_order_acquire) > KEY_DEAD)
      use (atomic_load_explicit (&t->slots[i].name, memory_order_acquire));
}

/* Whether a method's name is that of a wrapper, which the runtime generated. */
static bool
names_is_wrapper (const char *method)
{
  return strncmp (method, "(wrapper ", 9) == 0;
}

/* ---- under the lock ---- */

/* The lock orders all writers of tables among each other, so they load with relaxed order; their
 * stores release to find_slot and names_find, which take no lock. */

static void
fill_slot (struct name_table *t, const struct name *name)
{
  size_t i = hash (name->address);
  uint64_t key;
  while ((key = atomic_load_explicit (&t->slots[i & t->mask].key, memory_order_relaxed))
             != KEY_EMPTY
         && key != KEY_DEAD)
    i++;
  struct name_slot *slot = &t->slots[i & t->mask];
  atomic_store_explicit (&slot->name, name, memory_order_release);
  atomic_store_explicit (&slot->key, name->address, memory_order_release);
  t->living++;
  if (key == KEY_EMPTY)
    t->filled++;
}

/* The table with room for one more name; NULL without memory. */
static struct name_table *
make_room (enum name_type type)
{
  struct name_table *t = atomic_load_explicit (&tables[type], memory_order_relaxed);
  if (t != NULL && (t->filled + 1) * 4 <= (t->mask + 1) * 3)
    return t;
  size_t slots = 1024;
  while (t != NULL && slots < t->living * 4)
    slots *= 2;
  struct name_table *larger = calloc (1, sizeof *larger + slots * sizeof larger->slots[0]);
  if (larger == NULL)
    return NULL;
  larger->outgrown = t;
  larger->mask = slots - 1;
  for (size_t i = 0; t != NULL && i <= t->mask; i++)
    if (atomic_load_explicit (&t->slots[i].key, memory_order_relaxed) > KEY_DEAD)
      fill_slot (larger, atomic_load_explicit (&t->slots[i].name, memory_order_relaxed));
  atomic_store_explicit (&tables[type], larger, memory_order_release);
  return larger;
}

/* False without memory, which is counted. */
static bool
announce (enum name_type type, const struct name *name, uint64_t action)
{
  struct name_work *w = calloc (1, sizeof *w);
  if (w == NULL) {
    missing_names_add (type, name->address);
    return false;
  }
  w->work.kind = WORK_NAME;
  w->type = type;
  w->time = clock_now ();
  w->action = action;
  w->code = name->code;
  w->size = name->size;
  w->name = name;
  name_journal_add (w);
  if (atomic_load_explicit (&written_sequence, memory_order_relaxed) == last_sequence)
    waiting_since = w->time;
  last_sequence = w->sequence;
  buffer_queue_push_name (&w->work);
  missing_names_remove (type, name->address);
  return true;
}

/* The name's memory goes when the writer has written all that may refer to it. */
static void
forget (const struct name *name)
{
  struct name_work *w = calloc (1, sizeof *w);
  if (w == NULL)
    return;
  w->work.kind = WORK_FORGET;
  w->name = name;
  buffer_queue_push_name (&w->work);
}

static void
forget_oldest_dead (void)
{
  const struct name *name = dead.names[dead.first].name;
  dead.bytes -= name->length;
  dead.first = (dead.first + 1) % DEAD_MAX;
  dead.count--;
  forget (name);
}

/* Takes a name out of its table. */
static const struct name *
remove_slot (struct name_table *t, struct name_slot *slot)
{
  atomic_store_explicit (&slot->key, KEY_DEAD, memory_order_release);
  t->living--;
  return atomic_load_explicit (&slot->name, memory_order_relaxed);
}

static void
bury (enum name_type type, struct name_table *t, struct name_slot *slot)
{
  const struct name *name = remove_slot (t, slot);
  if (!dead.is_retained) {
    forget (name);
    return;
  }
  if (dead.count == DEAD_MAX)
    forget_oldest_dead ();
  dead.names[(dead.first + dead.count++) % DEAD_MAX]
      = (struct listed_name){ .type = type, .code = name->code, .size = name->size, .name = name };
  dead.bytes += name->length;
  while (dead.bytes > DEAD_BYTES)
    forget_oldest_dead ();
}

static struct name *
make_name (uint64_t address, uint64_t image, const char *text, uint64_t code, uint64_t size)
{
  size_t length = strlen (text);
  struct name *name = malloc (sizeof *name + length + 1);
  if (name == NULL)
    return NULL;
  name->address = address;
  name->image = image;
  name->code = code;
  name->size = size;
  name->wrapper = names_is_wrapper (text);
  name->length = length;
  memcpy (name->text, text, length + 1);
  return name;
}

/* ---- the public side ---- */

/* Adds the name to the table and announces it.  NULL without memory: the next use of the name tries
 * again. */
static const struct name *
add (struct name_table *t, enum name_type type, struct name *name)
{
  if (t == NULL || name == NULL || !announce (type, name, MLPD_LOAD_END_LOAD)) {
    free (name);
    return NULL;
  }
  fill_slot (t, name);
  return name;
}

const struct name *
names_add (enum name_type type, uint64_t address, uint64_t image, const char *text, uint64_t code,
           uint64_t size)
{
  if (!recorder_running () || address <= KEY_DEAD)
    return NULL;
  pthread_mutex_lock (&lock);
  struct name_table *t = make_room (type);
  struct name_slot *slot = t != NULL ? find_slot (t, address) : NULL;
  const struct name *found
      = slot != NULL ? atomic_load_explicit (&slot->name, memory_order_relaxed) : NULL;
  if (found == NULL)
    found = add (t, type, make_name (address, image, text, code, size));
  if (found == NULL)
    missing_names_add (type, address);
  pthread_mutex_unlock (&lock);
  return found;
}

void
names_announce_error (enum name_type type, uint64_t address, uint64_t image, const char *text)
{
  /* From that data version on, Mono.Profiler.Log refuses a log with failed loads. */
  if (!recorder_running () || recorder_version >= MLPD_VERSION_NO_FLAGS)
    return;
  struct name *name = make_name (address, image, text, 0, 0);
  struct name_work *w = calloc (1, sizeof *w);
  if (name == NULL || w == NULL) {
    free (name);
    free (w);
    recorder_add_lost (1);
    return;
  }
  pthread_mutex_lock (&lock); /* the times of announcements rise */
  announce (type, name, MLPD_LOAD_END_LOAD_ERROR);
  w->work.kind = WORK_FORGET;
  w->name = name;
  buffer_queue_push_name (&w->work);
  pthread_mutex_unlock (&lock);
}

void
names_announce_code (const struct name *method, uint64_t code, uint64_t size)
{
  if (!recorder_running ())
    return;
  pthread_mutex_lock (&lock);
  struct name *name = (struct name *) names_find (NAME_METHOD, method->address);
  /* The runtime may report twice that it compiled a method once. */
  if (name != NULL && (name->code != code || name->size != size)) {
    name->code = code;
    name->size = size;
    announce (NAME_METHOD, name, MLPD_LOAD_END_LOAD); /* else the log has the old code */
  }
  pthread_mutex_unlock (&lock);
}

void
names_forget_method (uint64_t address)
{
  if (!recorder_running ())
    return;
  pthread_mutex_lock (&lock);
  struct name_table *t = atomic_load_explicit (&tables[NAME_METHOD], memory_order_relaxed);
  struct name_slot *slot = t != NULL ? find_slot (t, address) : NULL;
  if (slot != NULL)
    bury (NAME_METHOD, t, slot);
  pthread_mutex_unlock (&lock);
}

static bool
is_of_image (const struct name *name, uint64_t image)
{
  return name->image == image;
}

static bool
is_of_domain (const struct name *name, uint64_t domain)
{
  return name->size == domain;
}

/* Under the lock: buries the names of a type that belong to the ending entity. */
static void
bury_all (enum name_type type, bool (*belongs) (const struct name *, uint64_t), uint64_t to)
{
  struct name_table *t = atomic_load_explicit (&tables[type], memory_order_relaxed);
  for (size_t i = 0; t != NULL && i <= t->mask; i++)
    if (atomic_load_explicit (&t->slots[i].key, memory_order_relaxed) > KEY_DEAD
        && belongs (atomic_load_explicit (&t->slots[i].name, memory_order_relaxed), to)) {
      if (type == NAME_ASSEMBLY)
        announce (NAME_ASSEMBLY, atomic_load_explicit (&t->slots[i].name, memory_order_relaxed),
                  MLPD_LOAD_END_UNLOAD);
      bury (type, t, &t->slots[i]);
    }
}

void
names_forget_image (uint64_t image)
{
  if (!recorder_running ())
    return;
  pthread_mutex_lock (&lock);
  for (int type = 0; type < NAME_TYPES; type++)
    bury_all ((enum name_type) type, is_of_image, image);
  pthread_mutex_unlock (&lock);
}

void
names_forget_domain (uint64_t domain)
{
  if (!recorder_running ())
    return;
  pthread_mutex_lock (&lock);
  bury_all (NAME_VTABLE, is_of_domain, domain);
  bury_all (NAME_LAYOUT, is_of_domain, domain);
  pthread_mutex_unlock (&lock);
}

/* Under the lock.  The name is not re-announced: something else may get its id. */
static void
drop (enum name_type type, uint64_t address)
{
  struct name_table *t = atomic_load_explicit (&tables[type], memory_order_relaxed);
  struct name_slot *slot = t != NULL ? find_slot (t, address) : NULL;
  if (slot != NULL)
    forget (remove_slot (t, slot));
}

/* Under the lock: in place of the retained name. */
static void
enter (enum name_type type, uint64_t address, uint64_t image, const char *text, uint64_t code,
       uint64_t size)
{
  struct name_table *t = make_room (type);
  struct name *name = t != NULL ? make_name (address, image, text, code, size) : NULL;
  drop (type, address);
  if (name != NULL)
    fill_slot (t, name);
}

void
names_set (enum name_type type, uint64_t address, uint64_t image, const char *text, uint64_t code,
           uint64_t size)
{
  if (!recorder_running () || address <= KEY_DEAD)
    return;
  pthread_mutex_lock (&lock);
  enter (type, address, image, text, code, size);
  pthread_mutex_unlock (&lock);
}

void
names_remove (enum name_type type, uint64_t address)
{
  if (!recorder_running ())
    return;
  pthread_mutex_lock (&lock);
  drop (type, address);
  pthread_mutex_unlock (&lock);
}

void
names_start_thread (uint64_t thread)
{
  if (!recorder_running () || thread <= KEY_DEAD)
    return;
  pthread_mutex_lock (&lock);
  const struct name *name = names_find (NAME_THREAD, thread); /* it may have one already */
  enter (NAME_THREAD, thread, 0, name != NULL ? name->text : "", 1, 0);
  pthread_mutex_unlock (&lock);
}

void
names_set_thread (uint64_t thread, const char *text)
{
  if (!recorder_running () || thread <= KEY_DEAD)
    return;
  pthread_mutex_lock (&lock);
  const struct name *name = names_find (NAME_THREAD, thread);
  enter (NAME_THREAD, thread, 0, text, name != NULL ? name->code : 0, 0);
  pthread_mutex_unlock (&lock);
}

void
names_forget_thread (uint64_t thread)
{
  names_remove (NAME_THREAD, thread);
}

void
names_copy_thread (uint64_t thread, char *text, size_t size)
{
  text[0] = 0;
  if (thread <= KEY_DEAD || pthread_mutex_trylock (&lock) != 0)
    return;
  const struct name *name = names_find (NAME_THREAD, thread);
  if (name != NULL)
    snprintf (text, size, "%s", name->text);
  pthread_mutex_unlock (&lock);
}

/* ---- re-announcing ---- */

void
names_retain_dead (void)
{
  dead.is_retained = true;
}

static size_t
list_dead (struct listed_name *list)
{
  for (size_t i = 0; i < dead.count; i++)
    list[i] = dead.names[(dead.first + i) % DEAD_MAX];
  return dead.count;
}

static size_t
list_live (enum name_type type, struct listed_name *list)
{
  const struct name_table *t = atomic_load_explicit (&tables[type], memory_order_relaxed);
  size_t n = 0;
  for (size_t i = 0; t != NULL && i <= t->mask; i++)
    if (atomic_load_explicit (&t->slots[i].key, memory_order_relaxed) > KEY_DEAD) {
      const struct name *name = atomic_load_explicit (&t->slots[i].name, memory_order_relaxed);
      list[n++] = (struct listed_name){
        .type = type, .code = name->code, .size = name->size, .name = name
      };
    }
  return n;
}

uint64_t *
names_list_codes (enum name_type type, uint64_t image, size_t *n_codes)
{
  *n_codes = 0;
  pthread_mutex_lock (&lock);
  const struct name_table *t = atomic_load_explicit (&tables[type], memory_order_relaxed);
  uint64_t *codes = t != NULL ? malloc ((t->living + 1) * sizeof *codes) : NULL;
  for (size_t i = 0; codes != NULL && i <= t->mask; i++)
    if (atomic_load_explicit (&t->slots[i].key, memory_order_relaxed) > KEY_DEAD) {
      const struct name *name = atomic_load_explicit (&t->slots[i].name, memory_order_relaxed);
      if (name->image == image)
        codes[(*n_codes)++] = name->code;
    }
  pthread_mutex_unlock (&lock);
  return codes;
}

void
names_written (const struct name_work *w)
{
  last_written_time = w->time;
  atomic_store_explicit (&written_sequence, w->sequence, memory_order_relaxed);
}

bool
names_are_announced (void)
{
  if (pthread_mutex_trylock (&lock) != 0)
    return false;
  pthread_mutex_unlock (&lock);
  return true;
}

bool
names_list (struct name_list *list)
{
  /* The thread that has the lock may have been stopped with it by the collector. */
  if (pthread_mutex_trylock (&lock) != 0)
    return false;
  list->time = atomic_load_explicit (&written_sequence, memory_order_relaxed) == last_sequence
                   ? clock_now ()
                   : waiting_since;
  if (list->time < last_written_time)
    list->time = last_written_time;
  size_t most = dead.count;
  for (int type = 0; type < NAME_TYPES; type++) {
    const struct name_table *t = atomic_load_explicit (&tables[type], memory_order_relaxed);
    most += t != NULL ? t->living : 0;
  }
  list->count = 0;
  list->names = malloc ((most + 1) * sizeof *list->names);
  if (list->names != NULL) {
    list->count = list_dead (list->names);
    for (int type = 0; type < NAME_TYPES; type++)
      list->count += list_live ((enum name_type) type, list->names + list->count);
  }
  pthread_mutex_unlock (&lock);
  return list->names != NULL;
}

/* ---- forks ---- */

void
names_before_fork (void)
{
  pthread_mutex_lock (&lock);
}

void
names_after_fork (void)
{
  pthread_mutex_unlock (&lock);
}

/* The parent's other threads are not in the child. */
static void
forget_other_threads (void)
{
  struct name_table *t = atomic_load_explicit (&tables[NAME_THREAD], memory_order_relaxed);
  for (size_t i = 0; t != NULL && i <= t->mask; i++) {
    const uint64_t key = atomic_load_explicit (&t->slots[i].key, memory_order_relaxed);
    if (key > KEY_DEAD && key != (uint64_t) (uintptr_t) pthread_self ())
      free ((struct name *) remove_slot (t, &t->slots[i]));
  }
}

void
names_start_over (void)
{
  pthread_mutex_lock (&lock);
  name_journal_start_over ();
  missing_names_start_over ();
  forget_other_threads ();
  last_written_time = 0;
  written_sequence = last_sequence;
  pthread_mutex_unlock (&lock);
}
