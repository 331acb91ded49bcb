/* mono-calls.c -- enter and leave of all calls; which methods report them; pauses. */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "profiler/record/calls-left-out.h"

/* ---- methods that the runtime inlines ---- */

struct opcode {
  uint8_t argument, prefix, value;
};

#define OPDEF(id, name, pops, pushes, argument, x, size, prefix, value, flow)                      \
  { Mono##argument, prefix, value },
static const struct opcode opcodes[] = {
#include <mono/cil/opcode.def>
};
#undef OPDEF

static const size_t argument_sizes[] = {
  [MonoInlineNone] = 0,          [MonoInlineType] = 4,
  [MonoInlineField] = 4,         [MonoInlineMethod] = 4,
  [MonoInlineTok] = 4,           [MonoInlineString] = 4,
  [MonoInlineSig] = 4,           [MonoInlineVar] = 2,
  [MonoShortInlineVar] = 1,      [MonoInlineBrTarget] = 4,
  [MonoShortInlineBrTarget] = 1, [MonoInlineR] = 8,
  [MonoShortInlineR] = 4,        [MonoInlineI] = 4,
  [MonoShortInlineI] = 1,        [MonoInlineI8] = 8,
};

struct code {
  const uint8_t *at, *end;
};

/* The next opcode, its argument skipped; -1 if there is none that is known. */
static int
next_opcode (struct code *c)
{
  const uint8_t prefix = *c->at == 0xfe ? *c->at++ : 0xff;
  if (c->at == c->end)
    return -1;
  const uint8_t value = *c->at++;
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    if (opcodes[i].value == value && opcodes[i].prefix == prefix) {
      const size_t size = argument_sizes[opcodes[i].argument];
      if (opcodes[i].argument == MonoInlineSwitch || (size_t) (c->end - c->at) < size)
        return -1;
      c->at += size;
      return (int) i;
    }
  return -1;
}

static bool
is_branch (const struct opcode *opcode)
{
  return opcode->argument == MonoInlineBrTarget || opcode->argument == MonoShortInlineBrTarget;
}

/* The runtime inlines no longer code, unless the program requests it. */
#define INLINED_CODE_MAX 19

static bool
is_call_or_throw (MonoOpcodeEnum id)
{
  switch (id) {
  case MONO_CEE_JMP:
  case MONO_CEE_CALL:
  case MONO_CEE_CALLI:
  case MONO_CEE_CALLVIRT:
  case MONO_CEE_NEWOBJ:
  case MONO_CEE_THROW:
  case MONO_CEE_RETHROW:
    return true;
  default:
    return false;
  }
}

/* Code of clauses of exceptions. */
static bool
is_of_clause (MonoOpcodeEnum id)
{
  return id == MONO_CEE_LEAVE || id == MONO_CEE_LEAVE_S || id == MONO_CEE_ENDFINALLY
         || id == MONO_CEE_ENDFILTER;
}

/* Whether the opcode before c->at jumps back: the sign of its argument, which is little endian. */
static bool
jumps_back (const struct code *c, const struct opcode *opcode)
{
  return is_branch (opcode) && (c->at[-1] & 0x80) != 0;
}

/* Code that neither calls, nor loops, nor has a handler. */
static bool
is_inlinable_code (struct code *c)
{
  while (c->at < c->end) {
    const int id = next_opcode (c);
    if (id < 0 || is_call_or_throw ((MonoOpcodeEnum) id) || is_of_clause ((MonoOpcodeEnum) id)
        || jumps_back (c, &opcodes[id]))
      return false;
  }
  return true;
}

/* Whether the runtime inlines calls of a method that does not report them, as its code is short and
 * neither calls, nor loops, nor handles exceptions. */
static bool
inlined_is_possible (MonoMethod *method)
{
  uint32_t kind = 0;
  const uint32_t flags = mono_method_get_flags (method, &kind);
  if ((flags & (MONO_METHOD_ATTR_ABSTRACT | MONO_METHOD_ATTR_PINVOKE_IMPL)) != 0
      || (kind
          & (MONO_METHOD_IMPL_ATTR_CODE_TYPE_MASK | MONO_METHOD_IMPL_ATTR_INTERNAL_CALL
             | MONO_METHOD_IMPL_ATTR_SYNCHRONIZED | MONO_METHOD_IMPL_ATTR_NOINLINING))
             != 0)
    return false;
  MonoMethodHeader *header = mono_method_get_header (method);
  if (header == NULL)
    return false;
  uint32_t size = 0;
  const unsigned char *bytes = mono_method_header_get_code (header, &size, NULL);
  struct code code = { .at = bytes, .end = bytes + size };
  const bool result = bytes != NULL && size <= INLINED_CODE_MAX && is_inlinable_code (&code);
  mono_metadata_free_mh (header);
  return result;
}

static bool
matches_callspec (const MonoProfiler *p, MonoMethod *method)
{
  if (p->options.callspec.count == 0)
    return true;
  MonoClass *klass = mono_method_get_class (method);
  MonoImage *image = mono_class_get_image (klass);
  MonoAssembly *program = mono_assembly_get_main ();
  char type[1024];
  names_plain_class (klass, type, sizeof type);
  MonoClass *outermost = klass;
  for (MonoClass *c = klass; c != NULL; c = mono_class_get_nesting_type (c))
    outermost = c;
  struct callspec_method m = {
    .assembly = mono_image_get_name (image),
    .name_space = mono_class_get_namespace (outermost),
    .type = type,
    .name = mono_method_get_name (method),
    .in_program = program != NULL && mono_assembly_get_image (program) == image,
  };
  return callspec_matches (&p->options.callspec, &m);
}

static MonoProfilerCallInstrumentationFlags
call_filter (MonoProfiler *p, MonoMethod *method)
{
  if (!matches_callspec (p, method))
    return MONO_PROFILER_CALL_INSTRUMENTATION_NONE;
  if (p->options.calls_mode.skips_inlinable && inlined_is_possible (method)) {
    left_out_add_method (address (method));
    return MONO_PROFILER_CALL_INSTRUMENTATION_NONE;
  }
  return CALL_FLAGS;
}

/* Where the thread notes that it knows the method's name. */
static inline uint64_t *
announced_slot (struct recorder *r, MonoMethod *method)
{
  return &r->announced[address (method) / 16 % RECORDER_ANNOUNCED];
}

/* The callbacks of enter and leave do the most usual themselves: as they call nothing in that case,
 * they need not save a register. */
static __attribute__ ((noinline)) void
method_enter_slow (MonoProfiler *p, MonoMethod *method)
{
  struct mlpd_method_enter event = { .method = address (method) };
  struct recorder *r = recorder_begin (mlpd_bound_method_enter (&event), 0, 0, event.method);
  if (r == NULL || (r->stack.frames == NULL && !call_stack_make (&r->stack)))
    return;
  if (*announced_slot (r, method) != address (method) && name_method (method) != NULL)
    *announced_slot (r, method) = address (method);
  if (call_stack_enter (&r->stack, event.method) < p->options.call_depth)
    RECORD_IN (r, method_enter, event);
}

static void
method_enter (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) context;
  struct mlpd_method_enter event = { .method = address (method) };
  struct recorder *r = recorder_of_thread;
  uint64_t now;
  if (__builtin_expect (r == NULL || !recorder_has_room (r, mlpd_bound_method_enter (&event))
                            || r->stack.frames == NULL || r->stack.depth >= p->options.call_depth
                            || *announced_slot (r, method) != event.method || !clock_read (&now),
                        0)) {
    method_enter_slow (p, method);
    return;
  }
  call_stack_enter (&r->stack, event.method);
  RECORD_AT (r, now, method_enter, event);
}

/* The innermost frame ends; logged if its enter was. */
static void
leave_frame (struct recorder *r, bool by_exception)
{
  const size_t depth = call_stack_leave (&r->stack);
  if (depth >= profiler.options.call_depth)
    return;
  if (by_exception) {
    struct mlpd_method_exc_leave event = { .method = r->stack.frames[depth] };
    RECORD (method_exc_leave, event, 0, 0, event.method);
  } else {
    struct mlpd_method_leave event = { .method = r->stack.frames[depth] };
    RECORD (method_leave, event, 0, 0, event.method);
  }
}

static __attribute__ ((noinline)) void
method_leave_slow (MonoMethod *method, bool by_exception)
{
  struct recorder *r = recorder_of_thread;
  if (r == NULL || r->stack.depth == 0)
    return;
  if (!call_stack_is_on_top (&r->stack, address (method))) {
    size_t frames = call_stack_frames_to_leave (&r->stack, address (method));
    if (frames == 0)
      return;
    for (; frames > 1; frames--) /* left without a word */
      leave_frame (r, true);
  }
  leave_frame (r, by_exception);
}

static void
method_leave (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) context;
  struct mlpd_method_leave event = { .method = address (method) };
  struct recorder *r = recorder_of_thread;
  uint64_t now;
  if (__builtin_expect (r == NULL || r->stack.depth == 0 || r->stack.depth > p->options.call_depth
                            || !call_stack_is_on_top (&r->stack, event.method)
                            || !recorder_has_room (r, mlpd_bound_method_leave (&event))
                            || !clock_read (&now),
                        0)) {
    method_leave_slow (method, false);
    return;
  }
  call_stack_leave (&r->stack);
  RECORD_AT (r, now, method_leave, event);
}

static void
method_tail_call (MonoProfiler *p, MonoMethod *method, MonoMethod *target)
{
  (void) p;
  (void) target;
  method_leave_slow (method, false);
}

static void
method_exception_leave (MonoProfiler *p, MonoMethod *method, MonoObject *exception)
{
  (void) p;
  (void) exception;
  method_leave_slow (method, true);
}

/* ---- the same after a pause ---- */

static const struct call_callbacks all_call_callbacks = {
  .enter = method_enter,
  .leave = method_leave,
  .tail_call = method_tail_call,
  .exception_leave = method_exception_leave,
};

/* The calls that are selected. */
static const struct call_callbacks *selected = &all_call_callbacks;

/* How often calls were recorded anew, and when that ended. */
static _Atomic unsigned generations;
static _Atomic uint64_t ended_at;

/* A frame that was open when calls were no longer recorded ends at that time. */
static void
close_frame (struct recorder *r, uint64_t time)
{
  const size_t depth = call_stack_leave (&r->stack);
  if (depth >= profiler.options.call_depth)
    return;
  struct mlpd_method_leave event = { .method = r->stack.frames[depth] };
  r = recorder_begin (mlpd_bound_method_leave (&event), 0, 0, event.method);
  if (r == NULL)
    return;
  const uint64_t last = r->buffer->encoder.time;
  event.time = time > last ? time : last;
  recorder_commit (r, mlpd_put_method_leave (&r->buffer->encoder, r->position, &event));
}

/* A method that was entered before the pause may have been left in it. */
static inline void
close_open_calls (void)
{
  struct recorder *r = recorder_of_thread;
  const unsigned now = atomic_load_explicit (&generations, memory_order_relaxed);
  if (r == NULL || __builtin_expect (r->stack.generation == now, 1))
    return;
  r->stack.generation = now;
  const uint64_t time = atomic_load_explicit (&ended_at, memory_order_relaxed);
  if (selected == &long_calls_callbacks)
    long_calls_close (r, time);
  while (r->stack.depth > 0)
    close_frame (r, time);
}

static void
method_enter_resumed (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  close_open_calls ();
  selected->enter (p, method, context);
}

static void
method_leave_resumed (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  close_open_calls ();
  selected->leave (p, method, context);
}

static void
method_tail_call_resumed (MonoProfiler *p, MonoMethod *method, MonoMethod *target)
{
  close_open_calls ();
  selected->tail_call (p, method, target);
}

static void
method_exception_leave_resumed (MonoProfiler *p, MonoMethod *method, MonoObject *exception)
{
  close_open_calls ();
  selected->exception_leave (p, method, exception);
}

void
calls_end (void)
{
  atomic_store (&ended_at, clock_now ());
  atomic_fetch_add (&generations, 1);
}

/* ---- callbacks ---- */

static const struct call_callbacks resumed_callbacks = {
  .enter = method_enter_resumed,
  .leave = method_leave_resumed,
  .tail_call = method_tail_call_resumed,
  .exception_leave = method_exception_leave_resumed,
};

void
calls_arm (struct _MonoProfiler *p)
{
  if (!is_armed (CLASS_CALLS))
    return;
  if (p->options.calls_mode.threshold_ns != 0) {
    selected = &long_calls_callbacks;
    long_calls_start (&p->options.calls_mode);
  }
  mono_profiler_set_call_instrumentation_filter_callback (p->handle, call_filter);
}

void
calls_set_callbacks (struct _MonoProfiler *p)
{
  static const struct call_callbacks none;
  MonoProfilerHandle h = p->handle;
  if (!is_armed (CLASS_CALLS))
    return; /* stacks may be retained by these */
  const struct call_callbacks *set = !is_recorded (CLASS_CALLS)        ? &none
                                     : atomic_load (&generations) != 0 ? &resumed_callbacks
                                                                       : selected;
  mono_profiler_set_method_enter_callback (h, set->enter);
  mono_profiler_set_method_leave_callback (h, set->leave);
  mono_profiler_set_method_tail_call_callback (h, set->tail_call);
  mono_profiler_set_method_exception_leave_callback (h, set->exception_leave);
}

void
calls_after_fork (void)
{
  struct recorder *r = recorder_of_thread;
  if (r != NULL && is_armed (CLASS_CALLS)) {
    call_stack_clear (&r->stack);
    pending_calls_clear (&r->calls);
  }
}
