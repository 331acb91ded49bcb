/* control-programs.c -- looks through control sockets and /proc. */
#include "config.h"

#include "decoder/system/control-programs.h"
#include "decoder/system/processes.h"
#include "decoder/system/run-ghc.h"
#include "decoder/command/shell-word.h"
#include "decoder/output/emitter.h"
#include <errno.h>
#include <proflog/control.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folders of sockets ---- */

/* Adds the directories of `parent` whose names are `prefix` and a user's number. */
static void
add_all_users (GPtrArray *folders, const char *parent, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix)
        && g_ascii_string_to_unsigned (name + strlen (prefix), 10, 0, G_MAXUINT32, NULL, NULL))
      g_ptr_array_add (folders, g_build_filename (parent, name, NULL));
}

/* The directories in which sockets of ours, or for root of anybody's, can be. */
static GPtrArray *
find_folders (void)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  if (runtime != NULL && runtime[0] == '/')
    g_ptr_array_add (folders, g_strdup (runtime));
  if (geteuid () == 0) {
    add_all_users (folders, "/run/user", "");
    add_all_users (folders, "/tmp", "proflog-");
  } else {
    g_ptr_array_add (folders, g_strdup_printf (PROFLOG_RUNTIME_DIRECTORY, (long) geteuid ()));
    g_ptr_array_add (folders, g_strdup_printf (PROFLOG_OWN_DIRECTORY, (long) geteuid ()));
  }
  return folders;
}

/* The process id in the name of a socket; 0: it is none. */
static long
pid_of_name (const char *name)
{
  if (!g_str_has_prefix (name, PROFLOG_CONTROL_PREFIX)
      || !g_str_has_suffix (name, PROFLOG_CONTROL_SUFFIX))
    return 0;
  const size_t first = strlen (PROFLOG_CONTROL_PREFIX);
  const size_t length = strlen (name) - first - strlen (PROFLOG_CONTROL_SUFFIX);
  g_autofree char *digits = g_strndup (name + first, length);
  guint64 pid;
  return g_ascii_string_to_unsigned (digits, 10, 1, G_MAXINT, &pid, NULL) ? (long) pid : 0;
}

/* That of a process which was killed is of no use to anybody. */
static void
remove_socket (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  unlink (path);
}

static void
list_folder (GArray *pids, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    const long pid = pid_of_name (name);
    if (pid == 0 || process_list_has (pids, pid))
      continue;
    const int fd = process_connect_in (folder, name, pid);
    if (fd < 0) {
      if (errno == ECONNREFUSED && kill ((pid_t) pid, 0) != 0 && errno == ESRCH)
        remove_socket (folder, name);
      continue;
    }
    close (fd);
    g_array_append_val (pids, pid);
  }
}

/* The process ids (long) of this user's programs that listen in the folders of this process, or for
 * root of all users', in any order.  Sockets that killed ones have left are removed.  Free with
 * g_array_unref. */
static GArray *
control_folders_list (void)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (long));
  g_autoptr (GPtrArray) folders = find_folders ();
  for (guint i = 0; i < folders->len; i++)
    list_folder (pids, g_ptr_array_index (folders, i));
  return pids;
}

int
control_folders_connect (long pid, char **path)
{
  g_autoptr (GPtrArray) folders = find_folders ();
  g_autofree char *name = g_strdup_printf (PROFLOG_CONTROL_NAME, pid);
  int error = 0;
  *path = NULL;
  for (guint i = 0; i < folders->len && error == 0; i++) {
    const char *folder = g_ptr_array_index (folders, i);
    const int fd = process_connect_in (folder, name, pid);
    if (fd >= 0)
      return fd;
    if (errno != ENOENT && errno != ECONNREFUSED && errno != ENOTDIR) {
      error = errno;
      *path = g_build_filename (folder, name, NULL);
    }
  }
  const int fd = process_connect (pid);
  if (fd >= 0)
    g_clear_pointer (path, g_free);
  errno = error;
  return fd;
}

/* ---- programs ---- */

/* ---- one program ---- */

const char *
control_programs_state (enum control_state state)
{
  static const char *const names[] = { [CONTROL_RECORDED] = "recorded",
                                       [CONTROL_DETACHED] = "detached",
                                       [CONTROL_UNCONTROLLED] = "no control",
                                       [CONTROL_UNPROFILED] = "not profiled" };
  return names[state];
}

const char *
control_programs_runtime (enum process_runtime runtime)
{
  static const char *const names[]
      = { [PROCESS_OTHER] = NULL, [PROCESS_MONO] = "mono", [PROCESS_GHC] = "ghc" };
  return names[runtime];
}

/* Of a program without control. */
static enum control_state
state_without (long pid, const struct process_kind *kind)
{
  g_autofree char *log = kind->has_module ? NULL : process_log_find (pid, false);
  return kind->has_module || log != NULL ? CONTROL_UNCONTROLLED : CONTROL_UNPROFILED;
}

/* The line that starts the program of a process under proflog (transfer full). */
static char *
line_to_run (long pid)
{
  GString *line = g_string_new ("proflog run");
  g_auto (GStrv) words = process_words (pid);
  for (char **word = words; *word != NULL; word++) {
    g_autofree char *safe = shell_word (*word);
    g_string_append_printf (line, " %s", safe);
  }
  return g_string_free (line, FALSE);
}

char *
control_programs_mend (const struct control_program *program)
{
  if (program->state == CONTROL_DETACHED
      || (program->state == CONTROL_UNPROFILED && program->runtime == PROCESS_MONO))
    return g_strdup_printf ("proflog attach %ld", program->pid);
  if (program->state == CONTROL_UNPROFILED)
    return line_to_run (program->pid);
  g_autofree char *log
      = program->state == CONTROL_UNCONTROLLED ? process_log_find (program->pid, true) : NULL;
  return log != NULL ? g_strdup_printf ("proflog top %ld", program->pid) : NULL;
}

void
control_programs_append (GString *text, const struct control_program *program)
{
  g_autofree char *command = process_command (program->pid);
  g_autofree char *safe = emitter_printable (command);
  g_autofree char *mend = control_programs_mend (program);
  g_autofree char *safe_mend = mend != NULL ? emitter_printable (mend) : NULL;
  g_string_append_printf (text, "%7ld  %-12s  %s\n", program->pid,
                          control_programs_state (program->state), safe);
  if (mend != NULL)
    g_string_append_printf (text, "%9s%s\n", "", safe_mend);
}

/* ---- all of them ---- */

/* Adds the program of the process, if it is recorded or is recognised. */
static void
inspect_into (GArray *programs, long pid, bool is_recorded)
{
  const struct process_kind kind = process_kind_of (pid);
  struct control_program program = { .pid = pid, .runtime = kind.runtime };
  if (!is_recorded && kind.runtime == PROCESS_OTHER)
    return;
  const int fd = is_recorded ? -1 : process_connect (pid);
  if (fd >= 0)
    close (fd);
  else if (!is_recorded)
    program.state = state_without (pid, &kind);
  g_array_append_val (programs, program);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const struct control_program *p = a, *q = b;
  if (p->state != q->state)
    return p->state < q->state ? -1 : 1;
  return p->pid < q->pid ? -1 : p->pid > q->pid;
}

GArray *
control_programs_list (void)
{
  GArray *programs = g_array_new (FALSE, FALSE, sizeof (struct control_program));
  g_autoptr (GArray) recorded = control_folders_list ();
  g_autoptr (GArray) all = process_list ();
  for (guint i = 0; i < all->len; i++)
    if (!process_list_has (recorded, g_array_index (all, long, i)))
      inspect_into (programs, g_array_index (all, long, i), false);
  for (guint i = 0; i < recorded->len; i++)
    inspect_into (programs, g_array_index (recorded, long, i), true);
  g_array_sort (programs, compare);
  return programs;
}

char *
control_programs_describe (void)
{
  g_autoptr (GArray) programs = control_programs_list ();
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < programs->len; i++)
    control_programs_append (text, &g_array_index (programs, struct control_program, i));
  return g_string_free (text, FALSE);
}

long
control_programs_find (const char *name, GError **error)
{
  g_autoptr (GArray) programs = control_programs_list ();
  g_autoptr (GString) found = g_string_new (NULL);
  struct control_program first = { .pid = 0 };
  unsigned n = 0;
  for (guint i = 0; i < programs->len; i++) {
    const struct control_program *p = &g_array_index (programs, struct control_program, i);
    if ((n > 0 && p->state != first.state) || !process_has_name (p->pid, name))
      continue;
    if (n++ == 0)
      first = *p;
    g_string_append_printf (found, "%s%ld", n > 1 ? ", " : "", p->pid);
  }
  if (n < 2)
    return first.pid;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               "%u programs have the name '%s': processes %s; give a process id", n, name,
               found->str);
  return 0;
}

long
control_programs_find_process (const char *process, GError **error)
{
  guint64 pid;
  if (g_ascii_string_to_unsigned (process, 10, 1, G_MAXINT, &pid, NULL))
    return (long) pid;
  g_autofree char *base = g_path_get_basename (process);
  GError *several = NULL;
  const long found = control_programs_find (base, &several);
  if (several != NULL)
    g_propagate_error (error, several);
  else if (found == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                 "no running Mono or GHC program is called '%s'", process);
  return found;
}

/* ---- reasons ---- */

/* Of a program that was recognised. */
static char *
explain (const struct control_program *program)
{
  const long pid = program->pid;
  g_autofree char *mend = control_programs_mend (program);
  if (program->state == CONTROL_UNCONTROLLED && program->runtime == PROCESS_GHC)
    return g_strdup_printf (
        "process %ld cannot be controlled: it is a GHC program that is not linked "
        "with libproflog-ghc, see proflog-ghc(7)%s%s%s",
        pid, mend != NULL ? "; '" : "", mend != NULL ? mend : "",
        mend != NULL ? "' reads its log" : "");
  if (program->state == CONTROL_UNCONTROLLED)
    return g_strdup_printf ("process %ld cannot be controlled: it was started with the option "
                            "nocontrol, or with another profiler, or has no control socket yet",
                            pid);
  if (program->runtime == PROCESS_GHC)
    return g_strdup_printf (
        "process %ld cannot be controlled: it is a GHC program that writes no log; "
        "start it with: %s",
        pid, mend);
  return g_strdup_printf ("process %ld is not profiled; this records it from now on: %s", pid,
                          mend);
}

char *
control_programs_explain (long pid)
{
  g_autofree char *process = g_strdup_printf ("/proc/%ld", pid);
  g_autofree char *executable = g_strdup_printf ("/proc/%ld/exe", pid);
  struct stat st;
  struct process_kind kind = process_kind_of (pid);
  if (kind.runtime == PROCESS_OTHER && run_ghc_inspect (executable).is_ghc)
    kind.runtime = PROCESS_GHC;
  if (stat (process, &st) != 0)
    return g_strdup_printf ("there is no process %ld", pid);
  if (st.st_uid != geteuid () && geteuid () != 0)
    return g_strdup_printf (
        "process %ld belongs to another user (user id %ld); only that user and root "
        "can control it",
        pid, (long) st.st_uid);
  const struct control_program program
      = { .pid = pid, .state = state_without (pid, &kind), .runtime = kind.runtime };
  return kind.runtime != PROCESS_OTHER
             ? explain (&program)
             : g_strdup_printf ("process %ld is no program of Mono or GHC, or cannot be inspected",
                                pid);
}
