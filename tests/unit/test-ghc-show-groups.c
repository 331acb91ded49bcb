/* test-ghc-show-groups.c -- which thread each event is of.  tests/ghc compares whole logs with the
 * reference tool. */
#include "config.h"

#include "decoder/views/ghc/ghc-show-groups.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"

#include <string.h>

#define GC(cap, time) GHC_EVENT_ITEM (cap, time, GHC_GC_START, .gc_start = { 0 })
#define RUNNABLE(cap, time, id)                                                                    \
  GHC_EVENT_ITEM (cap, time, GHC_THREAD_RUNNABLE, .thread_runnable = { .thread = (id) })
#define MARKER(cap, time)                                                                          \
  GHC_EVENT_ITEM (cap, time, GHC_BLOCK_MARKER, .block_marker = { .end_time = (time) })

/* Fails unless these are the groups of the events; those of time `hidden` are not shown. */
static void
check (enum ghc_show_by by, uint64_t hidden, const char *expected,
       const struct ghc_item *const *items)
{
  static const struct ghc_event_type type = { 0 };
  struct ghc_show_groups *groups = ghc_show_groups_new (by);
  GString *put = g_string_new (NULL), *written = g_string_new (NULL);
  GError *error = NULL;
  for (; *items != NULL; items++) {
    struct ghc_item item = **items;
    item.event_type = &type;
    ghc_show_groups_put (&item, item.time != hidden, GHC_SHOW_0_22, put);
    if (item.time % 3 == 0) { /* some at once */
      assert_true (ghc_show_groups_add (groups, put));
      g_string_truncate (put, 0);
    }
  }
  assert_true (ghc_show_groups_add (groups, put));
  assert_true (ghc_show_groups_write (groups, move_text, written, &error));
  assert_string_equal (written->str, expected);
  g_string_free (put, TRUE);
  g_string_free (written, TRUE);
  ghc_show_groups_free (groups);
}

#define BY(what, hidden, expected, ...)                                                            \
  check (GHC_SHOW_BY_##what, hidden, expected, (const struct ghc_item *[]){ __VA_ARGS__, NULL })

TEST (test_threads)
{
  BY (THREAD, 0, "\n", MARKER (0, 1));
  BY (THREAD, 0,
      "Nothing\n"
      "  1: cap 0: starting GC\n"
      "  4: cap 1: starting GC\n"
      "  10: cap 0: starting GC\n"
      "  11: starting GC\n"
      "Just 1\n"
      "  2: cap 0: running thread 1\n"
      "  3: cap 0: starting GC\n"
      "  8: cap 0: starting GC\n"
      "  9: cap 0: stopping thread 1 (blocked on an MVar)\n"
      "Just 2\n"
      "  5: cap 0: creating thread 2\n"
      "  6: cap 0: migrating thread 2 to cap 1\n"
      "  7: cap 1: thread 2 is runnable\n"
      "Just 4294967295\n"
      "  7: cap 0: creating spark thread 4294967295\n"
      "\n",
      GC (0, 1), RUN (0, 2, 1), GC (0, 3), GC (1, 4), CREATE (0, 5, 2), MIGRATE (0, 6, 2, 1),
      RUNNABLE (1, 7, 2), CREATE_SPARK_THREAD (0, 7, 4294967295), MARKER (0, 8), GC (0, 8),
      STOP (0, 9, 1, MVAR), GC (0, 10), GC (GHC_NO_CAP, 11));
}

/* That of the thread only on the capability itself, and never that of the one that runs. */
TEST (test_wakeup)
{
  BY (THREAD, 0,
      "Nothing\n"
      "  3: cap 0: waking up thread 7 on cap 1\n"
      "  4: waking up thread 7 on cap 1\n"
      "Just 1\n"
      "  1: cap 0: running thread 1\n"
      "Just 7\n"
      "  2: cap 0: waking up thread 7 on cap 0\n"
      "\n",
      RUN (0, 1, 1), WAKE (0, 2, 7, 0), WAKE (0, 3, 7, 1), WAKE (GHC_NO_CAP, 4, 7, 1));
}

/* Events that contradict each other end nothing. */
TEST (test_contradictions)
{
  BY (THREAD, 0,
      "Nothing\n"
      "  6: cap 0: starting GC\n"
      "  11: cap 2: starting GC\n"
      "Just 1\n"
      "  1: cap 0: running thread 1\n"
      "  4: cap 1: stopping thread 1 (blocked on an MVar)\n"
      "  9: running thread 1\n"
      "Just 2\n"
      "  2: cap 0: running thread 2\n"
      "  3: cap 0: starting GC\n"
      "  5: cap 2: running thread 2\n"
      "  8: cap 2: starting GC\n"
      "  10: cap 1: stopping thread 2 (blocked on an MVar)\n"
      "Just 3\n"
      "  7: cap 2: stopping thread 3 (blocked on an MVar)\n"
      "\n",
      RUN (0, 1, 1), RUN (0, 2, 2), GC (0, 3), STOP (1, 4, 1, MVAR), RUN (2, 5, 2), GC (0, 6),
      STOP (2, 7, 3, MVAR), GC (2, 8), RUN (GHC_NO_CAP, 9, 1), STOP (1, 10, 2, MVAR), GC (2, 11));
}

TEST (test_hidden)
{
  BY (THREAD, 2, "Just 1\n  3: cap 0: starting GC\n\n", RUN (0, 2, 1), GC (0, 2), GC (0, 3));
  BY (CAP, 2, "Just 0\n  3: cap 0: starting GC\n\n", RUN (0, 2, 1), GC (0, 2), GC (0, 3));
}

TEST (test_caps)
{
  BY (CAP, 0,
      "Nothing\n"
      "  3: starting GC\n"
      "Just 0\n"
      "  2: cap 0: creating thread 2\n"
      "  6: cap 0: waking up thread 7 on cap 1\n"
      "Just 10\n"
      "  1: cap 10: starting GC\n"
      "  4: cap 10: running thread 1\n"
      "Just 65534\n"
      "  5: cap 65534: starting GC\n"
      "\n",
      GC (10, 1), CREATE (0, 2, 2), GC (GHC_NO_CAP, 3), RUN (10, 4, 1), GC (65534, 5),
      WAKE (0, 6, 7, 1), MARKER (0, 7));
}
