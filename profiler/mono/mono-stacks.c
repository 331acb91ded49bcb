/* mono-stacks.c -- backtraces. */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <mono/metadata/debug-helpers.h>

/* Wrappers that the runtime made are no frames of the program and would eat the budget. */
static mono_bool
walk_frame (MonoMethod *method, int32_t native_offset, int32_t il_offset, mono_bool managed,
            void *data)
{
  (void) native_offset;
  (void) il_offset;
  (void) managed;
  struct frames *f = data;
  if (method == NULL)
    return 0;
  const struct name *name = names_find (NAME_METHOD, address (method));
  if (name == NULL)
    f->unnamed = true;
  if (name == NULL || !name->wrapper)
    f->methods[f->count++] = address (method);
  return f->count == f->limit;
}

/* Names the frames.  False if there are wrappers among them, which have to be left out.  Without
 * memory the stack ends where a name is missing. */
static bool
name_frames (struct frames *f)
{
  bool good = true;
  for (size_t i = 0; i < f->count; i++) {
    const struct name *name = name_method ((MonoMethod *) (uintptr_t) f->methods[i]);
    if (name == NULL)
      f->count = i;
    else if (name->wrapper)
      good = false;
  }
  return good;
}

static struct mlpd_list
walk_by_runtime (struct frames *f)
{
  /* Naming a method takes locks and memory, so it is not done in the middle of a walk.  Where a new
   * name turns out to be a wrapper's there is another round. */
  do {
    f->unnamed = false;
    f->count = 0;
    mono_stack_walk_no_il (walk_frame, f);
  } while (f->unnamed && !name_frames (f));
  for (size_t i = 0; i < f->count / 2; i++) {
    uint64_t swap = f->methods[i];
    f->methods[i] = f->methods[f->count - 1 - i];
    f->methods[f->count - 1 - i] = swap;
  }
  return (struct mlpd_list){ f->methods, f->count };
}

static bool
can_walk (void)
{
  return profiler.options.stacks != STACKS_NONE
         && atomic_load_explicit (&profiler.initialized, memory_order_relaxed)
         && recorder_running ();
}

struct mlpd_list
stacks_capture (struct frames *f)
{
  f->limit = profiler.options.max_frames;
  return can_walk () ? walk_by_runtime (f) : (struct mlpd_list){ NULL, 0 };
}

/* The runtime's walk would be most of what it costs to record all allocations. */
struct mlpd_list
stacks_capture_frequent (struct frames *f)
{
  struct mlpd_list list;
  if (profiler.options.stacks != STACKS_AUTO || !can_walk ())
    return stacks_capture (f);
  if (frames_walk (&list, profiler.options.max_frames))
    return list;
  list = stacks_capture (f);
  frames_learn (&list, f->limit);
  return list;
}
