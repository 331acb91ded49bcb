/* live-reading.c -- see live-reading.h. */
#include "config.h"

#include "decoder/cli/live-reading.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/control-client.h"
#include "decoder/cli/live-process.h"
#include "decoder/cli/tell.h"
#include "decoder/formats/log-input.h"
#include "decoder/formats/spool-reader.h"
#include <proflog/spool.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_S UINT64_C (1000000000)
#define NS_PER_MS UINT64_C (1000000)

/* How often it is looked whether whoever writes a file that does not grow still lives. */
#define LOOK_NS NS_PER_S

#define FLUSH_MS 1000

static volatile sig_atomic_t stopped;

static void
stop (int number)
{
  (void) number;
  stopped = 1;
}

bool
live_reading_stopped (void)
{
  return stopped != 0;
}

uint64_t
live_reading_now (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * NS_PER_S + (uint64_t) now.tv_nsec;
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
  signal (SIGPIPE, SIG_IGN); /* writing tells */
}

bool
live_reading_parse_time (const char *option, const char *text, uint64_t *ns, GError **error)
{
  struct selection selection = { 0 };
  if (strcmp (text, "0") == 0) {
    *ns = 0;
    return true;
  }
  if (!selection_min_time (&selection, text, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "%s %s: a time is needed: seconds, or with ns, us, ms, s, m, h", option, text);
    return false;
  }
  *ns = selection.min_ns;
  return true;
}

int
live_reading_patience (uint64_t due, uint64_t now)
{
  return due <= now ? 0 : (int) MIN (LIVE_WAIT_MS, (due - now) / NS_PER_MS + 1);
}

bool
live_reading_parse_interval (const char *text, uint64_t *ns, GError **error)
{
  if (text == NULL)
    return true;
  if (!live_reading_parse_time ("--interval", text, ns, error))
    return false;
  if (*ns >= LIVE_INTERVAL_MIN_NS && *ns <= LIVE_INTERVAL_MAX_NS)
    return true;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--interval %s: from 100ms to 1h",
               text);
  return false;
}

/* ---- opening ---- */

/* Opens a log, of which what is there already may be past. */
static bool
open_log (struct live_reading *r, const char *spec, bool from_now)
{
  GError *error = NULL;
  struct live_source *source = live_source_open (spec, r->reconnect, &error);
  if (source == NULL) {
    cli_tell ("proflog %s: %s", r->command->name, error->message);
    g_error_free (error);
    return false;
  }
  live_source_close (r->source);
  r->source = source;
  r->given = 0;
  r->from = from_now ? live_source_size (source) : 0;
  return true;
}

/* A program that is stopped tells nothing, and cannot be told to write anything. */
static void
look_at_process (struct live_reading *r)
{
  const bool is_stopped = control_client_is_stopped (r->pid);
  if (is_stopped && !r->is_stopped && !r->command->quiet)
    cli_tell ("proflog %s: process %ld does not answer: it is stopped; what it has not written yet "
              "comes when it goes on",
              r->command->name, r->pid);
  r->is_stopped = is_stopped;
}

/* The log of a program that cannot be asked is the file that it has open. */
static bool
open_process (struct live_reading *r, bool from_now)
{
  GError *error = NULL;
  look_at_process (r);
  if (!r->is_stopped && live_process_ask (r->pid, &r->files, &error)) {
    r->log = g_strdup (r->files.source);
    r->file = live_process_number (&r->files, r->log);
    return open_log (r, r->log, from_now);
  }
  r->log = live_process_find_log (r->pid);
  if (error != NULL)
    cli_tell ("proflog %s: %s%s%s", r->command->name, error->message,
              r->log != NULL ? "; reading its log " : "", r->log != NULL ? r->log : "");
  else if (r->log == NULL)
    cli_tell ("proflog %s: process %ld: no log is found that it writes", r->command->name, r->pid);
  g_clear_error (&error);
  return r->log != NULL && open_log (r, r->log, from_now);
}

/* What the options ask for; false with an error. */
static bool
parse_options (struct live_reading *r, const struct live_options *options, bool *from_now,
               uint64_t *flush_ns, GError **error)
{
  const char *spec = r->command->logs[0];
  r->pid = live_process_of (spec);
  r->reconnect = options->reconnect;
  *from_now = r->pid != 0;
  if (r->command->logs[1] != NULL) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: one source at a time",
                 r->command->logs[1]);
    return false;
  }
  if (options->from != NULL) {
    *from_now = strcmp (options->from, "now") == 0;
    if (!*from_now && strcmp (options->from, "start") != 0) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "--from %s: there are start and now", options->from);
      return false;
    }
  }
  *flush_ns = FLUSH_MS * NS_PER_MS;
  return (options->flush == NULL
          || live_reading_parse_time ("--flush", options->flush, flush_ns, error))
         && (options->give_up == NULL
             || live_reading_parse_time ("--give-up", options->give_up, &r->give_up_ns, error));
}

bool
live_reading_open (struct live_reading *r, struct log_command *c,
                   const struct live_options *options, const struct live_handler *handler,
                   int *status)
{
  GError *error = NULL;
  bool from_now;
  uint64_t flush_ns;
  *r = (struct live_reading){ .command = c };
  if (!parse_options (r, options, &from_now, &flush_ns, &error)) {
    cli_tell ("proflog %s: %s; see 'proflog %s --help'", c->name, error->message, c->name);
    g_error_free (error);
    *status = CLI_USAGE;
    return false;
  }
  *status = CLI_INPUT;
  if (!(r->pid != 0 ? open_process (r, from_now) : open_log (r, c->logs[0], from_now)))
    return false;
  r->feed = live_feed_new (handler);
  r->last_came = live_reading_now ();
  if (r->pid != 0 && flush_ns >= NS_PER_MS)
    live_process_flush_every (r->pid, (unsigned) (flush_ns / NS_PER_MS));
  watch_signals ();
  *status = CLI_OK;
  return true;
}

void
live_reading_close (struct live_reading *r)
{
  live_feed_free (r->feed);
  live_source_close (r->source);
  live_process_log_clear (&r->files);
  g_free (r->log);
}

bool
live_reading_is_past (const struct live_reading *r)
{
  return live_source_offset (r->source) < r->from;
}

/* ---- the end ---- */

static enum live_news
fail (struct live_reading *r, const GError *error)
{
  if (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT))
    cli_tell ("proflog %s: %s", r->command->name, error->message);
  else
    cli_tell ("proflog %s: %s: %s", r->command->name, live_source_name (r->source), error->message);
  r->failed = true;
  return LIVE_FAILED;
}

static enum live_news
finish (struct live_reading *r)
{
  if (!live_feed_finish (r->feed) && live_feed_error (r->feed) != NULL)
    return fail (r, live_feed_error (r->feed));
  return LIVE_END;
}

/* Learns what the program can tell of its files.  False if it does not answer. */
static bool
learn_files (struct live_reading *r)
{
  const bool told = !r->is_stopped && live_process_ask (r->pid, &r->files, NULL);
  if (!told)
    live_process_take_last (&r->files);
  if (r->file == 0)
    r->file = live_process_number (&r->files, r->log);
  return told;
}

/* The file that the program's log goes on in behind that which was read, and its number; NULL if
 * there is none.  With g_free. */
static char *
find_next (const struct live_reading *r, bool told, uint64_t *number)
{
  const struct live_process_log *files = &r->files;
  const bool is_file = !g_str_has_prefix (r->log, LIVE_CONNECT);
  *number = r->file + 1;
  if (files->files == 0 || (r->file == 0 && is_file)) { /* only where it is now can be known */
    *number = files->files;
    if (!told)
      return live_process_next_numbered (r->log);
    return live_process_is_same (files->source, r->log) ? NULL : g_strdup (files->source);
  }
  const char *name = live_process_file (files, *number);
  if (name != NULL)
    return g_strdup (name);
  if (told && files->files < *number)
    return NULL;
  char *next = live_process_next_numbered (r->log);
  if (next != NULL || files->files < *number)
    return next;
  *number = files->files - files->names->len + 1;
  return g_strdup (live_process_file (files, *number));
}

/* The program may have gone on in another file; what that has is new.  False if not. */
static bool
go_on_elsewhere (struct live_reading *r)
{
  if (r->log == NULL)
    return false;
  const bool told = learn_files (r);
  uint64_t number;
  char *next;
  while ((next = find_next (r, told, &number)) != NULL) {
    if (number > r->file + 1 && r->file != 0)
      cli_tell ("proflog %s: files %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                " of the log are missed: the program does not tell their names any more",
                r->command->name, r->file + 1, number - 1);
    g_free (r->log);
    r->log = next;
    r->file = number;
    if (open_log (r, r->log, false))
      return true;
  }
  return false;
}

/* A stream ended: whether the program's log goes on elsewhere, or the program only lost us. */
static bool
goes_on (struct live_reading *r)
{
  if (r->pid != 0 && go_on_elsewhere (r))
    return true;
  if (live_feed_is_complete (r->feed) || !live_source_connect_again (r->source))
    return false;
  r->breaks++;
  return true;
}

/* What the spool of a killed writer has behind what was read. */
static void
take_rest (struct live_reading *r, const char *path)
{
  struct log_input *input = log_input_open (path, NULL);
  const uint8_t *bytes;
  size_t length;
  uint64_t at = 0;
  if (input == NULL)
    return;
  const struct log_input_recovery *recovery = log_input_recovery (input);
  if (recovery != NULL && !r->command->quiet)
    cli_tell ("proflog %s: %s", r->command->name, recovery->message);
  while (log_input_read (input, &bytes, &length, NULL) && length != 0) {
    const size_t known = (size_t) MIN (length, r->given - MIN (r->given, at));
    live_feed_push (r->feed, bytes + known, length - known);
    at += length;
  }
  log_input_close (input);
}

/* Whether the writer of a file was killed: then its spool is nobody's. */
static bool
was_killed (const char *path)
{
  char *name = g_strconcat (path, PROFLOG_SPOOL_SUFFIX, NULL);
  struct spool *spool = access (name, F_OK) == 0 ? spool_open (name, NULL) : NULL;
  g_free (name);
  spool_close (spool);
  return spool != NULL;
}

/* At the end of a file of the program's log: whether there is more.  The next one is there before
 * that end is. */
static enum live_news
look_for_next (struct live_reading *r)
{
  if (go_on_elsewhere (r) || r->is_stopped || r->reconnect)
    return LIVE_QUIET;
  return finish (r);
}

/* Nothing is there at present: is that all? */
static enum live_news
look (struct live_reading *r)
{
  const uint64_t now = live_reading_now ();
  const char *file = live_source_file (r->source);
  const bool is_complete = file != NULL && live_feed_is_complete (r->feed);
  if (r->give_up_ns != 0 && now - r->last_came >= r->give_up_ns)
    return finish (r);
  if (is_complete && r->pid == 0 && !r->reconnect)
    return finish (r);
  if (now - r->looked_at < LOOK_NS && !(is_complete && r->looked_at <= r->last_came))
    return LIVE_QUIET;
  r->looked_at = now;
  if (r->pid != 0)
    look_at_process (r);
  if (is_complete && r->pid != 0)
    return look_for_next (r);
  if (file != NULL && !is_complete && was_killed (file)) {
    take_rest (r, file);
    return finish (r);
  }
  return LIVE_QUIET;
}

enum live_news
live_reading_step (struct live_reading *r, int ms)
{
  const uint8_t *bytes;
  size_t length;
  GError *error = NULL;
  const enum live_news news = live_source_wait (r->source, ms, &bytes, &length, &error);
  switch (news) {
  case LIVE_BEGIN:
    live_feed_begin (r->feed);
    r->given = 0;
    r->logs++;
    break;
  case LIVE_BYTES:
    r->last_came = live_reading_now ();
    r->given += length;
    if (!live_feed_push (r->feed, bytes, length) && !r->reconnect)
      return fail (r, live_feed_error (r->feed));
    break;
  case LIVE_QUIET:
    return look (r);
  case LIVE_END:
    return goes_on (r) ? LIVE_QUIET : finish (r);
  case LIVE_FAILED:
    fail (r, error);
    g_error_free (error);
    break;
  }
  return news;
}
