/* host.c -- calls callbacks by their signatures. */
#include "config.h"

#include "host/host.h"
#include <ffi.h>
#include <stdlib.h>

const struct host_signature host_signatures[HOST_CALLBACKS] = {
#define CALLBACK(name, ...) { #name, { __VA_ARGS__ } },
#include "host/callbacks.def"
};

struct host_profiling host_profiling;
const struct host_world *host_world;

static struct call {
  ffi_cif interface;
  ffi_type *types[1 + HOST_ARGS];
  size_t count;
} calls[HOST_CALLBACKS];

union value {
  void *pointer;
  uint64_t u64;
  uint32_t u32;
};

static ffi_type *
type_of (enum host_arg arg)
{
  switch (arg) {
  case ARG_U32:
    return &ffi_type_uint32;
  case ARG_U64:
    return &ffi_type_uint64;
  default:
    return &ffi_type_pointer; /* WORD as well: uintptr_t */
  }
}

static void
prepare_calls (void)
{
  for (size_t c = 0; c < HOST_CALLBACKS; c++) {
    struct call *call = &calls[c];
    call->types[call->count++] = &ffi_type_pointer;
    for (const enum host_arg *arg = host_signatures[c].args; *arg != ARG_END; arg++)
      call->types[call->count++] = type_of (*arg);
    if (ffi_prep_cif (&call->interface, FFI_DEFAULT_ABI, (unsigned) call->count, &ffi_type_void,
                      call->types)
        != FFI_OK)
      host_fail ("libffi cannot call %s", host_signatures[c].name);
  }
}

void
host_start (const struct host_world *world)
{
  host_world = world;
  prepare_calls ();
}

void
host_violation (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  host_world->fail (true, format, args);
  abort ();
}

void
host_fail (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  host_world->fail (false, format, args);
  abort ();
}

static void
call_module (enum host_callback callback, void *function, void *profiler, const uint64_t *values)
{
  struct call *call = &calls[callback];
  union value cells[1 + HOST_ARGS] = { { .pointer = profiler } };
  void *pointers[1 + HOST_ARGS] = { &cells[0] };
  for (size_t i = 1; i < call->count; i++) {
    if (call->types[i] == &ffi_type_uint32)
      cells[i].u32 = (uint32_t) values[i - 1];
    else
      cells[i].u64 = values[i - 1];
    pointers[i] = &cells[i];
  }
  ffi_call (&call->interface, FFI_FN (function), NULL, pointers);
}

int
host_instrumentation (struct host_method *method)
{
  int flags = atomic_load_explicit (&method->instrumentation, memory_order_relaxed);
  if (flags >= 0)
    return flags;
  flags = 0;
  size_t count = atomic_load_explicit (&host_profiling.count, memory_order_relaxed);
  for (size_t h = 0; h < count; h++) {
    struct host_handle *handle = &host_profiling.handles[h];
    int (*filter) (void *, void *)
        = (int (*) (void *, void *)) atomic_load_explicit (&handle->filter, memory_order_acquire);
    if (filter != NULL)
      flags |= filter (handle->profiler, method);
  }
  atomic_store_explicit (&method->instrumentation, flags, memory_order_relaxed);
  return flags;
}

/* Whether the runtime would raise this event for code with this method. */
static bool
is_instrumented (uint64_t method, int flag)
{
  struct host_method *m = (struct host_method *) (uintptr_t) method;
  if (m == NULL)
    return true;
  /* Code compiled ahead of time has no hooks; unwinding through it is the runtime's own work. */
  if (m->aot && flag != HOST_EXC_LEAVE)
    return false;
  return (host_instrumentation (m) & flag) != 0;
}

static bool
is_needed (enum host_callback callback, const uint64_t *values)
{
  switch (callback) {
  case CB_gc_allocation:
    return host_profiling.allocations;
  case CB_exception_clause:
    return host_profiling.clauses;
  case CB_jit_begin: /* the runtime calls the filter while it compiles */
    if (values[0] != 0)
      host_instrumentation ((struct host_method *) (uintptr_t) values[0]);
    return true;
  case CB_method_enter:
    return is_instrumented (values[0], HOST_ENTER);
  case CB_method_leave:
    return is_instrumented (values[0], HOST_LEAVE);
  case CB_method_tail_call:
    return is_instrumented (values[0], HOST_TAIL_CALL);
  case CB_method_exception_leave:
    return is_instrumented (values[0], HOST_EXC_LEAVE);
  default:
    return true;
  }
}

void
host_fire (enum host_callback callback, const uint64_t *values)
{
  bool delivered = false;
  if (is_needed (callback, values)) {
    size_t count = atomic_load_explicit (&host_profiling.count, memory_order_relaxed);
    for (size_t h = 0; h < count; h++) {
      struct host_handle *handle = &host_profiling.handles[h];
      void *function = atomic_load_explicit (&handle->callbacks[callback], memory_order_acquire);
      if (function == NULL)
        continue;
      delivered = true;
      call_module (callback, function, handle->profiler, values);
    }
  }
  host_world->fired (callback, values, delivered);
}

void
host_fire_cleanup (void)
{
  size_t count = atomic_load_explicit (&host_profiling.count, memory_order_relaxed);
  for (size_t h = 0; h < count; h++) {
    struct host_handle *handle = &host_profiling.handles[h];
    void (*cleanup) (void *)
        = (void (*) (void *)) atomic_load_explicit (&handle->cleanup, memory_order_acquire);
    if (cleanup != NULL)
      cleanup (handle->profiler);
  }
}
