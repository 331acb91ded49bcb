/* test-wall-time.c -- samples by the wall clock weigh the time of their usage: one long hit of a
 * wait is worth as many short ones as it lasts for. */
#include "config.h"

#include "decoder/stacks/mono-stacks.h"
#include "decoder/trace/trace-timeline.h"
#include "tests/unit/summary-test.h"

#include <string.h>

#define MS UINT64_C (1000000)

enum { THREAD = 5, WAIT = 0x100, LONG = 0x300, SHORT = 0x400 };
enum { NATIVE_CODE = 0xf000, POLL_CODE = 0xf100, EVENT_CODE = 0xf200 };

static void
native_names_add (uint64_t address, const char *name)
{
  const union mlpd_payload symbol
      = { .sample_symbol
          = { .time = MS, .address = address, .size = 16, .name = { name, strlen (name) } } };
  script_event (&script, MLPD_SAMPLE_SYMBOL, &symbol);
}

static void
put_hit (uint64_t thread, uint64_t ip, uint64_t wrapper, uint64_t method, uint64_t wait_ms)
{
  const uint64_t methods[] = { wrapper, method };
  script_hit (&script, 5000 * MS, thread, ip, methods, wrapper != 0 ? 2 : 0);
  script_usage (&script, 5000 * MS, wait_ms * MS, 0);
}

/* One hit of 1 s in one method, ten of 10 ms in another, a poll whose stack was not read, and a
 * thread without methods that waits for work. */
static void
begin (void)
{
  script_begin_version (&script, 17);
  script_buffer (&script, 9, MS);
  script_jit (&script, MS, WAIT, 0, 0,
              "(wrapper managed-to-native) System.Threading.WaitHandle:Wait_internal (intptr*)");
  script_jit (&script, MS, LONG, 0, 0, "App:Long ()");
  script_jit (&script, MS, SHORT, 0, 0, "App:Short ()");
  native_names_add (NATIVE_CODE, "mono_something");
  native_names_add (POLL_CODE, "__poll");
  native_names_add (EVENT_CODE, "__futex_abstimed_wait_common");
  put_hit (THREAD, NATIVE_CODE, WAIT, LONG, 1000);
  for (guint i = 0; i < 10; i++)
    put_hit (THREAD, NATIVE_CODE, WAIT, SHORT, 10);
  put_hit (THREAD, POLL_CODE, 0, 0, 300);
  put_hit (THREAD + 1, EVENT_CODE, 0, 0, 4000);
  script_summarize (&script, &summary);
}

/* Of the stacks whose innermost frame has this name. */
static uint64_t
weight_of (const struct export_stacks *stacks, const char *name)
{
  uint64_t weight = 0;
  for (guint i = 0; i < stacks->nodes->len; i++) {
    const struct export_node *node = &g_array_index (stacks->nodes, struct export_node, i);
    const char *frame = i != EXPORT_STACKS_ROOT ? stacks->frames->pdata[node->frame] : "";
    weight += strcmp (frame, name) == 0 ? node->weight : 0;
  }
  return weight;
}

/* The weight of a stack is at its innermost frame: the wrapper below a method. */
static uint64_t
weight_below (const struct export_stacks *stacks, const char *name)
{
  uint64_t weight = 0;
  for (guint i = 1; i < stacks->nodes->len; i++) {
    const struct export_node *node = &g_array_index (stacks->nodes, struct export_node, i);
    const struct export_node *parent
        = &g_array_index (stacks->nodes, struct export_node, node->parent);
    if (node->parent != EXPORT_STACKS_ROOT
        && strcmp (stacks->frames->pdata[parent->frame], name) == 0)
      weight += node->weight;
  }
  return weight;
}

TEST_WITH (test_stacks, begin, summary_test_end)
{
  struct export_stacks stacks;
  export_stacks_init (&stacks);
  mono_stacks_add (&stacks, &summary, STACKS_WALL);
  assert_int_equal (weight_below (&stacks, "App:Long ()"), 1000 * MS);
  assert_int_equal (weight_below (&stacks, "App:Short ()"), 100 * MS);
  assert_int_equal (weight_of (&stacks, "__poll"), 300 * MS);
  assert_int_equal (stacks.total, 1400 * MS);
  export_stacks_clear (&stacks);
}

/* ---- lanes ---- */

struct traced {
  struct timeline *timeline;
  struct trace_timeline export;
  struct export_out out;
  struct trace trace;
  struct trace_track *thread, *locks;
};

static void
begin_trace (struct traced *t)
{
  t->timeline = timeline_new (0, 1000 * MS, 100 * MS);
  trace_timeline_init (&t->export, t->timeline, false);
  t->out = (struct export_out){ .bytes = g_string_new (NULL) };
  trace_begin (&t->trace, &trace_timeline_format, &t->out);
  t->trace.data = &t->export;
  struct trace_track *process = trace_add_process (&t->trace, 7, "p");
  t->thread = trace_add (&t->trace, TRACE_THREAD, process, "T", TRACE_COUNT);
  t->locks = trace_add (&t->trace, TRACE_LANE, t->thread, "waits", TRACE_COUNT);
  t->locks->role = TRACE_LOCKS;
}

static void
end_trace (struct traced *t)
{
  trace_end (&t->trace);
  g_string_free (t->out.bytes, TRUE);
  trace_timeline_clear (&t->export);
  timeline_free (t->timeline);
}

static void
put_sample (struct traced *t, uint64_t time, uint64_t cpu_ns, uint64_t wait_ns)
{
  const struct trace_stack none = { NULL, 0, NULL };
  trace_sample (&t->trace, t->thread, &none, time);
  t->trace.format->sample_time (&t->trace, t->thread, cpu_ns, wait_ns, false);
}

/* A wait of 800 ms in one hit, whose thread then ran for 50 ms: a contention in it is a part of it.
 */
TEST (test_lanes)
{
  struct traced t;
  begin_trace (&t);
  put_sample (&t, 10 * MS, 0, 10 * MS);
  trace_slice (&t.trace, t.locks, trace_name (&t.trace, "lock of App"), 300 * MS);
  trace_slice_end (&t.trace, t.locks, 500 * MS);
  put_sample (&t, 860 * MS, 50 * MS, 800 * MS);
  const struct timeline_lane *lane = g_ptr_array_index (t.timeline->lanes, 0);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_WAIT, 0), 100 * MS);
  for (guint bin = 1; bin < 8; bin++)
    assert_int_equal (timeline_lane_ns (lane, TIMELINE_WAIT, bin), 100 * MS);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_WAIT, 8), 10 * MS);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_RUN, 8), 50 * MS);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_WAIT, 9), 0);
  end_trace (&t);
}

/* Without such samples it is the contention. */
TEST (test_lane_of_contention)
{
  struct traced t;
  begin_trace (&t);
  trace_slice (&t.trace, t.locks, trace_name (&t.trace, "lock of App"), 300 * MS);
  trace_slice_end (&t.trace, t.locks, 350 * MS);
  const struct timeline_lane *lane = g_ptr_array_index (t.timeline->lanes, 0);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_WAIT, 3), 50 * MS);
  end_trace (&t);
}
