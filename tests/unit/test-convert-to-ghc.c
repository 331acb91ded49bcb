/* test-convert-to-ghc.c -- a Mono log as an eventlog: events of threads that run, have ended, or
 * are capabilities. */
#include "config.h"

#include "decoder/convert/convert-cap-names.h"
#include "decoder/convert/convert-to-ghc.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <proflog/mlpd-reader.h>
#include <string.h>

enum { THREAD = 7, START = 1000, OBJECT = 0x100, MARK = MLPD_MARKS_INDEX };

static const uint64_t cap_thread = CONVERT_CAP_ID;

static struct script script;

#define EVENT(KIND, id, ...)                                                                       \
  script_event (&script, KIND, &(union mlpd_payload){ .id = { __VA_ARGS__ } })

static void
put_thread (uint64_t time, uint64_t action, uint64_t thread, const char *name)
{
  EVENT (MLPD_METADATA_THREAD, metadata_thread, .action = action, .time = time, .thread = thread,
         .name = { name, strlen (name) });
}

static void
put_counter (uint64_t time, uint64_t section, uint64_t index, const char *name)
{
  const struct mlpd_counter counter = { .section = section,
                                        .section_name = { "", 0 },
                                        .name = { name, strlen (name) },
                                        .type = MLPD_COUNTER_TYPE_LONG,
                                        .index = index };
  EVENT (MLPD_SAMPLE_COUNTERS_DESC, sample_counters_desc, .time = time,
         .counters = { &counter, 1 });
}

static void
put_value (uint64_t time, uint64_t index)
{
  const struct mlpd_counter_value value
      = { .index = index, .type = MLPD_COUNTER_TYPE_LONG, .number = 5 };
  EVENT (MLPD_SAMPLE_COUNTERS, sample_counters, .time = time, .values = { &value, 1 });
}

/* ---- reading it back ---- */

static void
convert (struct convert_to_ghc *c, GByteArray *log)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  uint64_t time = START;
  mlpd_reader_push (reader, log->data, log->len);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    if (item->type == MLPD_ITEM_EVENT) {
      mlpd_event_time (item->kind, item->payload, &time);
      convert_to_ghc_event (c, item, time);
    }
  mlpd_reader_free (reader);
  g_byte_array_unref (log);
}

static bool
is_of_caps (const char *event)
{
  return g_str_has_prefix (event, "cap") || g_str_has_prefix (event, "block-marker")
         || g_str_has_prefix (event, "rts-identifier") || g_str_has_prefix (event, "osprocess-pid");
}

/* Names of the events, but for those that state the process and its capabilities (transfer full).
 */
static char *
events_of (const GString *eventlog)
{
  struct ghc_items *items
      = ghc_items_read ((const guint8 *) eventlog->str, eventlog->len, eventlog->len, 0);
  GString *names = g_string_new (NULL);
  assert_int_equal (items->result, PROFLOG_END);
  for (guint i = 0; i < items->items->len; i++) {
    const char *event = ghc_items_nth (items, i).event;
    if (event == NULL || is_of_caps (event))
      continue;
    g_string_append_printf (names, "%s%.*s", names->len != 0 ? " " : "", (int) strcspn (event, " "),
                            event);
  }
  ghc_items_free (items);
  return g_string_free (names, FALSE);
}

/* A log that begins with thread THREAD, or the capability; its eventlog. */
static void
expect (uint64_t thread, void (*put) (void), const char *expected)
{
  const struct convert_origin origin = { .start = START };
  struct convert_to_ghc c;
  struct symbols names;
  symbols_init (&names);
  script_begin_version (&script, 17);
  script_buffer (&script, thread, START);
  if (thread == cap_thread)
    put_thread (START, MLPD_LOAD_NAME, thread, "Capability 0");
  put ();
  convert_to_ghc_init (&c, &origin, &names);
  convert (&c, script_end (&script));
  convert_to_ghc_end (&c);
  assert_null (c.caps.error);
  char *events = events_of (c.caps.out);
  assert_string_equal (events, expected);
  g_free (events);
  convert_to_ghc_clear (&c);
  symbols_clear (&names);
}

/* ---- threads ---- */

/* All that a thread has events for. */
static void
put_all (void)
{
  put_counter (1100, MLPD_COUNTER_SECTION_PROFILER, MARK, MLPD_MARK "m");
  put_value (1110, MARK);
  put_value (1120, MLPD_LOST_EVENTS_INDEX);
  script_throw (&script, 1130, OBJECT);
  script_clause (&script, 1140, 0, 0x40);
  script_monitor (&script, 1150, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  script_monitor (&script, 1160, MLPD_MONITOR_EVENT_DONE, OBJECT);
}

static void
put_running (void)
{
  put_thread (1010, MLPD_LOAD_END_LOAD, THREAD, "");
  put_all ();
  put_thread (1900, MLPD_LOAD_END_UNLOAD, THREAD, "");
}

static void
put_ended (void)
{
  put_thread (1010, MLPD_LOAD_END_LOAD, THREAD, "");
  put_thread (1020, MLPD_LOAD_END_UNLOAD, THREAD, "");
  put_all ();
  put_thread (1800, MLPD_LOAD_NAME, THREAD, "late");
  put_thread (1900, MLPD_LOAD_END_UNLOAD, THREAD, "");
}

/* One that has ended has no more events, until another one has its id. */
static void
put_another (void)
{
  put_ended ();
  put_thread (2000, MLPD_LOAD_END_LOAD, THREAD, "");
}

static void
put_names (void)
{
  put_thread (1010, MLPD_LOAD_NAME, THREAD, "own");      /* begins it, with the name */
  put_thread (1020, MLPD_LOAD_NAME, THREAD, "other");    /* another name */
  put_thread (1030, MLPD_LOAD_NAME, THREAD + 1, "none"); /* of a thread that did not run */
  put_thread (1040, MLPD_LOAD_END_LOAD, THREAD + 1, ""); /* nor does it by this */
  put_thread (1050, MLPD_LOAD_END_UNLOAD, THREAD + 1, "");
}

TEST (threads)
{
  expect (THREAD, put_running,
          "create-thread run-thread user-marker log-msg user-marker user-msg stop-thread "
          "thread-wakeup run-thread stop-thread");
  expect (THREAD, put_ended, "create-thread run-thread stop-thread");
  expect (THREAD, put_another, "create-thread run-thread stop-thread create-thread run-thread");
  expect (THREAD, put_names, "create-thread thread-label run-thread thread-label thread-label");
}

/* Without a capability for the thread, each of its events is lost. */
TEST (too_many_threads)
{
  const struct convert_origin origin = { .start = START };
  struct convert_to_ghc c;
  struct symbols names;
  symbols_init (&names);
  convert_to_ghc_init (&c, &origin, &names);
  while (c.caps.all->len < GHC_NO_CAP)
    g_ptr_array_add (c.caps.all, g_new0 (struct convert_cap, 1)); /* which is in use */
  const gsize before = c.caps.out->len;
  script_begin_version (&script, 17);
  script_buffer (&script, THREAD, START);
  script_throw (&script, 1130, OBJECT);
  script_clause (&script, 1140, 0, 0x40);
  script_monitor (&script, 1150, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  script_gc (&script, 1160, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  EVENT (MLPD_ALLOC, alloc, .time = 1170, .vtable = 0x200, .object = OBJECT, .size = 24);
  put_thread (1180, MLPD_LOAD_NAME, THREAD, "name");
  put_thread (1190, MLPD_LOAD_END_UNLOAD, THREAD, "");
  convert (&c, script_end (&script));
  assert_int_equal (c.caps.out->len, before);
  assert_int_equal (c.losses.names->len, 1);
  assert_string_equal (c.losses.names->pdata[0],
                       "events of threads for which there is no capability");
  assert_int_equal (g_array_index (c.losses.counts, uint64_t, 0), 7);
  convert_to_ghc_clear (&c);
  symbols_clear (&names);
}

/* ---- collections ---- */

static void
put_gc (uint64_t time, uint64_t event, uint64_t generation)
{
  script_gc (&script, time, event, generation);
}

/* Of two in one stop of the world, the first one ends where the other begins. */
static void
put_two_collections (void)
{
  put_gc (1010, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  put_gc (1020, MLPD_GC_EVENT_POST_STOP_WORLD, 0);
  put_gc (1030, MLPD_GC_EVENT_START, 0);
  put_gc (1040, MLPD_GC_EVENT_END, 0);
  put_gc (1050, MLPD_GC_EVENT_START, 1);
  put_gc (1060, MLPD_GC_EVENT_END, 1);
  put_gc (1070, MLPD_GC_EVENT_PRE_START_WORLD, 1);
  put_gc (1080, MLPD_GC_EVENT_POST_START_WORLD, 1);
}

/* The log begins in the second of them, whose start it lacks. */
static void
put_rest_of_collections (void)
{
  put_gc (1040, MLPD_GC_EVENT_END, 0);
  put_gc (1060, MLPD_GC_EVENT_END, 1);
  put_gc (1070, MLPD_GC_EVENT_PRE_START_WORLD, 1);
}

static void
put_last_size (void)
{
  EVENT (MLPD_GC_RESIZE, gc_resize, .time = 1010, .size = 4096);
}

TEST (collections)
{
  expect (THREAD, put_two_collections,
          "create-thread run-thread stop-thread request-seq-gc gc-start gc-global-sync "
          "gc-stats-ghc gc-end gc-start gc-global-sync gc-stats-ghc gc-end run-thread");
  expect (THREAD, put_rest_of_collections,
          "create-thread run-thread gc-global-sync gc-stats-ghc gc-start gc-global-sync "
          "gc-stats-ghc gc-end");
  expect (THREAD, put_last_size, "create-thread run-thread heap-size");
}

/* ---- capabilities of an eventlog that the log was ---- */

static void
put_haskell_threads (void)
{
  put_thread (1010, MLPD_LOAD_END_LOAD, 5, "");
  put_thread (1020, MLPD_LOAD_NAME, 5, "name");
  put_thread (1030, MLPD_LOAD_START_LOAD, 5, ""); /* states nothing */
  put_thread (1040, MLPD_LOAD_END_UNLOAD, 5, "");
  put_thread (1050, MLPD_LOAD_END_LOAD, UINT64_C (1) << 32 | 1, ""); /* is no Haskell thread */
}

static void
put_cap_counters (void)
{
  put_counter (1010, MLPD_COUNTER_SECTION_PROFILER, 1, CONVERT_ALLOCATED "0");
  put_counter (1020, MLPD_COUNTER_SECTION_PROFILER, 2, CONVERT_LIVE "0");
  put_counter (1030, MLPD_COUNTER_SECTION_PROFILER, MARK, MLPD_MARK "m");
  put_counter (1040, MLPD_COUNTER_SECTION_USER, 3, CONVERT_LIVE "0"); /* is the program's */
  put_counter (1050, MLPD_COUNTER_SECTION_PROFILER, MLPD_LOST_EVENTS_INDEX, MLPD_LOST_EVENTS);
  put_value (1060, 1);
  put_value (1070, 2);
  put_value (1080, 3);
  put_value (1090, MARK);
  put_value (1100, MLPD_LOST_EVENTS_INDEX);
}

/* A size is written where it stands, but in a collection after that. */
static void
put_cap_sizes (void)
{
  EVENT (MLPD_GC_RESIZE, gc_resize, .time = 1010, .size = 4096);
  put_gc (1020, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  put_gc (1030, MLPD_GC_EVENT_POST_STOP_WORLD, 0);
  EVENT (MLPD_GC_RESIZE, gc_resize, .time = 1040, .size = 8192);
  put_gc (1050, MLPD_GC_EVENT_PRE_START_WORLD, 0);
  put_gc (1060, MLPD_GC_EVENT_POST_START_WORLD, 0);
}

/* A capability neither runs, waits nor ends. */
static void
put_cap_waits (void)
{
  script_monitor (&script, 1150, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  script_monitor (&script, 1160, MLPD_MONITOR_EVENT_DONE, OBJECT);
}

TEST (capabilities)
{
  expect (cap_thread, put_haskell_threads, "create-thread thread-label run-thread stop-thread");
  expect (cap_thread, put_cap_counters, "heap-allocated heap-live user-marker log-msg");
  expect (cap_thread, put_cap_sizes, "heap-size gc-start gc-end heap-size");
  expect (cap_thread, put_cap_waits, "");
}
