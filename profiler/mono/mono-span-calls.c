/* mono-span-calls.c -- calls of the runtime for managed programs that begin and end spans.
 *
 * DllImport leaves and enters the runtime's control of the thread each time: 80 to 100 ns with Mono
 * 6.8.  These calls do not, as the callbacks of events do not.
 */
#include "config.h"

#include "profiler/control/spans.h"
#include "profiler/mono/mono-imports.h"
#include "profiler/mono/mono-private.h"
#include <proflog/program.h>

/* Of managed/proflog.cs. */
static const struct {
  const char *name;
  const void *function;
} calls[] = {
  { "Proflog.SpanCalls::Begin", proflog_span_begin },
  { "Proflog.SpanCalls::BeginIn", proflog_span_begin_in },
  { "Proflog.SpanCalls::End", proflog_span_end },
  { "Proflog.SpanCalls::Leave", proflog_span_leave },
  { "Proflog.SpanCalls::Enter", proflog_span_enter },
};

void
span_calls_add (void)
{
  /* Runtimes that know no raw ones have no control that they could leave. */
  void (*const add) (const char *, const void *) = mono_dangerous_add_raw_internal_call != NULL
                                                       ? mono_dangerous_add_raw_internal_call
                                                       : mono_add_internal_call;
  if (add == NULL)
    return;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    add (calls[i].name, calls[i].function);
  spans_set_callable ();
}
