/* test-export-trace.c -- traces in the formats of viewers, as their documentation describes them.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"
#include <math.h>

/* A slice in a slice, a lane, an instant and a counter, with names that JSON cannot have as they
 * are. */
static void
write_trace (const char *format, GString *written)
{
  struct export_out out
      = { .bytes = g_string_new (NULL), .put = append_text, .data = written, .failed = false };
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

/* Slices of less than 100 ns are not there: one alone, one within a long one whose beginning they
 * waited for, one after it.  One that lasts exactly as long is, and so is one that has not
 * ended. */
TEST (short_slices)
{
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = written };
  struct trace t;
  trace_begin (&t, export_find ("chrome")->trace, &out);
  t.min_ns = 100;
  struct trace_track *process = trace_add_process (&t, 7, "p");
  struct trace_track *thread = trace_add (&t, TRACE_THREAD, process, "T", TRACE_COUNT);
  struct trace_track *lane = trace_add (&t, TRACE_LANE, thread, "waits", TRACE_COUNT);
  static const struct {
    const char *name; /* NULL: an end */
    uint64_t time;
  } events[] = {
    { "alone", 1000 }, { NULL, 1099 },    { "outer", 2000 }, { "short", 2010 }, { NULL, 2020 },
    { "exact", 2100 }, { "short", 2150 }, { NULL, 2160 },    { NULL, 2200 },    { "short", 2210 },
    { NULL, 2211 },    { NULL, 3000 },    { "open", 4000 },  { "short", 4001 }, { NULL, 4002 },
  };
  g_string_truncate (out.bytes, 0);
  trace_slice (&t, lane, trace_name (&t, "lock"), 2050);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    if (events[i].name != NULL)
      trace_slice (&t, thread, trace_name (&t, events[i].name), events[i].time);
    else
      trace_slice_end (&t, thread, events[i].time);
  trace_slice_end (&t, lane, 2060);
  trace_end (&t);
  assert_int_equal (t.n_short, 6);
  g_autofree char *text = trace_short_text (&t);
  assert_string_equal (text, "6 slices shorter than 100 ns are left out");
#define B(ts, name) ",\n{\"ph\":\"B\",\"pid\":7,\"tid\":2,\"ts\":" ts ",\"name\":\"" name "\"}"
#define E(ts) ",\n{\"ph\":\"E\",\"pid\":7,\"tid\":2,\"ts\":" ts "}"
  assert_string_equal (written->str, B ("2.000", "outer") B ("2.100", "exact") E ("2.200")
                                         E ("3.000") B ("4.000", "open") "\n]}\n");
#undef B
#undef E
  g_string_free (out.bytes, TRUE);
  g_string_free (written, TRUE);
}

/* Samples as V8 has them, in profiles of threads; allocations with stacks that are written once. */
TEST (chrome_stacks)
{
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = written };
  struct trace t;
  trace_begin (&t, export_find ("chrome")->trace, &out);
  struct trace_track *process = trace_add_process (&t, 7, "p");
  struct trace_track *thread = trace_add (&t, TRACE_THREAD, process, "T", TRACE_COUNT);
  const guint frames[] = { trace_name (&t, "a"), trace_name (&t, "b") };
  const struct trace_stack outer = { frames, 1, NULL }, inner = { frames, 2, NULL },
                           none = { frames, 0, NULL };
  g_string_truncate (out.bytes, 0);
  trace_sample (&t, thread, &inner, 2999);
  trace_sample (&t, thread, &outer, 5000);
  trace_sample (&t, thread, &none, 4000); /* earlier than the one before: at the time of that */
  trace_allocation (&t, thread, trace_name (&t, "N"), &inner,
                    (struct trace_objects){ TRACE_OBJECT_PARTS, 24, 24 }, 6000);
  trace_allocation (&t, thread, trace_name (&t, "N"), &none, (struct trace_objects){ 1536, 40, 27 },
                    7000);
  trace_end (&t);
#define P(ts, name)                                                                                \
  ",\n{\"ph\":\"P\",\"pid\":7,\"tid\":2,\"ts\":" ts ",\"name\":\"" name                            \
  "\",\"cat\":\"profile\",\"id\":\"0x2\",\"args\":{\"data\":{"
#define FRAME(id, name)                                                                            \
  "{\"id\":" id ",\"callFrame\":{\"codeType\":\"other\",\"scriptId\":0,\"functionName\":\"" name   \
  "\"}"
#define CHUNK(ts, nodes, sample, since)                                                            \
  P (ts, "ProfileChunk")                                                                           \
  "\"cpuProfile\":{\"nodes\":[" nodes "],\"samples\":[" sample "]},\"timeDeltas\":[" since "]}}}"
  assert_string_equal (
      written->str, P ("2.999", "Profile") "\"startTime\":2}}}" CHUNK (
                        "2.999",
                        FRAME ("1", "(root)") "}," FRAME ("2", "a") ",\"parent\":1}," FRAME (
                            "3", "b") ",\"parent\":2}",
                        "3", "0") CHUNK ("5.000", "", "2", "3")
                        CHUNK ("4.000", FRAME ("4", "[unknown]") ",\"parent\":1}", "4",
                               "0") ",\n{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":6.000,\"s\":\"t\","
                                    "\"cat\":\"allocation\",\"name\":\"N\","
                                    "\"sf\":2,\"args\":{\"bytes\":24}}"
                                    ",\n{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":7.000,\"s\":\"t\","
                                    "\"cat\":\"allocation\",\"name\":\"N\","
                                    "\"args\":{\"bytes\":40,\"objects\":1.500}}"
                                    "\n],\n\"stackFrames\":{"
                                    "\n\"1\":{\"category\":\"\",\"name\":\"a\"},"
                                    "\n\"2\":{\"category\":\"\",\"name\":\"b\",\"parent\":\"1\"},"
                                    "\n\"3\":{\"category\":\"\",\"name\":\"[unknown]\"}}}\n");
#undef P
#undef FRAME
#undef CHUNK
  g_string_free (out.bytes, TRUE);
  g_string_free (written, TRUE);
}

/* The bytes of packets, from perfetto's trace_packet.proto, track_descriptor.proto,
 * track_event.proto, interned_data.proto, profile_common.proto and profile_packet.proto. */
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
    /* name 1 of events, functions and frames; mapping 1 */
    0x0a, 0x29, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0x62, 0x21, 0x12, 0x07, 0x08, 0x01, 0x12, 0x03, 0x72, 0x75, 0x6e, 0x2a, 0x07, 0x08, 0x01, 0x12, 0x03, 0x72, 0x75, 0x6e, 0x9a, 0x01, 0x02, 0x08, 0x01, 0x32, 0x08, 0x08, 0x01, 0x10, 0x01, 0x18, 0x01, 0x20, 0x01,
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
    /* callstack 1 of interned data: frame 1 */
    0x0a, 0x0e, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0x62, 0x06, 0x3a, 0x04, 0x08, 0x01, 0x10, 0x01,
    /* perf sample of process 7, thread 2, callstack 1 */
    0x0a, 0x10, 0x40, 0x90, 0x03, 0x50, 0x02, 0x68, 0x02, 0x92, 0x04, 0x06, 0x10, 0x07, 0x18, 0x02, 0x20, 0x01,
    /* name 2 */
    0x0a, 0x20, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0x62, 0x18, 0x12, 0x05, 0x08, 0x02, 0x12, 0x01, 0x4e, 0x2a, 0x05, 0x08, 0x02, 0x12, 0x01, 0x4e, 0x32, 0x08, 0x08, 0x02, 0x10, 0x02, 0x18, 0x01, 0x20, 0x02,
    /* callstack 2: frames 1 and 2 */
    0x0a, 0x10, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0x62, 0x08, 0x3a, 0x06, 0x08, 0x02, 0x10, 0x01, 0x10, 0x02,
    /* clocks 4 and 6 are the same */
    0x0a, 0x14, 0x40, 0x00, 0x50, 0x02, 0x68, 0x02, 0x32, 0x0c, 0x0a, 0x04, 0x08, 0x04, 0x10, 0x00, 0x0a, 0x04, 0x08, 0x06, 0x10, 0x00,
    /* heap profile of process 7: 48 bytes of two objects with callstack 2 */
    0x0a, 0x24, 0x40, 0xcc, 0x03, 0x50, 0x02, 0x68, 0x02, 0xaa, 0x02, 0x1a, 0x38, 0x00, 0x2a, 0x16, 0x08, 0x07, 0x48, 0xcc, 0x03, 0x5a, 0x07, 0x6d, 0x61, 0x6e, 0x61, 0x67, 0x65, 0x64, 0x12, 0x06, 0x08, 0x02, 0x10, 0x30, 0x28, 0x02,
  };
  /* clang-format on */
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = written };
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
  const guint frame = trace_name (&t, "run");
  const struct trace_stack stack = { &frame, 1, NULL };
  const struct trace_objects objects = { TRACE_OBJECT_PARTS, 24, 24 };
  trace_sample (&t, thread, &stack, 400);
  trace_allocation (&t, thread, trace_name (&t, "N"), &stack, objects, 450);
  trace_allocation (&t, thread, trace_name (&t, "N"), &stack, objects, 460);
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
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = written };
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
