/* test-ghc-validator.c -- the allowed events of threads, tasks and sparks.  The verdicts are
 * computed by hand; tests/ghc compares them with the reference tool's. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-validator.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

/* Which event of a list is refused first, and why; -1: none is. */
static int
first_refused (enum ghc_validation type, bool reminders, bool accepts_parts,
               const struct ghc_item *const *items, char **reason)
{
  struct ghc_validator *v = ghc_validator_new (type, reminders, accepts_parts);
  int refused = -1;
  *reason = NULL;
  for (int i = 0; items[i] != NULL && refused < 0; i++)
    if (!ghc_validator_item (v, items[i], reason))
      refused = i;
  ghc_validator_free (v);
  return refused;
}

static void
expect_refusal (enum ghc_validation type, bool reminders, bool accepts_parts, int place,
                const char *words, const struct ghc_item *const *items)
{
  char *reason;
  assert_int_equal (first_refused (type, reminders, accepts_parts, items, &reason), place);
  if (words != NULL)
    assert_string_equal (reason, words);
  g_free (reason);
}

#define GOOD(machine, ...)                                                                         \
  expect_refusal (GHC_VALIDATE_##machine, false, false, -1, NULL,                                  \
                  (const struct ghc_item *[]){ __VA_ARGS__, NULL })
#define BAD(machine, place, words, ...)                                                            \
  expect_refusal (GHC_VALIDATE_##machine, false, false, place, words,                              \
                  (const struct ghc_item *[]){ __VA_ARGS__, NULL })
#define REMINDED(machine, place, words, ...)                                                       \
  expect_refusal (GHC_VALIDATE_##machine, true, false, place, words,                               \
                  (const struct ghc_item *[]){ __VA_ARGS__, NULL })
#define OF_PART(machine, place, words, ...)                                                        \
  expect_refusal (GHC_VALIDATE_##machine, false, true, place, words,                               \
                  (const struct ghc_item *[]){ __VA_ARGS__, NULL })

TEST (test_threads)
{
  GOOD (THREADS, CREATE (0, 1, 1), RUN (0, 2, 1), STOP (0, 3, 1, HEAP_OVERFLOW), RUN (0, 4, 1),
        STOP (0, 5, 1, STACK_OVERFLOW), WAKE (0, 6, 1, 0), RUN (0, 7, 1),
        STOP (0, 8, 1, FOREIGN_CALL), RUN (0, 9, 1), STOP (0, 10, 1, MVAR), RUN (0, 11, 1),
        STOP (0, 12, 1, YIELDING), WAKE (0, 13, 1, 0), RUN (1, 14, 1), STOP (1, 15, 1, FINISHED));
  BAD (THREADS, 0, "thread 1 is unknown", RUN (0, 1, 1));
  BAD (THREADS, 0, "thread 1 is unknown", WAKE (0, 1, 1, 0));
  BAD (THREADS, 1, "thread 1 is queued", CREATE (0, 1, 1), CREATE (0, 2, 1));
  BAD (THREADS, 1, "thread 1 does not run", CREATE (0, 1, 1), STOP (0, 2, 1, MVAR));
  BAD (THREADS, 2, "thread 1 is running", CREATE (0, 1, 1), RUN (0, 2, 1), WAKE (0, 3, 1, 0));
  BAD (THREADS, 3, "thread 1 is final", CREATE (0, 1, 1), RUN (0, 2, 1), STOP (0, 3, 1, FINISHED),
       WAKE (0, 4, 1, 0));
  BAD (THREADS, 3, "capability 0 runs thread 1 already", CREATE (0, 1, 1), CREATE (0, 1, 2),
       RUN (0, 2, 1), RUN (0, 3, 2));
  BAD (THREADS, 2, "thread 1 runs already, on capability 0", CREATE (0, 1, 1), RUN (0, 2, 1),
       RUN (1, 3, 1));
  BAD (THREADS, 1, "the event is of no capability", CREATE (GHC_NO_CAP, 1, 1),
       RUN (GHC_NO_CAP, 2, 1));
  BAD (THREADS, 2, "the event is of no capability", CREATE (0, 1, 1), RUN (0, 2, 1),
       STOP (GHC_NO_CAP, 3, 1, MVAR));
  /* A wakeup of another capability's thread is skipped. */
  GOOD (THREADS, CREATE (0, 1, 1), RUN (0, 2, 1), WAKE (1, 3, 1, 0), WAKE (GHC_NO_CAP, 4, 1, 0));
  /* Other events are. */
  GOOD (THREADS, MIGRATE (0, 1, 9, 1), LABEL (0, 2, 9, "x"), TASK_DELETE (3, 4));
  REMINDED (THREADS, -1, NULL, CREATE (0, 1, 1), RUN (0, 2, 1), CREATE (0, 3, 1),
            STOP (0, 4, 1, MVAR), CREATE (0, 5, 1), RUN (0, 6, 1));
  REMINDED (THREADS, 3, "thread 1 is final", CREATE (0, 1, 1), RUN (0, 2, 1),
            STOP (0, 3, 1, FINISHED), CREATE (0, 4, 1));
}

TEST (test_threadpool)
{
  GOOD (THREADPOOL, CREATE (0, 1, 1), MIGRATE (0, 2, 1, 1), STOP (1, 3, 1, MVAR),
        STOP (1, 4, 1, FINISHED), CREATE (0, 5, 1), STOP (0, 6, 77, MVAR), RUN (0, 7, 88));
  BAD (THREADPOOL, 1, "thread 1 is there already", CREATE (0, 1, 1), CREATE (1, 2, 1));
  BAD (THREADPOOL, 0, "thread 1 is unknown", MIGRATE (0, 1, 1, 1));
  BAD (THREADPOOL, 2, "thread 1 is unknown", CREATE (0, 1, 1), STOP (0, 2, 1, FINISHED),
       STOP (0, 3, 1, FINISHED));
  BAD (THREADPOOL, 0, "the event is of no capability", CREATE (GHC_NO_CAP, 1, 1));
  REMINDED (THREADPOOL, -1, NULL, CREATE (0, 1, 1), CREATE (1, 2, 1), STOP (0, 3, 1, FINISHED));
}

TEST (test_threadrun)
{
  GOOD (THREADRUN, RUN (0, 1, 1), RUN (1, 2, 2), STOP (0, 3, 1, MVAR), RUN (0, 4, 3),
        STOP (1, 5, 2, FINISHED), RUN (1, 6, 1));
  BAD (THREADRUN, 1, "capability 0 runs thread 1 already", RUN (0, 1, 1), RUN (0, 2, 2));
  BAD (THREADRUN, 1, "thread 1 runs already, on capability 0", RUN (0, 1, 1), RUN (1, 2, 1));
  BAD (THREADRUN, 0, "thread 1 does not run", STOP (0, 1, 1, MVAR));
  /* It may stop on another capability. */
  GOOD (THREADRUN, RUN (0, 1, 1), STOP (1, 2, 1, MVAR), RUN (0, 3, 2));
}

TEST (test_tasks)
{
  GOOD (TASKPOOL, TASK_CREATE (1, 0xa, 0, 100), TASK_MIGRATE (2, 0xa, 0, 1),
        TASK_MIGRATE (3, 0xa, 1, 0), TASK_DELETE (4, 0xa), TASK_CREATE (5, 0xa, 1, 100));
  BAD (TASKPOOL, 1, "task 0xa is there already", TASK_CREATE (1, 0xa, 0, 100),
       TASK_CREATE (2, 0xa, 0, 101));
  BAD (TASKPOOL, 0, "task 0xa is unknown", TASK_DELETE (1, 0xa));
  BAD (TASKPOOL, 1, "task 0xa is of capability 0", TASK_CREATE (1, 0xa, 0, 100),
       TASK_MIGRATE (2, 0xa, 1, 0));
  GOOD (TASKPOOL, TASK_CREATE (1, 0xa, 0, 100), TASK_CREATE (2, 0xb, 0, 100));
  BAD (TASKS, 1, "the system's thread 100 is a task already", TASK_CREATE (1, 0xa, 0, 100),
       TASK_CREATE (2, 0xb, 0, 100));
  GOOD (TASKS, TASK_CREATE (1, 0xa, 0, 100), TASK_MIGRATE (2, 0xa, 1, 0), TASK_DELETE (3, 0xa),
        TASK_CREATE (4, 0xb, 0, 100));
  BAD (TASKS, 0, "task 0xa is unknown", TASK_MIGRATE (2, 0xa, 1, 0));
  REMINDED (TASKS, -1, NULL, TASK_CREATE (1, 0xa, 0, 100), TASK_CREATE (2, 0xa, 0, 100));
  REMINDED (TASKS, 1, "task 0xa is there already", TASK_CREATE (1, 0xa, 0, 100),
            TASK_CREATE (2, 0xa, 0, 101));
  /* The pool does not look at the system's threads, nor does a reminder of it. */
  REMINDED (TASKPOOL, -1, NULL, TASK_CREATE (1, 0xa, 0, 100), TASK_CREATE (2, 0xa, 0, 101));
}

TEST (test_sparks)
{
  GOOD (SPARKS, RUN (0, 1, 1), CREATE_SPARK_THREAD (0, 2, 2), STOP (0, 3, 1, MVAR), RUN (0, 4, 2),
        SPARK_RUN (0, 5), SPARK_STEAL (0, 6, 1), STOP (0, 7, 2, HEAP_OVERFLOW), RUN (0, 8, 2),
        SPARK_RUN (0, 9), STOP (0, 10, 2, FINISHED));
  /* Of a capability that runs no spark thread they state nothing. */
  GOOD (SPARKS, SPARK_RUN (0, 1), RUN (0, 2, 1), SPARK_STEAL (0, 3, 1), SPARK_RUN (GHC_NO_CAP, 4));
  /* Early writers state the thread; it is of the capability all the same. */
  GOOD (SPARKS, CREATE_SPARK_THREAD (0, 1, 2), RUN (0, 2, 2),
        GHC_EVENT_ITEM (0, 3, GHC_STEAL_SPARK, .steal_spark = { .thread = 2, .victim_cap = 1 }),
        STOP (0, 4, 2, YIELDING));
  BAD (SPARKS, 1, "spark thread 2 is there already", CREATE_SPARK_THREAD (0, 1, 2),
       CREATE_SPARK_THREAD (1, 2, 2));
  BAD (SPARKS, 2, "spark thread 2 is created", CREATE_SPARK_THREAD (0, 1, 2), RUN (0, 2, 2),
       STOP (0, 3, 2, HEAP_OVERFLOW));
  GOOD (SPARKS, CREATE_SPARK_THREAD (0, 1, 2), RUN (0, 2, 2), STOP (0, 3, 2, FINISHED));
  BAD (SPARKS, 2, "capability 0 runs thread 2 already", CREATE_SPARK_THREAD (0, 1, 2),
       RUN (0, 2, 2), RUN (0, 3, 1));
  BAD (SPARKS, 1, "spark thread 2 is initial", CREATE_SPARK_THREAD (0, 1, 2),
       STOP (0, 2, 2, FINISHED));
  BAD (SPARKS, 3, "spark thread 2 is final", CREATE_SPARK_THREAD (0, 1, 2), RUN (0, 2, 2),
       STOP (0, 3, 2, FINISHED), RUN (0, 4, 2));
  BAD (SPARKS, 0, "the event is of no capability", CREATE_SPARK_THREAD (GHC_NO_CAP, 1, 2));
  BAD (SPARKS, 0, "the event is of no capability", STOP (GHC_NO_CAP, 1, 1, MVAR));
  REMINDED (SPARKS, -1, NULL, CREATE_SPARK_THREAD (0, 1, 2), RUN (0, 2, 2),
            CREATE_SPARK_THREAD (0, 3, 2), SPARK_RUN (0, 4));
  REMINDED (SPARKS, 3, "spark thread 2 is there already", CREATE_SPARK_THREAD (0, 1, 2),
            RUN (0, 2, 2), STOP (0, 3, 2, FINISHED), CREATE_SPARK_THREAD (0, 4, 2));
}

/* A part of a log begins with threads that were created before it, and may run. */
TEST (test_parts)
{
  OF_PART (THREADS, -1, NULL, STOP (0, 1, 5, MVAR), RUN (0, 2, 4), WAKE (0, 3, 5, 0),
           STOP (0, 4, 4, FINISHED), WAKE (1, 5, 7, 1), RUN (1, 6, 7));
  OF_PART (THREADS, -1, NULL, CREATE (0, 1, 6), STOP (0, 2, 5, MVAR), RUN (0, 3, 6));
  OF_PART (THREADPOOL, -1, NULL, MIGRATE (0, 1, 5, 1), STOP (1, 2, 4, FINISHED),
           STOP (1, 3, 5, FINISHED));
  OF_PART (THREADRUN, -1, NULL, STOP (0, 1, 5, MVAR), STOP (1, 2, 6, MVAR), RUN (0, 3, 6));
  /* An event that does not fit is refused nevertheless. */
  OF_PART (THREADS, 1, "thread 4 does not run", STOP (0, 1, 5, MVAR), STOP (0, 2, 4, MVAR));
  OF_PART (THREADS, 2, "thread 5 does not run", RUN (0, 1, 4), STOP (0, 2, 4, MVAR),
           STOP (0, 3, 5, MVAR));
  OF_PART (THREADS, 1, "capability 0 runs thread 4 already", RUN (0, 1, 4), RUN (0, 2, 5));
  OF_PART (THREADS, 1, "thread 5 is final", STOP (0, 1, 5, FINISHED), RUN (0, 2, 5));
  OF_PART (THREADRUN, 1, "thread 4 does not run", STOP (0, 1, 5, MVAR), STOP (0, 2, 4, MVAR));
  /* A log that has the start of the program is no part. */
  OF_PART (THREADS, 1, "thread 2 is unknown", CREATE (0, 1, 1), RUN (0, 2, 2));
  OF_PART (THREADS, 1, "thread 2 does not run", CREATE (0, 1, 1), STOP (0, 2, 2, MVAR));
  OF_PART (THREADPOOL, 1, "thread 2 is unknown", CREATE (0, 1, 1), MIGRATE (0, 2, 2, 1));
}

TEST (test_states)
{
  const struct ghc_item *const items[]
      = { CREATE (0, 1, 7),         CREATE (0, 2, 3), RUN (0, 3, 3), STOP (0, 4, 3, FINISHED),
          TASK_CREATE (5, 9, 1, 4), RUN (1, 6, 7),    NULL };
  char *reason;
  for (int type = 0; type < GHC_VALIDATIONS; type++) {
    struct ghc_validator *v = ghc_validator_new (type, false, false);
    for (int i = 0; items[i] != NULL; i++)
      assert_true (ghc_validator_item (v, items[i], &reason));
    GArray *states = ghc_validator_states (v);
    const struct ghc_validator_state *first = (const void *) states->data;
    switch (type) {
    case GHC_VALIDATE_THREADS:
      assert_int_equal (states->len, 1);
      assert_int_equal (first->id, 7);
      assert_string_equal (first->state, "running");
      assert_int_equal (ghc_validator_events (v), 5);
      break;
    case GHC_VALIDATE_THREADPOOL:
      assert_int_equal (states->len, 1);
      assert_int_equal (first->cap, 0);
      break;
    case GHC_VALIDATE_THREADRUN:
      assert_int_equal (states->len, 1);
      assert_int_equal (first->cap, 1);
      break;
    case GHC_VALIDATE_TASKS:
      assert_int_equal (states->len, 1);
      assert_int_equal (first->other, 4);
      break;
    case GHC_VALIDATE_TASKPOOL:
      assert_int_equal (first->id, 9);
      assert_int_equal (ghc_validator_events (v), 1);
      break;
    default:
      assert_int_equal (states->len, 0);
    }
    g_array_unref (states);
    ghc_validator_free (v);
  }
}
