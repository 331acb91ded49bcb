/* out-of-memory.c -- one line on standard error and a status, where GLib would end the program by
 * SIGTRAP.
 *
 * GLib reports a failed allocation as a fatal message.  To print it, it allocates again: without
 * any memory it calls itself until the stack is full.  So the two functions of the C library that
 * it calls there are replaced in our programs.  They and the handler of the message allocate
 * nothing. */
#include "config.h"

#include "decoder/command/out-of-memory.h"
#include "decoder/command/cli.h"
#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Texts up to this length are formatted once. */
#define SHORT_TEXT 512

/* The text of GLib's message before the number of bytes; large-array.c has the other. */
static const char *const facts[] = { "failed to allocate ", "no memory for " };

int vasprintf (char **text, const char *format, va_list args);
int __vasprintf_chk (char **text, int flag, const char *format, va_list args);
int posix_memalign (void **block, size_t alignment, size_t size);

static int (*before_end) (void);

G_NORETURN static void
end_program (void)
{
  const int status = before_end != NULL ? before_end () : 0;
  _exit (status != 0 ? status : CLI_INPUT);
}

/* `bytes` begins with the number of them, or is NULL. */
G_NORETURN static void
end (const char *bytes)
{
  static const char start[] = "proflog: out of memory";
  static int has_ended;
  char line[128];
  while (__atomic_exchange_n (&has_ended, 1, __ATOMIC_RELAXED) != 0)
    pause (); /* another thread has found the same, and ends all */
  memcpy (line, start, sizeof start);
  if (bytes != NULL) {
    const int digits = (int) strspn (bytes, "0123456789");
    g_snprintf (line, sizeof line, "%s: %.*s bytes could not be allocated", start, digits, bytes);
  }
  const size_t length = strlen (line);
  line[length] = '\n';
  const ssize_t written = write (STDERR_FILENO, line, length + 1);
  (void) written; /* there is no other place for it */
  end_program ();
}

static void
handle (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if ((level & G_LOG_LEVEL_ERROR) != 0 && message != NULL)
    for (guint i = 0; i < G_N_ELEMENTS (facts); i++) {
      const char *at = strstr (message, facts[i]);
      if (at != NULL)
        end (at + strlen (facts[i]));
    }
  g_log_default_handler (domain, level, message, data);
}

static int
print_to_memory (char **text, const char *format, va_list args)
{
  char short_text[SHORT_TEXT];
  va_list again;
  va_copy (again, args);
  const int length = vsnprintf (short_text, sizeof short_text, format, args);
  if (length >= 0) {
    *text = malloc ((size_t) length + 1);
    if (*text == NULL)
      end (NULL);
    if ((size_t) length < sizeof short_text)
      memcpy (*text, short_text, (size_t) length + 1);
    else
      vsnprintf (*text, (size_t) length + 1, format, again);
  }
  va_end (again);
  return length;
}

int
vasprintf (char **text, const char *format, va_list args)
{
  return print_to_memory (text, format, args);
}

/* The name that programs built with _FORTIFY_SOURCE call it by. */
int
__vasprintf_chk (char **text, int flag, const char *format, va_list args)
{
  (void) flag;
  return print_to_memory (text, format, args);
}

/* GLib before 2.76 allocates small blocks in groups with this, and aborts without memory.  The size
 * is a multiple of the alignment, as sanitizers demand. */
int
posix_memalign (void **block, size_t alignment, size_t size)
{
  *block = aligned_alloc (alignment, (size + alignment - 1) & ~(alignment - 1));
  if (*block == NULL)
    end (NULL);
  return 0;
}

/* Locks that GLib allocates at their first use: it has printed a line and calls abort, which ends
 * the program by the signal if this returns. */
static void
handle_abort (int signal)
{
  (void) signal;
  if (errno == ENOMEM)
    end_program ();
}

void
out_of_memory_start (int (*outlast) (void))
{
  before_end = outlast;
  g_log_set_default_handler (handle, NULL);
  signal (SIGABRT, handle_abort);
}

/* Before the beginnings of libraries, of which GLib's allocates. */
static void
start_early (int argc, char **argv, char **environment)
{
  (void) argc;
  (void) argv;
  (void) environment;
  out_of_memory_start (NULL);
}
__attribute__ ((section (".preinit_array"), used)) static void (*const early) (int, char **,
                                                                               char **)
    = start_early;
