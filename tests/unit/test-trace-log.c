/* test-trace-log.c -- marks in a trace: "START x" and "STOP x" are the ends of an interval. */
#include "config.h"

#include "decoder/trace/trace-log.h"
#include "decoder/exports/export.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"
#include <string.h>

struct moment {
  uint64_t time, thread;
  const char *text;
  bool is_outside; /* of what is selected */
};

/* The events after the first instant. */
static void
check_trace (const struct moment *moments, size_t n, const char *wanted)
{
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = written };
  struct trace t;
  trace_begin (&t, export_find ("chrome")->trace, &out);
  struct trace_track *process = trace_add_process (&t, 7, "p");
  struct trace_track *track = trace_add (&t, TRACE_LANE, process, "Marks", TRACE_COUNT);
  struct trace_marks *marks = trace_marks_new (500);
  for (size_t i = 0; i < n; i++)
    trace_mark (&t, marks, track, moments[i].text,
                &(const struct mark_time){ moments[i].time + 500, moments[i].thread,
                                           !moments[i].is_outside });
  assert_int_equal (trace_marks_finish (&t, marks, process), 0);
  trace_end (&t);
  const char *events = strstr (written->str, "{\"ph\":\"M\",\"pid\":7,\"tid\":3");
  assert_non_null (events);
  assert_string_equal (events, wanted);
  assert_non_null (strstr (written->str,
                           "{\"ph\":\"i\",\"pid\":7,\"tid\":2,\"ts\":1.000,\"s\":\"t\","
                           "\"name\":\"STOP load\"}"));
  g_string_free (out.bytes, TRUE);
  g_string_free (written, TRUE);
}

#define LANE(n, name)                                                                              \
  "{\"ph\":\"M\",\"pid\":7,\"tid\":" n ",\"name\":\"thread_name\",\"args\":{\"name\":\"" name      \
  "\"}},\n"
#define BEGIN(n, time) "{\"ph\":\"B\",\"pid\":7,\"tid\":" n ",\"ts\":" time ",\"name\":\"load\"},\n"
#define END(n, time) "{\"ph\":\"E\",\"pid\":7,\"tid\":" n ",\"ts\":" time "},\n"
#define LAST_END(n, time) "{\"ph\":\"E\",\"pid\":7,\"tid\":" n ",\"ts\":" time "}\n]}\n"

/* A STOP without START is only a mark. */
TEST (nested_intervals)
{
  static const struct moment moments[] = {
    { 1000, 1, "STOP load", false },  { 2000, 1, "START load", false },
    { 3000, 1, "START load", false }, { 4000, 1, "STOP load", false },
    { 5000, 1, "STOP load", false },
  };
  check_trace (moments, G_N_ELEMENTS (moments),
               LANE ("3", "load") BEGIN ("3", "2.000") BEGIN ("3", "3.000") END ("3", "4.000")
                   LAST_END ("3", "5.000"));
}

/* Those of threads that overlap have lanes; a lane that is free is used again. */
TEST (intervals_of_threads)
{
  static const struct moment moments[] = {
    { 1000, 1, "STOP load", false },  { 2000, 1, "START load", false },
    { 3000, 2, "START load", false }, { 4000, 1, "STOP load", false },
    { 6000, 3, "START load", false }, { 7000, 2, "STOP load", false },
    { 8000, 3, "STOP load", false },
  };
  check_trace (moments, G_N_ELEMENTS (moments),
               LANE ("3", "load") BEGIN ("3", "2.000") LANE ("4", "load (2)") BEGIN ("4", "3.000")
                   END ("3", "4.000") BEGIN ("3", "6.000") END ("4", "7.000")
                       LAST_END ("3", "8.000"));
}

/* What is open at the end is on one lane, whatever the thread; the interval of thread 3, which
 * begins before what is selected, is not there, and that of thread 2, which ends after it, is open.
 */
TEST (open_intervals)
{
  static const struct moment moments[] = {
    { 900, 3, "START load", true },   { 1000, 1, "STOP load", false },
    { 2000, 1, "START load", false }, { 3000, 2, "START load", false },
    { 3500, 3, "STOP load", false },  { 4000, 2, "START load", false },
    { 5000, 2, "STOP load", false },  { 9000, 2, "STOP load", true },
  };
  check_trace (moments, G_N_ELEMENTS (moments),
               LANE ("3", "load") BEGIN ("3", "2.000") BEGIN ("3", "3.000") LANE ("4", "load (2)")
                   BEGIN ("4", "4.000") LAST_END ("4", "5.000"));
}
