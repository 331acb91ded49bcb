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
  bool is_outside; /* of the selection */
};

static const struct trace_track *
lane_of (void *data, uint64_t thread, uint64_t time, char **name)
{
  (void) data;
  (void) time;
  *name = g_strdup_printf ("Thread %" G_GUINT64_FORMAT, thread);
  return NULL;
}

static const struct trace_threads threads = { .lane = lane_of };

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
  assert_int_equal (trace_marks_finish (&t, marks, process, &threads), 0);
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
#define BEGIN_OF(n, time, name)                                                                    \
  "{\"ph\":\"B\",\"pid\":7,\"tid\":" n ",\"ts\":" time ",\"name\":\"" name "\"},\n"
#define BEGIN(n, time) BEGIN_OF (n, time, "load")
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
               LANE ("3", "Thread 1") BEGIN ("3", "2.000") BEGIN ("3", "3.000") END ("3", "4.000")
                   LAST_END ("3", "5.000"));
}

/* Intervals of any name are within each other, if they are.  Those of a thread that overlap have
 * further lanes. */
TEST (intervals_of_names)
{
  static const struct moment moments[] = {
    { 1000, 1, "STOP load", false },   { 2000, 1, "START load", false },
    { 3000, 1, "START query", false }, { 4000, 1, "STOP query", false },
    { 5000, 1, "B:query", false },     { 6000, 1, "STOP load", false },
    { 7000, 1, "E:query", false },
  };
  check_trace (moments, G_N_ELEMENTS (moments),
               LANE ("3", "Thread 1") BEGIN ("3", "2.000") BEGIN_OF ("3", "3.000", "query")
                   END ("3", "4.000") LANE ("4", "Thread 1 (2)") BEGIN_OF ("4", "5.000", "query")
                       END ("3", "6.000") LAST_END ("4", "7.000"));
}

/* Each thread has a lane. */
TEST (intervals_of_threads)
{
  static const struct moment moments[] = {
    { 1000, 1, "STOP load", false },  { 2000, 1, "START load", false },
    { 3000, 2, "START load", false }, { 4000, 1, "STOP load", false },
    { 6000, 3, "START load", false }, { 7000, 2, "STOP load", false },
    { 8000, 3, "STOP load", false },
  };
  check_trace (moments, G_N_ELEMENTS (moments),
               LANE ("3", "Thread 1") BEGIN ("3", "2.000") END ("3", "4.000") LANE ("4", "Thread 2")
                   BEGIN ("4", "3.000") END ("4", "7.000") LANE ("5", "Thread 3")
                       BEGIN ("5", "6.000") LAST_END ("5", "8.000"));
}

/* An interval that ends on another thread than it began on is on lanes of its name; one that is
 * free is used again. */
TEST (intervals_across_threads)
{
  static const struct moment moments[] = {
    { 1000, 1, "STOP load", false },  { 2000, 1, "START load", false },
    { 3000, 3, "START load", false }, { 4000, 2, "STOP load", false },
    { 5000, 1, "START load", false }, { 6000, 4, "STOP load", false },
    { 8000, 5, "STOP load", false },
  };
  check_trace (moments, G_N_ELEMENTS (moments),
               LANE ("3", "load") BEGIN ("3", "2.000") LANE ("4", "load (2)") BEGIN ("4", "3.000")
                   END ("3", "4.000") BEGIN ("3", "5.000") END ("4", "6.000")
                       LAST_END ("3", "8.000"));
}

/* An interval that does not end has those within it, on the lane of its thread; the interval of
 * thread 3, which begins before the selection, is not there, and that of thread 2, which ends after
 * it, is open. */
TEST (open_intervals)
{
  static const struct moment moments[] = {
    { 900, 3, "START load", true },   { 1000, 1, "STOP load", false },
    { 2000, 1, "START load", false }, { 3000, 2, "START load", false },
    { 3500, 3, "STOP load", false },  { 4000, 2, "START load", false },
    { 5000, 2, "STOP load", false },  { 9000, 2, "STOP load", true },
  };
  check_trace (moments, G_N_ELEMENTS (moments),
               LANE ("3", "Thread 1") BEGIN ("3", "2.000") LANE ("4", "Thread 2")
                   BEGIN ("4", "3.000") BEGIN ("4", "4.000") LAST_END ("4", "5.000"));
}

/* Of more threads than have lanes those of the least time share some: as many as are needed at a
 * time. */
TEST (many_threads)
{
  enum { EXTRA = 5, THREADS = TRACE_INTERVAL_THREADS_MAX + EXTRA };
  GString *written = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = written };
  struct trace t;
  trace_begin (&t, export_find ("chrome")->trace, &out);
  struct trace_track *process = trace_add_process (&t, 7, "p");
  struct trace_marks *marks = trace_marks_new (0);
  for (guint i = 0; i < THREADS; i++) { /* the first ones are the shortest */
    const struct mark_time begin = { 10000 * i, i, true }, end = { 10000 * i + i + 1, i, true };
    trace_mark_span (marks, i, "load", &begin);
    trace_mark_span (marks, i, NULL, &end);
  }
  assert_int_equal (trace_marks_finish (&t, marks, process, &threads), 0);
  trace_end (&t);
  guint lanes = 0, others = 0;
  for (const char *at = written->str; (at = strstr (at, "\"thread_name\"")) != NULL; at++)
    lanes++;
  for (const char *at = written->str; (at = strstr (at, "Other threads")) != NULL; at++)
    others++;
  assert_int_equal (lanes, TRACE_INTERVAL_THREADS_MAX + 1);
  assert_int_equal (others, 1);
  assert_null (strstr (written->str, "\"Thread 4\""));
  assert_non_null (strstr (written->str, "\"Thread 5\""));
  g_string_free (out.bytes, TRUE);
  g_string_free (written, TRUE);
}
