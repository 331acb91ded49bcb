/* test-mono-show.c -- the words of events of Mono logs.  The lines of whole logs are in
 * tests/cli/test-cli-show-mono.sh. */
#include "config.h"

#include "decoder/views/mlpd/mono-show.h"
#include "tests/prop/random-events.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

enum { ERROR_CLASS = 0x1000, METHOD = 0x5000, OBJECT = 0x8000, THREAD = 0x7f };

/* Calls a function for each event of the log with its line. */
static void
show_each (const guint8 *log, gsize length, const struct symbols *names,
           void (*take) (void *data, const struct mlpd_item *item, const char *line), void *data)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  struct mono_show show;
  uint64_t time = 0;
  GString *line = g_string_new (NULL);
  mono_show_init (&show, NULL, names);
  show.dump.first_time = 1000;
  mlpd_reader_push (reader, log, length);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    if (item->type == MLPD_ITEM_BUFFER) {
      time = item->buffer->time_base;
    } else if (item->type == MLPD_ITEM_EVENT) {
      mlpd_event_time (item->kind, item->payload, &time);
      g_string_truncate (line, 0);
      mono_show_event (&show, item, time, line);
      take (data, item, line->str);
    }
  mono_show_clear (&show);
  mlpd_reader_free (reader);
  g_string_free (line, TRUE);
}

static void
append_line (void *data, const struct mlpd_item *item, const char *line)
{
  (void) item;
  g_string_append (data, line);
}

/* Fails unless the log has these lines; frees it. */
static void
check (struct script *script, const struct symbols *names, const char *expected)
{
  GByteArray *log = script_end (script);
  GString *out = g_string_new (NULL);
  show_each (log->data, log->len, names, append_line, out);
  assert_string_equal (out->str, expected);
  g_string_free (out, TRUE);
  g_byte_array_unref (log);
}

/* ---- every event has words ---- */

static void
check_words (void *data, const struct mlpd_item *item, const char *line)
{
  guint *seen = data;
  const char *words = strchr (line, ':');
  assert_non_null (words);
  assert_true (strlen (words) > strlen (": x\n"));
  for (const char *at = line; *at != 0; at++)
    assert_true ((guchar) *at >= ' ' || (*at == '\n' && at[1] == 0));
  assert_true (g_utf8_validate (line, -1, NULL));
  seen[item->kind]++;
}

TEST (test_all_events)
{
  struct random_events random = { .few = 0 };
  guint seen[MLPD_KINDS] = { 0 };
  random_events_init (&random, 20261125);
  for (guint i = 0; i < 300; i++) {
    GByteArray *log = g_byte_array_new ();
    random_log (&random, log, 3, 60, NULL);
    show_each (log->data, log->len, NULL, check_words, seen);
    g_byte_array_unref (log);
  }
  random_events_clear (&random);
  for (guint kind = 0; kind < MLPD_KINDS; kind++)
    assert_true (seen[kind] != 0);
}

/* ---- words that depend on other events ---- */

/* As the 2010 writer has it: a class that is announced at the time of the throw is its type. */
TEST (test_type_of_throw)
{
  struct script s;
  script_begin (&s);
  script_buffer (&s, THREAD, 1000);
  script_class (&s, 1001, ERROR_CLASS, "Small.Error");
  script_throw (&s, 1001, OBJECT);
  script_throw (&s, 1001, OBJECT);
  script_class (&s, 1002, ERROR_CLASS, "Small.Error");
  script_monitor (&s, 1003, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  check (&s, NULL,
         "0.000000001 0x7f: loaded class \"Small.Error\", 0x1000, of image 0x1000\n"
         "0.000000001 0x7f: throwing Small.Error, 0x8000\n"
         "0.000000001 0x7f: throwing an object, 0x8000\n"
         "0.000000002 0x7f: loaded class \"Small.Error\", 0x1000, of image 0x1000\n"
         "0.000000003 0x7f: waiting for the lock of an object, 0x8000\n");
}

/* A thread has its name from when it was named, and the next one with its id has none. */
TEST (test_threads)
{
  struct script s;
  script_begin_version (&s, 17);
  script_buffer (&s, THREAD, 1000);
  union mlpd_payload p = {
    .metadata_thread
    = { .action = MLPD_LOAD_NAME, .time = 1001, .thread = THREAD, .name = { "a \x1b[1m", 6 } }
  };
  script_event (&s, MLPD_METADATA_THREAD, &p);
  script_enter (&s, 1002, METHOD);
  p.metadata_thread = (struct mlpd_metadata_thread){ .action = MLPD_LOAD_END_UNLOAD,
                                                     .time = 1003,
                                                     .thread = THREAD };
  script_event (&s, MLPD_METADATA_THREAD, &p);
  script_leave (&s, 1004, METHOD);
  check (&s, NULL,
         "0.000000001 0x7f: naming thread 0x7f \"a \\u001b[1m\"\n"
         "0.000000002 0x7f \"a \\u001b[1m\": entering method 0x5000\n"
         "0.000000003 0x7f \"a \\u001b[1m\": ended thread 0x7f\n"
         "0.000000004 0x7f: leaving method 0x5000\n");
}

/* A later announcement gives the name where there is none yet. */
TEST (test_later_names)
{
  struct script s;
  struct symbols names;
  symbols_init (&names);
  symbols_announce (&names, SYMBOL_METHOD, METHOD, (struct mlpd_string){ "First", 5 });
  script_begin (&s);
  script_buffer (&s, THREAD, 1000);
  script_enter (&s, 1001, METHOD);
  script_jit (&s, 1002, METHOD, 0, 0, "Second\n");
  script_leave (&s, 1003, METHOD);
  check (&s, &names,
         "0.000000001 0x7f: entering First\n"
         "0.000000002 0x7f: naming method \"Second\\u000a\", 0x5000\n"
         "0.000000003 0x7f: leaving Second\\u000a\n");
  symbols_clear (&names);
}

static void
describe (struct script *s, uint64_t time, const struct mlpd_counter *counters, size_t n)
{
  const union mlpd_payload p
      = { .sample_counters_desc = { .time = time, .counters = { counters, n } } };
  script_event (s, MLPD_SAMPLE_COUNTERS_DESC, &p);
}

static void
put_values (struct script *s, uint64_t time, const struct mlpd_counter_value *values, size_t n)
{
  const union mlpd_payload p = { .sample_counters = { .time = time, .values = { values, n } } };
  script_event (s, MLPD_SAMPLE_COUNTERS, &p);
}

/* Values are those that the counters have, not their changes. */
TEST (test_counters)
{
  const struct mlpd_counter counters[] = {
    { .section = MLPD_COUNTER_SECTION_GC,
      .name = { "Heap", 4 },
      .type = MLPD_COUNTER_TYPE_WORD,
      .unit = MLPD_COUNTER_UNIT_BYTES,
      .variance = MLPD_COUNTER_VARIANCE_VARIABLE,
      .index = 1 },
    { .section = MLPD_COUNTER_SECTION_JIT,
      .name = { "JIT time", 8 },
      .type = MLPD_COUNTER_TYPE_TIME_INTERVAL,
      .unit = MLPD_COUNTER_UNIT_TIME,
      .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
      .index = 2 },
    { .section = MLPD_COUNTER_SECTION_PROFILER,
      .name = { "Mark: half", 10 },
      .type = MLPD_COUNTER_TYPE_LONG,
      .unit = MLPD_COUNTER_UNIT_COUNT,
      .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
      .index = MLPD_MARKS_INDEX },
  };
  const struct mlpd_counter_value first[] = {
    { .index = 1, .type = MLPD_COUNTER_TYPE_WORD, .number = 4096 },
    { .index = 2, .type = MLPD_COUNTER_TYPE_TIME_INTERVAL, .number = 7 },
    { .index = 9, .type = MLPD_COUNTER_TYPE_LONG, .number = 7 },
  };
  const struct mlpd_counter_value second[]
      = { { .index = 1, .type = MLPD_COUNTER_TYPE_WORD, .number = (uint64_t) -4097 } };
  const struct mlpd_counter_value mark[]
      = { { .index = MLPD_MARKS_INDEX, .type = MLPD_COUNTER_TYPE_LONG, .number = 1 } };
  struct script s;
  script_begin_version (&s, 17);
  script_buffer (&s, THREAD, 1000);
  describe (&s, 1001, counters, G_N_ELEMENTS (counters));
  put_values (&s, 1002, first, G_N_ELEMENTS (first));
  put_values (&s, 1003, second, G_N_ELEMENTS (second));
  put_values (&s, 1004, mark, G_N_ELEMENTS (mark));
  script_hit (&s, 1005, THREAD, 0x99, NULL, 0);
  script_usage (&s, 1005, 1000, 250);
  check (&s, NULL,
         "0.000000001 0x7f: describing 3 counters: \"Heap\", \"JIT time\", \"Mark: half\"\n"
         "0.000000002 0x7f: counter \"Heap\" is 4096 bytes, counter \"JIT time\" is 7000 ns, "
         "counter number 9 is 7\n"
         "0.000000003 0x7f: counter \"Heap\" is -1 bytes\n"
         "0.000000004 0x7f: mark \"half\"\n"
         "0.000000005 0x7f: sampling thread 0x7f in native code, at 0x99\n"
         "0.000000005 0x7f: sampled thread ran 250 ns of 1000 ns\n");
}
