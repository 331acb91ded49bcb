/* make-day.c -- writes a log of samples over hours to standard output, and its contents to a file:
 *
 *   make-day SECONDS RATE METHODS [FILE [wall|incident]]
 *
 * Each second has RATE samples of processor time, at random times.  The innermost methods of
 * their stacks are METHODS methods, of which the nth is as frequent as 1 / n; each is called by one
 * other, and calls two.  Every 10 seconds there is a collection of 2 to 60 ms, every 7 seconds a
 * wait for a lock, every 13 seconds an exception.  FILE gets a line for each of these: its kind,
 * begin and end in ns since the beginning of the log.  With "wall", samples are of the wall clock:
 * of every third one the thread waited 1 to 400 ms.  With "incident", the last method has three
 * times as many samples more for a fiftieth of the time, from three fifths of it on. */
#include "config.h"

#include "tests/logs/buffers.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 17, MAIN = 0x7f0000, FRAMES_MAX = 24 };

#define START UINT64_C (1000000000)
#define SECOND UINT64_C (1000000000)
#define CLASS UINT64_C (0x560000001000)
#define METHOD(n) (UINT64_C (0x560002001000) + 8 * (n))
#define OBJECT UINT64_C (0x7f0000000000)

static FILE *truth;
static bool is_wall, has_incident;

#define PUT(ID, id, ...)                                                                           \
  buffer_put (MLPD_##ID, &(const union mlpd_payload){ .id = { .time = now, __VA_ARGS__ } })

/* Numbers that look random, and are the same in each run. */
static uint64_t
random_below (uint64_t bound)
{
  static uint64_t state = 88172645463325252;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % bound;
}

static void
put_header (void)
{
  const char *arguments
      = is_wall ? "proflog:sample-real" : "proflog:cpu-sample-interval=10000000,sample";
  uint8_t head[256];
  const struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .major = 3,
    .data_version = VERSION,
    .pointer_size = 8,
    .start_ms = 1278000000000,
    .start_ns = START,
    .pid = 4711,
    .arguments = { arguments, strlen (arguments) },
    .architecture.text = "",
    .operating_system.text = "",
  };
  fwrite (head, 1, (size_t) (mlpd_put_file_header (head, &header) - head), stdout);
}

static void
put_names (uint64_t methods)
{
  static const char error[] = "Day.Error";
  char name[64];
  buffer_begin (VERSION, MAIN);
  PUT (METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .klass = CLASS,
       .image = 0x560010, .name = { error, sizeof error - 1 });
  PUT (METADATA_VTABLE, metadata_vtable, .action = MLPD_LOAD_END_LOAD, .vtable = CLASS + 64,
       .klass = CLASS);
  for (uint64_t i = 0; i < methods; i++) {
    const int length = snprintf (name, sizeof name, "Day.Part%u.Type%u:Method%u (int)",
                                 (unsigned) i % 9, (unsigned) i % 101, (unsigned) i);
    PUT (METHOD_JIT, method_jit, .method = METHOD (i), .code = METHOD (i), .size = 8,
         .name = { name, (size_t) length });
  }
}

/* ---- events ---- */

/* Of method n + 1 the sum of the shares of all before it, and of itself. */
static double *shares;

static void
make_shares (uint64_t methods)
{
  double sum = 0;
  shares = calloc (methods, sizeof *shares);
  if (shares == NULL)
    abort ();
  for (uint64_t i = 0; i < methods; i++)
    shares[i] = sum += 1 / (double) (i + 1);
  for (uint64_t i = 0; i < methods; i++)
    shares[i] /= sum;
}

static uint64_t
random_method (uint64_t methods)
{
  const double share = (double) random_below (1u << 30) / (1u << 30);
  uint64_t low = 0, high = methods - 1;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (shares[middle] > share)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void
put_sample (uint64_t method)
{
  struct mlpd_frame frames[FRAMES_MAX];
  size_t n = 0;
  const uint64_t ip = METHOD (method);
  memset (frames, 0, sizeof frames);
  for (uint64_t at = method; n < FRAMES_MAX; at = (at - 1) / 2) {
    frames[n++].method = METHOD (at);
    if (at == 0)
      break;
  }
  PUT (SAMPLE_HIT, sample_hit, .thread = MAIN, .ips = { &ip, 1 }, .frames = { frames, n });
}

static void
note (const char *kind, uint64_t from, uint64_t to)
{
  if (truth != NULL)
    fprintf (truth, "%s %" PRIu64 " %" PRIu64 "\n", kind, from - START, to - START);
}

/* The usage of the thread of a sample since the one before it. */
static void
put_usage (uint64_t elapsed_ns, uint64_t cpu_ns)
{
  const struct mlpd_counter_value values[]
      = { { MLPD_SAMPLE_ELAPSED_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = elapsed_ns },
          { MLPD_SAMPLE_CPU_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = cpu_ns } };
  if (elapsed_ns != cpu_ns)
    note ("wait", now - (elapsed_ns - cpu_ns), now);
  PUT (SAMPLE_COUNTERS, sample_counters, .values = { values, 2 });
}

static void
put_collection (uint64_t ns)
{
  static const uint64_t before[]
      = { MLPD_GC_EVENT_PRE_STOP_WORLD, MLPD_GC_EVENT_POST_STOP_WORLD, MLPD_GC_EVENT_START };
  static const uint64_t after[]
      = { MLPD_GC_EVENT_END, MLPD_GC_EVENT_PRE_START_WORLD, MLPD_GC_EVENT_POST_START_WORLD };
  note ("pause", now, now + ns);
  for (unsigned i = 0; i < 3; i++)
    PUT (GC_EVENT, gc_event, .event = before[i], .generation = 0);
  now += ns;
  for (unsigned i = 0; i < 3; i++)
    PUT (GC_EVENT, gc_event, .event = after[i], .generation = 0);
}

static void
put_lock (uint64_t ns)
{
  note ("lock", now, now + ns);
  PUT (MONITOR, monitor, .event = MLPD_MONITOR_EVENT_CONTENTION, .object = OBJECT + 64);
  now += ns;
  PUT (MONITOR, monitor, .event = MLPD_MONITOR_EVENT_DONE, .object = OBJECT + 64);
}

static void
put_exception (void)
{
  note ("exception", now, now);
  PUT (EXCEPTION_THROW, exception_throw, .object = OBJECT);
}

/* Random times of a second, in their order. */
static int
compare_times (const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

static void
put_second (uint64_t second, uint64_t rate, uint64_t methods, unsigned extra, uint64_t *times)
{
  for (uint64_t i = 0; i < rate; i++)
    times[i] = START + second * SECOND + 1 + random_below (SECOND - 1);
  qsort (times, rate, sizeof *times, compare_times);
  for (uint64_t i = 0; i < rate; i++) {
    now = now > times[i] ? now : times[i];
    const bool waits = is_wall && second != 0 && i % 3 == 0;
    if (!waits)
      note ("sample", now, now);
    put_sample (random_method (methods));
    for (unsigned more = 0; more < extra; more++) {
      note ("sample", now, now);
      put_sample (methods - 1);
    }
    if (waits)
      put_usage (1000000 + random_below (400000000), 100000);
    else if (is_wall)
      put_usage (10000000, 10000000);
    if (i == rate / 3 && second % 10 == 9)
      put_collection (2000000 + random_below (58000000));
    else if (i == rate / 2 && second % 7 == 6)
      put_lock (100000 + random_below (30000000));
    else if (i == rate / 5 && second % 13 == 12)
      put_exception ();
  }
}

int
main (int argc, char **argv)
{
  const uint64_t seconds = argc > 1 ? strtoull (argv[1], NULL, 10) : 0;
  const uint64_t rate = argc > 2 ? strtoull (argv[2], NULL, 10) : 0;
  const uint64_t methods = argc > 3 ? strtoull (argv[3], NULL, 10) : 0;
  if (argc < 4 || argc > 6 || rate == 0 || rate > 1000000 || methods == 0 || methods > 1000000) {
    fprintf (stderr, "usage: make-day SECONDS RATE METHODS [FILE [wall|incident]]\n");
    return 2;
  }
  now = START;
  is_wall = argc > 5 && strcmp (argv[5], "wall") == 0;
  has_incident = argc > 5 && strcmp (argv[5], "incident") == 0;
  truth = argc > 4 ? fopen (argv[4], "w") : NULL;
  uint64_t *times = calloc (rate, sizeof *times);
  if (times == NULL || (argc > 4 && truth == NULL)) {
    perror ("make-day");
    return 2;
  }
  make_shares (methods);
  put_header ();
  put_names (methods);
  for (uint64_t i = 0; i < seconds; i++)
    put_second (i, rate, methods,
                has_incident && i >= seconds * 3 / 5 && i < seconds * 3 / 5 + seconds / 50 ? 3 : 0,
                times);
  buffer_end ();
  buffer_begin (VERSION, MAIN); /* an empty buffer is the end mark */
  buffer_end ();
  const bool is_written = fflush (stdout) == 0 && (truth == NULL || fclose (truth) == 0);
  free (times);
  free (shares);
  return is_written ? 0 : 2;
}
