/* terminal.c -- escape sequences that all terminals support. */
#include "config.h"

#include "decoder/command/terminal.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static bool is_open;

static void
put (const char *bytes, size_t length)
{
  while (length > 0) {
    const ssize_t n = write (STDOUT_FILENO, bytes, length);
    if (n <= 0)
      return;
    bytes += n;
    length -= (size_t) n;
  }
}

#define PUT(text) put (text, sizeof (text) - 1)

/* Waiting ends, and the page is made anew. */
static void
changed (int number)
{
  (void) number;
}

bool
terminal_open (void)
{
  struct sigaction action = { .sa_handler = changed };
  if (!isatty (STDIN_FILENO) || !isatty (STDOUT_FILENO) || tcgetattr (STDIN_FILENO, &before) != 0)
    return false;
  struct termios raw = before;
  raw.c_lflag &= ~(tcflag_t) (ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  raw.c_cc[VSUSP] = _POSIX_VDISABLE; /* it would leave the terminal as it is */
  if (tcsetattr (STDIN_FILENO, TCSANOW, &raw) != 0)
    return false;
  sigemptyset (&action.sa_mask);
  sigaction (SIGWINCH, &action, NULL);
  PUT ("\033[?1049h\033[?25l"); /* another screen, no cursor */
  is_open = true;
  return true;
}

void
terminal_close (void)
{
  if (!is_open)
    return;
  PUT ("\033[?25h\033[?1049l");
  tcsetattr (STDIN_FILENO, TCSANOW, &before);
  is_open = false;
}

void
terminal_size (unsigned *columns, unsigned *rows)
{
  struct winsize size;
  const bool is_known
      = ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 && size.ws_row != 0;
  *columns = is_known ? size.ws_col : 80;
  *rows = is_known ? size.ws_row : 24;
}

/* Fewer columns are no help for anybody. */
#define COLUMNS_MIN 40

unsigned
terminal_columns (void)
{
  const char *text = g_getenv ("COLUMNS");
  unsigned columns, rows;
  guint64 given;
  if (text != NULL && g_ascii_string_to_unsigned (text, 10, COLUMNS_MIN, G_MAXINT, &given, NULL))
    return (unsigned) given;
  terminal_size (&columns, &rows);
  return MAX (columns, COLUMNS_MIN);
}

void
terminal_show (const GString *page)
{
  GString *out = g_string_new ("\033[H");
  const char *line = page->str;
  for (const char *end; (end = strchr (line, '\n')) != NULL; line = end + 1) {
    g_string_append_len (out, line, end - line);
    g_string_append (out, "\033[K\r\n"); /* nothing of the last page after it */
  }
  g_string_append (out, "\033[J");
  put (out->str, out->len);
  g_string_free (out, TRUE);
}

static int
next_byte (void)
{
  struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
  unsigned char byte;
  return poll (&fd, 1, 0) > 0 && read (STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_NONE;
}

int
terminal_key (void)
{
  const int byte = next_byte ();
  if (byte != '\033')
    return byte;
  const int second = next_byte (); /* of an arrow: ESC [ A */
  const int third = second == '[' || second == 'O' ? next_byte () : KEY_NONE;
  return third == 'A' ? KEY_UP : third == 'B' ? KEY_DOWN : KEY_NONE;
}
