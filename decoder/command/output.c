/* output.c -- standard output, a pager, or a temporary file that is renamed. */
#include "config.h" /* first, for renameat2 */
#include "decoder/command/output.h"
#include "decoder/command/message.h"
#include "decoder/command/terminal.h"
#include "decoder/output/emitter-values.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the pager ---- */

struct pager {
  FILE *file; /* that it reads; NULL: no pager runs */
  pid_t pid;
};

#define SHELL "/bin/sh"

/* The command line of the pager, NULL if there is none (transfer full). */
static char *
pager_command (void)
{
  const char *own = g_getenv ("PAGER");
  g_autofree char *command = g_strstrip (g_strdup (own != NULL ? own : "less -FRX"));
  g_auto (GStrv) words = g_strsplit (command, " ", 2);
  if (words[0] == NULL || g_strcmp0 (command, "cat") == 0)
    return NULL;
  g_autofree char *program = g_find_program_in_path (words[0]);
  return program != NULL ? g_steal_pointer (&command) : NULL;
}

static void
run (const char *command, int input)
{
  signal (SIGPIPE, SIG_DFL);
  signal (SIGINT, SIG_DFL);
  signal (SIGQUIT, SIG_DFL);
  if (dup2 (input, STDIN_FILENO) >= 0)
    execl (SHELL, SHELL, "-c", command, (char *) NULL);
  _exit (127);
}

/* Starts PAGER, or less.  False if there is none, or it cannot be started.  From then on SIGPIPE
 * and the keys that interrupt do not end the process: the pager may end before it has read all. */
static bool
pager_start (struct pager *pager)
{
  g_autofree char *command = pager_command ();
  int ends[2];
  if (command == NULL || pipe (ends) != 0)
    return false;
  g_setenv ("LESS", "FRX", FALSE); /* where PAGER is less without options */
  fflush (stdout);
  pager->pid = fork ();
  if (pager->pid == 0) {
    close (ends[1]);
    run (command, ends[0]);
  }
  close (ends[0]);
  pager->file = pager->pid > 0 ? fdopen (ends[1], "w") : NULL;
  if (pager->file == NULL) {
    close (ends[1]);
    return false;
  }
  signal (SIGPIPE, SIG_IGN);
  signal (SIGINT, SIG_IGN);
  signal (SIGQUIT, SIG_IGN);
  return true;
}

/* Ends its input and waits until it ends. */
static void
pager_finish (struct pager *pager)
{
  fclose (pager->file);
  pager->file = NULL;
  while (waitpid (pager->pid, NULL, 0) < 0 && errno == EINTR)
    ;
}

/* ---- the output ---- */

/* The file that a signal must not leave when it ends the process. */
static char *volatile doomed;

void
output_abandon (void)
{
  if (doomed != NULL)
    unlink (doomed);
}

static void
clean_up (int number)
{
  output_abandon ();
  raise (number); /* blocked until here is left, then deadly */
}

static const int deadly[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU };

static void
watch_signals (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (deadly); i++) {
    struct sigaction action = { .sa_handler = clean_up, .sa_flags = SA_RESETHAND }, before;
    sigemptyset (&action.sa_mask);
    /* A signal that was ignored (nohup) stays so. */
    if (sigaction (deadly[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction (deadly[i], &action, NULL);
  }
}

static bool
fail (struct output *o, int code)
{
  /* A reader that closes a pipe has seen enough. */
  if (!o->failed && code != EPIPE)
    cli_message ("proflog %s: cannot write %s: %s%s", o->command,
                 o->path != NULL ? o->path : "to standard output", g_strerror (code),
                 code == EEXIST && !o->force ? " (--force replaces it)" : "");
  o->failed = true;
  errno = code;
  return false;
}

static bool
open_temporary (struct output *o)
{
  char *temporary = g_strconcat (o->target, ".XXXXXX", NULL);
  sigset_t all, before;
  sigemptyset (&all);
  for (size_t i = 0; i < G_N_ELEMENTS (deadly); i++)
    sigaddset (&all, deadly[i]);
  /* A signal waits until the file that it must not leave is known. */
  pthread_sigmask (SIG_BLOCK, &all, &before);
  const int fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0666), code = errno;
  if (fd >= 0) {
    o->temporary = doomed = temporary;
    watch_signals ();
  }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (fd < 0) {
    g_free (temporary);
    return fail (o, code);
  }
  o->file = fdopen (fd, "w");
  if (o->file != NULL)
    return true;
  return fail (o, errno);
}

/* Links that are followed at most, as the kernel does. */
#define LINKS_MAX 40

/* Descriptors that are inspected. */
#define DESCRIPTORS_MAX 64

/* The name after all links, that of a link to nothing too (transfer full).  It may be none of the
 * file that the path opens: links in /proc need not have one. */
static char *
follow_links (const char *path)
{
  char *name = g_strdup (path);
  for (int i = 0; i < LINKS_MAX; i++) {
    char *link = g_file_read_link (name, NULL);
    if (link == NULL)
      break;
    char *directory = g_path_get_dirname (name);
    char *next
        = g_path_is_absolute (link) ? g_strdup (link) : g_build_filename (directory, link, NULL);
    g_free (directory);
    g_free (link);
    g_free (name);
    name = next;
  }
  return name;
}

static bool
same_file (const GStatBuf *a, const GStatBuf *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A copy of a descriptor that is open for writing to this file; -1 if there is none. */
static int
copy_descriptor (const GStatBuf *file)
{
  GStatBuf st;
  for (int fd = STDOUT_FILENO; fd < DESCRIPTORS_MAX; fd++) {
    const int flags = fcntl (fd, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat (fd, &st) == 0
        && same_file (&st, file))
      return fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  }
  return -1;
}

/* Writes to the present file, as it is. */
static bool
open_in_place (struct output *o, int fd)
{
  o->file = fd >= 0 ? fdopen (fd, "w") : g_fopen (o->path, "we");
  if (o->file != NULL)
    return true;
  return fail (o, errno);
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
  GStatBuf st, link, target;
  const bool is_there = g_stat (path, &st) == 0;
  if (!is_there && errno == ELOOP)
    return fail (o, ELOOP);
  const bool is_link = g_lstat (path, &link) == 0 && S_ISLNK (link.st_mode);
  const bool is_special = is_there && !S_ISREG (st.st_mode); /* nothing can take its place */
  const int fd = is_there && (is_link || is_special) ? copy_descriptor (&st) : -1;
  if (fd >= 0 || is_special)
    return open_in_place (o, fd);
  if ((is_there || is_link) && !force)
    return fail (o, EEXIST);
  o->target = follow_links (path);
  if (is_there && (g_lstat (o->target, &target) != 0 || !same_file (&st, &target)))
    return open_in_place (o, -1); /* a file without a name */
  return open_temporary (o);
}

bool
output_is_screen (const struct output *o)
{
  return (o->path == NULL || strcmp (o->path, "-") == 0) && isatty (STDOUT_FILENO);
}

unsigned
output_columns (const struct output *o)
{
  return output_is_screen (o) ? terminal_columns () : 0;
}

void
output_set_text (struct output *o, bool can_page)
{
  if (!output_is_screen (o) || o->held != NULL)
    return;
  o->held = g_string_new (NULL);
  o->can_page = can_page;
}

bool
output_write (struct output *o, const GString *text)
{
  if (o->failed)
    return false;
  if (o->held == NULL) {
    if (fwrite (text->str, 1, text->len, o->file) == text->len)
      return true;
    return fail (o, errno);
  }
  g_string_append_len (o->held, text->str, (gssize) text->len);
  return true;
}

bool
output_put (void *output, const GString *text)
{
  return output_write (output, text);
}

/* Shows the held text, by a pager if the screen is too small. */
static void
show_held (struct output *o)
{
  struct pager pager = { .file = NULL };
  unsigned columns, rows, lines = 0;
  terminal_size (&columns, &rows);
  for (const char *p = o->held->str; (p = strchr (p, '\n')) != NULL; p++)
    lines++;
  if (!g_get_charset (NULL))
    emitter_make_ascii (o->held);
  if (o->can_page && lines >= rows && pager_start (&pager)) {
    fwrite (o->held->str, 1, o->held->len, pager.file);
    pager_finish (&pager);
  } else if (fwrite (o->held->str, 1, o->held->len, o->file) != o->held->len) {
    fail (o, errno);
  }
  g_string_free (g_steal_pointer (&o->held), TRUE);
}

/* Gives the file its name.  Without `force` a file that came there meanwhile stays, and with it one
 * that is no regular file. */
static bool
put_in_place (struct output *o)
{
  GStatBuf st;
  if (renameat2 (AT_FDCWD, o->temporary, AT_FDCWD, o->target, RENAME_NOREPLACE) == 0)
    return true;
  /* Not every file system can do that. */
  if (!o->force && errno != EINVAL && errno != ENOSYS)
    return fail (o, errno);
  if (g_lstat (o->target, &st) == 0 && !S_ISREG (st.st_mode))
    return fail (o, EEXIST);
  if (rename (o->temporary, o->target) == 0)
    return true;
  return fail (o, errno);
}

bool
output_flush (struct output *o)
{
  if (o->held != NULL)
    show_held (o);
  if (o->failed)
    return false;
  if (fflush (o->file) == 0)
    return true;
  return fail (o, errno);
}

void
output_discard (struct output *o)
{
  if (o->file == stdout && freopen ("/dev/null", "w", stdout) != NULL)
    o->failed = false;
}

bool
output_close (struct output *o)
{
  if (o->held != NULL)
    show_held (o);
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
    g_clear_pointer (&o->temporary, g_free);
  }
  g_clear_pointer (&o->target, g_free);
  return !o->failed;
}
