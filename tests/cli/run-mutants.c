/* run-mutants.c -- damages logs by a seed, and runs every command that reads logs on each.
 *
 *   run-mutants PROFLOG FORMAT SEED COUNT COMMANDS SECONDS MIB FIXTURE...
 *
 * FORMAT is mono or ghc; COMMANDS are run of each mutant, in turn (0: all).  A command must not die
 * of a signal, nor let a sanitizer report, nor need more than so many seconds of the processor, nor
 * more memory than so many MiB beside the file and what it prints.  The mutant of a finding stays
 * as finding-N.  The last lines count the mutants by what a report and `check` state of them.  The
 * seed and the number of a mutant make it again: SEED of it is the sum.
 */
#include "config.h"

#include "tests/cli/mutations.h"
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 12, KIB = 1024 };

static const char mutant[] = "mutant", other[] = "whole", out_file[] = "mutant-out",
                  err_file[] = "mutant-err";

/* "@" is the mutant, "%" the fixture, a "+" is a space within a word. */
static const char *const both[] = {
  "report @",
  "report --format json @",
  "report --format html @",
  "report --time-range 10%~60% @",
  "info @",
  "stats @",
  "check @",
  "check --format json @",
  "dump @",
  "dump --format json @",
  "dump --order time @",
  "show @",
  "validate @",
  "flame @",
  "heatmap --format json @",
  "stacks --format json @",
  "diff @ %",
  "diff % @",
  "repair @",
  "cut --time-range 20%~70% @",
  "anonymize @",
  "merge @",
  "export --format perfetto @",
  "export --format chrome @",
  "export --format firefox @",
  "export --format folded @",
  "export --format speedscope @",
  "export --format callgrind @",
  "export --format pprof @",
  "follow --timeout 1ms --reorder-delay 0 @",
  "top --once --start=beginning --timeout=1ms @",
  "query @ SELECT+*+FROM+events",
  "query @ SELECT+count(*)+FROM+damage+UNION+ALL+SELECT+count(*)+FROM+blocks",
  NULL,
};
static const char *const mono[] = {
  "report --traces --reports=all @",
  "heap @",
  "heap leaks @",
  "heap paths @",
  "heap dominators @",
  "heap growth @",
  "report --find 0x10 @",
  "export --format hprof @",
  "export --format heapsnapshot @",
  "export --format heaptrack @",
  "convert --to eventlog @",
  "convert --data-version 17 --to mlpd @",
  "report --thread 1 --filter a @",
  "query @ SELECT+count(*)+FROM+calls+UNION+ALL+SELECT+count(*)+FROM+allocations_types",
  "replay @ --into=./libmono-profiler-proflog.so:output=replayed",
  NULL,
};
static const char *const ghc[] = {
  "show threads @",
  "show caps @",
  "simulate thread @",
  "report --cap 0 @",
  "convert --to mlpd @",
  "query @ SELECT+count(*)+FROM+run_thread",
  NULL,
};

struct run {
  int status; /* as wait4 */
  double seconds;
  long kib;
  long out_kib;
};

static double
seconds_of (struct timeval a)
{
  return (double) a.tv_sec + (double) a.tv_usec / 1e6;
}

/* A command that waits for ever is stopped by its limits: of the processor, and by the alarm. */
static void
start (char **words, unsigned seconds)
{
  const int out = open (out_file, O_WRONLY | O_CREAT | O_TRUNC, 0600),
            err = open (err_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const struct rlimit limit = { .rlim_cur = seconds + 2, .rlim_max = seconds + 2 },
                      file = { .rlim_cur = 1u << 30, .rlim_max = 1u << 30 };
  setrlimit (RLIMIT_CPU, &limit);
  setrlimit (RLIMIT_FSIZE, &file);
  alarm (20 * seconds + 20);
  dup2 (open ("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2 (out, STDOUT_FILENO);
  dup2 (err, STDERR_FILENO);
  execv (words[0], words);
  _exit (126);
}

static long
kib_of (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 ? (long) (st.st_size / KIB) : 0;
}

static struct run
run_command (const char *proflog, const char *command, unsigned seconds)
{
  g_auto (GStrv) words = g_strsplit (command, " ", WORDS_MAX);
  char *argv[WORDS_MAX + 2] = { (char *) proflog };
  struct run run = { 0 };
  struct rusage usage;
  for (guint i = 0; words[i] != NULL; i++)
    argv[i + 1] = strcmp (words[i], "@") == 0   ? (char *) mutant
                  : strcmp (words[i], "%") == 0 ? (char *) other
                                                : g_strdelimit (words[i], "+", ' ');
  const pid_t child = fork ();
  if (child == 0)
    start (argv, seconds);
  wait4 (child, &run.status, 0, &usage);
  run.seconds = seconds_of (usage.ru_utime) + seconds_of (usage.ru_stime);
  run.kib = usage.ru_maxrss;
  run.out_kib = kib_of (out_file);
  return run;
}

static bool
mentions (const char *path, const char *const *words)
{
  g_autofree char *text = NULL;
  gsize length;
  bool found = false;
  if (g_file_get_contents (path, &text, &length, NULL))
    for (; !found && *words != NULL; words++)
      found = g_strstr_len (text, (gssize) length, *words) != NULL;
  return found;
}

struct session {
  const char *proflog, *format;
  uint64_t seed;
  unsigned seconds;
  long mib;
  guint findings;
  uint64_t runs;
  double slowest;
  long largest;
  /* mutants: */
  uint64_t unchanged, refused, reported, checked, silent, silent_events;
};

static void
note_finding (struct session *s, uint64_t number, const char *command, const char *reason,
              const char *changes)
{
  g_autofree char *name = g_strdup_printf ("finding-%u", ++s->findings), *bytes = NULL;
  gsize length;
  printf ("%s: %s, mutant %" G_GUINT64_FORMAT ", proflog %s:%s\n", name, reason, s->seed + number,
          command, changes);
  fflush (stdout);
  if (g_file_get_contents (mutant, &bytes, &length, NULL))
    g_file_set_contents (name, bytes, (gssize) length, NULL);
}

static void
try_command (struct session *s, uint64_t number, const char *command, const char *changes)
{
  static const char *const reports[]
      = { "Sanitizer", "runtime error:", "CRITICAL", "assertion", NULL };
  const struct run run = run_command (s->proflog, command, s->seconds);
  const long kib = run.kib - kib_of (mutant) - run.out_kib;
  g_autofree char *reason = NULL;
  s->runs++;
  s->slowest = MAX (s->slowest, run.seconds);
  s->largest = MAX (s->largest, kib);
  if (WIFSIGNALED (run.status) && WTERMSIG (run.status) != SIGXFSZ)
    reason = g_strdup_printf ("signal %d", WTERMSIG (run.status));
  else if (mentions (err_file, reports))
    reason = g_strdup ("a report on stderr");
  else if (run.seconds > s->seconds)
    reason = g_strdup_printf ("%.1f s", run.seconds);
  else if (kib > s->mib * KIB)
    reason = g_strdup_printf ("%ld MiB beside the file and the output", kib / KIB);
  if (reason != NULL)
    note_finding (s, number, command, reason, changes);
}

/* ---- reports about a mutant ---- */

/* The report, without a warning: its status is 4 if it states damage. */
static int
read_report (const struct session *s, char **text)
{
  const struct run run = run_command (s->proflog, "report -q --strict --format json @", s->seconds);
  g_file_get_contents (out_file, text, NULL, NULL);
  return WIFEXITED (run.status) ? WEXITSTATUS (run.status) : -1;
}

static bool
has_same_events (const char *a, const char *b)
{
  const char *x = strstr (a, "\"events\":"), *y = strstr (b, "\"events\":");
  return x != NULL && y != NULL && strcspn (x, ",") == strcspn (y, ",")
         && strncmp (x, y, strcspn (x, ",")) == 0;
}

static void
classify (struct session *s, const char *whole)
{
  g_autofree char *text = NULL;
  const int status = read_report (s, &text);
  if (status == 3)
    s->refused++;
  else if (status != 0)
    s->reported++;
  else if (text != NULL && strcmp (text, whole) == 0)
    s->unchanged++;
  else if (WEXITSTATUS (run_command (s->proflog, "check -q @", s->seconds).status) != 0)
    s->checked++;
  else {
    s->silent++;
    s->silent_events += text != NULL && !has_same_events (text, whole);
  }
}

/* ---- all ---- */

struct fixture {
  GByteArray *bytes;
  char *report;
};

static bool
read_fixture (const struct session *s, const char *path, struct fixture *fixture)
{
  char *bytes;
  gsize length;
  if (!g_file_get_contents (path, &bytes, &length, NULL) || length == 0) {
    fprintf (stderr, "run-mutants: cannot read %s\n", path);
    return false;
  }
  fixture->bytes = g_byte_array_new_take ((guint8 *) bytes, length);
  fixture->report = NULL;
  g_file_set_contents (mutant, bytes, (gssize) length, NULL);
  read_report (s, &fixture->report);
  return fixture->report != NULL;
}

static void
run_mutant (struct session *s, const struct fixture *fixtures, guint n_fixtures, uint64_t number,
            guint n_commands)
{
  struct mutation_random random = { s->seed + number };
  const struct fixture *fixture = &fixtures[mutation_number (&random, n_fixtures)];
  const char *const *own = strcmp (s->format, "ghc") == 0 ? ghc : mono;
  const guint n_both = g_strv_length ((char **) both), n = n_both + g_strv_length ((char **) own);
  g_autoptr (GString) changes = g_string_new (NULL);
  GByteArray *log = g_byte_array_new ();
  g_byte_array_append (log, fixture->bytes->data, fixture->bytes->len);
  mutate (log, &random, changes);
  g_file_set_contents (mutant, (const char *) log->data, (gssize) log->len, NULL);
  g_file_set_contents (other, (const char *) fixture->bytes->data, (gssize) fixture->bytes->len,
                       NULL);
  g_byte_array_unref (log);
  const guint some = n_commands == 0 ? n : MIN (n_commands, n);
  for (guint i = 0; i < some; i++) {
    const guint at = (guint) ((number * some + i) % n);
    try_command (s, number, at < n_both ? both[at] : own[at - n_both], changes->str);
  }
  classify (s, fixture->report);
}

int
main (int argc, char **argv)
{
  enum { FIXTURES_AT = 8 };
  if (argc <= FIXTURES_AT)
    return 2;
  struct session s = { .proflog = argv[1],
                       .format = argv[2],
                       .seed = g_ascii_strtoull (argv[3], NULL, 10),
                       .seconds = (unsigned) atoi (argv[6]),
                       .mib = atol (argv[7]) };
  const uint64_t count = g_ascii_strtoull (argv[4], NULL, 10);
  const guint n_commands = (guint) atoi (argv[5]), n_fixtures = (guint) (argc - FIXTURES_AT);
  struct fixture *fixtures = g_new0 (struct fixture, n_fixtures);
  for (guint i = 0; i < n_fixtures; i++)
    if (!read_fixture (&s, argv[FIXTURES_AT + i], &fixtures[i]))
      return 1;
  for (uint64_t i = 0; i < count; i++)
    run_mutant (&s, fixtures, n_fixtures, i, n_commands);
  for (guint i = 0; i < n_fixtures; i++) {
    g_byte_array_unref (fixtures[i].bytes);
    g_free (fixtures[i].report);
  }
  g_free (fixtures);
  printf ("%s, seed %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT " mutants, %" G_GUINT64_FORMAT
          " runs, %u findings; slowest %.2f s, largest %ld MiB beside file and output\n",
          s.format, s.seed, count, s.runs, s.findings, s.slowest, s.largest / KIB);
  printf ("%s: refused %" G_GUINT64_FORMAT ", damage reported %" G_GUINT64_FORMAT
          ", only check reports %" G_GUINT64_FORMAT ", same report %" G_GUINT64_FORMAT
          ", silent %" G_GUINT64_FORMAT " (with another number of events %" G_GUINT64_FORMAT ")\n",
          s.format, s.refused, s.reported, s.checked, s.unchanged, s.silent, s.silent_events);
  return s.findings != 0;
}
