/* make-all.c -- writes a log with every event that a data version has to standard output: those of
 * a small program, recorded by four threads.  `make regenerate-logs` makes tests/logs/all-v*.
 *
 *   make-all VERSION [POINTER-SIZE [no-coverage]]
 *   make-all --last      prints the last version
 *
 * Data versions 10 to 15 have coverage, which the managed reader cannot read; hence the third
 * argument.  Names come before use, after it, and after it on another thread. */
#include "config.h"

#include <proflog/mlpd-encode.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS(...)                                                                                 \
  {                                                                                                \
    (const uint64_t[]){ __VA_ARGS__ }, sizeof (uint64_t[]){ __VA_ARGS__ } / 8                      \
  }
#define TEXT(text)                                                                                 \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }

#define MS 1000000
#define START (UINT64_C (7000) * MS)

enum { BUFFER_SIZE = 16384 };

static unsigned version;
static bool with_coverage = true;
static uint64_t high = UINT64_C (0x7f0000000000); /* of all addresses; 0 with 4 bytes */
static uint64_t now;
static struct mlpd_encoder encoder;
static uint8_t bytes[BUFFER_SIZE];
static uint8_t *position;

/* Addresses of the program. */
#define IMAGE(n) (high + 0x01000000 + (n) *0x1000)
#define ASSEMBLY(n) (high + 0x01800000 + (n) *0x80)
#define CLASS(n) (high + 0x02000000 + (n) *0x100)
#define VTABLE(n) (high + 0x03000000 + (n) *0x80)
#define METHOD(n) (high + 0x04000000 + (n) *0x40)
#define CODE(n) (high + 0x05000000 + (n) *0x200)
#define NATIVE(n) (high + 0x06000000 + (n) *0x100)
#define OBJECT(n) (high + 0x10000000 + (n) *0x40)
#define YOUNG(n) (high + 0x18000000 + (n) *0x40)
#define STATICS (high + 0x20000000)
#define THREAD(n) (high + 0x30000000 + (n) *0x800)

enum { MAIN, WORKER, HELPER };
enum { OF_OBJECT, OF_NODE, OF_BYTES, OF_ERROR, OF_LOCK };
enum { M_MAIN, M_WORK, M_LEAF, M_RUN, M_LATE };

static void
put (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  static const struct {
    unsigned since, until;
  } versions[] = {
#define LATEST UINT32_MAX
#define NO_MTYPE 0
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) { since, until },
#include <proflog/mlpd-events.def>
  };
  if (version >= versions[kind].since && version <= versions[kind].until)
    position = mlpd_put_event (&encoder, position, kind, payload);
}

/* An event of the current time, left out where the data version has none of its kind. */
#define PUT(ID, id, ...) put (MLPD_##ID, &(union mlpd_payload){ .id = { __VA_ARGS__ } })
#define PUT_NOW(ID, id, ...) PUT (ID, id, .time = (now += 1000), __VA_ARGS__)

static void
begin (uint64_t time)
{
  now = time;
  mlpd_encoder_start (&encoder, version, now);
  position = bytes;
}

static void
end (uint64_t thread)
{
  uint8_t header[MLPD_BUFFER_HEADER_SIZE];
  const size_t length = (size_t) (position - bytes);
  const struct mlpd_buffer_header h = mlpd_encoder_header (&encoder, thread, (uint32_t) length);
  mlpd_put_buffer_header (header, &h);
  fwrite (header, 1, sizeof header, stdout);
  fwrite (bytes, 1, length, stdout);
}

/* In these versions the profiler's own threads had no id. */
static uint64_t
helper_thread (void)
{
  return version >= 8 && version <= 16 ? 0 : THREAD (HELPER);
}

/* ---- names ---- */

static void
name_class (int nth, struct mlpd_string name)
{
  PUT_NOW (METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .klass = CLASS (nth),
           .image = IMAGE (1), .name = name);
}

static void
name_vtable (int nth)
{
  PUT_NOW (METADATA_VTABLE, metadata_vtable, .action = MLPD_LOAD_END_LOAD, .vtable = VTABLE (nth),
           .domain = 1, .klass = CLASS (nth));
}

static void
name_method (int nth, uint64_t size, struct mlpd_string name)
{
  PUT_NOW (METHOD_JIT, method_jit, .method = METHOD (nth), .code = size != 0 ? CODE (nth) : 0,
           .size = size, .name = name);
}

static void
start_thread (int nth, struct mlpd_string name)
{
  if (version >= 11)
    PUT_NOW (METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_END_LOAD,
             .thread = THREAD (nth));
  if (version >= 4)
    PUT_NOW (METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_NAME, .thread = THREAD (nth),
             .name = name);
}

static void
end_thread (int nth)
{
  if (version >= 11)
    PUT_NOW (METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_END_UNLOAD,
             .thread = THREAD (nth));
}

static void
load_program (void)
{
  PUT_NOW (METADATA_IMAGE, metadata_image, .action = MLPD_LOAD_END_LOAD, .image = IMAGE (0),
           .name = TEXT ("/usr/lib/mono/4.5/mscorlib.dll"),
           .mvid = TEXT ("3E8B8A2F-9D0C-4C0E-8A57-000000000001"));
  PUT_NOW (METADATA_IMAGE, metadata_image, .action = MLPD_LOAD_END_LOAD, .image = IMAGE (1),
           .name = TEXT ("/opt/all, \"of it\".exe"),
           .mvid = TEXT ("3E8B8A2F-9D0C-4C0E-8A57-000000000002"));
  if (version >= 11) {
    PUT_NOW (METADATA_ASSEMBLY, metadata_assembly, .action = MLPD_LOAD_END_LOAD,
             .assembly = ASSEMBLY (0), .image = IMAGE (0), .name = TEXT ("mscorlib"));
    PUT_NOW (METADATA_ASSEMBLY, metadata_assembly, .action = MLPD_LOAD_END_LOAD,
             .assembly = ASSEMBLY (1), .image = IMAGE (1), .name = TEXT ("all"));
    for (uint64_t domain = 1; domain <= 2; domain++)
      PUT_NOW (METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_END_LOAD, .domain = domain);
    PUT_NOW (METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_NAME, .domain = 1,
             .name = TEXT ("all.exe"));
    PUT_NOW (METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_NAME, .domain = 2,
             .name = TEXT ("plugins"));
    PUT_NOW (METADATA_CONTEXT, metadata_context, .action = MLPD_LOAD_END_LOAD, .context = 1,
             .domain = 1);
    PUT_NOW (METADATA_CONTEXT, metadata_context, .action = MLPD_LOAD_END_LOAD, .context = 2,
             .domain = 2);
  }
  name_class (OF_OBJECT, (struct mlpd_string) TEXT ("System.Object"));
  name_class (OF_NODE, (struct mlpd_string) TEXT ("All.Node"));
  name_class (OF_ERROR, (struct mlpd_string) TEXT ("All.Error"));
  name_class (OF_LOCK, (struct mlpd_string) TEXT ("All.Lock<System.Int32>"));
  name_vtable (OF_OBJECT);
  name_vtable (OF_NODE);
  name_vtable (OF_ERROR);
}

static void
unload_plugins (void)
{
  if (version < 11)
    return;
  if (version <= 12)
    PUT_NOW (METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_UNLOAD,
             .klass = CLASS (OF_ERROR), .image = IMAGE (1), .name = TEXT ("All.Error"));
  PUT_NOW (METADATA_CONTEXT, metadata_context, .action = MLPD_LOAD_END_UNLOAD, .context = 2,
           .domain = 2);
  PUT_NOW (METADATA_ASSEMBLY, metadata_assembly, .action = MLPD_LOAD_END_UNLOAD,
           .assembly = ASSEMBLY (1), .image = IMAGE (1), .name = TEXT ("all"));
  PUT_NOW (METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_END_UNLOAD, .domain = 2);
  PUT_NOW (METADATA_IMAGE, metadata_image, .action = MLPD_LOAD_END_UNLOAD, .image = IMAGE (1),
           .name = TEXT ("/opt/all, \"of it\".exe"));
  /* From data version 16 on mprof-report loses the bytes after it, up to the next 0: this. */
  PUT_NOW (METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_NAME, .thread = THREAD (HELPER),
           .name = TEXT ("Helper"));
}

/* ---- the program ---- */

static void
compile (void)
{
  name_method (M_MAIN, 120, (struct mlpd_string) TEXT ("All.Program:Main (string[])"));
  name_method (M_WORK, 400,
               (struct mlpd_string) TEXT ("All.Program:Gr\303\266\303\237e (int,int)"));
  PUT_NOW (RUNTIME_JIT_HELPER, runtime_jit_helper, .helper_type = MLPD_HELPER_TYPE_HELPER,
           .address = CODE (100), .size = 64);
  PUT_NOW (RUNTIME_JIT_HELPER, runtime_jit_helper,
           .helper_type = MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE, .address = CODE (101), .size = 32,
           .name = TEXT ("generic_trampoline_jit"));
  if (version >= 9)
    PUT_NOW (RUNTIME_JIT_HELPER, runtime_jit_helper,
             .helper_type = MLPD_HELPER_TYPE_EXCEPTION_HANDLING, .address = CODE (102), .size = 96);
}

static void
allocate (int klass, uint64_t object, uint64_t size, struct mlpd_list backtrace)
{
  PUT_NOW (ALLOC, alloc, .klass = CLASS (klass), .vtable = VTABLE (klass), .object = object,
           .size = size, .backtrace = backtrace);
}

static void
use_handles (void)
{
  const struct mlpd_list none = { 0 };
  const struct mlpd_list frames = ITEMS (METHOD (M_MAIN), METHOD (M_WORK));
  for (uint64_t type = 0; type <= MLPD_HANDLE_TYPE_PINNED; type++)
    PUT_NOW (GC_HANDLE_CREATED, gc_handle_created, .handle_type = type, .handle = 8 * type + 1,
             .object = YOUNG (type), .backtrace = version >= 11 ? frames : none);
  PUT_NOW (GC_HANDLE_CREATED, gc_handle_created, .handle_type = MLPD_HANDLE_TYPE_NORMAL,
           .handle = 200, .object = YOUNG (1));
  PUT_NOW (GC_HANDLE_DESTROYED, gc_handle_destroyed, .handle_type = MLPD_HANDLE_TYPE_NORMAL,
           .handle = 200);
  PUT_NOW (GC_HANDLE_DESTROYED, gc_handle_destroyed, .handle_type = MLPD_HANDLE_TYPE_WEAK,
           .handle = 1, .backtrace = version >= 11 ? frames : none);
}

static void
fail_to_work (void)
{
  PUT_NOW (EXCEPTION_THROW, exception_throw, .object = YOUNG (3),
           .backtrace = ITEMS (METHOD (M_MAIN), METHOD (M_WORK)));
  PUT_NOW (EXCEPTION_CLAUSE, exception_clause, .clause_type = MLPD_CLAUSE_TYPE_FINALLY,
           .method = METHOD (M_WORK), .clause = 1, .object = YOUNG (3));
  PUT_NOW (METHOD_EXC_LEAVE, method_exc_leave, .method = METHOD (M_WORK));
  PUT_NOW (EXCEPTION_CLAUSE, exception_clause, .clause_type = MLPD_CLAUSE_TYPE_FILTER,
           .method = METHOD (M_MAIN), .clause = 0, .object = YOUNG (3));
  PUT_NOW (EXCEPTION_CLAUSE, exception_clause, .clause_type = MLPD_CLAUSE_TYPE_CATCH,
           .method = METHOD (M_MAIN), .clause = 0, .object = YOUNG (3));
  PUT_NOW (EXCEPTION_THROW, exception_throw, .object = YOUNG (3));
}

static void
wait_for (uint64_t lock, enum mlpd_value outcome, uint64_t ns, struct mlpd_list backtrace)
{
  PUT_NOW (MONITOR, monitor, .event = MLPD_MONITOR_EVENT_CONTENTION, .object = lock,
           .backtrace = backtrace);
  now += ns;
  PUT_NOW (MONITOR, monitor, .event = outcome, .object = lock);
}

static void
main_thread (void)
{
  const struct mlpd_list none = { 0 };
  const struct mlpd_list in_main = ITEMS (METHOD (M_MAIN));
  const struct mlpd_list in_work = ITEMS (METHOD (M_MAIN), METHOD (M_WORK));
  const struct mlpd_list in_leaf = ITEMS (METHOD (M_MAIN), METHOD (M_WORK), METHOD (M_LEAF));
  begin (START);
  start_thread (MAIN, (struct mlpd_string) TEXT ("Main"));
  load_program ();
  PUT_NOW (META_AOT_ID, meta_aot_id, .id = TEXT ("3E8B8A2F-9D0C-4C0E-8A57-0000000000A0"));
  PUT_NOW (HEAP_ROOT_REGISTER, heap_root_register, .start = STATICS, .size = 256,
           .source = MLPD_ROOT_SOURCE_STATIC, .key = VTABLE (OF_NODE), .name = TEXT ("All.Node"));
  PUT_NOW (HEAP_ROOT_REGISTER, heap_root_register, .start = STATICS + 4096, .size = 64,
           .source = MLPD_ROOT_SOURCE_THREADING, .key = 0, .name = TEXT (""));
  compile ();
  PUT_NOW (METHOD_ENTER, method_enter, .method = METHOD (M_MAIN));
  now += 2 * MS;
  PUT_NOW (METHOD_ENTER, method_enter, .method = METHOD (M_WORK));
  allocate (OF_NODE, YOUNG (0), 24, in_work);
  allocate (OF_NODE, YOUNG (1), 24, in_leaf);
  allocate (OF_BYTES, YOUNG (2), 4096, none); /* named by another thread, later */
  allocate (OF_ERROR, YOUNG (3), 64, in_main);
  use_handles ();
  PUT_NOW (METHOD_ENTER, method_enter, .method = METHOD (M_LEAF));
  now += 3 * MS;
  PUT_NOW (METHOD_LEAVE, method_leave, .method = METHOD (M_LEAF));
  fail_to_work ();
  wait_for (YOUNG (8), MLPD_MONITOR_EVENT_DONE, 5 * MS, in_main);
  wait_for (YOUNG (8), MLPD_MONITOR_EVENT_DONE, 1 * MS, none);
  PUT_NOW (METHOD_ENTER, method_enter, .method = METHOD (M_LATE));
  PUT_NOW (METHOD_LEAVE, method_leave, .method = METHOD (M_LATE));
  end (THREAD (MAIN));
}

/* This one is named first by its own buffer, and names things that the main thread used before. */
static void
worker_thread (void)
{
  const struct mlpd_list in_run = ITEMS (METHOD (M_RUN));
  begin (START + 6 * MS);
  start_thread (WORKER, (struct mlpd_string) TEXT ("Worker, no. 1"));
  PUT_NOW (METHOD_ENTER, method_enter, .method = METHOD (M_RUN));
  name_method (M_RUN, 800, (struct mlpd_string) TEXT ("All.Worker:Run ()"));
  name_method (M_LEAF, 16, (struct mlpd_string) TEXT ("All.Program:Leaf (int)"));
  name_class (OF_BYTES, (struct mlpd_string) TEXT ("System.Byte[]"));
  name_vtable (OF_BYTES);
  allocate (OF_BYTES, YOUNG (16), 1024, in_run);
  allocate (OF_OBJECT, YOUNG (24), 16, (struct mlpd_list){ 0 });
  wait_for (YOUNG (8), MLPD_MONITOR_EVENT_FAIL, 500000, in_run);
  now += 1 * MS;
  PUT_NOW (METHOD_LEAVE, method_leave, .method = METHOD (M_RUN));
  end_thread (WORKER);
  end (THREAD (WORKER));
}

/* ---- collections ---- */

static void
phase (enum mlpd_value event, uint64_t generation)
{
  if (event > MLPD_GC_EVENT_POST_START_WORLD && version < 13)
    return;
  if (event >= MLPD_GC_EVENT_MARK_START && event <= MLPD_GC_EVENT_RECLAIM_END && version >= 14)
    return;
  now += 100000;
  PUT_NOW (GC_EVENT, gc_event, .event = event, .generation = generation);
}

static void
stop_world (uint64_t generation)
{
  phase (MLPD_GC_EVENT_PRE_STOP_WORLD, generation);
  phase (MLPD_GC_EVENT_PRE_STOP_WORLD_LOCKED, generation);
  phase (MLPD_GC_EVENT_POST_STOP_WORLD, generation);
  PUT_NOW (META_SYNC_POINT, meta_sync_point, .sync_type = MLPD_SYNC_TYPE_WORLD_STOP);
}

static void
start_world (uint64_t generation)
{
  PUT_NOW (META_SYNC_POINT, meta_sync_point, .sync_type = MLPD_SYNC_TYPE_WORLD_START);
  phase (MLPD_GC_EVENT_POST_START_WORLD, generation);
  phase (MLPD_GC_EVENT_POST_START_WORLD_UNLOCKED, generation);
}

static void
roots (uint64_t object)
{
  const struct mlpd_root items[] = {
    { .address = STATICS + 8,
      .object = object,
      .type = version == 13 ? 3 : 3 | MLPD_ROOT_FLAG_PINNING, /* 13 has no room for flags */
      .extra = 0 },
    { .address = STATICS + 16, .object = OBJECT (1), .type = 16, .extra = 77 },
    { .address = STATICS + 4096 + 8, .object = OBJECT (2), .type = 2, .extra = 0 },
  };
  PUT (HEAP_ROOT, heap_root, .time = (now += 1000),
       .roots = { items, sizeof items / sizeof *items, 1 });
}

static void
object_of_shot (int klass, uint64_t object, uint64_t size, struct mlpd_list to)
{
  uint64_t offsets[8];
  for (size_t i = 0; i < to.count; i++)
    offsets[i] = 16 + 8 * i;
  PUT (HEAP_OBJECT, heap_object, .time = (now += 1000), .object = object, .klass = CLASS (klass),
       .vtable = VTABLE (klass), .size = size, .generation = klass == OF_NODE,
       .references = { to.items, offsets, to.count });
}

/* Up to data version 13 the roots stand before the snapshot. */
static void
shot (unsigned nodes)
{
  const struct mlpd_list none = { 0 };
  const struct mlpd_list to = ITEMS (OBJECT (1), OBJECT (2));
  const struct mlpd_list more = ITEMS (OBJECT (0));
  if (version < 14)
    roots (OBJECT (0));
  PUT (HEAP_START, heap_start, .time = (now += 1000));
  if (version >= 14)
    roots (OBJECT (0));
  object_of_shot (OF_NODE, OBJECT (0), 32, to);
  object_of_shot (OF_NODE, OBJECT (0), 0, more);
  object_of_shot (OF_NODE, OBJECT (1), 32, more);
  object_of_shot (OF_BYTES, OBJECT (2), 4096, none);
  for (unsigned i = 0; i < nodes; i++)
    object_of_shot (OF_NODE, OBJECT (100 + i), 32, to);
  PUT (HEAP_END, heap_end, .time = (now += 1000));
}

static void
collect (uint64_t generation, uint64_t ns, unsigned nodes)
{
  stop_world (generation);
  phase (MLPD_GC_EVENT_START, generation);
  phase (MLPD_GC_EVENT_MARK_START, generation);
  PUT_NOW (GC_MOVE, gc_move,
           .objects = ITEMS (YOUNG (0), OBJECT (0), YOUNG (1), OBJECT (1), YOUNG (2), OBJECT (2)));
  now += ns;
  phase (MLPD_GC_EVENT_MARK_END, generation);
  phase (MLPD_GC_EVENT_RECLAIM_START, generation);
  phase (MLPD_GC_EVENT_RECLAIM_END, generation);
  phase (MLPD_GC_EVENT_END, generation);
  phase (MLPD_GC_EVENT_PRE_START_WORLD, generation);
  if (generation == 1)
    shot (nodes);
  start_world (generation);
}

static void
finalize (void)
{
  PUT (GC_FINALIZE_START, gc_finalize_start, .time = (now += 1000));
  PUT_NOW (GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .object = OBJECT (1));
  PUT_NOW (GC_FINALIZE_OBJECT_END, gc_finalize_object_end, .object = OBJECT (1));
  PUT (GC_FINALIZE_END, gc_finalize_end, .time = (now += 1000));
}

static void
collections (void)
{
  begin (START + 20 * MS);
  collect (0, 2 * MS, 0);
  collect (1, 4 * MS, 2);
  PUT_NOW (GC_RESIZE, gc_resize, .size = 4194304);
  finalize ();
  collect (0, 1 * MS, 0);
  collect (1, 5 * MS, 5);
  PUT_NOW (GC_RESIZE, gc_resize, .size = UINT64_C (6) << 30);
  now = START + 60 * MS;
  PUT_NOW (METHOD_LEAVE, method_leave, .method = METHOD (M_MAIN));
  PUT_NOW (HEAP_ROOT_UNREGISTER, heap_root_unregister, .start = STATICS + 4096);
  unload_plugins ();
  end_thread (MAIN);
  end (THREAD (MAIN));
}

/* ---- the profiler's own events ---- */

static const struct mlpd_counter all_counters[] = {
  { .section = MLPD_COUNTER_SECTION_SYSTEM,
    .name = TEXT ("User Time"),
    .type = MLPD_COUNTER_TYPE_LONG,
    .unit = MLPD_COUNTER_UNIT_TIME,
    .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
    .index = 1 },
  { .section = MLPD_COUNTER_SECTION_JIT,
    .name = TEXT ("Methods JITted using mono JIT"),
    .type = MLPD_COUNTER_TYPE_INT,
    .unit = MLPD_COUNTER_UNIT_COUNT,
    .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
    .index = 2 },
  { .section = MLPD_COUNTER_SECTION_GC,
    .name = TEXT ("Heap, bytes"),
    .type = MLPD_COUNTER_TYPE_WORD,
    .unit = MLPD_COUNTER_UNIT_BYTES,
    .variance = MLPD_COUNTER_VARIANCE_VARIABLE,
    .index = 3 },
  { .section = MLPD_COUNTER_SECTION_GC,
    .name = TEXT ("Collections"),
    .type = MLPD_COUNTER_TYPE_UINT,
    .unit = MLPD_COUNTER_UNIT_COUNT,
    .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
    .index = 4 },
  { .section = MLPD_COUNTER_SECTION_RUNTIME,
    .name = TEXT ("Wide"),
    .type = MLPD_COUNTER_TYPE_ULONG,
    .unit = MLPD_COUNTER_UNIT_RAW,
    .variance = MLPD_COUNTER_VARIANCE_VARIABLE,
    .index = 5 },
  { .section = MLPD_COUNTER_SECTION_SYSTEM,
    .name = TEXT ("CPU Load Average - 1min"),
    .type = MLPD_COUNTER_TYPE_DOUBLE,
    .unit = MLPD_COUNTER_UNIT_PERCENT,
    .variance = MLPD_COUNTER_VARIANCE_VARIABLE,
    .index = 6 },
  { .section = MLPD_COUNTER_SECTION_JIT,
    .name = TEXT ("Total time spent JITting (sec)"),
    .type = MLPD_COUNTER_TYPE_TIME_INTERVAL,
    .unit = MLPD_COUNTER_UNIT_TIME,
    .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
    .index = 8 },
  { .section = MLPD_COUNTER_SECTION_USER,
    .section_name = TEXT ("Plugins"),
    .name = TEXT ("Calls, in all"),
    .type = MLPD_COUNTER_TYPE_LONG,
    .unit = MLPD_COUNTER_UNIT_COUNT,
    .variance = MLPD_COUNTER_VARIANCE_VARIABLE,
    .index = 200 },
};

#define VALUE_OF(i, t, n)                                                                          \
  {                                                                                                \
    .index = i, .type = MLPD_COUNTER_TYPE_##t, .number = n                                         \
  }
static void
values (const struct mlpd_counter_value *items, size_t count)
{
  now += 1000 * MS;
  PUT (SAMPLE_COUNTERS, sample_counters, .time = now, .timestamp_ms = (now - START) / MS,
       .values = { items, count });
}

/* No value is a string: mprof-report --verbose crashes there.
 *
 * Differences: User Time 1.5 s, then 2 s; the heap shrinks; Wide goes from 2^63 down by 1. */
static void
counters (void)
{
  const struct mlpd_counter_value first[] = {
    VALUE_OF (1, LONG, 15000000),
    VALUE_OF (2, INT, 100),
    VALUE_OF (3, WORD, 4194304),
    VALUE_OF (4, UINT, 4),
    VALUE_OF (5, ULONG, UINT64_C (1) << 63),
    VALUE_OF (6, DOUBLE, UINT64_C (0x3fe0000000000000)),
    VALUE_OF (8, TIME_INTERVAL, 250000),
    VALUE_OF (200, LONG, 7),
  };
  const struct mlpd_counter_value second[] = {
    VALUE_OF (1, LONG, 5000000),     VALUE_OF (3, WORD, (uint64_t) -1048576),
    VALUE_OF (5, ULONG, UINT64_MAX), VALUE_OF (6, DOUBLE, UINT64_C (0x3fe8000000000000)),
    VALUE_OF (200, LONG, 9),
  };
  const struct mlpd_counter_value third[]
      = { VALUE_OF (2, INT, (uint64_t) -1), VALUE_OF (4, UINT, 2) };
  PUT (SAMPLE_COUNTERS_DESC, sample_counters_desc, .time = (now += 1000),
       .counters = { all_counters, sizeof all_counters / sizeof *all_counters });
  values (first, sizeof first / sizeof *first);
  values (second, sizeof second / sizeof *second);
  values (third, sizeof third / sizeof *third);
}

static void
hit (uint64_t time, int thread, uint64_t ip, struct mlpd_frames frames)
{
  PUT (SAMPLE_HIT, sample_hit, .time = time, .sampled_at = time,
       .sample_type = MLPD_SAMPLE_TYPE_CYCLES, .thread = THREAD (thread), .ips = ITEMS (ip),
       .frames = frames);
}

/* Frames are innermost first.  A hit in managed code, two in native code with a name (one of them
 * called from managed code), one in native code without; the last is written late. */
static void
samples (void)
{
  const struct mlpd_frame frames[] = {
    { .method = METHOD (M_LEAF), .il_offset = 3, .native_offset = 8 },
    { .method = METHOD (M_WORK), .il_offset = 17, .native_offset = 99 },
    { .method = METHOD (M_MAIN), .il_offset = -1, .native_offset = 64 },
  };
  const struct mlpd_frames none = { 0 };
  PUT (SAMPLE_SYMBOL, sample_symbol, .time = (now += 1000), .address = NATIVE (0),
       .size = version < 16 ? 0x80 : 0, .name = TEXT ("memcpy"));
  PUT_NOW (SAMPLE_BINARY, sample_binary, .address = NATIVE (0), .offset = 0x1000, .size = 0x2000,
           .name = TEXT ("/lib/libc.so.6"));
  hit (START + 30 * MS, MAIN, CODE (M_LEAF) + 8, (struct mlpd_frames){ frames, 3 });
  hit (START + 31 * MS, MAIN, NATIVE (0) + 16, (struct mlpd_frames){ frames + 1, 2 });
  hit (START + 31 * MS, WORKER, NATIVE (0) + 32, none);
  hit (START + 29 * MS, MAIN, NATIVE (40), none);
}

static void
coverage (void)
{
  if (!with_coverage)
    return;
  PUT (COVERAGE_ASSEMBLY, coverage_assembly, .time = (now += 1000), .name = TEXT ("all"),
       .guid = TEXT ("3E8B8A2F-9D0C-4C0E-8A57-000000000002"), .file = TEXT ("/opt/all.exe"),
       .methods = 4, .full = 3);
  PUT (COVERAGE_METHOD, coverage_method, .time = (now += 1000), .assembly = TEXT ("all"),
       .klass = TEXT ("Program"), .name = TEXT ("Main"), .signature = TEXT ("void (string[])"),
       .file = TEXT ("/src/all.cs"), .token = 0x06000001, .id = 1, .statements = 2);
  PUT (COVERAGE_STATEMENT, coverage_statement, .time = (now += 1000), .method = 1, .offset = 0,
       .count = 1, .line = 10, .column = 3);
  PUT (COVERAGE_STATEMENT, coverage_statement, .time = (now += 1000), .method = 1, .offset = 12,
       .count = 200, .line = 11, .column = 5);
  PUT (COVERAGE_CLASS, coverage_class, .time = (now += 1000), .assembly = TEXT ("all"),
       .klass = TEXT ("Program"), .methods = 3, .full = 2);
}

static void
profiler (void)
{
  begin (START + 28 * MS);
  /* Written after it was used: the time goes back. */
  PUT (METHOD_JIT, method_jit, .time = START + 5 * MS, .method = METHOD (M_LATE),
       .name = TEXT ("All.Program:Late<T> (T,System.Collections.Generic.List`1<T>)"));
  samples ();
  coverage ();
  now = START + 70 * MS;
  counters ();
  PUT_NOW (META_SYNC_POINT, meta_sync_point, .sync_type = MLPD_SYNC_TYPE_PERIODIC);
  end (helper_thread ());
}

/* ---- the file ---- */

static void
write_file_header (uint8_t pointer_size)
{
  uint8_t to[256];
  const struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .major = version <= 11   ? 0
             : version <= 13 ? 1
             : version <= 16 ? 2
                             : 3,
    .minor = version <= 11 ? 4 : 0,
    .data_version = (uint8_t) version,
    .pointer_size = pointer_size,
    .start_ms = 1278000000000,
    .start_ns = START,
    .timer_overhead_ns = 25,
    .pid = 4711,
    .port = version >= 4 ? 9000 : 0,
    .arguments = TEXT ("log:output=all.mlpd,sample"),
    .architecture = TEXT ("x86-64"),
    .operating_system = TEXT ("linux"),
  };
  fwrite (to, 1, (size_t) (mlpd_put_file_header (to, &header) - to), stdout);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "--last") == 0)
    return printf ("%d\n", MLPD_VERSION_LAST) < 0;
  version = argc > 1 ? (unsigned) strtoul (argv[1], NULL, 10) : 0;
  const unsigned long pointer_size = argc > 2 ? strtoul (argv[2], NULL, 10) : 8;
  if (version < 1 || version > MLPD_VERSION_LAST || (pointer_size != 4 && pointer_size != 8)) {
    fprintf (stderr, "usage: make-all --last | VERSION [POINTER-SIZE [no-coverage]]\n");
    return 2;
  }
  if (pointer_size == 4)
    high = 0;
  with_coverage = argc <= 3;
  write_file_header ((uint8_t) pointer_size);
  main_thread ();
  worker_thread ();
  collections ();
  if (version < 8) { /* these wrote buffers without events, too */
    begin (START + 65 * MS);
    end (THREAD (MAIN));
  }
  profiler ();
  return ferror (stdout) || fflush (stdout) != 0;
}
