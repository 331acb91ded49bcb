/* test-live-model.c -- figures of a log that comes in pieces: those of all.figures, and rates. */
#include "config.h"

#include "decoder/live/live-model.h"
#include "decoder/live/live-feed.h"
#include "decoder/ghc/ghc-losses.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/model/threads.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

static void
load (const char *name, char **bytes, gsize *length)
{
  char *path = fixture_path ("logs", name);
  assert_true (g_file_get_contents (path, bytes, length, NULL));
  g_free (path);
}

static const struct live_row *
row_of (const GArray *rows, const char *name)
{
  for (guint i = 0; i < rows->len; i++) {
    const struct live_row *row = &g_array_index (rows, struct live_row, i);
    if (g_strcmp0 (row->name, name) == 0)
      return row;
  }
  return NULL;
}

/* The figures of the log in all.figures; Leaf is entered at 2.041 ms and left at 5.042 ms. */
static void
check_all (const struct live_figures *f)
{
  assert_int_equal (f->format, LIVE_MONO);
  assert_int_equal (f->collections[0].all, 2);
  assert_int_equal (f->collections[1].all, 2);
  assert_int_equal (f->heap_max_bytes, UINT64_C (6442450944));
  assert_int_equal (f->exceptions.all, 2);
  assert_int_equal (f->events.all, 157);
  const struct live_row *leaf = row_of (f->methods, "All.Program:Leaf (int)");
  assert_non_null (leaf);
  assert_int_equal (leaf->count.all, 1);
  assert_int_equal (leaf->self_ns.all, 3001000);
}

/* The bytes that a thread allocated in the interval, if it is shown. */
static uint64_t
bytes_of (const struct live_figures *f, uint64_t thread)
{
  for (guint i = 0; i < f->threads->len; i++) {
    const struct live_thread *t = &g_array_index (f->threads, struct live_thread, i);
    if (t->id != thread)
      continue;
    assert_true (t->has_bytes);
    return t->bytes.now;
  }
  return 0;
}

TEST (test_log)
{
  char *bytes;
  gsize length;
  load ("all-v17.mlpd", &bytes, &length);
  for (int scans = 0; scans < 2; scans++) {
    struct live_model *model = live_model_new ();
    const struct live_handler handler
        = { live_model_mono, live_model_ghc, scans ? live_model_buffers : NULL, model };
    struct live_feed *feed = live_feed_new (&handler);
    uint64_t events = 0, bytes_of_main = 0;
    for (gsize at = 0; at < length; at += 500) {
      assert_true (live_feed_push (feed, (uint8_t *) bytes + at, MIN (500, length - at)));
      assert_true (live_feed_flush (feed));
      const struct live_figures *now = live_model_figures (model, 1);
      events += now->events.now;
      bytes_of_main += bytes_of (now, UINT64_C (0x7f0030000000));
    }
    check_all (live_model_figures (model, 1));
    assert_int_equal (events, 157); /* all were in one interval and no more */
    assert_int_equal (bytes_of_main, 24 + 24 + 4096 + 64); /* of 5248 */
    const struct live_figures *f = live_model_figures (model, 1000);
    assert_int_equal (f->events.now, 0);
    assert_int_equal (f->interval_ns, 1000);
    live_feed_free (feed);
    live_model_free (model);
  }
  g_free (bytes);
}

/* The next log of the same process, whose header is the same, adds to the figures; that of another,
 * which only its pid shows, does not. */
TEST (test_next_log)
{
  enum { PID_AT = 32 }; /* after id, versions, pointer size, two times, overhead and flags */
  char *bytes;
  gsize length;
  load ("all-v17.mlpd", &bytes, &length);
  for (int scans = 0; scans < 2; scans++) {
    struct live_model *model = live_model_new ();
    const struct live_handler handler
        = { live_model_mono, live_model_ghc, scans ? live_model_buffers : NULL, model };
    struct live_feed *feed = live_feed_new (&handler);
    assert_true (live_feed_push (feed, (uint8_t *) bytes, length));
    assert_true (live_feed_flush (feed));
    check_all (live_model_figures (model, 1));
    live_feed_begin (feed);
    assert_true (live_feed_push (feed, (uint8_t *) bytes, length));
    assert_true (live_feed_flush (feed));
    const struct live_figures *f = live_model_figures (model, 1);
    assert_int_equal (f->events.all, 2 * 157);
    assert_int_equal (f->events.now, 157);
    assert_int_equal (f->exceptions.all, 4);
    assert_int_equal (f->exceptions.now, 2);
    assert_int_equal (f->collections[0].all, 4);
    assert_int_equal (f->log_bytes.all, 2 * length);
    assert_int_equal (row_of (f->methods, "All.Program:Leaf (int)")->count.all, 2);
    live_feed_begin (feed);
    bytes[PID_AT] ^= 1;
    assert_true (live_feed_push (feed, (uint8_t *) bytes, length));
    assert_true (live_feed_flush (feed));
    bytes[PID_AT] ^= 1;
    f = live_model_figures (model, 1);
    check_all (f);
    assert_int_equal (f->events.now, 157);
    assert_int_equal (f->log_bytes.all, length);
    live_feed_free (feed);
    live_model_free (model);
  }
  g_free (bytes);
}

static void
put_allocated (struct live_model *model, unsigned cap, uint64_t bytes)
{
  const union ghc_payload payload = { .heap_allocated = { .bytes = bytes } };
  live_model_ghc (model, &(struct ghc_item){ .type = GHC_ITEM_EVENT,
                                             .kind = GHC_HEAP_ALLOCATED,
                                             .cap = cap,
                                             .payload = &payload });
}

static void
check_allocated (struct live_model *model, uint64_t now, uint64_t all)
{
  const struct live_figures *f = live_model_figures (model, 1);
  uint64_t of_caps = 0;
  for (guint i = 0; i < f->threads->len; i++)
    of_caps += g_array_index (f->threads, struct live_thread, i).bytes.now;
  assert_int_equal (f->alloc_bytes.now, now);
  assert_int_equal (f->alloc_bytes.all, all);
  assert_int_equal (of_caps, now);
}

/* A capability states the bytes that it allocated since the program began; its first value is no
 * rate. */
TEST (test_haskell_allocations)
{
  struct live_model *model = live_model_new ();
  put_allocated (model, 0, 1000000);
  check_allocated (model, 0, 1000000);
  put_allocated (model, 0, 1000700);
  put_allocated (model, 1, 5000000);
  check_allocated (model, 700, 6000700);
  put_allocated (model, 0, 1000900);
  put_allocated (model, 2, 0);
  check_allocated (model, 200, 6000900);
  put_allocated (model, 2, 64);
  check_allocated (model, 64, 6000964);
  live_model_ghc (model, &(struct ghc_item){ .type = GHC_ITEM_HEADER });
  put_allocated (model, 0, 300);
  put_allocated (model, 0, 350);
  check_allocated (model, 50, 350);
  live_model_free (model);
}

/* Threads that ended are forgotten, all that live are not. */
TEST (test_ended_threads)
{
  struct threads threads;
  threads_init (&threads);
  for (uint64_t id = 1; id <= 100; id++) {
    struct mlpd_metadata_thread end = { .thread = id, .time = id, .action = MLPD_LOAD_END_UNLOAD };
    threads_get (&threads, id);
    if (id % 10 != 0)
      threads_metadata (&threads, &end, true);
  }
  threads_forget_ended (&threads, 90);
  assert_int_equal (threads.all->len, 100);
  threads_forget_ended (&threads, 89);
  assert_int_equal (threads.all->len, 10);
  for (uint64_t id = 10; id <= 100; id += 10)
    threads_get (&threads, id);
  assert_int_equal (threads.all->len, 10);
  threads_get (&threads, 11);
  assert_int_equal (threads.all->len, 11);
  threads_clear (&threads);
}

static uint64_t
lost_of_message (const char *text)
{
  const union ghc_payload payload = { .log_msg = { .message = { text, strlen (text) } } };
  const struct ghc_item item = { .type = GHC_ITEM_EVENT, .kind = GHC_LOG_MSG, .payload = &payload };
  uint64_t lost;
  assert_true (ghc_losses_of (&item, &lost) || lost == 0);
  return lost;
}

/* The losses that our writers state: of eventlogs in words, of logs of Mono by a counter, whose
 * values are its increments. */
TEST (test_losses)
{
  const struct mlpd_counter_value values[]
      = { { .index = 1, .number = 1000 }, { .index = 1000000, .number = 71 } };
  const union mlpd_payload payload = { .sample_counters = { .values = { values, 2 } } };
  assert_int_equal (lost_of_message ("proflog: 12 events are missing here"), 12);
  assert_int_equal (lost_of_message ("proflog: 7 events had to be dropped"), 7);
  assert_int_equal (lost_of_message ("proflog:  events are missing here"), 0);
  assert_int_equal (lost_of_message ("proflog: 12 eventually"), 0);
  assert_int_equal (lost_of_message ("12 events are missing here"), 0);
  assert_int_equal (mlpd_losses_of (MLPD_SAMPLE_COUNTERS, &payload), 71);
  assert_int_equal (mlpd_losses_of (MLPD_GC_EVENT, &payload), 0);
}

/* The processor time of a stack with all that it called, the outermost frame first. */
static uint64_t
cpu_of_stack (const struct live_model *model, const uint64_t *methods, guint n)
{
  const struct live_stacks *stacks = live_model_stacks (model);
  guint node = CALL_TREE_ROOT;
  for (guint i = 0; i < n; i++) {
    guint method = 0; /* its symbol */
    const GArray *all = live_model_symbols (model)->all[SYMBOL_METHOD];
    while (method < all->len && g_array_index (all, struct symbol, method).address != methods[i])
      method++;
    assert_true (method < all->len);
    node = call_tree_find (&stacks->tree, node, method);
    if (node == CALL_TREE_ROOT)
      return 0;
  }
  return g_array_index (stacks->tree.nodes, struct call_node, node).calls;
}

/* Hits of the wall clock have the processor time of their usage; the rest is waiting, which methods
 * of waiting alone are known by.  A hit without frames counts for its thread. */
TEST (test_usage)
{
  enum { WORK = 0x100, SLEEP = 0x200, READ = 0x300, EVENT = 0x400 };
  static const uint64_t work[] = { WORK }, sleep[] = { SLEEP, WORK }, read[] = { READ };
  static const uint64_t idle[] = { EVENT };
  struct script script;
  script_begin_version (&script, 17);
  script_buffer (&script, 9, 1000);
  script_jit (&script, 1000, WORK, 0, 0, "App:Work ()");
  script_jit (&script, 1000, SLEEP, 0, 0,
              "(wrapper managed-to-native) System.Threading.Thread:SleepInternal (int)");
  script_jit (&script, 1000, READ, 0, 0,
              "(wrapper managed-to-native) System.IO.MonoIO:Read (intptr)");
  script_jit (&script, 1000, EVENT, 0, 0,
              "(wrapper managed-to-native) System.Threading.WaitHandle:Wait_internal (intptr)");
  script_hit (&script, 1050, 7, 1, idle, 1);
  script_usage (&script, 1050, 1000, 3);
  script_hit (&script, 1100, 5, 1, work, 1);
  script_usage (&script, 1100, 100, 80);
  script_hit (&script, 1100, 6, 1, sleep, 2);
  script_usage (&script, 1100, 100, 7);
  script_hit (&script, 1200, 5, 1, NULL, 0);
  script_usage (&script, 1200, 100, 50);
  script_hit (&script, 1200, 6, 1, read, 1);
  script_usage (&script, 1200, 100, 60);
  script_hit (&script, 1300, 5, 1, work, 1);
  script_monitor (&script, 1300, MLPD_MONITOR_EVENT_DONE, 0x8000);
  script_usage (&script, 1300, 100, 90); /* of no hit */
  GByteArray *log = script_end (&script);
  for (int scans = 0; scans < 2; scans++) {
    struct live_model *model = live_model_new ();
    const struct live_handler handler
        = { live_model_mono, live_model_ghc, scans ? live_model_buffers : NULL, model };
    struct live_feed *feed = live_feed_new (&handler);
    assert_true (live_feed_push (feed, log->data, log->len));
    assert_true (live_feed_flush (feed));
    const struct live_figures *f = live_model_figures (model, 1000);
    assert_true (f->has_cpu && f->has_waits && !f->has_calls);
    assert_int_equal (f->methods->len, 4);
    const struct live_row *row
        = row_of (f->methods, "System.Threading.WaitHandle:Wait_internal (intptr) [native]");
    assert_int_equal (row->cpu_ns.now, 3);
    assert_int_equal (row->wait_ns.all, 0); /* for work: it is idle */
    row = row_of (f->methods, "App:Work ()");
    assert_int_equal (row->cpu_ns.now, 80);
    assert_int_equal (row->wait_ns.all, 20);
    assert_null (row->waits);
    row = row_of (f->methods, "System.Threading.Thread:SleepInternal (int) [native]");
    assert_int_equal (row->cpu_ns.all, 7);
    assert_int_equal (row->wait_ns.now, 93);
    assert_string_equal (row->waits, "sleep");
    row = row_of (f->methods, "System.IO.MonoIO:Read (intptr) [native]");
    assert_null (row->waits); /* it worked for longer */
    static const uint64_t nested[] = { WORK, SLEEP };
    assert_int_equal (cpu_of_stack (model, work, 1), 80 + 7);
    assert_int_equal (cpu_of_stack (model, nested, 2), 7);
    assert_int_equal (cpu_of_stack (model, sleep, 1), 0);
    assert_int_equal (cpu_of_stack (model, read, 1), 60);
    assert_int_equal (live_model_stacks (model)->bare_ns, 50);
    f = live_model_figures (model, 1000);
    assert_int_equal (row_of (f->methods, "App:Work ()")->wait_ns.now, 0);
    assert_int_equal (row_of (f->methods, "App:Work ()")->cpu_ns.all, 80);
    live_feed_free (feed);
    live_model_free (model);
  }
  g_byte_array_unref (log);
}

/* Sums of locks by type go on when the locks themselves are too many to be remembered. */
TEST (test_many_locks)
{
  enum { GATE = 0x500, LOCKS = 5000 };
  struct live_model *model = live_model_new ();
  const struct live_handler handler
      = { live_model_mono, live_model_ghc, live_model_buffers, model };
  struct live_feed *feed = live_feed_new (&handler);
  struct script script;
  script_begin_with (&script, 17, "proflog:monitor");
  script_buffer (&script, 9, 1000);
  for (uint64_t i = 0; i < LOCKS; i++) {
    const uint64_t time = 1000 + 100 * i, lock = 0x8000 + 16 * i;
    script_class (&script, time, GATE, "App.Gate");
    script_monitor (&script, time, MLPD_MONITOR_EVENT_CONTENTION, lock);
    script_monitor (&script, time + 30, MLPD_MONITOR_EVENT_DONE, lock);
    if (i % 1000 == 999)
      script_buffer (&script, 9, time + 100);
  }
  GByteArray *log = script_end (&script);
  uint64_t waits = 0, wait_ns = 0;
  for (guint at = 0; at < log->len; at += 4000) {
    assert_true (live_feed_push (feed, log->data + at, MIN (4000, log->len - at)));
    assert_true (live_feed_flush (feed));
    const struct live_row *row = row_of (live_model_figures (model, 1000)->locks, "App.Gate");
    waits += row != NULL ? row->count.now : 0;
    wait_ns += row != NULL ? row->wait_ns.now : 0;
  }
  assert_int_equal (waits, LOCKS);
  assert_int_equal (wait_ns, 30 * LOCKS);
  const struct live_figures *f = live_model_figures (model, 1000);
  assert_int_equal (f->locks->len, 1);
  assert_int_equal (row_of (f->locks, "App.Gate")->count.all, LOCKS);
  assert_int_equal (row_of (f->locks, "App.Gate")->wait_ns.all, 30 * LOCKS);
  live_feed_free (feed);
  live_model_free (model);
  g_byte_array_unref (log);
}

/* When there are too many stacks, those that are known go on. */
TEST (test_many_stacks)
{
  struct live_stacks stacks;
  struct symbols symbols;
  struct recording recording;
  struct mlpd_frame frame = { 0 };
  const struct mlpd_sample_hit hit = { .frames = { &frame, 1 } };
  recording_init (&recording);
  live_stacks_init (&stacks);
  symbols_init (&symbols);
  for (uint64_t i = 0; i < LIVE_STACKS_MAX + 50; i++) {
    frame.method = 0x1000 + i;
    live_stacks_hit (&stacks, &symbols, &recording, &hit);
    live_stacks_add (&stacks, 3);
  }
  assert_int_equal (stacks.tree.nodes->len, LIVE_STACKS_MAX);
  assert_int_equal (stacks.others_ns, 3 * 51); /* the root is a node, too */
  frame.method = 0x1000;
  live_stacks_hit (&stacks, &symbols, &recording, &hit);
  live_stacks_add (&stacks, 4);
  assert_int_equal (g_array_index (stacks.tree.nodes, struct call_node, 1).calls, 7);
  assert_int_equal (stacks.others_ns, 3 * 51);
  recording_clear (&recording);
  live_stacks_clear (&stacks);
  symbols_clear (&symbols);
}

static void
set_mark (struct script *script, uint64_t time, uint64_t index)
{
  const struct mlpd_counter_value value
      = { .index = index, .type = MLPD_COUNTER_TYPE_INT, .number = 1 };
  const union mlpd_payload payload
      = { .sample_counters = { .time = time, .values = { &value, 1 } } };
  script_event (script, MLPD_SAMPLE_COUNTERS, &payload);
}

/* Marks are in the figures of the interval that they come in; only the first have names. */
TEST (test_marks)
{
  struct script script;
  script_begin_version (&script, 17);
  script_buffer (&script, 9, 1000);
  const struct mlpd_counter counters[]
      = { { .section = MLPD_COUNTER_SECTION_PROFILER, .name = { "Mark: batch", 11 }, .index = 7 },
          { .section = MLPD_COUNTER_SECTION_PROFILER, .name = { "Other", 5 }, .index = 8 } };
  const union mlpd_payload described = { .sample_counters_desc = { .counters = { counters, 2 } } };
  script_event (&script, MLPD_SAMPLE_COUNTERS_DESC, &described);
  for (int i = 0; i < LIVE_MARK_NAMES_MAX + 4; i++)
    set_mark (&script, 1100, 7);
  set_mark (&script, 1200, 8);
  GByteArray *log = script_end (&script);
  struct live_model *model = live_model_new ();
  const struct live_handler handler = { live_model_mono, live_model_ghc, NULL, model };
  struct live_feed *feed = live_feed_new (&handler);
  assert_true (live_feed_push (feed, log->data, log->len));
  assert_true (live_feed_flush (feed));
  const struct live_figures *f = live_model_figures (model, 1000);
  assert_int_equal (f->marks.now, LIVE_MARK_NAMES_MAX + 4);
  assert_int_equal (f->mark_names->len, LIVE_MARK_NAMES_MAX);
  assert_string_equal (g_ptr_array_index (f->mark_names, 0), "batch");
  static const char name[] = "from GHC";
  const union ghc_payload payload = { .user_marker = { .marker = { name, strlen (name) } } };
  live_model_ghc (model, &(struct ghc_item){ .type = GHC_ITEM_HEADER });
  live_model_ghc (model, &(struct ghc_item){ .type = GHC_ITEM_EVENT,
                                             .kind = GHC_USER_MARKER,
                                             .cap = GHC_NO_CAP,
                                             .payload = &payload });
  f = live_model_figures (model, 1000);
  assert_int_equal (f->marks.all, 1);
  assert_string_equal (g_ptr_array_index (f->mark_names, 0), name);
  assert_int_equal (live_model_figures (model, 1000)->mark_names->len, 0);
  live_feed_free (feed);
  live_model_free (model);
  g_byte_array_unref (log);
}

/* ---- items of logs, one by one ---- */

static void
put_mono (struct live_model *model, uint64_t thread, enum mlpd_kind kind,
          union mlpd_payload payload)
{
  const struct mlpd_file_header header = { .data_version = 1, .pointer_size = 8 };
  const struct mlpd_buffer_header buffer = { .thread = thread, .length = 1 };
  live_model_mono (model, &(struct mlpd_item){ .type = MLPD_ITEM_EVENT,
                                               .size = 1,
                                               .header = &header,
                                               .buffer = &buffer,
                                               .kind = kind,
                                               .payload = &payload });
}

static void
put_header (struct live_model *model, const struct mlpd_file_header *header)
{
  live_model_mono (model, &(struct mlpd_item){ .type = MLPD_ITEM_FILE_HEADER, .header = header });
}

/* A log adds to the figures if nothing in its header states that it is another program's. */
TEST (test_same_program)
{
  const struct mlpd_file_header usual = {
    .major = 3, .data_version = 17, .pointer_size = 8, .pid = 5, .start_ms = 6, .start_ns = 7
  };
  struct mlpd_file_header next[6];
  for (size_t i = 0; i < G_N_ELEMENTS (next); i++)
    next[i] = usual;
  next[1].data_version = 16;
  next[2].pointer_size = 4;
  next[3].pid = 8;
  next[4].start_ms = 8;
  next[5].start_ns = 8;
  for (size_t i = 0; i < G_N_ELEMENTS (next); i++) {
    struct live_model *model = live_model_new ();
    put_header (model, &usual);
    put_mono (model, 1, MLPD_METHOD_ENTER, (union mlpd_payload){ .method_enter = { 10, 64 } });
    put_header (model, &next[i]);
    put_mono (model, 1, MLPD_METHOD_LEAVE, (union mlpd_payload){ .method_leave = { 20, 64 } });
    assert_int_equal (live_model_figures (model, 1)->events.all, i == 0 ? 2 : 1);
    live_model_free (model);
  }
}

static void
put_gc_event (struct live_model *model, uint64_t thread, uint64_t time, uint64_t event)
{
  put_mono (model, thread, MLPD_GC_EVENT,
            (union mlpd_payload){ .gc_event = { .time = time, .event = event } });
}

/* A pause is from the stop of the world to its start by the same thread. */
TEST (test_pauses)
{
  struct live_model *model = live_model_new ();
  const struct mlpd_file_header header = { .data_version = 1, .pointer_size = 8 };
  put_header (model, &header);
  put_gc_event (model, 7, 900, MLPD_GC_EVENT_POST_START_WORLD); /* the log lacks its begin */
  assert_int_equal (live_model_figures (model, 1)->pause_max_ns, 0);
  put_gc_event (model, 7, 1000, MLPD_GC_EVENT_PRE_STOP_WORLD);
  put_gc_event (model, 8, 1500, MLPD_GC_EVENT_POST_START_WORLD);
  assert_int_equal (live_model_figures (model, 1)->pause_max_ns, 0);
  put_gc_event (model, 7, 1800, MLPD_GC_EVENT_POST_START_WORLD);
  put_gc_event (model, 7, 1900, MLPD_GC_EVENT_POST_START_WORLD);
  assert_int_equal (live_model_figures (model, 1)->pause_max_ns, 800);
  live_model_free (model);
}

/* Marks of losses count their events; other damage counts by itself. */
TEST (test_damage)
{
  struct live_model *model = live_model_new ();
  const struct mlpd_file_header header = { .data_version = 1, .pointer_size = 8 };
  const struct mlpd_damage lost = { .reason = MLPD_DAMAGE_LOST, .lost = 12, .message = "lost" };
  const struct mlpd_damage damaged = { .reason = MLPD_DAMAGE_CORRUPT, .message = "damaged" };
  put_header (model, &header);
  live_model_mono (model, &(struct mlpd_item){ .type = MLPD_ITEM_DAMAGE, .damage = &lost });
  live_model_mono (model, &(struct mlpd_item){ .type = MLPD_ITEM_DAMAGE, .damage = &lost });
  live_model_mono (model, &(struct mlpd_item){ .type = MLPD_ITEM_DAMAGE, .damage = &damaged });
  const struct live_figures *f = live_model_figures (model, 1);
  assert_int_equal (f->lost_events.all, 24);
  assert_int_equal (f->damages.all, 1);
  live_model_free (model);
}

static void
put_ghc (struct live_model *model, unsigned cap, uint64_t time, enum ghc_kind kind,
         union ghc_payload payload)
{
  live_model_ghc (
      model,
      &(struct ghc_item){
          .type = GHC_ITEM_EVENT, .time = time, .cap = cap, .kind = kind, .payload = &payload });
}

static const union ghc_payload nothing;

static uint64_t
count_collections (const struct live_figures *f)
{
  uint64_t all = 0;
  for (int i = 0; i < LIVE_GENERATIONS; i++)
    all += f->collections[i].all;
  return all;
}

/* A collection counts once, with its generation, which comes before its end or after; also if the
 * log lacks its start and end.  One that states none is part of another's. */
TEST (test_haskell_collections)
{
  const union ghc_payload second = { .gc_stats_ghc = { .generation = 1 } };
  const union ghc_payload tenth = { .gc_stats_ghc = { .generation = 9 } };
  struct live_model *model = live_model_new ();
  put_ghc (model, 0, 90, GHC_GC_END, nothing); /* the log lacks its start */
  put_ghc (model, 0, 300, GHC_GC_START, nothing);
  put_ghc (model, 0, 310, GHC_GC_STATS_GHC, second);
  put_ghc (model, 0, 350, GHC_GC_END, nothing);
  put_ghc (model, 0, 400, GHC_GC_START, nothing);
  put_ghc (model, 0, 430, GHC_GC_END, nothing);
  put_ghc (model, 0, 440, GHC_GC_STATS_GHC, tenth);
  put_ghc (model, 0, 500, GHC_REQUEST_PAR_GC, nothing);
  put_ghc (model, 0, 510, GHC_GC_START, nothing);
  put_ghc (model, 0, 590, GHC_GC_END, nothing); /* generations come, but this has none */
  const struct live_figures *f = live_model_figures (model, 1);
  assert_int_equal (f->collections[0].all, 0);
  assert_int_equal (f->collections[LIVE_GENERATIONS - 1].all, LIVE_GENERATIONS == 2 ? 2 : 1);
  assert_int_equal (count_collections (f), 2);
  assert_int_equal (f->pause_max_ns, 50);
  assert_int_equal (f->pause_ns.all, 50 + 30);
  put_ghc (model, 0, 600, GHC_GC_START, nothing);
  put_ghc (model, 0, 610, GHC_GC_END, nothing);
  put_ghc (model, 0, 620, GHC_GC_STATS_GHC, second);
  put_ghc (model, 0, 640, GHC_GC_STATS_GHC, second);
  f = live_model_figures (model, 1);
  assert_int_equal (count_collections (f), 4);
  assert_int_equal (f->pauses.all, 3);
  assert_int_equal (f->pause_max_ns, 10);
  live_model_free (model);
}

/* Where no event states who leads, parts that overlap are one, however late they come: that of the
 * capability which requested it, or began. */
TEST (test_haskell_unstated_collections)
{
  struct live_model *model = live_model_new ();
  put_ghc (model, 0, 100, GHC_GC_START, nothing);
  put_ghc (model, 0, 110, GHC_GC_END, nothing);
  put_ghc (model, 0, 210, GHC_GC_START, nothing);
  put_ghc (model, 0, 230, GHC_GC_END, nothing);
  const struct live_figures *f = live_model_figures (model, 1);
  assert_int_equal (count_collections (f), 2);
  assert_int_equal (f->pause_max_ns, 20);
  put_ghc (model, 1, 200, GHC_REQUEST_SEQ_GC, nothing);
  put_ghc (model, 1, 220, GHC_GC_START, nothing);
  put_ghc (model, 1, 260, GHC_GC_END, nothing);
  put_ghc (model, 1, 300, GHC_GC_START, nothing);
  put_ghc (model, 1, 305, GHC_GC_END, nothing);
  f = live_model_figures (model, 1);
  assert_int_equal (count_collections (f), 3);
  assert_int_equal (f->pause_ns.all, 10 + 40 + 5);
  assert_int_equal (f->pause_max_ever_ns, 40);
  f = live_model_figures (model, 1);
  assert_int_equal (count_collections (f), 3);
  assert_int_equal (f->pause_max_ns, 0);
  for (unsigned i = 0; i < 50000; i++) { /* more than wait */
    put_ghc (model, 0, 1000 + 10 * i, GHC_GC_START, nothing);
    put_ghc (model, 0, 1002 + 10 * i, GHC_GC_END, nothing);
  }
  f = live_model_figures (model, 1);
  assert_int_equal (count_collections (f), 50003);
  assert_int_equal (f->pause_ns.all, 10 + 40 + 5 + 100000);
  live_model_free (model);
}

/* Threads run on a capability until they stop there, and no longer than its time goes on. */
TEST (test_haskell_threads)
{
  const union ghc_payload create = { .create_thread = { .thread = 1 } };
  const union ghc_payload run = { .run_thread = { .thread = 1 } };
  const union ghc_payload stop = { .stop_thread = { .thread = 1, .status = GHC_STOP_STATUS_MVAR } };
  const union ghc_payload end
      = { .stop_thread = { .thread = 1, .status = GHC_STOP_STATUS_FINISHED } };
  struct live_model *model = live_model_new ();
  put_ghc (model, 0, 100, GHC_CREATE_THREAD, create);
  put_ghc (model, 0, 110, GHC_STOP_THREAD, stop); /* it did not run */
  put_ghc (model, 0, 200, GHC_RUN_THREAD, run);
  put_ghc (model, 0, 230, GHC_STOP_THREAD, stop);
  put_ghc (model, 0, 300, GHC_RUN_THREAD, run);
  put_ghc (model, 0, 290, GHC_STOP_THREAD, stop);    /* of a damaged log */
  put_ghc (model, 100000, 310, GHC_RUN_THREAD, run); /* of no capability that there may be */
  put_ghc (model, 100000, 320, GHC_STOP_THREAD, stop);
  put_ghc (model, GHC_NO_CAP, 330, GHC_STOP_THREAD, stop);
  const struct live_figures *f = live_model_figures (model, 1);
  assert_int_equal (f->living, 1);
  assert_int_equal (f->threads->len, 2);
  for (guint i = 0; i < f->threads->len; i++) {
    const struct live_thread *t = &g_array_index (f->threads, struct live_thread, i);
    assert_int_equal (t->run_ns.all, 30);
    assert_int_equal (t->state, t->is_cap ? LIVE_IDLE : LIVE_BLOCKED);
  }
  put_ghc (model, 0, 400, GHC_RUN_THREAD, run);
  put_ghc (model, 0, 410, GHC_STOP_THREAD, end);
  assert_int_equal (live_model_figures (model, 1)->living, 0);
  live_model_free (model);
}
