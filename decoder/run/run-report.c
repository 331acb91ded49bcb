/* run-report.c -- the recorded log: its contents, its size, and how to read it. */
#include "config.h"

#include "decoder/input/spool-logs.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/gc.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/run/run.h"
#include "decoder/command/message.h"
#include "decoder/command/shell-word.h"
#include "decoder/mlpd/query/leaks.h"
#include "decoder/mlpd/query/scan-log.h"
#include "decoder/output/figure.h"
#include "decoder/system/processes.h"
#include "decoder/views/heap/heap-views.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/recording-cost.h"
#include <glib/gstdio.h>
#include <proflog/mlpd.h>
#include <string.h>

/* Larger logs are not read at the end of a run: that would take seconds. */
#define READ_BYTES_MAX (UINT64_C (512) << 20)

/* In larger heap snapshots leaks are not searched for then. */
#define SEARCH_OBJECTS_MAX 500000

#define LARGE_BYTES UINT64_C (1000000000)
#define FAST_BYTES UINT64_C (50000000) /* in a second */

enum { COMMANDS_MAX = 3 };

/* ---- the recorded events ---- */

/* The files of one process. */
struct run_part {
  GPtrArray *paths; /* borrowed */
  char *name;       /* of all, for a shell */
  uint64_t bytes;
  bool is_read; /* the figures below are known */
  uint64_t events[MLPD_KINDS];
  uint64_t collections;
  uint64_t whole_shots, other_shots; /* heap snapshots that are complete, and that are not */
  uint64_t wait_ns;                  /* by samples */
  uint64_t ns;
  uint64_t lost;                 /* events that the log states as lost */
  uint64_t cpu_ns, recording_ns; /* by samples: of all, and of the recording, where that is large */
  uint64_t interpreted;          /* samples that have no methods for this reason */
  const char *advice;            /* options that record less; NULL: there are none */
  char *finding;                 /* the first sentence of its report; NULL: none */
  uint64_t shot_objects;         /* of the largest heap snapshot */
  bool grows;                    /* a class does, from heap snapshot to heap snapshot */
};

/* (transfer full).  Those about the recording have lines of their own. */
static char *
first_finding (const struct summary *summary)
{
  const char *id;
  char *text = report_findings_first (summary, &id);
  if (text != NULL && (strcmp (id, "recording-cost") == 0 || strcmp (id, "interpreter") == 0))
    g_clear_pointer (&text, g_free);
  return text;
}

static void
read_file (struct run_part *part, const char *path)
{
  struct log_input *input = log_input_open (path, NULL);
  struct summary summary;
  if (input == NULL)
    return;
  summary_init (&summary, NULL);
  const struct samples *samples = SUMMARY_STATE (&summary, samples);
  const struct gc *gc = SUMMARY_STATE (&summary, gc);
  const struct calls *calls = SUMMARY_STATE (&summary, calls);
  const GPtrArray *shots = SUMMARY_STATE (&summary, heapshots)->shots;
  if (log_scan (&summary, input, 0, NULL, NULL)) {
    summary_finish (&summary);
    for (size_t i = 0; i < MLPD_KINDS; i++)
      part->events[i] += summary.log.kind_events[i];
    for (size_t i = 0; i < GC_GENERATIONS; i++)
      part->collections += gc->generations[i].collections;
    for (guint i = 0; i < shots->len; i++) {
      const struct heapshot *shot = g_ptr_array_index (shots, i);
      ++*(shot->state == HEAPSHOT_COMPLETE ? &part->whole_shots : &part->other_shots);
      part->shot_objects = MAX (part->shot_objects, shot->objects);
    }
    part->wait_ns += samples->wait_ns;
    if (summary.log.has_time)
      part->ns += summary.log.last_time - summary.log.first_time;
    part->lost += summary.log.lost_events;
    part->cpu_ns += samples->cpu_ns;
    if (recording_cost_is_large (&summary))
      part->recording_ns += samples->recording_ns;
    if (calls->total + calls->skipped == 0)
      part->interpreted += samples_interpreted_hits (samples, &summary.symbols);
    part->advice = recording_cost_advice (&summary);
    if (part->paths->len == 1)
      part->finding = first_finding (&summary);
    part->grows = shot_leaks_may_be (&summary);
    part->is_read = true;
  }
  summary_clear (&summary);
  log_input_close (input);
}

/* The first suspect of 'proflog heap leaks' (transfer full); NULL: there is none. */
static char *
find_suspect (const char *path)
{
  const struct shot_selection shots = { .last = true, .peak = true, .earlier = true };
  const struct scan_options options = { .graphs = &shots };
  struct log_input *input = log_input_open (path, NULL);
  struct summary summary;
  struct shot_leaks leaks;
  char *text = NULL;
  if (input == NULL)
    return NULL;
  summary_init (&summary, &options);
  const bool is_read = log_scan (&summary, input, 0, NULL, NULL);
  summary_finish (&summary);
  if (is_read && shot_leaks_init (&leaks, &summary, 0)) {
    GPtrArray *all = leak_suspects_new (&leaks.leaks, leaks.graph);
    if (all->len != 0)
      text = leak_sentence (leaks.graph, leaks.dominators, g_ptr_array_index (all, 0));
    g_ptr_array_unref (all);
    shot_leaks_clear (&leaks);
  }
  summary_clear (&summary);
  log_input_close (input);
  return text;
}

static void
report_suspect (const struct run_part *part)
{
  if (!part->grows || part->paths->len != 1 || part->shot_objects > SEARCH_OBJECTS_MAX)
    return;
  g_autofree char *suspect = find_suspect (part->paths->pdata[0]);
  if (suspect != NULL)
    cli_message ("proflog run: suspected leak: %s", suspect);
}

static void
add_count (GString *text, uint64_t count, const char *one, const char *more)
{
  if (count != 0)
    g_string_append_printf (text, ", %" G_GUINT64_FORMAT " %s", count, count == 1 ? one : more);
}

/* "3.1 s, 24 collections, ..." (transfer full). */
static char *
contents_text (const struct run_part *part)
{
  GString *text = g_string_new (NULL);
  g_string_printf (text, "%.1f s", (double) part->ns / 1e9);
  add_count (text, part->events[MLPD_SAMPLE_HIT], "sample", "samples");
  /* A program that is short; its methods are searched first. */
  if (part->events[MLPD_SAMPLE_HIT] == 0 && part->events[MLPD_METHOD_ENTER] == 0)
    g_string_append (text, ", no samples");
  add_count (text, part->events[MLPD_METHOD_ENTER], "call", "calls");
  add_count (text, part->events[MLPD_ALLOC], "allocation", "allocations");
  add_count (text, part->collections, "collection", "collections");
  add_count (text, part->whole_shots, "heap snapshot", "heap snapshots");
  add_count (text, part->other_shots, "incomplete heap snapshot", "incomplete heap snapshots");
  add_count (text, part->events[MLPD_EXCEPTION_THROW], "exception", "exceptions");
  if (part->lost != 0)
    g_string_append_printf (text, "; incomplete: %" G_GUINT64_FORMAT " events are lost",
                            part->lost);
  return g_string_free (text, FALSE);
}

/* ---- commands ---- */

/* Every program has some. */
#define EXCEPTIONS_MIN 100

/* The commands that fit, the most useful first; `text` is before the log's name. */
static guint
fitting_commands (const struct run_part *part, const char *commands[COMMANDS_MAX])
{
  /* Those of the heap read one file. */
  const uint64_t shots = part->paths->len == 1 ? part->whole_shots : 0;
  const struct {
    bool fits;
    const char *text;
  } all[] = {
    { true, "proflog report" },
    { part->wait_ns != 0, "proflog report --reports=waits" },
    { shots >= 2, "proflog heap leaks" },
    { shots == 1, "proflog heap" },
    { part->events[MLPD_ALLOC] != 0, "proflog report --reports=alloc --traces" },
    { part->events[MLPD_METHOD_ENTER] != 0, "proflog report --reports=calls" },
    { part->events[MLPD_EXCEPTION_THROW] >= EXCEPTIONS_MIN,
      "proflog report --reports=exceptions --traces" },
    { part->events[MLPD_SAMPLE_HIT] != 0, "proflog report --reports=tree" },
  };
  guint count = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (all) && count < COMMANDS_MAX; i++)
    if (all[i].fits)
      commands[count++] = all[i].text;
  return count;
}

/* The cost of the recording, by some samples. */
static void
report_cost (const struct run_part *part)
{
  if (part->recording_ns == 0)
    return;
  g_autofree char *advice
      = part->advice != NULL ? g_strconcat ("; see ", part->advice, NULL) : g_strdup ("");
  cli_message ("proflog run: the recording itself took %.2f s of %.2f s of processor time (%.0f "
               "%%): it is in no share of methods, but rates are too low%s",
               (double) part->recording_ns / 1e9, (double) part->cpu_ns / 1e9,
               100 * (double) part->recording_ns / (double) part->cpu_ns, advice);
}

static void
report_interpreter (const struct run_part *part)
{
  if (part->interpreted != 0)
    cli_message ("proflog run: the program was interpreted: samples show native functions of the "
                 "interpreter, and no methods; 'proflog run --calls' records methods");
}

static void
report_part (struct run_part *part)
{
  const char *commands[COMMANDS_MAX];
  const char *path = part->paths->pdata[0];
  g_autofree char *size = figure_bytes_text (part->bytes);
  for (guint i = 0; part->bytes <= READ_BYTES_MAX && i < part->paths->len; i++)
    read_file (part, part->paths->pdata[i]);
  g_autofree char *contents = part->is_read ? contents_text (part) : g_strdup ("");
  if (part->paths->len == 1)
    cli_message ("proflog run: the log is %s (%s)%s%s", path, size, part->is_read ? ": " : "",
                 contents);
  else
    cli_message ("proflog run: the log is %s and %u more (%s)%s%s", path, part->paths->len - 1,
                 size, part->is_read ? ": " : "", contents);
  report_cost (part);
  report_interpreter (part);
  if (part->finding != NULL)
    cli_message ("proflog run: %s", part->finding);
  report_suspect (part);
  const guint count = fitting_commands (part, commands);
  for (guint i = 0; i < count; i++)
    cli_message ("proflog run: %s %s %s", i == 0 ? "read it with:" : "             ", commands[i],
                 part->name);
}

/* ---- files ---- */

/* app.0001.mlpd -> app.*.mlpd, of the files that are as long before the number (transfer full). */
static char *
names_for_shell (const char *path, size_t number)
{
  const char *after = path + number;
  after += strspn (after, G_CSET_DIGITS);
  g_autofree char *first = g_strndup (path, number);
  g_autofree char *before = shell_word (first);
  g_autofree char *rest = shell_word (after);
  return g_strconcat (before, "*", rest, NULL);
}

/* A program that could not write its log has reported that, with the name of the spool. */
static bool
was_killed (const char *spool_path)
{
  struct spool *spool = spool_open (spool_path, NULL);
  const bool was_killed = spool == NULL || spool_log_error (spool) == 0;
  spool_close (spool);
  return was_killed;
}

static void
report_spool (const char *path)
{
  g_autofree char *spool = g_strconcat (path, PROFLOG_SPOOL_SUFFIX, NULL);
  if (!g_file_test (spool, G_FILE_TEST_EXISTS) || !was_killed (spool))
    return;
  g_autofree char *log = shell_word (path);
  cli_message ("proflog run: the program did not end normally: the last events are in %s, a part "
               "of the log",
               spool);
  cli_message ("proflog run: what each thread did last: proflog stacks %s", log);
}

static bool
begins_as_log (const char *path)
{
  const enum log_head head = log_head_of (path);
  return head == LOG_HEAD_LOG || head == LOG_HEAD_PACKED;
}

/* Adds the files of one process to `part`: those from logs[from] on that differ in the number only.
 * Returns the index after the last. */
static guint
gather_part (struct run_part *part, const struct run_log *log, const GPtrArray *logs, guint from)
{
  const char *first = logs->pdata[from];
  const size_t number = run_log_number_at (log, first);
  guint i = from;
  for (; i < logs->len; i++) {
    const char *path = logs->pdata[i];
    GStatBuf st;
    if (i != from
        && (number == 0 || run_log_number_at (log, path) != number
            || strncmp (path, first, number) != 0))
      break;
    if (!begins_as_log (path) || g_stat (path, &st) != 0) {
      cli_message ("proflog run: '%s' was written but is not a log", path);
      continue;
    }
    part->bytes += (uint64_t) st.st_size;
    g_ptr_array_add (part->paths, (gpointer) path);
  }
  if (part->paths->len != 0)
    part->name = part->paths->len == 1 ? shell_word (part->paths->pdata[0])
                                       : names_for_shell (first, number);
  return i;
}

bool
run_report_logs (const struct run_log *log, pid_t pid, const char *no_log)
{
  g_autoptr (GPtrArray) logs = run_log_written (log, pid);
  bool any = false;
  for (guint i = 0; i < logs->len;) {
    struct run_part part = { .paths = g_ptr_array_new () };
    i = gather_part (&part, log, logs, i);
    if (part.paths->len != 0) {
      any = true;
      report_part (&part);
      report_spool (part.paths->pdata[part.paths->len - 1]);
    }
    g_ptr_array_free (part.paths, TRUE);
    g_free (part.name);
    g_free (part.finding);
  }
  if (!any)
    cli_message ("proflog run: no log was written to %s: %s", run_log_path (log), no_log);
  return any;
}

/* ---- while it grows ---- */

/* Options that would record less than the requested ones (transfer full). */
static char *
advice (const struct run_values *run)
{
  GString *text = g_string_new (NULL);
  if (run->allocs && run->sampling == NULL)
    g_string_append (text, "--allocs=512k");
  else if (run->calls && run->calls_mode == NULL)
    g_string_append (text, "--calls=10us");
  else if (run->heapshot != NULL)
    g_string_append (text, "--heapshot=1min");
  if (run->zip == NULL)
    g_string_append_printf (text, "%s--zip", text->len != 0 ? " or " : "");
  if (text->len != 0)
    g_string_append (text, " would make it smaller; ");
  g_string_append (text, "--max-size=SIZE limits it");
  return g_string_free (text, FALSE);
}

void
run_report_growth (struct run_growth *growth, pid_t pid)
{
  const int64_t now = g_get_monotonic_time (), passed = now - growth->time;
  if (growth->is_reported || (growth->time != 0 && passed < G_USEC_PER_SEC))
    return;
  const uint64_t bytes = run_log_size (growth->log, growth->is_any_process ? 0 : pid);
  const double rate = growth->time != 0 && bytes > growth->bytes
                          ? (double) (bytes - growth->bytes) * G_USEC_PER_SEC / (double) passed
                          : 0;
  growth->time = now;
  growth->bytes = bytes;
  if (bytes < LARGE_BYTES && rate < (double) FAST_BYTES)
    return;
  growth->is_reported = true;
  g_autofree char *size = figure_bytes_text (bytes),
                  *in_second = figure_bytes_text ((uint64_t) rate), *less = advice (growth->run);
  if (rate >= (double) FAST_BYTES)
    cli_message ("proflog run: the log has %s and grows by %s in a second; %s", size, in_second,
                 less);
  else
    cli_message ("proflog run: the log has %s by now; %s", size, less);
}
