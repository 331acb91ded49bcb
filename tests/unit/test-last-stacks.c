/* test-last-stacks.c -- what each thread of a log did last. */
#include "config.h"

#include "decoder/stacks/last-stacks.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"
#include <proflog/mlpd-reader.h>

enum {
  SAMPLER = 1,
  T1 = 2,
  T2 = 3,
  LOCK = 0x8000,
  TYPE = 0x100,
  INNER = 0x1000,
  OUTER = 0x1100,
  TRIES = 0x1200,
  SLEEPS = 0x1300,
  CONTENTION = MLPD_MONITOR_EVENT_CONTENTION,
  DONE = MLPD_MONITOR_EVENT_DONE,
};

static struct script script;
static struct last_stacks last;

static void
begin (void)
{
  script_begin_with (&script, 17, "proflog:sample");
  script_buffer (&script, SAMPLER, 1000);
  script_jit (&script, 1000, INNER, 0x50000, 16, "Program:Inner ()");
  script_jit (&script, 1000, OUTER, 0x50100, 16, "Program:Outer ()");
  script_jit (&script, 1000, TRIES, 0x50200, 16, "System.Threading.Monitor:TryEnter (object,int)");
  script_jit (&script, 1000, SLEEPS, 0x50300, 16,
              "(wrapper managed-to-native) System.Threading.Thread:SleepInternal (int)");
  last_stacks_init (&last);
}

static void
end (void)
{
  last_stacks_clear (&last);
}

static void
read_bytes (const guint8 *bytes, gsize length)
{
  struct mlpd_reader *const reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  mlpd_reader_push (reader, bytes, length);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    last_stacks_item (&last, item);
  assert_null (mlpd_reader_error (reader));
  mlpd_reader_free (reader);
}

static void
read_log (void)
{
  g_autoptr (GByteArray) log = script_end (&script);
  read_bytes (log->data, log->len);
}

static void
put_hit (uint64_t time, uint64_t thread, const uint64_t *methods, size_t n)
{
  script_hit (&script, time, thread, 0x50000, methods, n);
}

/* A wait for a lock of a class that is announced before, with its owner. */
static void
put_wait (uint64_t time, uint64_t innermost, uint64_t owner)
{
  const uint64_t frames[] = { OUTER, innermost };
  const struct mlpd_counter_value value
      = { .index = MLPD_LOCK_OWNER_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = owner };
  script_class (&script, time, TYPE, "Lock");
  script_event (
      &script, MLPD_MONITOR,
      &(const union mlpd_payload){
          .monitor
          = { .time = time, .event = CONTENTION, .object = LOCK, .backtrace = { frames, 2 } } });
  script_event (
      &script, MLPD_SAMPLE_COUNTERS,
      &(const union mlpd_payload){ .sample_counters = { .time = time, .values = { &value, 1 } } });
}

/* The stack of the thread of an id; NULL: it is not among them. */
static const struct last_stack *
stack_of_id (uint64_t id)
{
  g_autoptr (GPtrArray) all = last_stacks_all (&last);
  for (guint i = 0; i < all->len; i++)
    if (((const struct last_stack *) all->pdata[i])->thread->id == id)
      return all->pdata[i];
  return NULL;
}

static void
expect (uint64_t id, enum last_event event, uint64_t time, const char *names)
{
  const struct last_stack *const stack = stack_of_id (id);
  assert_non_null (stack);
  assert_int_equal (stack->event, event);
  assert_int_equal (stack->time, time);
  g_autoptr (GPtrArray) found = last_stacks_names (&last, stack);
  g_ptr_array_add (found, NULL);
  g_autofree char *all = g_strjoinv (" < ", (char **) found->pdata);
  assert_string_equal (all, names);
}

#define LAST_TEST(name) TEST_WITH (name, begin, end)

/* The hits of T1 are in a buffer of the sampler that comes after one with a later event. */
LAST_TEST (the_latest_counts)
{
  const uint64_t inner[] = { INNER, OUTER }, outer[] = { OUTER };
  script_buffer (&script, T2, 1500);
  put_wait (1500, INNER, T1);
  script_buffer (&script, SAMPLER, 1010);
  put_hit (1010, T1, outer, 1);
  put_hit (1020, T1, inner, 2);
  put_hit (1030, T2, outer, 1);
  read_log ();
  expect (T1, LAST_SAMPLE, 1020, "Program:Inner () < Program:Outer ()");
  expect (T2, LAST_LOCK, 1500, "Program:Inner () < Program:Outer ()");
  assert_int_equal (last.first, 1000);
  assert_int_equal (last.last, 1500);
}

LAST_TEST (a_wait_has_its_lock_and_owner)
{
  const uint64_t outer[] = { OUTER };
  script_buffer (&script, T1, 1100);
  put_wait (1100, INNER, T2);
  script_buffer (&script, SAMPLER, 1200);
  put_hit (1200, T2, outer, 1);
  read_log ();
  const struct last_stack *const stack = stack_of_id (T1);
  assert_true (last_stacks_waits_for_lock (&last, stack));
  assert_false (last_stacks_has_limit (&last, stack));
  assert_string_equal (stack->lock, "Lock");
  assert_int_equal (stack->thread->wait_object, LOCK);
  assert_ptr_equal (last_stacks_owner (&last, stack), stack_of_id (T2));
  assert_false (last_stacks_waits_for_lock (&last, stack_of_id (T2)));
}

/* What a sample of the sampler's clock says of a thread that waits since may be of the time before.
 */
LAST_TEST (a_wait_has_its_own_stack)
{
  const uint64_t outer[] = { OUTER };
  script_buffer (&script, T1, 1100);
  put_wait (1100, INNER, T2);
  script_buffer (&script, SAMPLER, 1200);
  put_hit (1200, T1, outer, 1);
  put_hit (1210, T2, outer, 1);
  read_log ();
  expect (T1, LAST_LOCK, 1100, "Program:Inner () < Program:Outer ()");
}

LAST_TEST (a_wait_ends)
{
  script_buffer (&script, T1, 1100);
  put_wait (1100, INNER, T2);
  script_monitor (&script, 1150, DONE, LOCK);
  read_log ();
  assert_false (last_stacks_waits_for_lock (&last, stack_of_id (T1)));
}

LAST_TEST (a_wait_may_have_a_limit)
{
  script_buffer (&script, T1, 1100);
  put_wait (1100, TRIES, T2);
  read_log ();
  assert_true (last_stacks_has_limit (&last, stack_of_id (T1)));
}

/* Its class and owner are not those of the wait before. */
LAST_TEST (the_next_wait_has_its_own)
{
  script_buffer (&script, T1, 1100);
  put_wait (1100, INNER, T2);
  script_monitor (&script, 1150, DONE, LOCK);
  script_monitor (&script, 1160, CONTENTION, LOCK);
  read_log ();
  assert_null (stack_of_id (T1)->lock);
  assert_int_equal (stack_of_id (T1)->thread->wait_owner, 0);
  assert_null (last_stacks_owner (&last, stack_of_id (T1)));
}

/* Its end may be in what is missing. */
LAST_TEST (a_log_with_losses_has_no_waits)
{
  script_buffer (&script, T1, 1100);
  put_wait (1100, INNER, T2);
  g_autoptr (GByteArray) log = script_end (&script);
  read_bytes (log->data, log->len - 8);
  assert_false (last_stacks_waits_for_lock (&last, stack_of_id (T1)));
}

LAST_TEST (samples_find_threads_waiting)
{
  const uint64_t sleeps[] = { SLEEPS, OUTER };
  put_hit (1100, T1, sleeps, 2);
  script_usage (&script, 1100, 1000, 10);
  put_hit (1110, T2, sleeps, 2);
  script_usage (&script, 1110, 1000, 900);
  read_log ();
  assert_int_equal (last_stacks_wait (&last, stack_of_id (T1)), WAIT_SLEEP);
  assert_int_equal (last_stacks_wait (&last, stack_of_id (T2)), WAIT_NONE);
}

LAST_TEST (threads_that_ended_are_not_listed)
{
  const uint64_t outer[] = { OUTER };
  put_hit (1100, T1, outer, 1);
  script_buffer (&script, T1, 1200);
  script_event (
      &script, MLPD_METADATA_THREAD,
      &(const union mlpd_payload){
          .metadata_thread = { .time = 1200, .action = MLPD_LOAD_END_UNLOAD, .thread = T1 } });
  read_log ();
  assert_null (stack_of_id (T1));
}
