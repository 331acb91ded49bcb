/* make-small.c -- writes tests/logs/small.mlpd to standard output: every event of data version 1,
 * two threads, an empty buffer as the end mark.  `make regenerate-logs` runs it. */
#include "config.h"

#include <proflog/mlpd-encode.h>
#include <stdio.h>

#define ITEMS(...)                                                                                 \
  {                                                                                                \
    (const uint64_t[]){ __VA_ARGS__ }, sizeof (uint64_t[]){ __VA_ARGS__ } / 8                      \
  }
#define REFERENCES(...)                                                                            \
  {                                                                                                \
    (const uint64_t[]){ __VA_ARGS__ }, NULL, sizeof (uint64_t[]){ __VA_ARGS__ } / 8                \
  }
#define TEXT(text)                                                                                 \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }

enum {
  START = 5000000,
  IMAGE = 0x560010,
  CLASS = 0x561000,
  OTHER_CLASS = 0x561100,
  MAIN = 0x570000,
  WORK = 0x570080,
  CODE = 0x41000000,
  LOCK = 0x7fa0008,
  OBJECT = 0x7fa0100,
};

struct event {
  enum mlpd_kind kind;
  union mlpd_payload payload;
};

#define AN(KIND, id, ...)                                                                          \
  {                                                                                                \
    KIND,                                                                                          \
    {                                                                                              \
      .id = { __VA_ARGS__ }                                                                        \
    }                                                                                              \
  }

static const struct event main_thread[] = {
  AN (MLPD_METADATA_IMAGE, metadata_image, .action = MLPD_LOAD_END_LOAD, .time = START + 10,
      .image = IMAGE, .name = TEXT ("/opt/small.exe")),
  AN (MLPD_METADATA_ASSEMBLY, metadata_assembly, .action = MLPD_LOAD_END_LOAD, .time = START + 11,
      .assembly = 0x560100, .name = TEXT ("small")),
  AN (MLPD_METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_END_LOAD, .time = START + 12,
      .domain = 1),
  AN (MLPD_METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_NAME, .time = START + 13,
      .domain = 1, .name = TEXT ("small.exe")),
  AN (MLPD_METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .time = START + 20,
      .klass = CLASS, .image = IMAGE, .name = TEXT ("Small.Node")),
  AN (MLPD_METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD_ERROR, .time = START + 21,
      .klass = 0x561200, .image = IMAGE, .name = TEXT ("Small.Broken")),
  AN (MLPD_METHOD_JIT, method_jit, .time = START + 30, .method = MAIN, .code = CODE, .size = 120,
      .name = TEXT ("Small.Program:Main (string[])")),
  AN (MLPD_METHOD_ENTER, method_enter, .time = START + 40, .method = MAIN),
  AN (MLPD_METHOD_JIT, method_jit, .time = START + 50, .method = WORK, .code = CODE + 128,
      .size = 400, .name = TEXT ("Small.Program:Work (int)")),
  AN (MLPD_METHOD_ENTER, method_enter, .time = START + 60, .method = WORK),
  AN (MLPD_ALLOC, alloc, .time = START + 70, .klass = CLASS, .object = OBJECT, .size = 24,
      .backtrace = ITEMS (MAIN, WORK)),
  AN (MLPD_ALLOC, alloc, .time = START + 71, .klass = OTHER_CLASS, .object = OBJECT + 24,
      .size = 4096),
  AN (MLPD_EXCEPTION_THROW, exception_throw, .time = START + 80, .object = OBJECT + 0x2000,
      .backtrace = ITEMS (MAIN, WORK)),
  AN (MLPD_EXCEPTION_CLAUSE, exception_clause, .time = START + 81,
      .clause_type = MLPD_CLAUSE_TYPE_CATCH, .clause = 0, .method = MAIN),
  AN (MLPD_METHOD_EXC_LEAVE, method_exc_leave, .time = START + 82, .method = WORK),
  AN (MLPD_MONITOR, monitor, .event = MLPD_MONITOR_EVENT_CONTENTION, .time = START + 90,
      .object = LOCK, .backtrace = ITEMS (MAIN)),
  AN (MLPD_MONITOR, monitor, .event = MLPD_MONITOR_EVENT_DONE, .time = START + 290, .object = LOCK),
  AN (MLPD_METHOD_LEAVE, method_leave, .time = START + 900, .method = MAIN),
};

static const struct event other_thread[] = {
  AN (MLPD_METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .time = START + 100,
      .klass = OTHER_CLASS, .image = IMAGE, .name = TEXT ("System.Byte[]")),
  AN (MLPD_MONITOR, monitor, .event = MLPD_MONITOR_EVENT_CONTENTION, .time = START + 110,
      .object = LOCK + 64),
  AN (MLPD_MONITOR, monitor, .event = MLPD_MONITOR_EVENT_FAIL, .time = START + 130,
      .object = LOCK + 64),
};

static const struct event collection[] = {
  AN (MLPD_GC_EVENT, gc_event, .time = START + 400, .event = MLPD_GC_EVENT_PRE_STOP_WORLD,
      .generation = 1),
  AN (MLPD_GC_EVENT, gc_event, .time = START + 410, .event = MLPD_GC_EVENT_START, .generation = 1),
  AN (MLPD_GC_MOVE, gc_move, .time = START + 420,
      .objects = ITEMS (OBJECT, OBJECT - 0x1000, OBJECT + 24, OBJECT - 0x1000 + 24)),
  AN (MLPD_GC_EVENT, gc_event, .time = START + 450, .event = MLPD_GC_EVENT_END, .generation = 1),
  AN (MLPD_HEAP_START, heap_start, .time = START + 460),
  AN (MLPD_HEAP_OBJECT, heap_object, .object = OBJECT - 0x1000, .klass = CLASS, .size = 24,
      .references = REFERENCES (OBJECT - 0x1000 + 24)),
  AN (MLPD_HEAP_OBJECT, heap_object, .object = OBJECT - 0x1000, .klass = CLASS, .size = 0,
      .references = REFERENCES (OBJECT - 0x1000)),
  AN (MLPD_HEAP_OBJECT, heap_object, .object = OBJECT - 0x1000 + 24, .klass = OTHER_CLASS,
      .size = 4096),
  AN (MLPD_HEAP_END, heap_end, .time = START + 490),
  AN (MLPD_GC_RESIZE, gc_resize, .time = START + 495, .size = 4194304),
  AN (MLPD_GC_EVENT, gc_event, .time = START + 500, .event = MLPD_GC_EVENT_POST_START_WORLD,
      .generation = 1),
};

static void
write_buffer (uint64_t thread, const struct event *events, size_t count)
{
  uint8_t bytes[8192];
  uint8_t header[MLPD_BUFFER_HEADER_SIZE];
  uint8_t *p = bytes;
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, 1, START);
  for (size_t i = 0; i < count; i++)
    p = mlpd_put_event (&e, p, events[i].kind, &events[i].payload);
  const struct mlpd_buffer_header h = mlpd_encoder_header (&e, thread, (uint32_t) (p - bytes));
  mlpd_put_buffer_header (header, &h);
  fwrite (header, 1, sizeof header, stdout);
  fwrite (bytes, 1, (size_t) (p - bytes), stdout);
}

int
main (void)
{
  uint8_t bytes[MLPD_FILE_HEADER_SIZE];
  const struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .minor = 4,
    .data_version = 1,
    .pointer_size = 8,
    .start_ms = 1278000000000,
    .timer_overhead_ns = 25,
    .pid = 4711,
    .system = 0x0101,
  };
  mlpd_put_file_header (bytes, &header);
  fwrite (bytes, 1, sizeof bytes, stdout);
  write_buffer (0x7f11, main_thread, sizeof main_thread / sizeof *main_thread);
  write_buffer (0x7f22, other_thread, sizeof other_thread / sizeof *other_thread);
  write_buffer (0x7f11, collection, sizeof collection / sizeof *collection);
  write_buffer (0, NULL, 0);
  return ferror (stdout) || fflush (stdout) != 0;
}
