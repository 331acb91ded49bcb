/* test-threads.c -- which threads there were, when, and how much they did. */
#include "config.h"

#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

static void
expect_thread (const struct summary *s, guint place, uint64_t id, uint64_t start, uint64_t end,
               uint64_t events)
{
  const struct thread *t = g_ptr_array_index (s->threads.all, place);
  assert_int_equal (t->id, id);
  assert_int_equal (t->start, start);
  assert_int_equal (t->end, end);
  assert_int_equal (t->events, events);
}

TEST (test_threads)
{
  const uint64_t large = UINT64_C (0xff112233445566);
  struct script log;
  struct summary s;
  script_begin (&log);
  script_buffer (&log, 7, 1000);
  script_alloc (&log, 1010, 0x100, 0x200, 8);
  script_alloc (&log, 1020, 0x100, 0x208, 8);
  script_buffer (&log, large, 500); /* earlier than the first buffer */
  script_alloc (&log, 510, 0x100, 0x210, 8);
  script_buffer (&log, 7, 3000);
  script_shot_start (&log, 3010);
  script_shot_object (&log, 0x200, 0x100, 8, NULL, 0); /* states no time, is an event */
  script_shot_end (&log, 3020);
  script_summarize (&log, &s);
  /* The end mark is of thread 0, which did nothing. */
  assert_int_equal (s.threads.all->len, 3);
  assert_int_equal (threads_with_events (&s.threads), 2);
  expect_thread (&s, 0, 7, 1010, 3020, 5);
  expect_thread (&s, 1, large, 510, 510, 1);
  expect_thread (&s, 2, 0, 0, 0, 0);
  assert_int_equal (log_when (&s.log, 510), -490);
  summary_clear (&s);
}

/* Times that go back and forth. */
TEST (test_extent)
{
  struct script log;
  struct summary s;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_alloc (&log, 1050, 0x100, 0x200, 8);
  script_alloc (&log, 1010, 0x100, 0x200, 8);
  script_alloc (&log, 1090, 0x100, 0x200, 8);
  script_alloc (&log, 1020, 0x100, 0x200, 8);
  script_summarize (&log, &s);
  expect_thread (&s, 0, 1, 1010, 1090, 4);
  summary_clear (&s);
}

TEST (test_span)
{
  assert_int_equal (span_ns (5, 9), 4);
  assert_int_equal (span_ns (9, 9), 0);
  assert_int_equal (span_ns (9, 5), 0);
  /* Times count modulo 2^64. */
  assert_int_equal (span_ns (UINT64_MAX - 1, 1), 3);
}

static void
metadata (struct threads *threads, uint64_t thread, uint64_t time, uint64_t action,
          const char *name)
{
  const struct mlpd_metadata_thread event
      = { .action = action,
          .time = time,
          .thread = thread,
          .name = { .text = name, .length = name != NULL ? strlen (name) : 0 } };
  threads_metadata (threads, &event, true);
}

/* Others may report about an end before the last buffer of a thread. */
TEST (test_end_reported_by_another)
{
  const struct mlpd_metadata_thread end
      = { .action = MLPD_LOAD_END_UNLOAD, .time = 9, .thread = 7 };
  struct threads threads;
  threads_init (&threads);
  struct thread *first = threads_get (&threads, 7);
  threads_metadata (&threads, &end, false);
  assert_ptr_equal (threads_get (&threads, 7), first);
  threads_clear (&threads);
}

/* An id that is used again is another thread's; a name that others state late is still the first
 * one's. */
/* A thread that states its end twice in one buffer is one thread. */
TEST (test_end_reported_twice)
{
  struct script log;
  struct summary s;
  script_begin_version (&log, 17);
  script_buffer (&log, 7, 1000);
  script_alloc (&log, 1010, 0x100, 0x200, 8);
  for (uint64_t time = 1020; time <= 1030; time += 10)
    script_event (
        &log, MLPD_METADATA_THREAD,
        &(union mlpd_payload){ .metadata_thread
                               = { .action = MLPD_LOAD_END_UNLOAD, .time = time, .thread = 7 } });
  script_summarize (&log, &s);
  assert_int_equal (threads_with_events (&s.threads), 1);
  expect_thread (&s, 0, 7, 1010, 1030, 3);
  for (guint i = 1; i < s.threads.all->len; i++)
    assert_false (((const struct thread *) g_ptr_array_index (s.threads.all, i))->announced);
  summary_clear (&s);
}

TEST (test_ids_used_again)
{
  struct threads threads;
  threads_init (&threads);
  struct thread *first = threads_get (&threads, 7);
  metadata (&threads, 7, 1000, MLPD_LOAD_END_LOAD, NULL);
  metadata (&threads, 7, 1010, MLPD_LOAD_NAME, "first");
  assert_ptr_equal (threads_get (&threads, 7), first);
  metadata (&threads, 7, 1020, MLPD_LOAD_END_UNLOAD, NULL);
  metadata (&threads, 7, 1015, MLPD_LOAD_NAME, "first, late");
  assert_int_equal (threads.all->len, 1);
  assert_string_equal (first->name, "first, late");
  metadata (&threads, 7, 1030, MLPD_LOAD_NAME, "second");
  struct thread *second = threads_get (&threads, 7);
  assert_ptr_not_equal (second, first);
  assert_string_equal (second->name, "second");
  assert_string_equal (first->name, "first, late");
  metadata (&threads, 7, 1040, MLPD_LOAD_END_UNLOAD, NULL);
  assert_ptr_not_equal (threads_get (&threads, 7), second);
  assert_int_equal (threads.all->len, 3);
  threads_clear (&threads);
}

static void
expect_lifetime (const struct thread *t, uint64_t start, uint64_t end, uint64_t events)
{
  assert_int_equal (t->start, start);
  assert_int_equal (t->end, end);
  assert_int_equal (t->events, events);
}

/* Samples are logged by another thread, at any time. */
TEST (test_samples_of_ids_used_again)
{
  bool is_late;
  struct threads threads;
  threads_init (&threads);
  threads_sampled (&threads, 7, 1005, &is_late); /* before the first buffer */
  threads_sampled (&threads, 7, 1003, &is_late);
  struct thread *first = threads_get (&threads, 7);
  metadata (&threads, 7, 1020, MLPD_LOAD_END_UNLOAD, NULL);
  expect_lifetime (first, 1003, 1005, 2);
  assert_ptr_equal (threads_sampled (&threads, 7, 1015, &is_late),
                    first); /* after its end was logged */
  assert_false (is_late);
  assert_ptr_equal (threads_sampled (&threads, 7, 1030, &is_late),
                    first); /* before the next one's first buffer */
  assert_true (is_late);
  expect_lifetime (first, 1003, 1015, 3);
  struct thread *second = threads_get (&threads, 7);
  assert_ptr_not_equal (second, first);
  expect_lifetime (second, 1030, 1030, 1);
  assert_ptr_equal (threads_sampled (&threads, 7, 1020, &is_late), first);
  assert_ptr_equal (threads_sampled (&threads, 7, 1021, &is_late), second);
  assert_ptr_equal (threads_find (&threads, 7, 1020), first);
  assert_ptr_equal (threads_find (&threads, 7, 1021), second);
  assert_null (threads_find (&threads, 9, 1021));
  metadata (&threads, 7, 1040, MLPD_LOAD_END_UNLOAD, NULL);
  threads_sampled (&threads, 7, 1050, &is_late); /* no one follows */
  threads_sampled (&threads, 8, 1000, &is_late); /* has no buffer */
  threads_finish (&threads);
  threads_finish (&threads);
  assert_int_equal (threads.all->len, 3);
  expect_lifetime (first, 1003, 1020, 4);
  expect_lifetime (second, 1021, 1050, 3);
  expect_lifetime (threads_get (&threads, 8), 1000, 1000, 1);
  threads_clear (&threads);
}

/* Threads that were forgotten do not come back. */
TEST (test_samples_of_forgotten)
{
  bool is_late;
  struct threads threads;
  threads_init (&threads);
  threads_get (&threads, 7);
  metadata (&threads, 7, 1020, MLPD_LOAD_END_UNLOAD, NULL);
  struct thread *next = threads_get (&threads, 7);
  threads_forget_ended (&threads, 0);
  threads_sampled (&threads, 7, 1010, &is_late);
  expect_lifetime (next, 1010, 1010, 1);
  metadata (&threads, 7, 1040, MLPD_LOAD_END_UNLOAD, NULL);
  threads_forget_ended (&threads, 0);
  threads_sampled (&threads, 7, 1030, &is_late);
  assert_int_equal (threads.all->len, 0);
  threads_clear (&threads);
}
