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

/* The bytes of packets, from perfetto's trace_packet.proto, track_descriptor.proto and
 * track_event.proto. */
TEST (perfetto)
{
  /* clang-format off */
  static const uint8_t expected[] = {
    /* uuid 17, process 7 */
    0x0a, 0x15, 0x40, 0x00, 0x50, 0x02, 0x68, 0x03, 0xe2, 0x03, 0x0c, 0x08, 0x11, 0x1a, 0x08, 0x08, 0x07, 0x32, 0x04, 0x70, 0xef, 0xbf, 0xbd,
    /* uuid 18, thread 2 of it */
    0x0a, 0x14, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0xe2, 0x03, 0x0b, 0x08, 0x12, 0x22, 0x07, 0x08, 0x07, 0x10, 0x02, 0x2a, 0x01, 0x54,
    /* uuid 19, counter of bytes */
    0x0a, 0x14, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0xe2, 0x03, 0x0b, 0x08, 0x13, 0x42, 0x02, 0x18, 0x03, 0x12, 0x01, 0x48, 0x28, 0x11,
    /* name 1 */
    0x0a, 0x11, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0x62, 0x09, 0x12, 0x07, 0x08, 0x01, 0x12, 0x03, 0x72, 0x75, 0x6e,
    /* begin, at 300 */
    0x0a, 0x0f, 0x40, 0xac, 0x02, 0x50, 0x02, 0x68, 0x02, 0x5a, 0x06, 0x48, 0x01, 0x58, 0x12, 0x50, 0x01,
    /* end */
    0x0a, 0x0d, 0x40, 0xad, 0x02, 0x50, 0x02, 0x68, 0x02, 0x5a, 0x04, 0x48, 0x02, 0x58, 0x12,
    /* instant */
    0x0a, 0x11, 0x40, 0xad, 0x02, 0x50, 0x02, 0x68, 0x02, 0x5a, 0x08, 0x48, 0x03, 0x58, 0x12, 0xba, 0x01, 0x01, 0x78,
    /* -1 */
    0x0a, 0x18, 0x40, 0x05, 0x50, 0x02, 0x68, 0x02, 0x5a, 0x10, 0x48, 0x04, 0x58, 0x13, 0xf0, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
    /* 0.5 */
    0x0a, 0x16, 0x40, 0x06, 0x50, 0x02, 0x68, 0x02, 0x5a, 0x0e, 0x48, 0x04, 0x58, 0x13, 0xe1, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0x3f,
  };
  /* clang-format on */
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = collect, .data = written };
  struct trace t;
  trace_begin (&t, export_find ("perfetto")->trace, &out);
  struct trace_track *process = trace_add_process (&t, 7, "p\xff");
  struct trace_track *thread = trace_add (&t, TRACE_THREAD, process, "T", TRACE_COUNT);
  struct trace_track *heap = trace_add (&t, TRACE_COUNTER, process, "H", TRACE_BYTES);
  trace_slice (&t, thread, trace_name (&t, "run"), 300);
  trace_slice_end (&t, thread, 301);
  trace_instant (&t, thread, "x", 301);
  trace_counter (&t, heap, (struct trace_value){ .whole = -1 }, 5);
  trace_counter (&t, heap, (struct trace_value){ .is_real = true, .real = 0.5 }, 6);
  trace_end (&t);
  assert_int_equal (written->len, sizeof expected);
  assert_memory_equal (written->str, expected, sizeof expected);
  g_string_free (out.bytes, TRUE);
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
