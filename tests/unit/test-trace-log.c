/* test-trace-log.c -- marks in a trace: "START x" and "STOP x" are the ends of an interval. */
#include "config.h"

#include "decoder/trace/trace-log.h"
#include "decoder/exports/export.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"
#include <string.h>

/* One that begins within another of its name belongs to that one; a STOP without START is only a
 * mark. */
TEST (intervals)
{
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = written };
  struct trace t;
  trace_begin (&t, export_find ("chrome")->trace, &out);
  struct trace_track *process = trace_add_process (&t, 7, "p");
  struct trace_track *marks = trace_add (&t, TRACE_LANE, process, "Marks", TRACE_COUNT);
  GHashTable *lanes = trace_marks_new ();
  trace_mark (&t, lanes, marks, "STOP load", 1000);
  trace_mark (&t, lanes, marks, "START load", 2000);
  trace_mark (&t, lanes, marks, "START load", 3000);
  trace_mark (&t, lanes, marks, "STOP load", 4000);
  trace_mark (&t, lanes, marks, "STOP load", 5000);
  trace_end (&t);
  const char *const events = strstr (written->str, "{\"ph\":\"i\"");
  assert_non_null (events);
  assert_string_equal (
      events,
      "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":1.000,\"s\":\"t\",\"name\":\"STOP load\"},\n"
      "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":2.000,\"s\":\"t\",\"name\":\"START load\"},\n"
      "{\"ph\":\"M\",\"pid\":7,\"tid\":3,\"name\":\"thread_name\",\"args\":{\"name\":\"load\"}},\n"
      "{\"ph\":\"B\",\"pid\":7,\"tid\":3,\"ts\":2.000,\"name\":\"load\"},\n"
      "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":3.000,\"s\":\"t\",\"name\":\"START load\"},\n"
      "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":4.000,\"s\":\"t\",\"name\":\"STOP load\"},\n"
      "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":5.000,\"s\":\"t\",\"name\":\"STOP load\"},\n"
      "{\"ph\":\"E\",\"pid\":7,\"tid\":3,\"ts\":5.000}\n"
      "]}\n");
  g_hash_table_unref (lanes);
  g_string_free (out.bytes, TRUE);
  g_string_free (written, TRUE);
}
