/* run-pair -- runs two commands in turn, A, B, A, B, ..., and compares their costs.

   Whatever disturbs the machine disturbs both commands of a pair, so the ratio of each pair is
   taken, and the median of these.  Time is from before the fork to the end of the process; the peak
   of resident memory is ru_maxrss of wait4, which counts mapped pages of files, too. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS_MAX = 1000, STATUS_MISSED = 1, STATUS_FAILED = 2 };

/* The cost of a run of a command. */
struct run {
  double wall;      /* seconds */
  double processor; /* seconds, user and system */
  long peak;        /* KiB */
};

struct side {
  const char *letter;
  char **arguments; /* NULL at the end */
  char *output;     /* where standard output goes */
  char *errors;     /* where standard error goes */
  struct run runs[PAIRS_MAX];
};

struct bounds {
  double ratio;   /* 0: none */
  long peak;      /* KiB, 0: none */
  int processors; /* 0: all that there are */
};

struct work {
  const char *name;
  double bytes;  /* 0: unknown */
  double events; /* 0: unknown */
};

struct spread {
  double low, median, high;
};

static const char usage[]
    = "Usage: run-pair [OPTION...] -- A [ARGUMENT...] -- B [ARGUMENT...]\n"
      "Runs A, B, A, B, ... and prints what A takes over what B takes.\n\n"
      "  --name=NAME       what this is called in the tables\n"
      "  --pairs=N         so many runs of each, after one to warm up (7)\n"
      "  --log=FILE        the file that both read, for the throughput\n"
      "  --events=N        events in it\n"
      "  --output=PREFIX   standard output goes to PREFIX.a and PREFIX.b, standard error to\n"
      "                    PREFIX.a.err and PREFIX.b.err (/dev/null)\n"
      "  --ratio=X         B must be X times as fast as A\n"
      "  --peak=KIB        B must stay below so much resident memory\n"
      "  --processors=N    both may use N processors at most\n"
      "  --summary=FILE    a line is added to it, with tabs: name, MB, ratio, its bound, ns an "
      "event\n"
      "                    of A and of B, peak of A and of B, its bound in KiB, met or missed\n"
      "  --help            print this text\n\n"
      "Exit status: 0, or 1 if B misses a bound, 2 if nothing can be compared.\n";

static void __attribute__ ((noreturn)) fail (const char *what, const char *why)
{
  fprintf (stderr, "run-pair: %s: %s\n", what, why);
  exit (STATUS_FAILED);
}

static double
number (const char *option, const char *text, double low, double high)
{
  char *end;
  double value = strtod (text, &end);

  if (end == text || *end != '\0' || !(value >= low && value <= high))
    fail (text, option);
  return value;
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static double
seconds (struct timeval time)
{
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

/* In the child process: FILE becomes the descriptor. */
static void
redirect (const char *file, int flags, int descriptor)
{
  int opened = open (file, flags, 0666);

  if (opened < 0 || dup2 (opened, descriptor) < 0)
    fail (file, strerror (errno));
  close (opened);
}

static void __attribute__ ((noreturn)) become (const struct side *side)
{
  redirect ("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect (side->output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect (side->errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  execvp (side->arguments[0], side->arguments);
  fail (side->arguments[0], strerror (errno));
}

/* Runs the command to its end, which must be a good one. */
static struct run
run_once (const struct side *side)
{
  struct rusage usage_of_child;
  int status;
  double start = now ();
  pid_t child = fork ();

  if (child < 0)
    fail ("fork", strerror (errno));
  if (child == 0)
    become (side);
  while (wait4 (child, &status, 0, &usage_of_child) < 0)
    if (errno != EINTR)
      fail ("wait4", strerror (errno));

  double end = now ();
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0) {
    fprintf (stderr, "run-pair: %s ended with %s %d; its errors are in %s\n", side->arguments[0],
             WIFEXITED (status) ? "status" : "signal",
             WIFEXITED (status) ? WEXITSTATUS (status) : WTERMSIG (status), side->errors);
    exit (STATUS_FAILED);
  }
  return (struct run){
    .wall = end - start,
    .processor = seconds (usage_of_child.ru_utime) + seconds (usage_of_child.ru_stime),
    .peak = usage_of_child.ru_maxrss,
  };
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Sorts the values. */
static struct spread
spread_of (double *values, int count)
{
  qsort (values, (size_t) count, sizeof *values, compare);
  return (struct spread){
    .low = values[0],
    .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
    .high = values[count - 1],
  };
}

static double
wall_of (const struct side *sides, int i)
{
  return sides->runs[i].wall;
}

static double
peak_of (const struct side *sides, int i)
{
  return (double) sides->runs[i].peak;
}

static double
wall_ratio (const struct side *sides, int i)
{
  return sides[0].runs[i].wall / sides[1].runs[i].wall;
}

static double
processor_ratio (const struct side *sides, int i)
{
  return sides[0].runs[i].processor / sides[1].runs[i].processor;
}

static struct spread
spread_over (const struct side *sides, int pairs, double (*value) (const struct side *, int))
{
  double values[PAIRS_MAX];

  for (int i = 0; i < pairs; i++)
    values[i] = value (sides, i);
  return spread_of (values, pairs);
}

/* Keeps the processors of lowest number of those that this process may use. */
static void
limit_processors (int wanted)
{
  cpu_set_t may, keep;

  if (sched_getaffinity (0, sizeof may, &may) != 0)
    fail ("sched_getaffinity", strerror (errno));
  if (CPU_COUNT (&may) < wanted)
    printf ("  there are only %d processors\n", CPU_COUNT (&may));
  CPU_ZERO (&keep);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT (&keep) < wanted; i++)
    if (CPU_ISSET (i, &may))
      CPU_SET (i, &keep);
  if (sched_setaffinity (0, sizeof keep, &keep) != 0)
    fail ("sched_setaffinity", strerror (errno));
}

static void
print_run (const struct run *run)
{
  printf ("  %8.3f %8.3f %8ld", run->wall, run->processor, run->peak);
}

static void
run_pairs (struct side *sides, int pairs)
{
  printf ("        A: wall s    cpu s peak KiB  B: wall s    cpu s peak KiB    A/B wall    cpu\n");
  for (int i = -1; i < pairs; i++) {
    struct run runs[2] = { run_once (&sides[0]), run_once (&sides[1]) };
    if (i < 0) {
      printf ("  warm");
    } else {
      printf ("  %4d", i + 1);
      sides[0].runs[i] = runs[0];
      sides[1].runs[i] = runs[1];
    }
    print_run (&runs[0]);
    print_run (&runs[1]);
    printf ("    %8.2f %6.2f\n", runs[0].wall / runs[1].wall,
            runs[0].processor / runs[1].processor);
    fflush (stdout);
  }
}

static double
ns_an_event (const struct work *work, double wall)
{
  return work->events > 0 ? wall * 1e9 / work->events : 0;
}

static void
print_side (const struct side *side, const struct work *work, double wall, double peak)
{
  printf ("  %s: median %.3f s", side->letter, wall);
  if (work->bytes > 0)
    printf (", %.0f MB/s", work->bytes / 1e6 / wall);
  if (work->events > 0)
    printf (", %.2f ns an event", ns_an_event (work, wall));
  printf (", peak %.0f KiB  (%s)\n", peak, side->arguments[0]);
}

static void
add_to_summary (const char *file, const char *line)
{
  FILE *summary = fopen (file, "a");

  if (summary == NULL || fputs (line, summary) < 0 || fclose (summary) != 0)
    fail (file, strerror (errno));
}

/* Prints the medians.  Returns whether B keeps the bounds. */
static bool
conclude (const struct side *sides, int pairs, const struct work *work, const struct bounds *bounds,
          const char *summary)
{
  struct spread ratio = spread_over (sides, pairs, wall_ratio);
  struct spread processor = spread_over (sides, pairs, processor_ratio);
  double wall[2], peak[2];

  for (int i = 0; i < 2; i++) {
    wall[i] = spread_over (&sides[i], pairs, wall_of).median;
    peak[i] = spread_over (&sides[i], pairs, peak_of).high;
    print_side (&sides[i], work, wall[i], peak[i]);
  }
  printf ("  A/B: median %.2f (%.2f to %.2f), processor time %.2f (%.2f to %.2f)\n", ratio.median,
          ratio.low, ratio.high, processor.median, processor.low, processor.high);

  bool fast = bounds->ratio <= 0 || ratio.median >= bounds->ratio;
  bool small = bounds->peak <= 0 || peak[1] < (double) bounds->peak;
  if (!fast)
    printf ("  MISSED: %.2f times as fast, not %g times\n", ratio.median, bounds->ratio);
  if (!small)
    printf ("  MISSED: peak of %.0f KiB, not below %ld KiB\n", peak[1], bounds->peak);

  if (summary != NULL) {
    char line[1024];
    snprintf (line, sizeof line, "%s\t%.1f\t%.2f\t%g\t%.2f\t%.2f\t%.0f\t%.0f\t%ld\t%s\n",
              work->name, work->bytes / 1e6, ratio.median, bounds->ratio,
              ns_an_event (work, wall[0]), ns_an_event (work, wall[1]), peak[0], peak[1],
              bounds->peak, fast && small ? "met" : "missed");
    add_to_summary (summary, line);
  }
  return fast && small;
}

static double
size_of (const char *file)
{
  struct stat status;

  if (stat (file, &status) != 0)
    fail (file, strerror (errno));
  return (double) status.st_size;
}

static char *
joined (const char *prefix, const char *end)
{
  size_t size = strlen (prefix) + strlen (end) + 1;
  char *text = malloc (size);

  if (text == NULL)
    fail (prefix, strerror (errno));
  snprintf (text, size, "%s%s", prefix, end);
  return text;
}

static void
set_outputs (struct side *sides, const char *prefix)
{
  static const char *const ends[2][2] = { { ".a", ".a.err" }, { ".b", ".b.err" } };

  for (int i = 0; i < 2; i++) {
    sides[i].output
        = joined (prefix != NULL ? prefix : "/dev/null", prefix != NULL ? ends[i][0] : "");
    sides[i].errors
        = joined (prefix != NULL ? prefix : "/dev/null", prefix != NULL ? ends[i][1] : "");
  }
}

/* Divides "A ... -- B ..." into two lists. */
static void
set_commands (struct side *sides, char **arguments)
{
  char **divide = arguments;

  while (*divide != NULL && strcmp (*divide, "--") != 0)
    divide++;
  if (divide == arguments || *divide == NULL || divide[1] == NULL)
    fail ("two commands are wanted", "run-pair [OPTION...] -- A [ARGUMENT...] -- B [ARGUMENT...]");
  *divide = NULL;
  sides[0].arguments = arguments;
  sides[1].arguments = divide + 1;
}

int
main (int argc, char **argv)
{
  enum { NAME = 1, PAIRS, LOG, EVENTS, OUTPUT, RATIO, PEAK, PROCESSORS, SUMMARY, HELP };
  static const struct option options[] = {
    { "name", required_argument, NULL, NAME },
    { "pairs", required_argument, NULL, PAIRS },
    { "log", required_argument, NULL, LOG },
    { "events", required_argument, NULL, EVENTS },
    { "output", required_argument, NULL, OUTPUT },
    { "ratio", required_argument, NULL, RATIO },
    { "peak", required_argument, NULL, PEAK },
    { "processors", required_argument, NULL, PROCESSORS },
    { "summary", required_argument, NULL, SUMMARY },
    { "help", no_argument, NULL, HELP },
    { NULL, 0, NULL, 0 },
  };
  static struct side sides[2] = { { .letter = "A" }, { .letter = "B" } };
  struct work work = { .name = "pair" };
  struct bounds bounds = { 0 };
  const char *output = NULL, *summary = NULL;
  int pairs = 7, option;

  while ((option = getopt_long (argc, argv, "+", options, NULL)) != -1)
    switch (option) {
    case NAME:
      work.name = optarg;
      break;
    case PAIRS:
      pairs = (int) number ("not a number of pairs", optarg, 1, PAIRS_MAX);
      break;
    case LOG:
      work.bytes = size_of (optarg);
      break;
    case EVENTS:
      work.events = number ("not a number of events", optarg, 0, 1e15);
      break;
    case OUTPUT:
      output = optarg;
      break;
    case RATIO:
      bounds.ratio = number ("not a ratio", optarg, 0, 1e6);
      break;
    case PEAK:
      bounds.peak = (long) number ("not a number of KiB", optarg, 0, 1e12);
      break;
    case PROCESSORS:
      bounds.processors = (int) number ("not a number of processors", optarg, 1, CPU_SETSIZE);
      break;
    case SUMMARY:
      summary = optarg;
      break;
    case HELP:
      fputs (usage, stdout);
      return 0;
    default:
      fputs (usage, stderr);
      return STATUS_FAILED;
    }

  set_commands (sides, argv + optind);
  set_outputs (sides, output);
  printf ("%s\n", work.name);
  if (bounds.processors > 0)
    limit_processors (bounds.processors);
  run_pairs (sides, pairs);
  return conclude (sides, pairs, &work, &bounds, summary) ? 0 : STATUS_MISSED;
}
