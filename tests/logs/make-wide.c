/* make-wide.c -- writes a log with many of everything to standard output, for pages that must not
 * grow with it:
 *
 *   make-wide THREADS TYPES SNAPSHOTS PAUSES
 *
 * Each thread calls a method of each type, allocates an object of it, and throws some.  It waits
 * for a lock of its own.  Then come pauses, and snapshots in which there are more and more objects
 * of each type. */
#include "config.h"

#include "tests/logs/buffers.h"
#include <stdio.h>
#include <stdlib.h>

enum { VERSION = 17, MAIN = 0x7f0000 };

#define CLASS(n) (UINT64_C (0x560000001000) + 8 * (n))
#define VTABLE(n) (UINT64_C (0x560001001000) + 8 * (n))
#define METHOD(n) (UINT64_C (0x560002001000) + 8 * (n))
#define LOCK(n) (UINT64_C (0x7e0000000000) + 16 * (n))
#define OBJECT(n) (UINT64_C (0x7f0000000000) + 64 * (n))

#define PUT(ID, id, ...)                                                                           \
  buffer_put (MLPD_##ID,                                                                           \
              &(const union mlpd_payload){ .id = { .time = (now += 1000), __VA_ARGS__ } })

static void
put_header (void)
{
  uint8_t head[256];
  const struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .major = 3,
    .data_version = VERSION,
    .pointer_size = 8,
    .start_ms = 1278000000000,
    .pid = 4711,
    .arguments.text = "",
    .architecture.text = "",
    .operating_system.text = "",
  };
  fwrite (head, 1, (size_t) (mlpd_put_file_header (head, &header) - head), stdout);
}

static void
put_names (uint64_t n)
{
  char name[64];
  for (uint64_t i = 0; i < n; i++) {
    const int length = snprintf (name, sizeof name, "Wide.Library.Part%u.Type%u", (unsigned) i % 7,
                                 (unsigned) i);
    PUT (METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .klass = CLASS (i),
         .image = 0x560010, .name = { name, (size_t) length });
    PUT (METADATA_VTABLE, metadata_vtable, .action = MLPD_LOAD_END_LOAD, .vtable = VTABLE (i),
         .klass = CLASS (i));
    const int more = snprintf (name, sizeof name, "Wide.Library.Part%u.Type%u:Work ()",
                               (unsigned) i % 7, (unsigned) i);
    PUT (METHOD_JIT, method_jit, .method = METHOD (i), .code = METHOD (i), .size = 8,
         .name = { name, (size_t) more });
  }
}

static void
put_thread (uint64_t number, uint64_t types)
{
  char name[64];
  buffer_begin (VERSION, MAIN + 1 + number);
  const int length = snprintf (
      name, sizeof name, "Worker thread number %u of a pool with a long name", (unsigned) number);
  PUT (METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_NAME, .thread = buffer.thread,
       .name = { name, (size_t) length });
  for (uint64_t i = 0; i < types; i += 1 + number % 5) {
    PUT (METHOD_ENTER, method_enter, .method = METHOD (i));
    PUT (ALLOC, alloc, .klass = CLASS (i), .vtable = VTABLE (i), .object = OBJECT (i),
         .size = 32 + 8 * (i % 50));
    if (i % 3 == 0)
      PUT (EXCEPTION_THROW, exception_throw, .object = OBJECT (i));
    PUT (METHOD_LEAVE, method_leave, .method = METHOD (i));
  }
  PUT (MONITOR, monitor, .event = MLPD_MONITOR_EVENT_CONTENTION, .object = LOCK (number));
  now += 50000 + 1000 * number;
  PUT (MONITOR, monitor, .event = MLPD_MONITOR_EVENT_DONE, .object = LOCK (number));
  buffer_end ();
}

static void
put_pause (uint64_t number)
{
  PUT (GC_EVENT, gc_event, .event = MLPD_GC_EVENT_PRE_STOP_WORLD);
  PUT (GC_EVENT, gc_event, .event = MLPD_GC_EVENT_POST_STOP_WORLD);
  PUT (GC_EVENT, gc_event, .event = MLPD_GC_EVENT_START);
  now += 1000 * (number % 900);
  PUT (GC_EVENT, gc_event, .event = MLPD_GC_EVENT_END);
  PUT (GC_EVENT, gc_event, .event = MLPD_GC_EVENT_PRE_START_WORLD);
  PUT (GC_EVENT, gc_event, .event = MLPD_GC_EVENT_POST_START_WORLD);
}

static void
put_snapshot (uint64_t number, uint64_t types)
{
  buffer_put (MLPD_HEAP_START,
              &(const union mlpd_payload){ .heap_start = { .time = (now += 1000) } });
  for (uint64_t i = 0; i < types; i++)
    PUT (HEAP_OBJECT, heap_object, .object = OBJECT (i), .klass = CLASS (i), .vtable = VTABLE (i),
         .size = 32 + 8 * (i % 100) + 8 * number);
  buffer_put (MLPD_HEAP_END, &(const union mlpd_payload){ .heap_end = { .time = (now += 1000) } });
}

int
main (int argc, char **argv)
{
  uint64_t n[4] = { 0 };
  for (int i = 0; i < 4 && i + 1 < argc; i++)
    n[i] = strtoull (argv[i + 1], NULL, 10);
  if (argc != 5 || n[1] == 0) {
    fputs ("Usage: make-wide THREADS TYPES SNAPSHOTS PAUSES\n", stderr);
    return 2;
  }
  put_header ();
  buffer_begin (VERSION, MAIN);
  put_names (n[1]);
  buffer_end ();
  for (uint64_t i = 0; i < n[0]; i++)
    put_thread (i, n[1]);
  buffer_begin (VERSION, MAIN);
  for (uint64_t i = 0; i < n[3]; i++)
    put_pause (i);
  for (uint64_t i = 0; i < n[2]; i++)
    put_snapshot (i, n[1]);
  buffer_end ();
  return ferror (stdout) || fflush (stdout) != 0;
}
