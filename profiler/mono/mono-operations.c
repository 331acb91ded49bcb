/* mono-operations.c -- where the state machines of async methods have their states.
 *
 * These classes are the program's, and their fields cannot be searched for while the world is
 * stopped.  So a class is learned when it is described, after the first heap snapshot that has it,
 * and its states are in later ones.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"

enum { SLOTS = 8192, CLASSES_MAX = SLOTS / 2 };

/* The classes, by hash; the class is set last.  A domain that is unloaded takes its classes along,
 * and another class may get the place of one: that has another name, at another place. */
static struct operation_class {
  _Atomic (MonoClass *) klass;
  const char *name;
  uint32_t state_at;
} classes[SLOTS];

static unsigned n_classes;

/* The slot of the class, or the free one where it belongs. */
static struct operation_class *
find_slot (MonoClass *klass)
{
  for (size_t i = (size_t) (address (klass) * UINT64_C (0x9E3779B97F4A7C15) >> 32);; i++) {
    struct operation_class *const slot = &classes[i % SLOTS];
    MonoClass *const there = atomic_load_explicit (&slot->klass, memory_order_acquire);
    if (there == NULL || there == klass)
      return slot;
  }
}

/* Of mcs and csc.  Iterators have a state, too, and no builder. */
void
operations_learn (MonoClass *klass)
{
  if (!profiler.options.heapshot_tasks || mono_class_get_rank (klass) != 0
      || n_classes == CLASSES_MAX)
    return;
  const uint32_t state_at = collections_find_field (klass, "$PC <>1__state");
  if (state_at == 0 || state_at == UINT32_MAX
      || collections_find_field (klass, "$builder <>t__builder") == 0)
    return;
  struct operation_class *const slot = find_slot (klass);
  n_classes += atomic_load (&slot->klass) == NULL;
  slot->name = mono_class_get_name (klass);
  slot->state_at = state_at;
  atomic_store_explicit (&slot->klass, klass, memory_order_release);
}

/* ---- while the world is stopped ---- */

bool
operations_read (MonoObject *object, MonoClass *klass, int32_t *state)
{
  const struct operation_class *const slot = find_slot (klass);
  if (atomic_load_explicit (&slot->klass, memory_order_acquire) != klass
      || slot->name != mono_class_get_name (klass))
    return false;
  memcpy (state, (const char *) object + slot->state_at, sizeof *state);
  return true;
}
