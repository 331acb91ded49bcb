/* live-reading.c -- feeds a log that is being written, and detects its end. */
#include "config.h"

#include "decoder/live/live-reading.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/input/log-input.h"
#include "decoder/input/log-writer.h"
#include "decoder/input/spool-logs.h"
#include "decoder/live/live-process.h"
#include "decoder/system/control-programs.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <proflog/spool.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_S UINT64_C (1000000000)
#define NS_PER_MS UINT64_C (1000000)

/* How often the writer of a file that does not grow is checked to run. */
#define CHECK_NS NS_PER_S

/* Where nothing came for this time, bytes that wait for more may wait in vain: something is
 * damaged. */
#define VAIN_NS (2 * NS_PER_S)

uint64_t
live_reading_now (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * NS_PER_S + (uint64_t) now.tv_nsec;
}

static const struct cli_choice starts[] = { { "beginning", LIVE_START_BEGINNING, false },
                                            { "start", LIVE_START_BEGINNING, true },
                                            { "now", LIVE_START_NOW, false },
                                            { NULL, 0, false } };

const struct cli_option live_options[] = {
  { .name = "reconnect",
    .kind = CLI_FLAG,
    .offset = offsetof (struct live_options, reconnect),
    .help = "At the end of a log wait for the next one, and for a socket that does not exist yet" },
  { .name = "start",
    .kind = CLI_CHOICE,
    .argument = "beginning|now",
    .offset = offsetof (struct live_options, start),
    .choices = starts,
    .help = "Print from the beginning (the default for a file), or from now (for a process)" },
  { .name = "from", .kind = CLI_ALIAS, .help = "start" },
  { .name = "flush",
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct live_options, flush),
    .max = UINT64_MAX,
    .help = "Make a process flush its log at this interval (default 1s; 0: never)" },
  { .name = "timeout",
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct live_options, timeout),
    .max = UINT64_MAX,
    .help = "End when nothing has arrived for this time" },
  { .name = "give-up", .kind = CLI_ALIAS, .help = "timeout" },
  { .name = NULL },
};

/* ---- opening ---- */

/* Opens a log, whose present bytes may be of before the reader came. */
static bool
open_log (struct live_reading *r, const char *spec, bool from_now)
{
  GError *error = NULL;
  if (r->needs_file && g_str_has_prefix (spec, LIVE_CONNECT)) {
    cli_message (
        "proflog %s: process %ld is left out: its log goes to the socket %s, which accepts "
        "one reader; to read it, give the process id instead of --all",
        r->command->name, r->pid, spec + strlen (LIVE_CONNECT));
    return false;
  }
  struct live_source *source = live_source_open (spec, r->reconnect, &error);
  if (source == NULL) {
    cli_message ("proflog %s: %s", r->command->name, error->message);
    g_error_free (error);
    return false;
  }
  live_source_close (r->source);
  r->source = source;
  r->given = 0;
  r->from = from_now ? live_source_size (source) : 0;
  return true;
}

/* A stopped program reports nothing, and cannot flush its log. */
static void
query_process (struct live_reading *r)
{
  const bool is_stopped = control_client_is_stopped (r->pid);
  if (is_stopped && !r->is_stopped && !r->command->quiet)
    cli_message ("proflog %s: process %ld does not answer: it is stopped; unwritten events "
                 "follow when it continues",
                 r->command->name, r->pid);
  r->is_stopped = is_stopped;
}

/* The log of a program that replies to no query is the file that it has open. */
static bool
open_process (struct live_reading *r, bool from_now)
{
  GError *error = NULL;
  query_process (r);
  if (!r->is_stopped && live_process_query (r->pid, &r->files, &error)) {
    r->log = g_strdup (r->files.source);
    r->file = live_process_number (&r->files, r->log);
    return open_log (r, r->log, from_now);
  }
  r->log = process_log_find (r->pid, true);
  if (error != NULL)
    cli_message ("proflog %s: %s%s%s", r->command->name, error->message,
                 r->log != NULL ? "; reading its log " : "", r->log != NULL ? r->log : "");
  else if (r->log == NULL)
    cli_message ("proflog %s: process %ld: cannot find its log", r->command->name, r->pid);
  g_clear_error (&error);
  return r->log != NULL && open_log (r, r->log, from_now);
}

/* An assembly or a program of the system is no log, and its name stands for the process. */
static bool
is_program_file (const char *path)
{
  char bytes[4] = "";
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fopen (path, "re") : NULL;
  const size_t n = file != NULL ? fread (bytes, 1, sizeof bytes, file) : 0;
  if (file != NULL)
    fclose (file);
  return n == sizeof bytes && (memcmp (bytes, "MZ", 2) == 0 || memcmp (bytes, "\177ELF", 4) == 0);
}

/* A file whose state is unknown may be there. */
static bool
is_missing (const char *path)
{
  return access (path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* A word that is neither a log nor the address of one may be the name of a program. */
static bool
find_program (struct live_reading *r, const char *name, GError **error)
{
  GError *several = NULL;
  if (strpbrk (name, "/:") != NULL || strcmp (name, "-") == 0
      || (!is_missing (name) && !is_program_file (name)))
    return true;
  r->pid = control_programs_find (name, &several);
  if (several == NULL)
    return true;
  cli_refuse (error, "%s", several->message);
  g_error_free (several);
  return false;
}

/* Finds the kind of a source of the command; the name is borrowed.  False with an error if several
 * programs have it. */
static bool
live_reading_init (struct live_reading *r, struct log_command *c, const char *name,
                   const struct live_options *options, GError **error)
{
  *r = (struct live_reading){
    .command = c, .name = name, .pid = live_process_of (name), .reconnect = options->reconnect
  };
  return r->pid != 0 || find_program (r, name, error);
}

/* The same for a process that was not named.  The reading goes on from each of its logs to the
 * next, until it is ended (live_reading_end).  It does not connect to a socket, which has one
 * reader.
 */
static void
live_reading_init_process (struct live_reading *r, struct log_command *c, long pid)
{
  *r = (struct live_reading){
    .command = c, .name = "", .pid = pid, .reconnect = true, .needs_file = true
  };
}

/* Whether the log lacks its end as it goes on, and is not read on.  Of a file that was given,
 * anybody may be the writer, or nobody now. */
static bool
is_being_written (const struct live_reading *r)
{
  const char *file = live_source_file (r->source);
  if (r->is_left && (file == NULL || r->pid != 0))
    return true;
  return file != NULL && (r->is_left || r->is_timed_out) && log_writer_of (file) != 0;
}

/* See live_feed_judge. */
static bool
judge_damage (void *reading, const struct live_feed_damage *damage)
{
  struct live_reading *const r = reading;
  if (damage->is_end && is_being_written (r))
    return false;
  if (!damage->is_slowness)
    live_damage_add (&r->damage, damage);
  return true;
}

/* Opens the source.  False with a message. */
static bool
live_reading_open (struct live_reading *r, const struct live_options *options,
                   const struct live_handler *handler)
{
  const unsigned start = options->start;
  const bool from_now = start == LIVE_START_DEFAULT ? r->pid != 0 : start == LIVE_START_NOW;
  const uint64_t flush_ns = options->flush.value;
  /* A process that has ended has no name. */
  r->program = r->pid != 0 ? process_name (r->pid) : NULL;
  if (!(r->pid != 0 ? open_process (r, from_now) : open_log (r, r->name, from_now))) {
    r->failed = true;
    return false;
  }
  r->feed = live_feed_new (handler);
  r->last_came = live_reading_now ();
  if (r->pid != 0 && flush_ns != 0)
    r->flusher = live_flusher_start (r->pid, (unsigned) CLAMP (flush_ns / NS_PER_MS, 1, UINT_MAX));
  return true;
}

static void
live_reading_close (struct live_reading *r)
{
  if (r->flusher != NULL)
    live_flusher_stop (r->flusher);
  if (r->source != NULL)
    live_damage_warn_last (&r->damage, live_source_name (r->source));
  live_damage_clear (&r->damage);
  live_feed_free (r->feed);
  live_source_close (r->source);
  live_process_log_clear (&r->files);
  g_free (r->log);
  g_free (r->program);
}

bool
live_reading_is_past (const struct live_reading *r)
{
  return r->source != NULL && live_source_offset (r->source) < r->from;
}

/* ---- the end ---- */

static enum live_news
fail (struct live_reading *r, const GError *error)
{
  if (g_error_matches (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT))
    cli_message ("proflog %s: %s", r->command->name, error->message);
  else
    cli_message ("proflog %s: %s: %s", r->command->name, live_source_name (r->source),
                 error->message);
  r->failed = true;
  return LIVE_FAILED;
}

static enum live_news
finish (struct live_reading *r)
{
  process_forget (r->pid);
  if (!live_feed_finish (r->feed) && live_feed_error (r->feed) != NULL)
    return fail (r, live_feed_error (r->feed));
  return LIVE_END;
}

/* No more is waited for: the bytes so far are handed on. */
static void
live_reading_end (struct live_reading *r)
{
  r->is_timed_out = true;
  finish (r);
}

/* Queries the program for its files.  False if it does not reply. */
static bool
update_files (struct live_reading *r)
{
  const bool is_known = !r->is_stopped && live_process_query (r->pid, &r->files, NULL);
  if (!is_known && r->flusher != NULL)
    live_flusher_last_log (r->flusher, &r->files);
  if (r->file == 0)
    r->file = live_process_number (&r->files, r->log);
  return is_known;
}

/* The file that the program's log goes on in after that which was read, and its number; NULL if
 * there is none.  With g_free. */
static char *
find_next (const struct live_reading *r, bool is_known, uint64_t *number)
{
  const struct live_process_log *files = &r->files;
  const bool is_file = !g_str_has_prefix (r->log, LIVE_CONNECT);
  *number = r->file + 1;
  if (files->files == 0 || (r->file == 0 && is_file)) { /* only where it is now can be known */
    *number = files->files;
    if (!is_known)
      return live_process_next_numbered (r->log);
    return live_process_is_same (files->source, r->log) ? NULL : g_strdup (files->source);
  }
  const char *name = live_process_file (files, *number);
  if (name != NULL)
    return g_strdup (name);
  if (is_known && files->files < *number)
    return NULL;
  char *next = live_process_next_numbered (r->log);
  if (next != NULL || files->files < *number)
    return next;
  *number = files->files - files->names->len + 1;
  return g_strdup (live_process_file (files, *number));
}

/* Files from `first` up to `next` were not read. */
static void
report_missed (const struct live_reading *r, uint64_t first, uint64_t next)
{
  if (next - first == 1)
    cli_message ("proflog %s: process %ld: file %" G_GUINT64_FORMAT
                 " of the log is missed: it is no longer there",
                 r->command->name, r->pid, first);
  else
    cli_message ("proflog %s: process %ld: files %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                 " of the log are missed: they are no longer there",
                 r->command->name, r->pid, first, next - 1);
}

/* The program may have gone on in another file, whose events are new.  False if not. */
static bool
go_on_elsewhere (struct live_reading *r)
{
  if (r->log == NULL)
    return false;
  const bool is_known = update_files (r);
  const uint64_t first = r->file + 1;
  uint64_t number;
  char *next;
  while ((next = find_next (r, is_known, &number)) != NULL) {
    const bool is_deleted
        = !g_str_has_prefix (next, LIVE_CONNECT) && !g_file_test (next, G_FILE_TEST_EXISTS);
    if (!is_deleted && number > first && first != 1)
      report_missed (r, first, number);
    g_free (r->log);
    r->log = next;
    r->file = number;
    if (!is_deleted && open_log (r, r->log, false))
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
  if (live_feed_is_complete (r->feed) || !live_source_reconnect (r->source))
    return false;
  r->breaks++;
  return true;
}

/* Reads the events in the spool of a killed writer after those of the file. */
static void
read_rest_of_file (struct live_reading *r, const char *path)
{
  struct log_input *input = log_input_open (path, NULL);
  const uint8_t *bytes;
  size_t length;
  uint64_t at = 0;
  GError *error = NULL;
  if (input == NULL)
    return;
  const struct log_input_recovery *recovery = log_input_recovery (input);
  if (recovery != NULL && !r->command->quiet)
    cli_message ("proflog %s: %s", r->command->name, recovery->message);
  while (log_input_read (input, &bytes, &length, &error) && length != 0) {
    const size_t known = (size_t) MIN (length, r->given - MIN (r->given, at));
    live_feed_push (r->feed, bytes + known, length - known);
    at += length;
  }
  if (error != NULL)
    fail (r, error);
  g_clear_error (&error);
  log_input_close (input);
}

/* Whether the writer of a file was killed: then its spool has no owner. */
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
open_next_file (struct live_reading *r)
{
  if (go_on_elsewhere (r) || r->is_stopped || r->reconnect)
    return LIVE_QUIET;
  return finish (r);
}

/* Bytes of an eventlog's header, at most. */
#define HEADER_MAX 16384

#define SLOW_NS UINT64_C (2000000000)

/* The runtime of GHC buffers its log: who reads a FIFO sees nothing for minutes, and no reason. */
static void
explain_slow_pipe (struct live_reading *r, uint64_t now)
{
  if (r->is_slow || r->command->quiet || !live_source_is_pipe (r->source) || r->given > HEADER_MAX
      || (r->given != 0 && !live_feed_is_eventlog (r->feed)))
    return;
  if (r->quiet_since == 0)
    r->quiet_since = now;
  if (now - MAX (r->quiet_since, r->last_came) < SLOW_NS)
    return;
  r->is_slow = true;
  cli_message (
      "proflog %s: %s: no events for 2 s: the runtime of GHC writes its log in pieces of up "
      "to 2 MiB; from 9.2 on +RTS --eventlog-flush-interval=1 writes them each second",
      r->command->name, live_source_name (r->source));
}

/* Nothing is there at present: is that all? */
static enum live_news
check_source (struct live_reading *r)
{
  const uint64_t now = live_reading_now ();
  const char *file = live_source_file (r->source);
  explain_slow_pipe (r, now);
  if (file != NULL) /* else its end would be known a step later, when all is of the past already */
    live_feed_flush (r->feed);
  const bool is_vain = now - r->last_came >= VAIN_NS;
  const bool is_complete
      = file != NULL
        && (live_feed_is_complete (r->feed) || (is_vain && live_feed_waits_after_end (r->feed)));
  if (is_vain && !is_complete && !live_feed_read_part (r->feed))
    return fail (r, live_feed_error (r->feed));
  if (is_complete && r->pid == 0 && !r->reconnect)
    return finish (r);
  if (now - r->checked_at < CHECK_NS && !(is_complete && r->checked_at <= r->last_came))
    return LIVE_QUIET;
  r->checked_at = now;
  if (r->pid != 0)
    query_process (r);
  if (is_complete && r->pid != 0)
    return open_next_file (r);
  if (file != NULL && !is_complete && was_killed (file)) {
    read_rest_of_file (r, file);
    return finish (r);
  }
  return LIVE_QUIET;
}

/* Hands on the bytes at hand; does not block.  LIVE_END and LIVE_FAILED (reported) are the last. */
static enum live_news
live_reading_step (struct live_reading *r)
{
  const uint8_t *bytes;
  size_t length;
  GError *error = NULL;
  const bool is_flushed = r->flusher == NULL || live_flusher_has_flushed (r->flusher);
  const enum live_news news = live_source_read (r->source, &bytes, &length, &error);
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
    r->has_caught_up |= is_flushed;
    return check_source (r);
  case LIVE_END:
    return goes_on (r) ? LIVE_QUIET : finish (r);
  case LIVE_FAILED:
    fail (r, error);
    g_error_free (error);
    break;
  }
  return news;
}

/* ---- the logs of a command ---- */

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

/* Waiting ends when one comes, and events that were read are still written. */
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

/* Whether the source is given a second time, and must not be. */
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

/* Readings move in memory as others come and go, and their feeds refer to them. */
static void
judge_all (struct live_readings *rs)
{
  for (guint i = 0; i < rs->count; i++)
    if (rs->all[i].feed != NULL)
      live_feed_set_judge (rs->all[i].feed, judge_damage, &rs->all[i]);
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
    live_damage_init (&rs->all[i].damage, rs->command, rs->names_damage);
    rs->all[i].is_over = !live_reading_open (&rs->all[i], options, &handlers[i]);
    rs->open += !rs->all[i].is_over;
  }
  judge_all (rs);
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
  live_damage_init (&r->damage, rs->command, rs->names_damage);
  r->is_over = !live_reading_open (r, options, handler);
  rs->open += !r->is_over;
  judge_all (rs);
  return !r->is_over;
}

void
live_readings_remove (struct live_readings *rs, guint i)
{
  live_readings_end (rs, i);
  live_reading_close (&rs->all[i]);
  rs->count--;
  memmove (&rs->all[i], &rs->all[i + 1], (rs->count - i) * sizeof *rs->all);
  judge_all (rs);
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
live_readings_read_rest (struct live_readings *rs, guint i)
{
  struct live_reading *const r = &rs->all[i];
  r->is_left = true;
  if (!r->is_over)
    finish (r);
}

void
live_readings_warn (struct live_readings *rs)
{
  for (guint i = 0; i < rs->count; i++)
    if (rs->all[i].source != NULL)
      live_damage_warn (&rs->all[i].damage, live_source_name (rs->all[i].source));
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
