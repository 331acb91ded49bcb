/* cmd-fetch.c -- proflog fetch: receives an eventlog from a program's socket. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/system/eventlog-socket.h"
#include "decoder/command/output.h"
#include "decoder/command/message.h"
#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16, MS = 1000, NS_PER_US = 1000 };

#define TIME_MAX_NS (UINT64_C (1000000) * 1000000000 - 1)

struct fetch {
  const char *path;
  const char *output;
  bool force;
  struct cli_number time; /* not set: to the program's end */
  gint64 until;           /* us of the steady clock; 0: the program's end */
  GByteArray *commands;
};

static int
report_error (const struct fetch *f, int error)
{
  cli_message ("proflog fetch: %s: %s", f->path, g_strerror (error));
  return CLI_INPUT;
}

/* -1 with errno. */
static int
connect_to (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  if (g_strlcpy (address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  const int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect (fd, (struct sockaddr *) &address, sizeof address) == 0)
    return fd;
  const int error = errno;
  close (fd);
  errno = error;
  return -1;
}

/* Waits for bytes; false when the time is over. */
static bool
wait_for_bytes (const struct fetch *f, int fd)
{
  struct pollfd polled = { .fd = fd, .events = POLLIN };
  for (;;) {
    const gint64 left = f->until != 0 ? f->until - g_get_monotonic_time () : 0;
    if (f->until != 0 && left <= 0)
      return false;
    const int n = poll (&polled, 1, f->until != 0 ? (int) (left / MS) + 1 : -1);
    if (n > 0 || (n < 0 && errno != EINTR))
      return true;
  }
}

/* Readers after a pipe see each piece at once. */
static int
copy (const struct fetch *f, int fd, struct output *output)
{
  g_autoptr (GString) piece = g_string_sized_new (PIECE_BYTES);
  while (wait_for_bytes (f, fd)) {
    const ssize_t n = recv (fd, piece->str, PIECE_BYTES, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return report_error (f, errno);
    if (n == 0)
      break;
    piece->len = (gsize) n;
    if (!output_write (output, piece) || (output->path == NULL && fflush (output->file) != 0))
      return CLI_INPUT;
  }
  return CLI_OK;
}

static int
fetch (const struct fetch *f)
{
  struct output output;
  const int fd = connect_to (f->path);
  if (fd < 0)
    return report_error (f, errno);
  int status = CLI_OK;
  if (f->commands->len != 0
      && send (fd, f->commands->data, f->commands->len, MSG_NOSIGNAL) != (ssize_t) f->commands->len)
    status = report_error (f, errno);
  if (status == CLI_OK && !output_open (&output, "fetch", f->output, f->force))
    status = CLI_INPUT;
  else if (status == CLI_OK) {
    status = copy (f, fd, &output);
    if (!output_close (&output))
      status = CLI_INPUT;
  }
  close (fd);
  return status;
}

/* ---- the command line ---- */

static bool
parse_command (void *field, const char *text, GError **error)
{
  GByteArray **commands = field;
  if (eventlog_socket_command (*commands, text))
    return true;
  return cli_refuse (error, "there is no command '%s'; there are %s, and NAMESPACE:NUMBER", text,
                     eventlog_socket_names ());
}

static const struct cli_option own[] = {
  { .name = "command",
    .letter = 'c',
    .kind = CLI_PARSED,
    .argument = "COMMAND",
    .offset = offsetof (struct fetch, commands),
    .parse = parse_command,
    .help = "Send a command to a program with eventlog-socket: start-logging, stop-logging, "
            "start-heap-profile, stop-heap-profile, heap-census, or NAMESPACE:NUMBER for a command "
            "of its own; may be repeated" },
  { .name = "time",
    .letter = 't',
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct fetch, time),
    .min = 1,
    .max = TIME_MAX_NS,
    .needed = "a time above 0 and below a million seconds is needed",
    .help = "End after this time: seconds, or a number with ns, us, ms, s, m or h" },
  { .name = "output",
    .letter = 'o',
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct fetch, output),
    .help = "Write to FILE instead of standard output" },
  { .name = "force",
    .kind = CLI_FLAG,
    .offset = offsetof (struct fetch, force),
    .help = "Replace an existing FILE" },
  { .name = NULL },
};

static bool
parse (struct fetch *f, const struct cli_command *spec, int argc, char **argv, int *status)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  if (!cli_parse_or_report (spec, argc, argv, f, words, status))
    return false;
  if (words->len != 1) {
    cli_message ("proflog fetch: one socket is needed; see 'proflog fetch --help'");
    *status = CLI_USAGE;
    return false;
  }
  f->path = words->pdata[0];
  if (f->time.is_set)
    f->until = g_get_monotonic_time () + MAX (1, (gint64) (f->time.value / NS_PER_US));
  return true;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct fetch f = { .commands = g_byte_array_new () };
  int status;
  if (parse (&f, spec, argc, argv, &status))
    status = fetch (&f);
  g_byte_array_unref (f.commands);
  return status;
}

const struct cli_command command_fetch = {
  .name = "fetch",
  .group = CLI_RECORD,
  .summary = "receive an eventlog from a running GHC program",
  .parameters = "SOCKET",
  .description
  = "Connects to the socket of a GHC program and writes the eventlog that the program sends, until "
    "the program ends.  The program has the library eventlog-socket, or libproflog-ghc.\n\n"
    "The exit status is 3 if no program listens at the socket, or if the connection breaks.",
  .examples
  = CLI_EXAMPLES ({ "Write the eventlog that a program sends to a file",
                    "proflog fetch /tmp/app.sock -o app.eventlog" },
                  { "Request a census of the heap, and report on ten seconds",
                    "proflog fetch -c heap-census -t 10 /tmp/app.sock | proflog report -" }),
  .options = { { own, 0 } },
  .run = run,
};
