/* cmd-fetch.c -- proflog fetch: takes an eventlog from a program's socket. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/eventlog-socket.h"
#include "decoder/cli/output.h"
#include "decoder/cli/tell.h"
#include <errno.h>
#include <getopt.h>
#include <glib.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 16, MS = 1000 };

struct fetch {
  const char *path;
  const char *output;
  bool force;
  gint64 until; /* us of the steady clock; 0: the program's end */
  GByteArray *commands;
};

static void
print_help (void)
{
  fputs (
      "Usage: proflog fetch [OPTION...] SOCKET\n"
      "Connects to a GHC program's socket and writes the eventlog that it sends, until it ends.\n"
      "The program has the library eventlog-socket, or libproflog-ghc.\n\n"
      "  -c, --command=COMMAND  tells a program with eventlog-socket, when it is connected, to do\n"
      "                         something; may be given several times: start-logging,\n"
      "                         stop-logging, start-heap-profile, stop-heap-profile,\n"
      "                         heap-census; NAMESPACE:NUMBER for a command of its own\n"
      "  -t, --time=SECONDS     ends after this time\n"
      "  -o, --output=FILE      writes to this file; default: standard output\n"
      "      --force            replaces a file that is there\n"
      "  -h, --help             print this text\n\n"
      "The exit status is 3 if nobody listens there, or the connection breaks.\n\n"
      "Examples:\n"
      "  proflog fetch /tmp/app.sock -o app.eventlog\n"
      "  proflog fetch -c heap-census -t 10 /tmp/app.sock | proflog report -\n",
      stdout);
}

static int G_GNUC_PRINTF (1, 2) usage (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  cli_tell ("proflog fetch: %s; see 'proflog fetch --help'", message);
  return CLI_USAGE;
}

static int
tell_error (const struct fetch *f, int error)
{
  cli_tell ("proflog fetch: %s: %s", f->path, g_strerror (error));
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

/* Readers behind a pipe see each piece at once. */
static int
copy (const struct fetch *f, int fd, struct output *output)
{
  g_autoptr (GString) piece = g_string_sized_new (PIECE_BYTES);
  while (wait_for_bytes (f, fd)) {
    const ssize_t n = recv (fd, piece->str, PIECE_BYTES, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return tell_error (f, errno);
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
    return tell_error (f, errno);
  int status = CLI_OK;
  if (f->commands->len != 0
      && send (fd, f->commands->data, f->commands->len, MSG_NOSIGNAL) != (ssize_t) f->commands->len)
    status = tell_error (f, errno);
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

static bool
parse_seconds (const char *text, gint64 *us)
{
  char *end;
  const double seconds = g_ascii_strtod (text, &end);
  if (end == text || *end != 0 || !(seconds > 0 && seconds < 1e6))
    return false;
  *us = (gint64) (seconds * G_USEC_PER_SEC);
  return true;
}

/* CLI_OK, or CLI_USAGE with a message, or -1 for help. */
static int
parse (struct fetch *f, int argc, char **argv)
{
  enum { FORCE = 256 };
  static const struct option options[] = {
    { "command", required_argument, NULL, 'c' }, { "time", required_argument, NULL, 't' },
    { "output", required_argument, NULL, 'o' },  { "force", no_argument, NULL, FORCE },
    { "help", no_argument, NULL, 'h' },          { NULL, 0, NULL, 0 },
  };
  gint64 time = 0;
  int option;
  optind = 1;
  opterr = 0;
  while ((option = getopt_long (argc, argv, ":c:t:o:h", options, NULL)) != -1)
    switch (option) {
    case 'c':
      if (!eventlog_socket_command (f->commands, optarg))
        return usage ("there is no command '%s'; there are %s, and NAMESPACE:NUMBER", optarg,
                      eventlog_socket_names ());
      break;
    case 't':
      if (!parse_seconds (optarg, &time))
        return usage ("--time=%s: a number of seconds", optarg);
      break;
    case 'o':
      f->output = optarg;
      break;
    case FORCE:
      f->force = true;
      break;
    case 'h':
      return -1;
    case ':':
      return usage ("option '%s' needs a value", argv[optind - 1]);
    default:
      return usage ("there is no option '%s'", argv[optind - 1]);
    }
  if (argc - optind != 1)
    return usage ("there is one socket to be named");
  f->path = argv[optind];
  f->until = time != 0 ? g_get_monotonic_time () + time : 0;
  return CLI_OK;
}

int
cmd_fetch (int argc, char **argv)
{
  struct fetch f = { .commands = g_byte_array_new () };
  int status = parse (&f, argc, argv);
  if (status == -1) {
    print_help ();
    status = CLI_OK;
  } else if (status == CLI_OK) {
    status = fetch (&f);
  }
  g_byte_array_unref (f.commands);
  return status;
}
