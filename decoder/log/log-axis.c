/* log-axis.c -- the options of the time axis. */
#include "config.h"

#include "decoder/log/log-axis.h"
#include "decoder/log/log-join.h"
#include <proflog/units.h>
#include <string.h>

/* The shift of the clock of a log. */
struct log_offset {
  char *log; /* as it was given */
  int64_t ns;
};

/* ---- options ---- */

static void
clear_offset (void *data)
{
  const struct log_offset *offset = data;
  g_free (offset->log);
}

void
log_axis_clear (struct log_axis *axis)
{
  g_clear_pointer (&axis->offsets, g_array_unref);
}

bool
log_axis_is_given (const struct log_axis *axis)
{
  return axis->align != LOG_ALIGN_CLOCK || axis->offsets != NULL;
}

static bool
parse_signed_time (const char *text, int64_t *ns)
{
  const bool is_negative = text[0] == '-';
  uint64_t amount;
  if (proflog_parse_time_ns (text + (is_negative || text[0] == '+'), &amount) != PROFLOG_PARSED
      || amount > G_MAXINT64)
    return false;
  *ns = is_negative ? -(int64_t) amount : (int64_t) amount;
  return true;
}

static bool
parse_offset (void *field, const char *text, GError **error)
{
  struct log_axis *axis = field;
  const char *const equals = strrchr (text, '=');
  struct log_offset offset;
  if (equals == NULL || equals == text)
    return cli_refuse (error, "--offset %s: a log and a time are needed, as app.mlpd=-20ms", text);
  if (!parse_signed_time (equals + 1, &offset.ns))
    return cli_refuse (
        error,
        "--offset %s: a time is needed after '=': seconds, or a number with ns, us, "
        "ms, s, m or h, at most 292 years, with '-' in front if the log comes earlier",
        text);
  if (axis->offsets == NULL) {
    axis->offsets = g_array_new (FALSE, FALSE, sizeof (struct log_offset));
    g_array_set_clear_func (axis->offsets, clear_offset);
  }
  offset.log = g_strndup (text, (gsize) (equals - text));
  g_array_append_val (axis->offsets, offset);
  return true;
}

static const struct cli_choice aligns[] = { { "clock", LOG_ALIGN_CLOCK, false },
                                            { "start", LOG_ALIGN_START, false },
                                            { NULL, 0, false } };

const struct cli_option log_axis_options[] = {
  { .name = "align",
    .kind = CLI_CHOICE,
    .argument = "HOW",
    .offset = offsetof (struct log_axis, align),
    .choices = aligns,
    .help
    = "Put several logs on one time axis by clock (default: their times of day), or by start: "
      "all begin at the same time" },
  { .name = "offset",
    .kind = CLI_PARSED,
    .argument = "LOG=T",
    .parse = parse_offset,
    .help
    = "Move a log, by its path or base name, on this axis: later by T, as 1.5s, or earlier, as "
      "-20ms; may be repeated" },
  { .name = NULL },
};

/* ---- names ---- */

/* Its path, or its base name. */
static bool
is_file_called (const char *path, const char *name)
{
  g_autofree char *base = g_path_get_basename (path);
  return strcmp (path, name) == 0 || strcmp (base, name) == 0;
}

/* Is it the name of the log, or of one of its files? */
static bool
is_called (GHashTable *joined, const char *log, const char *name)
{
  char *const *file = log_joined_files (joined, log);
  bool found = is_file_called (log, name);
  for (; !found && file != NULL && *file != NULL; file++)
    found = is_file_called (*file, name);
  return found;
}

static bool
check_name (char *const *logs, GHashTable *joined, const char *name, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  guint found = 0;
  for (char *const *log = logs; *log != NULL; log++) {
    g_ptr_array_add (all, *log);
    found += is_called (joined, *log, name);
  }
  if (found == 0)
    return cli_refuse_value (error, "--offset", name, all);
  return found == 1
         || cli_refuse (error, "--offset %s: %u logs have this name: give a path", name, found);
}

bool
log_axis_check (const struct log_axis *axis, char *const *logs, GHashTable *joined, GError **error)
{
  const GArray *offsets = axis->offsets;
  for (guint i = 0; offsets != NULL && i < offsets->len; i++)
    if (!check_name (logs, joined, g_array_index (offsets, struct log_offset, i).log, error))
      return false;
  return true;
}

bool
log_axis_needs_clocks (const struct log_axis *axis)
{
  return axis->align == LOG_ALIGN_CLOCK;
}

int64_t
log_axis_offset (const struct log_axis *axis, GHashTable *joined, const char *log)
{
  int64_t ns = 0;
  for (guint i = 0; axis->offsets != NULL && i < axis->offsets->len; i++) {
    const struct log_offset *offset = &g_array_index (axis->offsets, struct log_offset, i);
    if (is_called (joined, log, offset->log))
      ns = offset->ns; /* the last one counts */
  }
  return ns;
}
