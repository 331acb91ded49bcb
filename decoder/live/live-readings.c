/* live-readings.c -- polls and reads several sources in turn. */
#include "config.h"

#include "decoder/live/live-readings.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include <poll.h>
#include <signal.h>
#include <string.h>

#define NS_PER_MS UINT64_C (1000000)

static volatile sig_atomic_t stopped;

static void
stop (int number)
{
  (void) number;
  stopped = 1;
}

bool
live_readings_stopped (void)
{
  return stopped != 0;
}

/* Waiting ends when one comes, and what was read is still written. */
static void
watch_signals (void)
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction action = { .sa_handler = stop, .sa_flags = SA_RESETHAND }, before;
  sigemptyset (&action.sa_mask);
  for (size_t i = 0; i < G_N_ELEMENTS (ends); i++)
    if (sigaction (ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction (ends[i], &action, NULL);
  signal (SIGPIPE, SIG_IGN); /* writing fails instead */
}

int
live_readings_patience (uint64_t due, uint64_t now)
{
  return due <= now ? 0 : (int) MIN (LIVE_WAIT_MS, (due - now) / NS_PER_MS + 1);
}

/* ---- opening ---- */

/* What was given for a source that cannot be given twice. */
static bool
is_given_before (const struct log_command *c, guint i)
{
  for (guint k = 0; k < i; k++)
    if (strcmp (c->logs[k], "-") == 0 && strcmp (c->logs[i], "-") == 0)
      return true;
  return false;
}

static bool
init_all (struct live_readings *rs, const struct live_options *options, GError **error)
{
  struct log_command *const c = rs->command;
  for (guint i = 0; i < rs->count; i++)
    if (is_given_before (c, i))
      return cli_refuse (error, "standard input (-) is given twice");
    else if (!live_reading_init (&rs->all[i], c, c->logs[i], options, error))
      return false;
  return true;
}

void
live_readings_init (struct live_readings *rs, struct log_command *c)
{
  *rs = (struct live_readings){ .command = c, .count = g_strv_length (c->logs) };
  rs->all = g_new0 (struct live_reading, rs->count);
}

bool
live_readings_open (struct live_readings *rs, const struct live_options *options,
                    const struct live_handler *handlers, int *status)
{
  GError *error = NULL;
  const char *const name = rs->command->name;
  if (!init_all (rs, options, &error)) {
    cli_message ("proflog %s: %s; see 'proflog %s --help'", name, error->message, name);
    g_error_free (error);
    *status = CLI_USAGE;
    return false;
  }
  rs->timeout_ns = options->timeout.value;
  rs->opened_at = live_reading_now ();
  for (guint i = 0; i < rs->count; i++) {
    rs->all[i].is_over = !live_reading_open (&rs->all[i], options, &handlers[i]);
    rs->open += !rs->all[i].is_over;
  }
  *status = live_readings_status (rs);
  watch_signals ();
  return rs->open != 0;
}

bool
live_readings_add (struct live_readings *rs, long pid, const struct live_options *options,
                   const struct live_handler *handler)
{
  rs->all = g_renew (struct live_reading, rs->all, rs->count + 1);
  struct live_reading *const r = &rs->all[rs->count++];
  live_reading_init_process (r, rs->command, pid);
  r->is_over = !live_reading_open (r, options, handler);
  rs->open += !r->is_over;
  return !r->is_over;
}

void
live_readings_remove (struct live_readings *rs, guint i)
{
  live_readings_end (rs, i);
  live_reading_close (&rs->all[i]);
  rs->count--;
  memmove (&rs->all[i], &rs->all[i + 1], (rs->count - i) * sizeof *rs->all);
}

void
live_readings_close (struct live_readings *rs)
{
  for (guint i = 0; i < rs->count; i++)
    live_reading_close (&rs->all[i]);
  g_free (rs->all);
}

/* ---- reading ---- */

/* Some of each source.  False if there was nothing. */
static bool
read_some (struct live_readings *rs)
{
  bool any = false;
  for (guint i = 0; i < rs->count; i++) {
    struct live_reading *const r = &rs->all[i];
    if (r->is_over)
      continue;
    const struct live_source *const source = r->source;
    const enum live_news news = live_reading_step (r);
    r->is_over = news == LIVE_END || news == LIVE_FAILED;
    rs->open -= r->is_over;
    any |= news != LIVE_QUIET || r->source != source; /* of the program's next file */
  }
  return any;
}

/* Waits for any source, and inspects the others. */
static void
wait_for_any (struct live_readings *rs, int ms, int input, int output)
{
  struct pollfd *const fds = g_new (struct pollfd, rs->count + 2);
  fds[0] = (struct pollfd){ .fd = input, .events = POLLIN };
  fds[1] = (struct pollfd){ .fd = output, .events = 0 };
  nfds_t n = 2;
  for (guint i = 0; i < rs->count; i++)
    if (!rs->all[i].is_over)
      fds[n++]
          = (struct pollfd){ .fd = live_source_descriptor (rs->all[i].source), .events = POLLIN };
  if (poll (fds, n, MIN (ms, LIVE_LOOK_MS)) > 0)
    rs->output_is_closed |= (fds[1].revents & (POLLERR | POLLHUP)) != 0;
  g_free (fds);
}

bool
live_readings_have_timed_out (const struct live_readings *rs)
{
  uint64_t last = rs->opened_at;
  for (guint i = 0; i < rs->count; i++)
    last = MAX (last, rs->all[i].last_came);
  return rs->timeout_ns != 0 && live_reading_now () - last >= rs->timeout_ns;
}

void
live_readings_end (struct live_readings *rs, guint i)
{
  if (rs->all[i].is_over)
    return;
  live_reading_end (&rs->all[i]);
  rs->all[i].is_over = true;
  rs->open--;
}

static void
end_all (struct live_readings *rs)
{
  for (guint i = 0; i < rs->count; i++)
    live_readings_end (rs, i);
}

enum live_news
live_readings_step (struct live_readings *rs, int ms, int input, int output)
{
  const bool any = read_some (rs);
  if (!any && live_readings_have_timed_out (rs))
    end_all (rs);
  if (rs->open == 0)
    return LIVE_END;
  if (any)
    return LIVE_BYTES;
  wait_for_any (rs, ms, input, output);
  return LIVE_QUIET;
}

int
live_readings_status (const struct live_readings *rs)
{
  for (guint i = 0; i < rs->count; i++)
    if (rs->all[i].failed)
      return CLI_INPUT;
  return CLI_OK;
}
