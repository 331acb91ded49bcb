/* test-log-validator.c -- the events that each state machine of Mono logs accepts, and where it
 * stops. */
#include "config.h"

#include "decoder/mlpd/analyses/log-validator.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

enum { METHOD = 0x5000, OTHER = 0x5100, OBJECT = 0x8000, THREAD = 0x7f, CLASS = 0x1000 };

/* The finding of a machine in a log: the number of the event that it refuses, and why. */
struct found {
  guint event; /* from 1; 0: none */
  char *reason;
  GArray *states;
};

static struct found
validate_with (struct script *script, enum log_validation type, bool is_part, bool duplicates)
{
  GByteArray *log = script_end (script);
  struct log_validator *v = log_validator_new (type, is_part, duplicates);
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  struct found found = { .event = 0 };
  guint events = 0;
  mlpd_reader_push (reader, log->data, log->len);
  mlpd_reader_finish (reader);
  while (found.event == 0 && mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    if (item->type == MLPD_ITEM_EVENT && ++events != 0
        && !log_validator_item (v, item, &found.reason))
      found.event = events;
  found.states = log_validator_states (v);
  log_validator_free (v);
  mlpd_reader_free (reader);
  g_byte_array_unref (log);
  return found;
}

/* Fails unless the machine refuses the event of this number (0: none), for a reason that has these
 * words. */
static void
check (struct script *script, enum log_validation type, guint event, const char *words)
{
  struct found found = validate_with (script, type, false, false);
  assert_int_equal (found.event, event);
  if (event != 0)
    assert_non_null (strstr (found.reason, words));
  g_free (found.reason);
  g_array_unref (found.states);
}

static void
begin (struct script *s)
{
  script_begin_version (s, 17);
  script_buffer (s, THREAD, 1000);
}

#define PUT(s, KIND, id, ...)                                                                      \
  script_event (s, MLPD_##KIND, &(union mlpd_payload){ .id = { .time = 1001, __VA_ARGS__ } })

static void
put_thread (struct script *s, uint64_t thread, uint64_t action)
{
  PUT (s, METADATA_THREAD, metadata_thread, .action = action, .thread = thread);
}

/* ---- calls ---- */

TEST (test_calls)
{
  struct script s;
  begin (&s);
  script_enter (&s, 1001, METHOD);
  script_enter (&s, 1001, OTHER);
  script_exc_leave (&s, 1002, OTHER);
  script_leave (&s, 1003, METHOD);
  script_exc_leave (&s, 1003, OTHER); /* of code compiled ahead of time */
  put_thread (&s, THREAD, MLPD_LOAD_END_UNLOAD);
  script_leave (&s, 1003, METHOD);
  check (&s, LOG_VALIDATE_CALLS, 7, "the method was not entered");
}

TEST (test_calls_out_of_order)
{
  struct script s;
  begin (&s);
  script_enter (&s, 1001, METHOD);
  script_enter (&s, 1001, OTHER);
  script_leave (&s, 1002, METHOD);
  check (&s, LOG_VALIDATE_CALLS, 3, "1 methods are open above it");
}

/* Of another thread's end nothing is open. */
TEST (test_calls_at_end)
{
  struct script s;
  begin (&s);
  script_enter (&s, 1001, METHOD);
  put_thread (&s, THREAD + 1, MLPD_LOAD_END_UNLOAD);
  put_thread (&s, THREAD, MLPD_LOAD_END_UNLOAD);
  check (&s, LOG_VALIDATE_CALLS, 3, "1 methods are open");
}

/* Each thread has its own, and open calls at the end are left. */
TEST (test_calls_of_threads)
{
  struct script s;
  begin (&s);
  script_enter (&s, 1001, METHOD);
  script_buffer (&s, THREAD + 1, 1002);
  script_enter (&s, 1003, OTHER);
  script_leave (&s, 1004, OTHER);
  struct found found = validate_with (&s, LOG_VALIDATE_CALLS, false, false);
  assert_int_equal (found.event, 0);
  assert_int_equal (found.states->len, 1);
  const struct log_validator_state *left = (const void *) found.states->data;
  assert_int_equal (left->id, THREAD);
  assert_string_equal (left->state, "in a method");
  g_array_unref (found.states);
}

/* A log that continues another one ends calls that began there. */
TEST (test_part)
{
  struct script s;
  begin (&s);
  script_leave (&s, 1001, METHOD);
  struct found found = validate_with (&s, LOG_VALIDATE_CALLS, true, false);
  assert_int_equal (found.event, 0);
  g_array_unref (found.states);
}

/* ---- collections ---- */

static void
put_world (struct script *s, const uint64_t *events, guint n)
{
  for (guint i = 0; i < n; i++)
    script_gc (s, 1001, events[i], 0);
}
#define WORLD(s, ...)                                                                              \
  put_world (s, (const uint64_t[]){ __VA_ARGS__ }, sizeof (uint64_t[]){ __VA_ARGS__ } / 8)

/* Numbers: start 0, end 5; the world 6 (10) 7, 8 9 (11). */
TEST (test_collections)
{
  struct script s;
  begin (&s);
  WORLD (&s, 6, 10, 7, 0, 1, 2, 3, 4, 5, 8, 9, 11, 6, 7, 0, 5, 8, 9, 6, 8);
  check (&s, LOG_VALIDATE_COLLECTIONS, 20, "it comes after pre-stop-world");
}

TEST (test_collections_not_stopped)
{
  struct script s;
  begin (&s);
  WORLD (&s, 0, 5, 9);
  check (&s, LOG_VALIDATE_COLLECTIONS, 3, "the thread did not stop the world");
}

TEST (test_collections_nested)
{
  struct script s;
  begin (&s);
  script_gc (&s, 1001, MLPD_GC_EVENT_START, 0);
  script_gc (&s, 1001, MLPD_GC_EVENT_START, 1);
  script_gc (&s, 1001, MLPD_GC_EVENT_START, 0);
  check (&s, LOG_VALIDATE_COLLECTIONS, 3, "a collection of generation 0 is running");
}

TEST (test_collections_not_begun)
{
  struct script s;
  begin (&s);
  script_gc (&s, 1001, MLPD_GC_EVENT_START, 0);
  script_gc (&s, 1001, MLPD_GC_EVENT_END, 1);
  check (&s, LOG_VALIDATE_COLLECTIONS, 2, "no collection of this generation");
}

/* As Mono's concurrent collector has it: one thread stops the world, begins the collection and lets
 * the world go on; another one stops the world again and ends it. */
TEST (test_collections_concurrent)
{
  struct script s;
  begin (&s);
  for (unsigned i = 0; i < 2; i++) {
    script_buffer (&s, THREAD, 1001);
    WORLD (&s, 6, 10, 7);
    script_gc (&s, 1001, MLPD_GC_EVENT_START, 0);
    script_gc (&s, 1001, MLPD_GC_EVENT_END, 0);
    script_gc (&s, 1001, MLPD_GC_EVENT_START, 1);
    WORLD (&s, 8, 9, 11);
    script_buffer (&s, THREAD + 1, 1001);
    WORLD (&s, 6, 10, 7);
    script_gc (&s, 1001, MLPD_GC_EVENT_END, 1);
    WORLD (&s, 8, 9, 11);
  }
  script_gc (&s, 1001, MLPD_GC_EVENT_START, 1);
  check (&s, LOG_VALIDATE_COLLECTIONS, 0, NULL);
}

/* Two at a time are none. */
TEST (test_collections_of_threads)
{
  struct script s;
  begin (&s);
  script_gc (&s, 1001, MLPD_GC_EVENT_START, 1);
  script_buffer (&s, THREAD + 1, 1001);
  script_gc (&s, 1001, MLPD_GC_EVENT_START, 1);
  check (&s, LOG_VALIDATE_COLLECTIONS, 2, "a collection of generation 1 is running, since");
}

/* ---- heap snapshots ---- */

static void
put_object (struct script *s, uint64_t object, uint64_t size)
{
  PUT (s, HEAP_OBJECT, heap_object, .object = object, .vtable = CLASS, .size = size);
}

TEST (test_heapshots)
{
  struct script s;
  begin (&s);
  script_shot_start (&s, 1001);
  put_object (&s, OBJECT, 24);
  put_object (&s, OBJECT, 0);
  script_shot_end (&s, 1002);
  script_shot_start (&s, 1003);
  put_object (&s, OBJECT, 0);
  check (&s, LOG_VALIDATE_HEAPSHOTS, 6, "it continues an object that is not the one before it");
}

TEST (test_heapshots_stray)
{
  struct script s;
  begin (&s);
  script_shot_start (&s, 1001);
  script_buffer (&s, THREAD + 1, 1002);
  put_object (&s, OBJECT, 24);
  check (&s, LOG_VALIDATE_HEAPSHOTS, 2, "the thread is in no heap snapshot");
}

TEST (test_heapshots_open)
{
  struct script s;
  begin (&s);
  script_shot_start (&s, 1001);
  script_shot_start (&s, 1002);
  check (&s, LOG_VALIDATE_HEAPSHOTS, 2, "has no end");
  begin (&s);
  script_shot_end (&s, 1001);
  check (&s, LOG_VALIDATE_HEAPSHOTS, 1, "the thread is in no heap snapshot");
}

/* ---- monitors ---- */

TEST (test_monitors)
{
  struct script s;
  begin (&s);
  script_monitor (&s, 1001, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  script_monitor (&s, 1002, MLPD_MONITOR_EVENT_DONE, OBJECT);
  script_monitor (&s, 1003, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  script_monitor (&s, 1004, MLPD_MONITOR_EVENT_FAIL, OBJECT);
  script_monitor (&s, 1005, MLPD_MONITOR_EVENT_DONE, OBJECT);
  check (&s, LOG_VALIDATE_MONITORS, 5, "the thread did not wait");
}

TEST (test_monitors_waiting)
{
  struct script s;
  begin (&s);
  script_monitor (&s, 1001, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  script_monitor (&s, 1002, MLPD_MONITOR_EVENT_CONTENTION, OBJECT + 8);
  check (&s, LOG_VALIDATE_MONITORS, 2, "the thread waits for 0x8000");
  begin (&s);
  script_monitor (&s, 1001, MLPD_MONITOR_EVENT_CONTENTION, OBJECT);
  script_monitor (&s, 1002, MLPD_MONITOR_EVENT_DONE, OBJECT + 8);
  check (&s, LOG_VALIDATE_MONITORS, 2, "the thread waited for 0x8000");
}

/* ---- threads ---- */

/* An id that is used again is another thread's. */
TEST (test_threads)
{
  struct script s;
  begin (&s);
  put_thread (&s, THREAD, MLPD_LOAD_END_LOAD);
  script_enter (&s, 1001, METHOD);
  put_thread (&s, THREAD, MLPD_LOAD_END_UNLOAD);
  script_class (&s, 1002, CLASS, "Loaded.Before.Start");
  put_thread (&s, THREAD, MLPD_LOAD_END_LOAD);
  script_enter (&s, 1003, METHOD);
  put_thread (&s, THREAD + 1, MLPD_LOAD_END_UNLOAD);
  script_leave (&s, 1004, METHOD);
  put_thread (&s, THREAD, MLPD_LOAD_END_UNLOAD);
  script_enter (&s, 1005, METHOD);
  script_leave (&s, 1006, METHOD);
  check (&s, LOG_VALIDATE_THREADS, 11, "the thread has ended");
}

/* Mono's wrapper native-to-managed, which attaches the thread, is entered before the thread begins;
 * the thread may be detached in between. */
TEST (test_threads_of_native_code)
{
  struct script s;
  begin (&s);
  for (unsigned i = 0; i < 2; i++) {
    script_enter (&s, 1001, METHOD);
    put_thread (&s, THREAD, MLPD_LOAD_END_LOAD);
    script_enter (&s, 1002, OTHER);
    script_leave (&s, 1003, OTHER);
    script_leave (&s, 1004, METHOD);
    script_enter (&s, 1005, METHOD);
    script_leave (&s, 1006, METHOD);
    put_thread (&s, THREAD, MLPD_LOAD_END_UNLOAD);
  }
  check (&s, LOG_VALIDATE_THREADS, 0, NULL);
}

TEST (test_threads_late)
{
  struct script s;
  begin (&s);
  script_enter (&s, 1001, METHOD);
  script_enter (&s, 1002, METHOD);
  put_thread (&s, THREAD, MLPD_LOAD_END_LOAD);
  check (&s, LOG_VALIDATE_THREADS, 3, "the thread runs methods already");
}

TEST (test_threads_twice)
{
  struct script s;
  begin (&s);
  put_thread (&s, THREAD, MLPD_LOAD_END_LOAD);
  put_thread (&s, THREAD, MLPD_LOAD_END_LOAD);
  check (&s, LOG_VALIDATE_THREADS, 2, "the thread has begun already");
}

/* ---- handles ---- */

static void
put_handles (struct script *s)
{
  begin (s);
  PUT (s, GC_HANDLE_CREATED, gc_handle_created, .handle = 9, .object = OBJECT);
  PUT (s, GC_HANDLE_DESTROYED, gc_handle_destroyed, .handle = 9);
  PUT (s, GC_HANDLE_CREATED, gc_handle_created, .handle = 9, .object = OBJECT);
}

TEST (test_handles)
{
  struct script s;
  put_handles (&s);
  PUT (&s, GC_HANDLE_DESTROYED, gc_handle_destroyed, .handle = 17);
  check (&s, LOG_VALIDATE_HANDLES, 4, "the handle was not created");
  put_handles (&s);
  PUT (&s, GC_HANDLE_CREATED, gc_handle_created, .handle = 9, .object = OBJECT);
  check (&s, LOG_VALIDATE_HANDLES, 4, "the handle was created already");
}

TEST (test_duplicates)
{
  struct script s;
  put_handles (&s);
  PUT (&s, GC_HANDLE_CREATED, gc_handle_created, .handle = 9, .object = OBJECT);
  struct found found = validate_with (&s, LOG_VALIDATE_HANDLES, false, true);
  assert_int_equal (found.event, 0);
  assert_int_equal (found.states->len, 1);
  g_array_unref (found.states);
}

/* ---- finalizers ---- */

TEST (test_finalizers)
{
  struct script s;
  begin (&s);
  PUT (&s, GC_FINALIZE_START, gc_finalize_start);
  PUT (&s, GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .object = OBJECT);
  PUT (&s, GC_FINALIZE_OBJECT_END, gc_finalize_object_end, .object = OBJECT);
  PUT (&s, GC_FINALIZE_END, gc_finalize_end);
  PUT (&s, GC_FINALIZE_END, gc_finalize_end);
  check (&s, LOG_VALIDATE_FINALIZERS, 5, "it did not begin");
}

TEST (test_finalizers_nested)
{
  struct script s;
  begin (&s);
  PUT (&s, GC_FINALIZE_START, gc_finalize_start);
  PUT (&s, GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .object = OBJECT);
  PUT (&s, GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .object = OBJECT + 8);
  check (&s, LOG_VALIDATE_FINALIZERS, 3, "it runs already");
  begin (&s);
  PUT (&s, GC_FINALIZE_START, gc_finalize_start);
  PUT (&s, GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .object = OBJECT);
  PUT (&s, GC_FINALIZE_END, gc_finalize_end);
  check (&s, LOG_VALIDATE_FINALIZERS, 3, "the finalizer of 0x8000 runs");
}

/* A finalizer ends with the object that it began with. */
TEST (test_finalizers_object)
{
  struct script s;
  begin (&s);
  PUT (&s, GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .object = OBJECT);
  PUT (&s, GC_FINALIZE_OBJECT_END, gc_finalize_object_end, .object = OBJECT + 8);
  check (&s, LOG_VALIDATE_FINALIZERS, 2, "the finalizer of 0x8000 runs");
}
