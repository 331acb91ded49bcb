/* log-joint.c -- reads several logs into one table of processes. */
#include "config.h"

#include "decoder/log/log-join.h"
#include "decoder/report/summary-parts.h"
#include "decoder/trace/log-trace.h"
#include "decoder/command/message.h"
#include "decoder/trace/trace-joint.h"
#include "decoder/trace/trace-timeline.h"
#include "decoder/output/short-paths.h"
#include "decoder/views/joint-report.h"

#include <string.h>

/* A pipe can be read once only. */
static GPtrArray *
list_files (const struct log_command *c)
{
  GPtrArray *files = g_ptr_array_new ();
  for (char **log = c->logs; *log != NULL; log++)
    if (log_join_is_file (c->joined, *log))
      g_ptr_array_add (files, *log);
  g_ptr_array_add (files, NULL);
  return files;
}

static void
read_logs (struct log_command *c, const struct trace_format *format, void *data)
{
  const bool was_quiet = c->quiet;
  c->quiet = true;
  cli_mute (true);
  log_trace_read_all (c, format, data);
  cli_mute (false);
  c->quiet = was_quiet;
}

static struct joint *
read_joint (struct log_command *c)
{
  struct joint *joint = joint_new ();
  struct trace_joint export;
  trace_joint_init (&export, joint);
  read_logs (c, &trace_joint_format, &export);
  trace_joint_clear (&export);
  joint->begins_together = !log_axis_needs_clocks (&c->axis);
  joint_finish (joint);
  return joint;
}

static struct timeline *
read_timeline (struct log_command *c, const struct joint *joint,
               const struct log_joint_options *options)
{
  uint64_t end = 0;
  for (guint i = 0; i < joint->processes->len; i++)
    end = MAX (end, ((const struct joint_process *) g_ptr_array_index (joint->processes, i))->last);
  struct timeline *timeline = timeline_new (
      0, end,
      options->interval_ns != 0 ? options->interval_ns : timeline_width (end, options->intervals));
  struct trace_timeline export;
  trace_timeline_init (&export, timeline, true);
  read_logs (c, &trace_timeline_format, &export);
  for (guint i = 0; i < MIN (joint->processes->len, timeline->processes->len); i++)
    timeline_end_process (
        timeline, i,
        ((const struct joint_process *) g_ptr_array_index (joint->processes, i))->last);
  trace_timeline_clear (&export);
  return timeline;
}

/* People see logs by their base names where they differ in them. */
static void
shorten_names (struct joint *joint)
{
  g_autoptr (GPtrArray) logs = g_ptr_array_new ();
  for (guint i = 0; i < joint->processes->len; i++)
    g_ptr_array_add (logs, ((struct joint_process *) g_ptr_array_index (joint->processes, i))->log);
  g_autoptr (GPtrArray) names = short_paths (logs);
  for (guint i = 0; i < joint->processes->len; i++) {
    struct joint_process *p = g_ptr_array_index (joint->processes, i);
    g_free (p->name);
    p->name = g_strdup (names->pdata[i]);
  }
}

static void
write_joint (struct log_command *c, struct emitter *e, const struct joint *joint,
             const struct log_joint_options *options, const struct view *view)
{
  struct timeline *timeline = (options->parts & (JOINT_SERIES | JOINT_TIMELINE)) != 0
                                  ? read_timeline (c, joint, options)
                                  : NULL;
  struct view own = *view;
  own.timeline = timeline;
  joint_report_write (e, joint, options->parts, &own);
  g_clear_pointer (&timeline, timeline_free);
}

static bool
has_log (const struct joint *joint, const char *log)
{
  bool found = false;
  for (guint i = 0; joint != NULL && i < joint->processes->len && !found; i++) {
    const struct joint_process *p = g_ptr_array_index (joint->processes, i);
    found = strcmp (p->log, log) == 0;
  }
  return found;
}

/* Names the logs that are not in the common part, or due to which there is none; true if there are
 * any.  A log that is not there gets the message of its own part only. */
static bool
report_absent (const struct log_command *c, GPtrArray *files, const struct joint *joint,
               bool is_written)
{
  bool any = false;
  for (char **log = c->logs; *log != NULL; log++) {
    const bool is_file = g_ptr_array_find (files, *log, NULL);
    if (has_log (joint, *log) || (joint == NULL && is_file))
      continue;
    any = true;
    const bool is_there
        = is_file || strcmp (*log, "-") == 0 || g_file_test (*log, G_FILE_TEST_EXISTS);
    if (!c->quiet && is_there)
      cli_message ("proflog: %s: %s: %s", *log,
                   is_written ? "not in the part on all logs" : "there is no part on all logs",
                   is_file ? "it has no time of day (--align start needs none), or cannot be read"
                           : "it is no file that can be read twice");
  }
  return any;
}

bool
log_joint_write (struct log_command *c, struct emitter *e, const struct log_joint_options *options,
                 const struct view *view)
{
  char **const logs = c->logs;
  g_autoptr (GPtrArray) files = list_files (c);
  struct joint *joint = NULL;
  c->logs = (char **) files->pdata;
  if (files->len > 2)
    joint = read_joint (c);
  const bool is_written = joint != NULL && joint->processes->len > 1;
  if (is_written && emitter_format_is_for_people (emitter_get_format (e)))
    shorten_names (joint);
  if (is_written)
    write_joint (c, e, joint, options, view);
  c->logs = logs;
  const bool is_whole = !report_absent (c, files, joint, is_written);
  g_clear_pointer (&joint, joint_free);
  return is_whole;
}
