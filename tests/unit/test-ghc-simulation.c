/* test-ghc-simulation.c -- traces of each machine, worked out by hand; tests/ghc compares whole
 * logs with the reference tool. */
#include "config.h"

#include "decoder/views/ghc/ghc-simulation.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

static void
check (enum ghc_validation type, const char *expected, const struct ghc_item *const *items)
{
  struct ghc_simulation *s = ghc_simulation_new (type, false);
  GString *text = g_string_new (NULL);
  bool goes_on = true;
  ghc_simulation_begin (s, text);
  for (; goes_on && *items != NULL; items++)
    goes_on = ghc_simulation_item (s, *items, text);
  ghc_simulation_end (s, text);
  assert_string_equal (text->str, expected);
  assert_int_equal (ghc_simulation_is_valid (s), goes_on);
  g_string_free (text, TRUE);
  ghc_simulation_free (s);
}

#define TRACE(machine, expected, ...)                                                              \
  check (GHC_VALIDATE_##machine, expected, (const struct ghc_item *[]){ __VA_ARGS__, NULL })

TEST (test_threads)
{
  TRACE (THREADS, "Trace:\n\nValid.\n", TASK_DELETE (1, 2), SPARK_RUN (0, 2));
  TRACE (THREADS,
         "Trace:\n"
         "((fromList [(2,ThreadQueued)],fromList []),"
         "Event {evTime = 1, evSpec = CreateThread {thread = 2}, evCap = Just 0})\n"
         "((fromList [(1,ThreadQueued),(2,ThreadQueued)],fromList []),"
         "Event {evTime = 2, evSpec = CreateThread {thread = 1}, evCap = Nothing})\n"
         "((fromList [(1,ThreadQueued),(2,ThreadRunning)],fromList [(10,2)]),"
         "Event {evTime = 3, evSpec = RunThread {thread = 2}, evCap = Just 10})\n"
         "((fromList [(1,ThreadRunning),(2,ThreadRunning)],fromList [(9,1),(10,2)]),"
         "Event {evTime = 4, evSpec = RunThread {thread = 1}, evCap = Just 9})\n"
         "((fromList [(1,ThreadRunning),(2,ThreadStopped)],fromList [(9,1)]),"
         "Event {evTime = 5, evSpec = StopThread {thread = 2, status = BlockedOnMVar}, evCap = "
         "Just 10})\n"
         "((fromList [(1,ThreadRunning),(2,ThreadQueued)],fromList [(9,1)]),"
         "Event {evTime = 6, evSpec = WakeupThread {thread = 2, otherCap = 9}, evCap = Just 9})\n"
         "((fromList [(1,ThreadFinal),(2,ThreadQueued)],fromList []),"
         "Event {evTime = 7, evSpec = StopThread {thread = 1, status = ThreadFinished}, evCap = "
         "Just 9})\n"
         "\nInvalid:\n"
         "((fromList [(1,ThreadFinal),(2,ThreadQueued)],fromList []),"
         "Event {evTime = 8, evSpec = RunThread {thread = 1}, evCap = Just 9})\n",
         CREATE (0, 1, 2), CREATE (GHC_NO_CAP, 2, 1), RUN (10, 3, 2), RUN (9, 4, 1),
         STOP (10, 5, 2, MVAR), WAKE (9, 6, 2, 9), STOP (9, 7, 1, FINISHED), RUN (9, 8, 1));
}

/* The state of a refused event is the one before it, whatever of it would fit. */
TEST (test_refused)
{
  TRACE (THREADS,
         "Trace:\n\nInvalid:\n((fromList [],fromList []),"
         "Event {evTime = 1, evSpec = RunThread {thread = 2}, evCap = Just 0})\n",
         RUN (0, 1, 2));
}

TEST (test_threadpool)
{
  TRACE (THREADPOOL,
         "Trace:\n"
         "(fromList [(1,0)],Event {evTime = 1, evSpec = CreateThread {thread = 1}, evCap = Just "
         "0})\n"
         "(fromList [(1,3)],Event {evTime = 2, evSpec = MigrateThread {thread = 1, newCap = 3}, "
         "evCap = Just 0})\n"
         "(fromList [],Event {evTime = 3, evSpec = StopThread {thread = 1, status = "
         "ThreadFinished}, evCap = Just 3})\n"
         "\nValid.\n",
         CREATE (0, 1, 1), MIGRATE (0, 2, 1, 3), STOP (3, 3, 1, FINISHED));
}

TEST (test_threadrun)
{
  TRACE (THREADRUN,
         "Trace:\n"
         "(fromList [(4,1)],Event {evTime = 1, evSpec = RunThread {thread = 1}, evCap = Just 4})\n"
         "(fromList [(3,4294967295),(4,1)],Event {evTime = 2, evSpec = RunThread {thread = "
         "4294967295}, evCap = Just 3})\n"
         "(fromList [(3,4294967295)],Event {evTime = 3, evSpec = StopThread {thread = 1, status = "
         "HeapOverflow}, evCap = Just 4})\n"
         "\nValid.\n",
         RUN (4, 1, 1), RUN (3, 2, 4294967295), STOP (4, 3, 1, HEAP_OVERFLOW));
}

TEST (test_tasks)
{
#define SYSTEM(id) "KernelThreadId {kernelThreadId = " id "}"
#define LAST SYSTEM ("18446744073709551615")
  const char *expected
      = "Trace:\n"
        "((fromList [(" LAST ",3)],fromList [(7," LAST ")]),"
        "Event {evTime = 1, evSpec = TaskCreate {taskId = 7, cap = 3, tid = " LAST "}, "
        "evCap = Nothing})\n"
        "((fromList [(" SYSTEM ("5") ",0),(" LAST ",3)],fromList [(7," LAST "),(9," SYSTEM (
            "5") ")]),"
                 "Event {evTime = 2, evSpec = TaskCreate {taskId = 9, cap = 0, tid = " SYSTEM (
                     "5") "}, "
                          "evCap = Nothing})\n"
                          "((fromList [(" SYSTEM (
                              "5") ",4),(" LAST ",3)],fromList [(7," LAST
                                   "),(9," SYSTEM (
                                       "5") ")]),"
                                            "Event {evTime = 3, evSpec = TaskMigrate {taskId = 9, "
                                            "cap = 0, new_cap = 4}, "
                                            "evCap = Nothing})\n"
                                            "((fromList [(" SYSTEM ("5") ",4)],fromList "
                                                                         "[(9," SYSTEM (
                                                                             "5") ")]),"
                                                                                  "Event {evTime = "
                                                                                  "4, evSpec = "
                                                                                  "TaskDelete "
                                                                                  "{taskId = 7}, "
                                                                                  "evCap = "
                                                                                  "Nothing})\n"
                                                                                  "\nValid.\n";
  TRACE (TASKS, expected, TASK_CREATE (1, 7, 3, UINT64_MAX), TASK_CREATE (2, 9, 0, 5),
         TASK_MIGRATE (3, 9, 0, 4), TASK_DELETE (4, 7));
}

TEST (test_taskpool)
{
  TRACE (TASKPOOL,
         "Trace:\n"
         "(fromList [(7,3)],Event {evTime = 1, evSpec = TaskCreate {taskId = 7, cap = 3, tid = "
         "KernelThreadId {kernelThreadId = 8}}, evCap = Nothing})\n"
         "\nInvalid:\n"
         "(fromList [(7,3)],Event {evTime = 2, evSpec = TaskMigrate {taskId = 7, cap = 2, new_cap "
         "= 1}, evCap = Nothing})\n",
         TASK_CREATE (1, 7, 3, 8), TASK_MIGRATE (2, 7, 2, 1));
}

/* The number counts sparks after the first one.  Of other threads nothing is in the state. */
TEST (test_sparks)
{
  TRACE (SPARKS,
         "Trace:\n"
         "((fromList [],(fromList [],fromList [9])),Event {evTime = 1, evSpec = CreateSparkThread "
         "{sparkThread = 9}, evCap = Just 0})\n"
         "((fromList [],(fromList [],fromList [4,9])),Event {evTime = 2, evSpec = "
         "CreateSparkThread {sparkThread = 4}, evCap = Just 0})\n"
         "((fromList [],(fromList [],fromList [4,9])),Event {evTime = 3, evSpec = RunThread "
         "{thread = 1}, evCap = Just 1})\n"
         "((fromList [(9,SparkThreadCreated)],(fromList [(0,9)],fromList [4,9])),Event {evTime = "
         "4, evSpec = RunThread {thread = 9}, evCap = Just 0})\n"
         "((fromList [(9,SparkThreadRunning 0)],(fromList [(0,9)],fromList [4,9])),Event {evTime "
         "= 5, evSpec = SparkRun, evCap = Just 0})\n"
         "((fromList [(9,SparkThreadRunning 1)],(fromList [(0,9)],fromList [4,9])),Event {evTime "
         "= 6, evSpec = SparkSteal {victimCap = 2}, evCap = Just 0})\n"
         "((fromList [(9,SparkThreadPaused 1)],(fromList [],fromList [4,9])),Event {evTime = 7, "
         "evSpec = StopThread {thread = 9, status = ThreadYielding}, evCap = Just 0})\n"
         "((fromList [(9,SparkThreadRunning 1)],(fromList [(1,9)],fromList [4,9])),Event {evTime "
         "= 8, evSpec = RunThread {thread = 9}, evCap = Just 1})\n"
         "((fromList [(9,SparkThreadFinal)],(fromList [],fromList [4,9])),Event {evTime = 9, "
         "evSpec = StopThread {thread = 9, status = ThreadFinished}, evCap = Just 1})\n"
         "\nValid.\n",
         CREATE_SPARK_THREAD (0, 1, 9), CREATE_SPARK_THREAD (0, 2, 4), RUN (1, 3, 1), RUN (0, 4, 9),
         SPARK_RUN (0, 5), SPARK_STEAL (0, 6, 2), STOP (0, 7, 9, YIELDING), RUN (1, 8, 9),
         STOP (1, 9, 9, FINISHED));
}

/* The owner of a black hole is in events that have the field; unknown numbers have no name. */
TEST (test_statuses)
{
  static const struct {
    unsigned status, present;
    const char *name;
  } cases[] = {
    { 0, 7, "NoStatus" },
    { 2, 7, "StackOverflow" },
    { 8, 3, "BlockedOnBlackHole" },
    { 8, 7, "BlockedOnBlackHoleOwnedBy 77" },
    { 13, 7, "BlockedOnDoProc" },
    { 14, 7, "NoStatus" },
    { 18, 7, "BlockedOnMsgThrowTo" },
    { 20, 7, "BlockedOnMVarRead" },
    { 99, 7, "NoStatus" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct ghc_item *stop
        = GHC_EVENT_ITEM (0, 2, GHC_STOP_THREAD,
                          .stop_thread = { .present = cases[i].present,
                                           .thread = 1,
                                           .status = (uint16_t) cases[i].status,
                                           .info = 77 });
    g_autofree char *expected = g_strdup_printf ("Trace:\n(fromList [(0,1)],Event {evTime = 1, "
                                                 "evSpec = RunThread {thread = 1}, evCap = Just "
                                                 "0})\n(fromList [],Event {evTime = 2, evSpec = "
                                                 "StopThread {thread = 1, status = %s}, evCap = "
                                                 "Just 0})\n\nValid.\n",
                                                 cases[i].name);
    TRACE (THREADRUN, expected, RUN (0, 1, 1), stop);
  }
}
