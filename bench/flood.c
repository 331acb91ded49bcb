/* flood.c -- writes a log of Mono as a program would that records very many calls.
 *
 *   flood EVENTS SECONDS   this many events a second, of four threads and a thousand methods
 *
 * The log goes to standard output; every tenth of a second a thread that was not there before comes
 * and ends, and the heap is collected.  Exit status: 1 if no one reads. */
#include "config.h"

#include <proflog/mlpd-encode.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  THREADS = 4,
  METHODS = 1000,
  CALLS = 5000, /* of a buffer */
  BUFFER = 1 << 18,
  TICKS = 10, /* a second */
};

static uint8_t buffer[BUFFER];

static uint64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

static void
write_all (const uint8_t *bytes, size_t length)
{
  while (length > 0) {
    const ssize_t n = write (STDOUT_FILENO, bytes, length);
    if (n <= 0)
      exit (1);
    bytes += n;
    length -= (size_t) n;
  }
}

static uint64_t
method (unsigned i)
{
  return 0x7f0000000000 + 64 * (uint64_t) (i % METHODS);
}

/* Events stand after room for the header of their buffer. */
static uint8_t *
begin (struct mlpd_encoder *e)
{
  mlpd_encoder_start (e, MLPD_VERSION_LAST, now ());
  return buffer + MLPD_BUFFER_HEADER_SIZE;
}

static void
end (const struct mlpd_encoder *e, const uint8_t *p, uint64_t thread)
{
  const size_t length = (size_t) (p - buffer) - MLPD_BUFFER_HEADER_SIZE;
  const struct mlpd_buffer_header header = mlpd_encoder_header (e, thread, (uint32_t) length);
  mlpd_put_buffer_header (buffer, &header);
  write_all (buffer, MLPD_BUFFER_HEADER_SIZE + length);
}

static void
write_names (void)
{
  struct mlpd_encoder e;
  uint8_t *p = begin (&e);
  for (unsigned i = 0; i < METHODS; i++) {
    char name[64];
    const int length = snprintf (name, sizeof name, "Flood.Type%u:Method%u ()", i / 10, i);
    const struct mlpd_method_jit jit = { .time = now (),
                                         .method = method (i),
                                         .code = 0x7e0000000000 + 256 * i,
                                         .size = 128,
                                         .name = { name, (size_t) length } };
    p = mlpd_put_method_jit (&e, p, &jit);
  }
  end (&e, p, 1);
}

static void
write_calls (unsigned number)
{
  struct mlpd_encoder e;
  uint8_t *p = begin (&e);
  uint64_t time = now ();
  for (unsigned i = 0; i < CALLS; i++) {
    const uint64_t m = method (number * 7 + i * i);
    const struct mlpd_method_enter enter = { .time = time, .method = m };
    const struct mlpd_method_leave leave = { .time = time + 90, .method = m };
    p = mlpd_put_method_enter (&e, p, &enter);
    p = mlpd_put_method_leave (&e, p, &leave);
    time += 100;
  }
  end (&e, p, 1 + number % THREADS);
}

/* A collection, in the buffer of a thread that then ends. */
static void
write_tick (uint64_t thread)
{
  static const uint64_t phases[] = { MLPD_GC_EVENT_PRE_STOP_WORLD, MLPD_GC_EVENT_START,
                                     MLPD_GC_EVENT_END, MLPD_GC_EVENT_POST_START_WORLD };
  struct mlpd_encoder e;
  uint8_t *p = begin (&e);
  for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
    const struct mlpd_gc_event event = { .time = now (), .event = phases[i] };
    p = mlpd_put_gc_event (&e, p, &event);
  }
  const struct mlpd_metadata_thread ends = {
    .time = now (), .action = MLPD_LOAD_END_UNLOAD, .mtype = MLPD_MTYPE_THREAD, .thread = thread
  };
  p = mlpd_put_metadata_thread (&e, p, &ends);
  end (&e, p, thread);
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  const double rate = atof (argv[1]), seconds = atof (argv[2]);
  const uint64_t start = now ();
  const struct mlpd_file_header header
      = { .id = MLPD_FILE_ID, .major = 3, .data_version = MLPD_VERSION_LAST, .pointer_size = 8 };
  write_all (buffer, (size_t) (mlpd_put_file_header (buffer, &header) - buffer));
  write_names ();
  unsigned buffers = 0, ticks = 0;
  for (double passed; (passed = (double) (now () - start) / 1e9) < seconds;) {
    if (passed * TICKS > ticks)
      write_tick (1000 + ticks++);
    if (passed * rate > (double) buffers * 2 * CALLS)
      write_calls (buffers++);
    else
      nanosleep (&(struct timespec){ .tv_nsec = 200000 }, NULL);
  }
  struct mlpd_encoder e;
  end (&e, begin (&e), 1); /* the end mark */
  fprintf (stderr, "%llu events\n", (unsigned long long) buffers * 2 * CALLS);
  return 0;
}
