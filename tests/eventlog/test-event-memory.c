/* test-event-memory.c -- which events are remembered for late readers, and which events end
 * them. */
#include "config.h"

#include "eventlog/event-memory.h"
#include "tests/unit/test.h"

#include <glib.h>
#include <string.h>

struct event {
  enum ghc_kind kind;
  const char *payload; /* in hexadecimal digits */
};

static void
store (struct event_memory *m, struct event event, unsigned cap, uint64_t time)
{
  uint8_t payload[64];
  const size_t length = strlen (event.payload) / 2;
  assert_true (length <= sizeof payload);
  for (size_t i = 0; i < length; i++)
    payload[i] = (uint8_t) (g_ascii_xdigit_value (event.payload[2 * i]) << 4
                            | g_ascii_xdigit_value (event.payload[2 * i + 1]));
  event_memory_store (m, event.kind, cap, time, payload, length);
}

static void
add_line (void *data, enum ghc_kind kind, unsigned cap, const uint8_t *payload, size_t length)
{
  GString *text = data;
  (void) kind;
  g_string_append_printf (text, "%s%u:", text->len != 0 ? " " : "", cap);
  for (size_t i = 0; i < length; i++)
    g_string_append_printf (text, "%02x", payload[i]);
}

/* Capability and payload of each, in their order. */
static void
check (const struct event_memory *m, uint64_t time, const char *expected)
{
  GString *text = g_string_new (NULL);
  event_memory_replay (m, time, add_line, text);
  assert_string_equal (text->str, expected);
  g_string_free (text, TRUE);
}

/* The rest of two or three events, each in a capability of its own. */
TEST (test_ends)
{
  static const struct {
    struct event events[3];
    const char *left;
  } cases[] = {
    /* The latest of a key takes the place of the one before; another key has one of its own. */
    { { { GHC_THREAD_LABEL, "0000000161" }, { GHC_THREAD_LABEL, "0000000162" } }, "1:0000000162" },
    { { { GHC_THREAD_LABEL, "0000000161" },
        { GHC_THREAD_LABEL, "0000000261" },
        { GHC_THREAD_LABEL, "0000000163" } },
      "2:0000000163 1:0000000261" },
    { { { GHC_CREATE_THREAD, "00000001" }, { GHC_THREAD_LABEL, "0000000161" } },
      "0:00000001 1:0000000161" },
    /* The key of this one is its end. */
    { { { GHC_INTERN_STRING, "6100000001" }, { GHC_INTERN_STRING, "6200000001" } },
      "1:6200000001" },
    { { { GHC_INTERN_STRING, "6100000001" }, { GHC_INTERN_STRING, "6100000002" } },
      "0:6100000001 1:6100000002" },
    { { { GHC_STARTUP, "" }, { GHC_STARTUP, "0001" } }, "1:0001" },
    { { { GHC_STARTUP, "0001" }, { GHC_STARTUP, "" } }, "1:" },
    /* A thread ends if it has finished. */
    { { { GHC_CREATE_THREAD, "00000001" }, { GHC_STOP_THREAD, "000000010005" } }, "" },
    { { { GHC_CREATE_THREAD, "00000001" }, { GHC_STOP_THREAD, "000000010004" } }, "0:00000001" },
    { { { GHC_CREATE_THREAD, "00000001" }, { GHC_STOP_THREAD, "000000020005" } }, "0:00000001" },
    { { { GHC_CREATE_THREAD, "00000001" }, { GHC_STOP_THREAD, "0000000100" } }, "0:00000001" },
    /* A set ends with all that is of it. */
    { { { GHC_CAPSET_CREATE, "000000010002" },
        { GHC_CAPSET_ASSIGN_CAP, "000000010000" },
        { GHC_CAPSET_DELETE, "00000001" } },
      "" },
    { { { GHC_CAPSET_ASSIGN_CAP, "000000010000" },
        { GHC_CAPSET_ASSIGN_CAP, "000000020000" },
        { GHC_CAPSET_DELETE, "00000001" } },
      "1:000000020000" },
    { { { GHC_CAPSET_ASSIGN_CAP, "000000010000" },
        { GHC_CAPSET_ASSIGN_CAP, "000000010001" },
        { GHC_CAPSET_REMOVE_CAP, "000000010000" } },
      "1:000000010001" },
    { { { GHC_CAPSET_CREATE, "000000010002" }, { GHC_CAPSET_DELETE, "000001" } },
      "0:000000010002" },
    { { { GHC_CAP_DISABLE, "0001" }, { GHC_CAP_ENABLE, "0001" } }, "" },
    /* A thread goes with its label to another capability, a task by a field of its own. */
    { { { GHC_CREATE_THREAD, "00000001" },
        { GHC_THREAD_LABEL, "0000000161" },
        { GHC_MIGRATE_THREAD, "000000010007" } },
      "7:00000001 7:0000000161" },
    { { { GHC_CREATE_THREAD, "00000001" }, { GHC_MIGRATE_THREAD, "0000000100" } }, "0:00000001" },
    { { { GHC_TASK_CREATE, "000000000000000900010000000000000008" },
        { GHC_TASK_MIGRATE, "000000000000000900010002" } },
      "0:000000000000000900020000000000000008" },
    { { { GHC_TASK_CREATE, "000000000000000900010000000000000008" },
        { GHC_TASK_MIGRATE, "0000000000000009000100" } },
      "0:000000000000000900010000000000000008" },
    { { { GHC_TASK_CREATE, "000000000000000900010000000000000008" },
        { GHC_TASK_MIGRATE, "000000000000000800010002" } },
      "0:000000000000000900010000000000000008" },
    { { { GHC_TASK_CREATE, "000000000000000900" },
        { GHC_TASK_MIGRATE, "000000000000000900010002" } },
      "0:000000000000000900" },
    { { { GHC_TASK_CREATE, "000000000000000900010000000000000008" },
        { GHC_TASK_DELETE, "0000000000000009" } },
      "" },
    /* Too short for its key, of no use for late readers, and of no kind that is known. */
    { { { GHC_CREATE_THREAD, "000001" }, { GHC_USER_MSG, "61" }, { GHC_UNKNOWN, "61" } }, "" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct event_memory *m = event_memory_new ();
    for (unsigned cap = 0; cap < 3 && cases[i].events[cap].payload != NULL; cap++)
      store (m, cases[i].events[cap], cap, 0);
    check (m, 0, cases[i].left);
    event_memory_free (m);
  }
}

/* Seconds and nanoseconds at the time of the event: 1 s and 999999999 ns at 100 ns. */
TEST (test_wall_clock)
{
  static const struct event clock = { GHC_WALL_CLOCK_TIME, "0000000700000000000000013b9ac9ff" };
  struct event_memory *m = event_memory_new ();
  store (m, clock, 0, 100);
  check (m, 100, "0:0000000700000000000000013b9ac9ff");
  check (m, 101, "0:00000007000000000000000200000000");
  check (m, 2000000102, "0:00000007000000000000000400000001");
  check (m, 99, "0:0000000700000000000000013b9ac9ff"); /* a clock does not go back */
  /* One that has not all of its fields stays as it is. */
  store (m, (struct event){ GHC_WALL_CLOCK_TIME, "0000000700000001" }, 0, 100);
  check (m, 200, "0:0000000700000001");
  event_memory_free (m);
  event_memory_free (NULL);
}

/* More than the table has place for at first: each stays, once, and is found to be ended. */
TEST (test_many)
{
  enum { MANY = 5000 };
  char payload[16];
  struct event_memory *m = event_memory_new ();
  for (int times = 0; times < 2; times++)
    for (unsigned i = 0; i < MANY; i++) {
      g_snprintf (payload, sizeof payload, "%08x", i);
      store (m, (struct event){ GHC_CREATE_THREAD, payload }, 0, 0);
      assert_int_equal (event_memory_count (m), times == 0 ? i + 1 : MANY);
    }
  for (unsigned i = 0; i < MANY - 1; i++) {
    g_snprintf (payload, sizeof payload, "%08x0005", i);
    store (m, (struct event){ GHC_STOP_THREAD, payload }, 0, 0);
  }
  assert_int_equal (event_memory_count (m), 1);
  check (m, 0, "0:00001387");
  event_memory_free (m);
}

/* Events without room are counted, and room that is free again is used. */
TEST (test_limits)
{
  struct event_memory *m = event_memory_new ();
  uint8_t *large = g_malloc0 (EVENT_MEMORY_BYTES);
  event_memory_store (m, GHC_THREAD_LABEL, 0, 0, large, EVENT_MEMORY_BYTES);
  assert_int_equal (event_memory_count (m), 1);
  large[3] = 1;
  event_memory_store (m, GHC_THREAD_LABEL, 0, 0, large, 4);
  assert_int_equal (event_memory_count (m), 1);
  assert_int_equal (event_memory_forgotten (m), 1);
  large[3] = 0;
  event_memory_store (m, GHC_THREAD_LABEL, 0, 0, large, EVENT_MEMORY_BYTES - 4);
  large[3] = 1;
  event_memory_store (m, GHC_THREAD_LABEL, 0, 0, large, 4);
  assert_int_equal (event_memory_count (m), 2);
  assert_int_equal (event_memory_forgotten (m), 1);
  event_memory_free (m);
  g_free (large);
}
