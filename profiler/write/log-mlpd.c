/* log-mlpd.c -- the bytes of Mono logs, but for the events: see log-format.h. */
#include "config.h"

#include "agent/clock.h"
#include "agent/native-thread.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-file.h"
#include <elf.h>
#include <proflog/mlpd-walk.h>
#include <proflog/module-options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The system id in the file header: ELF's numbers for the operating system's ABI and for the
 * machine (docs/mlpd-format.md). */
#define SYSTEM_OS ELFOSABI_LINUX
#if defined(__x86_64__)
#define SYSTEM_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define SYSTEM_MACHINE EM_AARCH64
#elif defined(__i386__)
#define SYSTEM_MACHINE EM_386
#elif defined(__arm__)
#define SYSTEM_MACHINE EM_ARM
#elif defined(__riscv)
#define SYSTEM_MACHINE EM_RISCV
#else
#define SYSTEM_MACHINE EM_NONE
#endif

static uint32_t
measure_timer_overhead (void)
{
  enum { READS = 256 };
  uint64_t start = clock_now (), last = start;
  for (int i = 0; i < READS; i++)
    last = clock_now ();
  return (uint32_t) ((last - start) / READS);
}

/* As long as the header has room in the spool. */
static struct mlpd_string
origin_text (const char *text)
{
  enum { MOST = PROFLOG_SPOOL_LOG_HEADER_MAX / 2 };
  return (struct mlpd_string){ text, text != NULL ? strnlen (text, MOST) : 0 };
}

static size_t
put_header (uint8_t *to, const struct log_origin *origin)
{
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .major = recorder_version == 1 ? 0 : 3,
    /* 0.4 as the stock profiler wrote for years with this layout; readers ignore it. */
    .minor = recorder_version == 1 ? 4 : 0,
    .data_version = (uint8_t) recorder_version,
    .pointer_size = sizeof (void *),
    .start_ms = (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000,
    .start_ns = clock_now (),
    .timer_overhead_ns = measure_timer_overhead (),
    .pid = (uint32_t) getpid (),
    .system = (uint16_t) (SYSTEM_OS << 8 | SYSTEM_MACHINE),
    .arguments = origin_text (origin->arguments),
    .architecture = origin_text (origin->architecture),
    .operating_system = origin_text (origin->operating_system),
  };
  return (size_t) (mlpd_put_file_header (to, &header) - to);
}

static void
put_frame (uint8_t *to, const struct mlpd_buffer_header *header, const uint8_t *events,
           size_t length)
{
  (void) events;
  struct mlpd_buffer_header whole = *header;
  whole.length = (uint32_t) length;
  mlpd_put_buffer_header (to, &whole);
}

static void
put_check (uint8_t *to, const struct mlpd_buffer_header *header, uint64_t sum, uint64_t number)
{
  const struct mlpd_buffer_header mark
      = mlpd_check_mark (header->time_base, buffer_queue_consumer (), sum, number);
  mlpd_put_buffer_header (to, &mark);
}

static bool
pass (const struct mlpd_buffer_header *header, const uint8_t *events, size_t length,
      uint64_t *count, struct mlpd_buffer_header *rest)
{
  struct mlpd_walk walk;
  mlpd_walk_start (&walk, recorder_version, header);
  const bool good = mlpd_walk_over (&walk, events, length) == length;
  *count = walk.events;
  *rest = mlpd_walk_header (&walk, header);
  return good;
}

static size_t
make_moment (struct mlpd_buffer_header *header, uint8_t *events, uint64_t time)
{
  const uint64_t self = buffer_queue_consumer ();
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, recorder_version, time);
  const uint8_t *const end = mlpd_put_moment (&e, events, self);
  *header = mlpd_encoder_header (&e, self, 0);
  return (size_t) (end - events);
}

static void
put_counters (struct log_file *to, const struct counter_state *state, uint64_t time)
{
  const struct mlpd_sample_counters_desc described
      = { .time = time, .counters = { state->described, state->count } };
  const struct mlpd_sample_counters values
      = { .time = time, .values = { state->values, state->count } };
  uint8_t *const bytes = malloc (mlpd_bound_sample_counters_desc (&described)
                                 + mlpd_bound_sample_counters (&values));
  if (bytes == NULL) {
    recorder_add_lost (1);
    return;
  }
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, recorder_version, time);
  if (to != &log_current) /* the file before has them, too */
    e.obj_base = MLPD_REANNOUNCE_BASE;
  uint8_t *end = mlpd_put_sample_counters_desc (&e, bytes, &described);
  end = mlpd_put_sample_counters (&e, end, &values);
  log_put_events (to, mlpd_encoder_header (&e, buffer_queue_consumer (), 0), bytes,
                  (size_t) (end - bytes));
  free (bytes);
}

/* A counter with one value; its values are the number by which it went up. */
static void
put_counter (struct log_file *to, const char *name, uint64_t index, uint64_t number, uint64_t time)
{
  uint8_t bytes[512];
  const struct mlpd_counter counter = { .section = MLPD_COUNTER_SECTION_PROFILER,
                                        .name = { name, strlen (name) },
                                        .type = MLPD_COUNTER_TYPE_ULONG,
                                        .unit = MLPD_COUNTER_UNIT_COUNT,
                                        .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
                                        .index = index };
  const struct mlpd_counter_value value
      = { .index = index, .type = counter.type, .number = number };
  const struct mlpd_sample_counters_desc described = { .time = time, .counters = { &counter, 1 } };
  const struct mlpd_sample_counters values = { .time = time, .values = { &value, 1 } };
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, recorder_version, time);
  uint8_t *end = mlpd_put_sample_counters_desc (&e, bytes, &described);
  end = mlpd_put_sample_counters (&e, end, &values);
  log_put_events (to, mlpd_encoder_header (&e, buffer_queue_consumer (), 0), bytes,
                  (size_t) (end - bytes));
}

/* Other readers show the counter, where the data version has these.  It cannot state a reason. */
static void
put_losses (struct log_file *to, uint64_t lost, int reason, uint64_t time)
{
  if (reason == 0 && recorder_version >= MLPD_VERSION_VTABLES)
    put_counter (to, MLPD_LOST_EVENTS, MLPD_LOST_EVENTS_INDEX, lost, time);
  else
    log_put_events (to, mlpd_loss_mark (time, buffer_queue_consumer (), lost, reason), NULL, 0);
}

/* A mark; old data versions have none. */
static void
put_limit (struct log_file *to, const char *reason)
{
  char name[128];
  snprintf (name, sizeof name, MLPD_MARK PROFLOG_LIMIT_MARK "%s", reason);
  if (recorder_version >= MLPD_VERSION_VTABLES)
    put_counter (to, name, MLPD_LIMIT_MARK_INDEX, 1, clock_now ());
}

/* An empty buffer, which states what the module's own threads cost. */
static void
put_end (uint8_t *to, uint64_t time)
{
  struct mlpd_encoder nothing;
  mlpd_encoder_start (&nothing, recorder_version, time);
  struct mlpd_buffer_header header = mlpd_encoder_header (&nothing, buffer_queue_consumer (), 0);
  header.ptr_base = native_threads_cpu_ns ();
  mlpd_put_buffer_header (to, &header);
}

const struct log_format log_format_mlpd = {
  .name = "mlpd",
  .frame_size = MLPD_BUFFER_HEADER_SIZE,
  .end_size = MLPD_BUFFER_HEADER_SIZE,
  .put_header = put_header,
  .put_frame = put_frame,
  .put_check = put_check,
  .events = { pass },
  .make_moment = make_moment,
  .put_counters = put_counters,
  .put_losses = put_losses,
  .put_limit = put_limit,
  .put_end = put_end,
};
