/* output.c -- standard output, or a temporary file that is renamed. */
#include "config.h" /* first, for renameat2 */

#include "decoder/cli/output.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a signal that ends the process must not leave behind. */
static char *volatile doomed;

static void
clean_up (int number)
{
  if (doomed != NULL)
    unlink (doomed);
  raise (number); /* blocked until here is left, then deadly */
}

static void
watch_signals (void)
{
  static const int deadly[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU };
  for (size_t i = 0; i < G_N_ELEMENTS (deadly); i++) {
    struct sigaction action = { .sa_handler = clean_up, .sa_flags = SA_RESETHAND }, before;
    sigemptyset (&action.sa_mask);
    /* What was ignored (nohup) stays so. */
    if (sigaction (deadly[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction (deadly[i], &action, NULL);
  }
}

static bool
fail (struct output *o, int code)
{
  /* Who closes a pipe has seen enough. */
  if (!o->failed && code != EPIPE)
    fprintf (stderr, "proflog %s: cannot write %s: %s%s\n", o->command,
             o->path != NULL ? o->path : "to standard output", g_strerror (code),
             code == EEXIST ? " (--force replaces it)" : "");
  o->failed = true;
  return false;
}

static bool
open_temporary (struct output *o)
{
  char *temporary = g_strconcat (o->path, ".XXXXXX", NULL);
  int fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) {
    g_free (temporary);
    return fail (o, errno);
  }
  o->temporary = doomed = temporary;
  watch_signals ();
  o->file = fdopen (fd, "w");
  return o->file != NULL ? true : fail (o, errno);
}

bool
output_open (struct output *o, const char *command, const char *path, bool force)
{
  *o = (struct output){ .command = command, .force = force };
  if (path == NULL || strcmp (path, "-") == 0) {
    o->file = stdout;
    return true;
  }
  o->path = path;
  GStatBuf st;
  if (g_stat (path, &st) == 0 && !S_ISREG (st.st_mode)) {
    o->file = g_fopen (path, "we"); /* a device or a pipe, which nothing can take the place of */
    return o->file != NULL ? true : fail (o, errno);
  }
  if (!force && g_lstat (path, &st) == 0)
    return fail (o, EEXIST);
  return open_temporary (o);
}

bool
output_write (struct output *o, const GString *text)
{
  if (o->failed)
    return false;
  return fwrite (text->str, 1, text->len, o->file) == text->len ? true : fail (o, errno);
}

/* Gives the file its name.  Without `force` a file that came there meanwhile stays. */
static bool
put_in_place (struct output *o)
{
  if (!o->force && renameat2 (AT_FDCWD, o->temporary, AT_FDCWD, o->path, RENAME_NOREPLACE) == 0)
    return true;
  /* Not every file system can do that. */
  if (!o->force && errno != EINVAL && errno != ENOSYS)
    return fail (o, errno);
  return rename (o->temporary, o->path) == 0 ? true : fail (o, errno);
}

bool
output_close (struct output *o)
{
  bool empty = o->file == NULL || ftello (o->file) == 0;
  if (o->file != NULL && fflush (o->file) != 0)
    fail (o, errno);
  if (o->file != NULL && o->file != stdout && fclose (o->file) != 0)
    fail (o, errno);
  o->file = NULL;
  if (o->temporary != NULL) {
    if (o->failed || empty || !put_in_place (o))
      unlink (o->temporary);
    doomed = NULL;
    g_free (o->temporary);
    o->temporary = NULL;
  }
  return !o->failed;
}
