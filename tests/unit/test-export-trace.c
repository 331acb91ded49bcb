/* test-export-trace.c -- traces in the formats of viewers, as their documentation describes them.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "tests/unit/test.h"
#include <math.h>

static bool
collect (void *data, const GString *bytes)
{
  g_string_append_len (data, bytes->str, (gssize) bytes->len);
  return true;
}

/* A slice in a slice, a lane, an instant and a counter, with names that JSON cannot have as they
 * are. */
static void
write_trace (const char *format, GString *written)
{
  struct export_out out
      = { .bytes = g_string_new (NULL), .put = collect, .data = written, .failed = false };
  struct trace t;
  trace_begin (&t, export_find (format)->trace, &out);
  struct trace_track *process = trace_add_process (&t, 7, "a\"b");
  struct trace_track *thread = trace_add (&t, TRACE_THREAD, process, "Main", TRACE_COUNT);
  trace_rename (&t, thread, "</script>\n");
  struct trace_track *lane = trace_add (&t, TRACE_LANE, thread, "waits", TRACE_COUNT);
  struct trace_track *heap = trace_add (&t, TRACE_COUNTER, process, "Heap", TRACE_BYTES);
  const guint run = trace_name (&t, "Run\\ (\x01)");
  trace_slice (&t, thread, run, 1000);
  trace_slice (&t, lane, trace_name (&t, "lock"), 1500);
  trace_slice (&t, thread, run, 500); /* earlier than the one before: at 1000 */
  trace_slice_end (&t, thread, 2001);
  trace_slice_end (&t, thread, 3000);
  trace_slice_end (&t, thread, 4000); /* there is none */
  trace_instant (&t, thread, "throw \xff", 5000);
  trace_counter (&t, heap, (struct trace_value){ .whole = -8 }, 12);
  trace_counter (&t, heap, (struct trace_value){ .is_real = true, .real = 0.5 }, 13);
  trace_counter (&t, heap, (struct trace_value){ .is_real = true, .real = INFINITY }, 14);
  assert_int_equal (trace_name (&t, "lock"), 1);
  trace_end (&t);
  g_string_free (out.bytes, TRUE);
}

TEST (chrome)
{
  GString *written = g_string_new (NULL);
  write_trace ("chrome", written);
  assert_string_equal (
      written->str,
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"proflog " PACKAGE_VERSION "\"},\n"
      "\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":7,\"name\":\"process_name\",\"args\":{\"name\":\"a\\\"b\"}},\n"
      "{\"ph\":\"M\",\"pid\":7,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"Main\"}},\n"
      "{\"ph\":\"M\",\"pid\":7,\"tid\":2,\"name\":\"thread_name\","
      "\"args\":{\"name\":\"</script>\\u000a\"}},\n"
      "{\"ph\":\"M\",\"pid\":7,\"tid\":3,\"name\":\"thread_name\","
      "\"args\":{\"name\":\"</script>\\u000a: waits\"}},\n"
      "{\"ph\":\"B\",\"pid\":7,\"tid\":2,\"ts\":1.000,\"name\":\"Run\\\\ (\\u0001)\"},\n"
      "{\"ph\":\"B\",\"pid\":7,\"tid\":3,\"ts\":1.500,\"name\":\"lock\"},\n"
      "{\"ph\":\"B\",\"pid\":7,\"tid\":2,\"ts\":1.000,\"name\":\"Run\\\\ (\\u0001)\"},\n"
      "{\"ph\":\"E\",\"pid\":7,\"tid\":2,\"ts\":2.001},\n"
      "{\"ph\":\"E\",\"pid\":7,\"tid\":2,\"ts\":3.000},\n"
      "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":5.000,\"s\":\"t\","
      "\"name\":\"throw \\ufffd\"},\n"
      "{\"ph\":\"C\",\"pid\":7,\"ts\":0.012,\"name\":\"Heap\",\"args\":{\"bytes\":-8}},\n"
      "{\"ph\":\"C\",\"pid\":7,\"ts\":0.013,\"name\":\"Heap\",\"args\":{\"bytes\":0.5}}\n"
      "]}\n");
  g_string_free (written, TRUE);
}

/* A process that is of no id, or of that of another one, has one that no process can have. */
TEST (pids)
{
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = collect, .data = written };
  struct trace t;
  trace_begin (&t, export_find ("chrome")->trace, &out);
  assert_int_equal (trace_add_process (&t, 12, "a")->pid, 12);
  const uint32_t second = trace_add_process (&t, 12, "b")->pid;
  const uint32_t third = trace_add_process (&t, 0, "c")->pid;
  assert_true (second >= 1u << 22 && third >= 1u << 22 && second != third);
  assert_true (trace_add_process (&t, UINT64_MAX, "d")->pid < 1u << 31);
  trace_end (&t);
  g_string_free (out.bytes, TRUE);
  g_string_free (written, TRUE);
}
