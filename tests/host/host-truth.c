/* host-truth.c -- counts the events, to be compared with the log. */
#include "config.h"

#include "host/host-runtime.h"
#include "tests/host/test-host.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *truth_path;
static bool printed;
static bool have_snapshot;
static char *notes;
static size_t notes_length;

static const char *const kind_names[HOST_KINDS] = {
  [KIND_alloc] = "alloc",
  [KIND_gc_event] = "gc_event",
  [KIND_gc_resize] = "gc_resize",
  [KIND_gc_move] = "gc_move",
  [KIND_metadata_class] = "metadata_class",
  [KIND_metadata_image] = "metadata_image",
  [KIND_method_jit] = "method_jit",
  [KIND_method_enter] = "method_enter",
  [KIND_method_leave] = "method_leave",
  [KIND_method_exc_leave] = "method_exc_leave",
  [KIND_exception_throw] = "exception_throw",
  [KIND_exception_clause] = "exception_clause",
  [KIND_monitor] = "monitor",
  [KIND_heap_object] = "heap_object",
  [KIND_heap_reference] = "heap_reference",
};

void
host_note (const char *format, ...)
{
  char line[8192];
  va_list args;
  va_start (args, format);
  int length = vsnprintf (line, sizeof line, format, args);
  va_end (args);
  if (length < 0 || (size_t) length >= sizeof line)
    host_fail ("a line of the truth is too long");
  notes = realloc (notes, notes_length + (size_t) length + 2);
  if (notes == NULL)
    host_fail ("no memory");
  memcpy (notes + notes_length, line, (size_t) length);
  notes_length += (size_t) length;
  notes[notes_length++] = '\n';
  notes[notes_length] = 0;
}

/* ---- tallies ---- */

static struct host_tally *
find_slot (struct host_tallies *t, const struct host_tally *key)
{
  size_t i = ((size_t) key->kind * 31 + (size_t) (uintptr_t) key->text + (size_t) key->numbers[0]
              + (size_t) key->numbers[1] * 7)
                 * UINT64_C (0x9E3779B97F4A7C15)
             >> 24;
  for (;; i++) {
    struct host_tally *slot = &t->slots[i & (t->size - 1)];
    if (slot->count == 0
        || (slot->kind == key->kind && slot->text == key->text
            && slot->numbers[0] == key->numbers[0] && slot->numbers[1] == key->numbers[1]))
      return slot;
  }
}

/* This happens while the world is stopped as well: memory comes from mmap. */
static void
grow (struct host_tallies *t)
{
  struct host_tallies larger = { .size = t->size != 0 ? 4 * t->size : 64, .used = t->used };
  void *p = mmap (NULL, larger.size * sizeof *larger.slots, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    host_fail ("no memory");
  larger.slots = p;
  for (size_t i = 0; i < t->size; i++)
    if (t->slots[i].count != 0)
      *find_slot (&larger, &t->slots[i]) = t->slots[i];
  if (t->slots != NULL)
    munmap (t->slots, t->size * sizeof *t->slots);
  *t = larger;
}

void
host_tally (enum host_kind kind, const char *text, uint64_t number, uint64_t second,
            uint64_t amount)
{
  struct host_tallies *t = &host_self->tallies;
  const struct host_tally key = { .kind = kind, .text = text, .numbers = { number, second } };
  if (t->used * 2 >= t->size)
    grow (t);
  struct host_tally *slot = find_slot (t, &key);
  if (slot->count == 0) {
    *slot = key;
    t->used++;
  }
  slot->count++;
  slot->amount += amount;
  atomic_fetch_add_explicit (&host_self->totals[kind], 1, memory_order_relaxed);
}

static const char *
full_name (uint64_t method)
{
  return ((struct host_method *) (uintptr_t) method)->full_name;
}

static const char *
type_of_object (uint64_t object)
{
  struct host_pool *pool = host_pool_at (object);
  return pool != NULL ? pool->klass->type_name : NULL;
}

static void
tally_method (enum host_kind kind, uint64_t method)
{
  if (method != 0)
    host_tally (kind, full_name (method), 0, 0, 0);
}

/* A name is announced at most once for each time that it was defined; the log may state more often
 * that it was loaded.  Threads do not matter: the module's writer announces. */
static void
count_one (enum host_callback callback, const uint64_t *v)
{
  struct host_class *klass = (struct host_class *) (uintptr_t) v[0];
  struct host_image *image = (struct host_image *) (uintptr_t) v[0];
  struct host_method *method = (struct host_method *) (uintptr_t) v[0];
  struct host_pool *pool;
  switch (callback) {
  case CB_gc_allocation:
    if (v[0] != 0 && (pool = host_pool_at (v[0])) != NULL)
      host_tally (KIND_alloc, pool->klass->type_name, 0, 0, (pool->size + 7) & ~UINT64_C (7));
    break;
  case CB_gc_event:
    if (v[0] <= 9) /* the part that the format can state */
      host_tally (KIND_gc_event, NULL, v[0], v[1], 0);
    break;
  case CB_gc_resize:
    host_tally (KIND_gc_resize, NULL, v[0], 0, 0);
    break;
  case CB_gc_moves:
    if (v[1] != 0)
      host_tally (KIND_gc_move, NULL, 0, 0, v[1] / 2);
    break;
  case CB_class_loaded:
  case CB_class_failed:
    if (klass != NULL && klass->entity.alive)
      host_tally (KIND_metadata_class, klass->type_name, callback == CB_class_failed, 0, 0);
    break;
  case CB_image_loaded:
  case CB_image_failed:
    if (image != NULL && image->entity.alive)
      host_tally (KIND_metadata_image,
                  image->file_name != NULL ? image->file_name : image->entity.symbol,
                  callback == CB_image_failed, 0, 0);
    break;
  case CB_jit_done:
    if (method != NULL && v[1] != 0)
      host_tally (KIND_method_jit, full_name (v[0]), method->code, method->code_size, 0);
    break;
  case CB_method_enter:
    tally_method (KIND_method_enter, v[0]);
    break;
  case CB_method_leave:
  case CB_method_tail_call:
    tally_method (KIND_method_leave, v[0]);
    break;
  case CB_method_exception_leave:
    tally_method (KIND_method_exc_leave, v[0]);
    break;
  case CB_exception_throw:
    host_tally (KIND_exception_throw, type_of_object (v[0]), v[0], 0, 0);
    break;
  case CB_exception_clause:
    if (method != NULL)
      host_tally (KIND_exception_clause, full_name (v[0]), v[2], v[1], 0);
    break;
  case CB_monitor_contention:
    host_tally (KIND_monitor, type_of_object (v[0]), 1, v[0], 0);
    break;
  case CB_monitor_acquired:
    host_tally (KIND_monitor, NULL, 2, v[0], 0);
    break;
  case CB_monitor_failed:
    host_tally (KIND_monitor, NULL, 3, v[0], 0);
    break;
  default:
    break;
  }
}

void
host_fired (enum host_callback callback, const uint64_t *values, bool delivered)
{
  atomic_fetch_add_explicit (&host_self->fired[callback], 1, memory_order_relaxed);
  if (!delivered || host_self->over)
    return;
  atomic_fetch_add_explicit (&host_self->delivered[callback], 1, memory_order_relaxed);
  count_one (callback, values);
}

void
host_snapshot (void)
{
  have_snapshot = true;
  for (struct host_thread *t = host_threads (); t != NULL; t = t->next) {
    t->was_running = t != host_self && atomic_load (&t->working);
    for (size_t k = 0; k < HOST_KINDS; k++)
      t->snapshot[k] = atomic_load_explicit (&t->totals[k], memory_order_acquire);
  }
}

/* ---- printing ---- */

static void
print_subject (FILE *out, const struct host_tally *t)
{
  switch (t->kind) {
  case KIND_gc_event:
    fprintf (out, "%" PRIu64 "/%" PRIu64, t->numbers[0], t->numbers[1]);
    break;
  case KIND_metadata_class:
  case KIND_metadata_image:
    fprintf (out, "%s %s", t->numbers[0] ? "load-error" : "load", t->text);
    break;
  case KIND_method_jit:
    fprintf (out, "0x%" PRIx64 " %" PRIu64 " %s", t->numbers[0], t->numbers[1], t->text);
    break;
  case KIND_exception_clause:
    fprintf (out, "%" PRIu64 "/%" PRIu64 " %s", t->numbers[0], t->numbers[1], t->text);
    break;
  case KIND_monitor:
    fprintf (out, "%" PRIu64 " 0x%" PRIx64, t->numbers[0], t->numbers[1]);
    if (t->text != NULL) /* the lock's type */
      fprintf (out, " %s", t->text);
    break;
  case KIND_heap_reference:
    fprintf (out, "0x%" PRIx64 " 0x%" PRIx64, t->numbers[0], t->numbers[1]);
    break;
  case KIND_exception_throw:
    fprintf (out, "0x%" PRIx64 " %s", t->numbers[0], t->text);
    break;
  case KIND_gc_resize:
    fprintf (out, "0x%" PRIx64, t->numbers[0]);
    break;
  case KIND_gc_move:
    fputs ("pairs", out);
    break;
  default:
    fputs (t->text, out);
  }
}

static void
print_tallies (FILE *out, const struct host_thread *t)
{
  for (size_t i = 0; i < t->tallies.size; i++) {
    const struct host_tally *slot = &t->tallies.slots[i];
    if (slot->count == 0)
      continue;
    bool by_writer = slot->kind == KIND_metadata_class || slot->kind == KIND_metadata_image
                     || slot->kind == KIND_method_jit;
    fprintf (out, "tally %s %" PRIx64 " %" PRIu64 " %" PRIu64 " ", kind_names[slot->kind],
             by_writer ? 0 : t->id, slot->count, slot->amount);
    print_subject (out, slot);
    fputc ('\n', out);
  }
}

static void
print_totals (FILE *out)
{
  for (size_t c = 0; c < HOST_CALLBACKS; c++) {
    uint64_t fired = 0, delivered = 0;
    for (struct host_thread *t = host_threads (); t != NULL; t = t->next) {
      fired += atomic_load_explicit (&t->fired[c], memory_order_relaxed);
      delivered += atomic_load_explicit (&t->delivered[c], memory_order_relaxed);
    }
    if (fired == 0)
      continue;
    fprintf (out, "fired.%s %" PRIu64 "\n", host_signatures[c].name, fired);
    fprintf (out, "delivered.%s %" PRIu64 "\n", host_signatures[c].name, delivered);
  }
}

void
host_set_truth_file (const char *path)
{
  truth_path = path;
}

void
host_print_truth (void)
{
  if (truth_path == NULL || printed)
    return;
  printed = true;
  if (!have_snapshot)
    host_snapshot ();
  FILE *out = fopen (truth_path, "we");
  if (out == NULL)
    host_fail ("cannot write %s", truth_path);
  if (notes != NULL)
    fputs (notes, out);
  fprintf (out, "pid %d\nstrings-in-use %ld\n", (int) getpid (), host_strings_in_use ());
  print_totals (out);
  for (struct host_thread *t = host_threads (); t != NULL; t = t->next) {
    if (!t->was_running && (t == host_self || !atomic_load (&t->working))) {
      /* An idle thread's last block happened before this. */
      pthread_mutex_lock (&t->lock);
      print_tallies (out, t);
      pthread_mutex_unlock (&t->lock);
      continue;
    }
    /* Its tallies change while they would be read; this much was there before the shutdown. */
    for (size_t k = 0; k < HOST_KINDS; k++)
      if (t->snapshot[k] != 0)
        fprintf (out, "running %s %" PRIx64 " %" PRIu64 "\n", kind_names[k], t->id, t->snapshot[k]);
  }
  if (fclose (out) != 0)
    host_fail ("cannot write %s", truth_path);
}
