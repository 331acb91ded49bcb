/* mono-long-calls.c -- calls=TIME: enter and leave of calls that are long.
 *
 * The usual call is short.  Then its enter stores a time, and its leave compares it and counts the
 * call.  As two reads of the clock take most of that, a method whose calls are always short is not
 * timed each time (but with calls=TIME+exact).
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "profiler/record/calls-left-out.h"

enum {
  SHORT_SHARE = 10,    /* a call is short below this share of the threshold */
  SHORT_CALLS = 10000, /* after this many in a row, only some are timed */
};

static uint64_t threshold, short_ns;

/* ---- enter ---- */

/* The thread's recorder with the memory that calls need; NULL if nothing can be recorded. */
static struct recorder *
begin (uint64_t method)
{
  struct recorder *r = recorder_of_thread;
  if (r != NULL && r->calls.starts != NULL)
    return r;
  r = recorder_begin (1, 0, 0, method);
  return r != NULL && (r->stack.frames != NULL || call_stack_make (&r->stack))
                 && pending_calls_make (&r->calls)
             ? r
             : NULL;
}

static inline void
push (struct recorder *r, uint64_t method, uint64_t start)
{
  r->calls.starts[r->stack.depth] = start;
  pending_calls_add (&r->calls.count, 1);
  call_stack_enter (&r->stack, method);
}

static __attribute__ ((noinline)) void
enter_slowly (MonoProfiler *p, MonoMethod *method)
{
  struct recorder *r = begin (address (method));
  if (r == NULL)
    return;
  struct timed_method *m = pending_calls_place (&r->calls, address (method));
  if (m->method != address (method)) {
    name_method (method);
    *m = (struct timed_method){ .method = address (method) };
  }
  if (r->stack.depth >= p->options.call_depth)
    call_stack_enter (&r->stack, address (method));
  else
    push (r, address (method), r->calls.last = clock_now ());
}

static void
method_enter (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) context;
  struct recorder *r = recorder_of_thread;
  if (__builtin_expect (r == NULL || r->calls.starts == NULL, 0)) {
    enter_slowly (p, method);
    return;
  }
  struct timed_method *m = pending_calls_place (&r->calls, address (method));
  uint64_t start = 0;
  if (__builtin_expect (m->method != address (method) || r->stack.depth >= p->options.call_depth,
                        0)) {
    enter_slowly (p, method);
    return;
  }
  if (m->untimed != 0) {
    m->untimed--;
  } else if (__builtin_expect (clock_read (&start), 1)) {
    r->calls.last = start;
  } else {
    enter_slowly (p, method);
    return;
  }
  push (r, address (method), start);
}

/* ---- leave ---- */

/* A number without a period, of each thread. */
static uint32_t
next_random (void)
{
  static _Thread_local uint32_t state __attribute__ ((tls_model ("initial-exec"))) = 1;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

/* The calls of a method were short for long: some of the next ones are not timed. */
static __attribute__ ((noinline)) void
leave_some_untimed (struct timed_method *m)
{
  const uint32_t calls = LEFT_OUT_LEAST + next_random () % LEFT_OUT_SPREAD;
  if (!left_out_add_untimed (m->method, calls, m->streak == SHORT_CALLS))
    m->streak = 0; /* there is no room */
  else
    m->untimed = calls;
}

/* A call that is timed was short, or not. */
static inline void
note_length (struct pending_calls *calls, uint64_t method, bool is_short)
{
  struct timed_method *m = pending_calls_place (calls, method);
  if (__builtin_expect (m->method != method, 0))
    return;
  if (__builtin_expect (!is_short, 0))
    m->streak = m->untimed = 0;
  else if (__builtin_expect (++m->streak >= SHORT_CALLS, 0))
    leave_some_untimed (m);
}

/* The innermost frame ends, and is recorded: its enter, too, if that is pending. */
static void
record_leave (struct recorder *r, size_t depth, uint64_t now, bool by_exception)
{
  struct pending_calls *const c = &r->calls;
  const uint64_t method = r->stack.frames[depth];
  struct mlpd_method_leave event = { .method = method };
  struct mlpd_method_exc_leave exc_event = { .method = method };
  note_length (c, method, false);
  r = recorder_begin (by_exception ? mlpd_bound_method_exc_leave (&exc_event)
                                   : mlpd_bound_method_leave (&event),
                      0, 0, method);
  c->recorded = depth;
  if (r != NULL && by_exception)
    RECORD_AT (r, now, method_exc_leave, exc_event);
  else if (r != NULL)
    RECORD_AT (r, now, method_leave, event);
}

/* The innermost frame ends now. */
static void
end_frame (struct recorder *r, uint64_t now, bool by_exception)
{
  struct pending_calls *const c = &r->calls;
  const size_t depth = r->stack.depth - 1;
  if (depth < profiler.options.call_depth) {
    c->last = now;
    const bool is_pending = depth >= c->recorded, is_timed = is_pending && c->starts[depth] != 0;
    const int64_t ns = is_timed ? (int64_t) (now - c->starts[depth]) : 0;
    if (is_pending && ns < (int64_t) threshold) {
      if (is_timed && short_ns != 0)
        note_length (c, r->stack.frames[depth], ns < (int64_t) short_ns);
      pending_calls_add (&c->count, (uint64_t) -1);
      pending_calls_add (&c->skipped, 1);
    } else {
      record_leave (r, depth, now, by_exception);
    }
  }
  call_stack_leave (&r->stack);
}

static __attribute__ ((noinline)) void
leave_long (struct recorder *r, uint64_t now)
{
  end_frame (r, now, false);
}

static __attribute__ ((noinline)) void
leave_slowly (MonoMethod *method, bool by_exception)
{
  struct recorder *r = recorder_of_thread;
  if (r == NULL || r->stack.depth == 0)
    return;
  const uint64_t now = clock_now ();
  if (!call_stack_is_on_top (&r->stack, address (method))) {
    size_t frames = call_stack_frames_to_leave (&r->stack, address (method));
    if (frames == 0)
      return;
    for (; frames > 1; frames--) /* left without a word */
      end_frame (r, now, true);
  }
  end_frame (r, now, by_exception);
}

static void
method_leave (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) context;
  struct recorder *r = recorder_of_thread;
  uint64_t now;
  if (__builtin_expect (r == NULL || r->stack.depth == 0 || r->stack.depth > p->options.call_depth
                            || !call_stack_is_on_top (&r->stack, address (method))
                            || pending_calls_get (&r->calls.count) == 0,
                        0)) {
    leave_slowly (method, false);
    return;
  }
  const uint64_t start = r->calls.starts[r->stack.depth - 1];
  if (start != 0) {
    if (__builtin_expect (!clock_read (&now), 0)) {
      leave_slowly (method, false);
      return;
    }
    const int64_t ns = (int64_t) (now - start);
    if (__builtin_expect (ns >= (int64_t) threshold, 0)) {
      leave_long (r, now);
      return;
    }
    r->calls.last = now;
    if (short_ns != 0)
      note_length (&r->calls, address (method), ns < (int64_t) short_ns);
  }
  call_stack_leave (&r->stack);
  pending_calls_add (&r->calls.count, (uint64_t) -1);
  pending_calls_add (&r->calls.skipped, 1);
}

static void
method_tail_call (MonoProfiler *p, MonoMethod *method, MonoMethod *target)
{
  (void) p;
  (void) target;
  leave_slowly (method, false);
}

static void
method_exception_leave (MonoProfiler *p, MonoMethod *method, MonoObject *exception)
{
  (void) p;
  (void) exception;
  leave_slowly (method, true);
}

/* ---- all of it ---- */

void
long_calls_close (struct recorder *r, uint64_t time)
{
  if (time < r->calls.last)
    time = r->calls.last;
  while (r->stack.depth > 0)
    end_frame (r, time, false);
}

void
long_calls_start (const struct proflog_calls_mode *mode)
{
  threshold = mode->threshold_ns;
  short_ns = mode->is_exact ? 0 : threshold / SHORT_SHARE;
  late_calls_start (threshold);
}

const struct call_callbacks long_calls_callbacks = {
  .enter = method_enter,
  .leave = method_leave,
  .tail_call = method_tail_call,
  .exception_leave = method_exception_leave,
};
