/* mcp-tools.c -- runs proflog for a tool, and returns what it prints. */
#include "config.h"

#include "decoder/mcp/mcp-tools.h"
#include "decoder/output/emitter-values.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  ARGUMENTS_MAX = 6,
  LOGS_MAX = 64,
  TEXT_MAX = 100000, /* bytes of an answer */
  ERROR_MAX = 4000,
  TIME_MAX_MS = 60000,
  LIST_MAX = 1000, /* files */
};

enum argument_kind {
  ARGUMENT_LOG,
  ARGUMENT_LOGS,
  ARGUMENT_OPTION, /* --OPTION=VALUE */
  ARGUMENT_WORD,   /* after the logs */
};

struct argument {
  const char *name; /* NULL ends the list */
  enum argument_kind kind;
  bool is_needed;
  const char *option; /* "--option=" */
  const char *doc;
};

struct tool {
  const char *name, *doc;
  const char *words[5]; /* of the command, up to NULL; none: the list of logs */
  struct argument arguments[ARGUMENTS_MAX];
};

#define LOG                                                                                        \
  {                                                                                                \
    "log", ARGUMENT_LOG, true, NULL, "name of the log, as list_logs has it"                        \
  }

static const struct tool tools[] = {
  { "list_logs", "The logs of the folder, with their sizes", { NULL }, { { .name = NULL } } },
  { "findings",
    "What is unusual in a log, each finding with its numbers and the command that shows more",
    { "report", "--reports=findings", "--format=json", NULL },
    { LOG } },
  { "report",
    "The figures of a log as JSON: processor time by method, waits, collections, allocations, "
    "locks, exceptions, threads",
    { "report", "--format=json", "--limit=20", NULL },
    { LOG,
      { "sections", ARGUMENT_OPTION, false, "--reports=", "only these: cpu,waits,gc,allocations" },
      { "limit", ARGUMENT_OPTION, false, "--limit=", "rows of each table (20)" },
      { "time_range", ARGUMENT_OPTION, false, "--time-range=", "a part of the log: 1s-2.5s" },
      { "thread", ARGUMENT_OPTION, false, "--thread=", "a thread, by its name or id" } } },
  { "query",
    "Rows of a SELECT over logs, as JSON.  Tables: events, calls, each kind of event, each table "
    "of a report (cpu_methods), figures; PRAGMA table_list names all",
    { "query", "--format=json", "--timeout=30s", NULL },
    { { "logs", ARGUMENT_LOGS, true, NULL, "names of logs" },
      { "sql", ARGUMENT_WORD, true, NULL, "one statement of SQLite" } } },
  { "heap_leaks",
    "What grows from heap snapshot to heap snapshot, with the path that holds it",
    { "heap", "leaks", "--format=json", NULL },
    { LOG } },
  { "flame",
    "Stacks with their weights, one a line (folded), of processor time or another cost",
    { "export", "--format=folded", NULL },
    { LOG, { "cost", ARGUMENT_OPTION, false, "--cost=", "cpu, wall, alloc, lock, live" } } },
  { "diff",
    "The figures of two logs that differ most, with a verdict, as JSON",
    { "diff", "--format=json", NULL },
    { { "old", ARGUMENT_LOG, true, NULL, "the earlier log" },
      { "new", ARGUMENT_LOG, true, NULL, "the later log" } } },
};

/* ---- descriptions ---- */

static void
append_text (GString *to, const char *text)
{
  emitter_append_json_string (to, text, strlen (text));
}

static void
append_argument (GString *to, const struct argument *a)
{
  append_text (to, a->name);
  g_string_append (to, a->kind == ARGUMENT_LOGS
                           ? ":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
                           : ":{\"type\":\"string\",");
  g_string_append (to, "\"description\":");
  append_text (to, a->doc);
  g_string_append_c (to, '}');
}

static void
append_tool (GString *to, const struct tool *tool)
{
  const char *separator = "";
  g_string_append (to, "{\"name\":");
  append_text (to, tool->name);
  g_string_append (to, ",\"description\":");
  append_text (to, tool->doc);
  g_string_append (to, ",\"annotations\":{\"readOnlyHint\":true},"
                       "\"inputSchema\":{\"type\":\"object\",\"properties\":{");
  for (guint i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name != NULL; i++) {
    g_string_append (to, i == 0 ? "" : ",");
    append_argument (to, &tool->arguments[i]);
  }
  g_string_append (to, "},\"required\":[");
  for (guint i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name != NULL; i++)
    if (tool->arguments[i].is_needed) {
      g_string_append (to, separator);
      append_text (to, tool->arguments[i].name);
      separator = ",";
    }
  g_string_append (to, "]}}");
}

void
mcp_tools_append (GString *to)
{
  g_string_append_c (to, '[');
  for (size_t i = 0; i < G_N_ELEMENTS (tools); i++) {
    g_string_append (to, i == 0 ? "" : ",");
    append_tool (to, &tools[i]);
  }
  g_string_append_c (to, ']');
}

/* ---- logs ---- */

/* The log in the folder; NULL: it is outside, or no file, which `to` states. */
static char *
find_log (const struct mcp_server *server, const char *name, GString *to)
{
  g_autofree char *path = g_build_filename (server->folder, name, NULL);
  char *real = realpath (g_path_is_absolute (name) ? name : path, NULL);
  const size_t length = strlen (server->folder);
  struct stat status;
  const bool is_inside = real != NULL && strncmp (real, server->folder, length) == 0
                         && (real[length] == '/' || server->folder[length - 1] == '/');
  if (is_inside && stat (real, &status) == 0 && S_ISREG (status.st_mode)) {
    char *found = g_strdup (real);
    free (real);
    return found;
  }
  g_string_printf (to, "%s: %s", name,
                   real == NULL ? g_strerror (errno)
                   : is_inside  ? "no regular file"
                                : "outside of the folder of the logs");
  free (real);
  return NULL;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static bool
is_log_name (const char *name)
{
  return strstr (name, ".mlpd") != NULL || strstr (name, ".eventlog") != NULL;
}

static void
list_logs (const struct mcp_server *server, GString *to)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (server->folder, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    if (is_log_name (name))
      g_ptr_array_add (names, g_strdup (name));
  if (dir != NULL)
    g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  const char *separator = "";
  g_string_append (to, "{\"logs\":[");
  for (guint i = 0; i < MIN (names->len, LIST_MAX); i++) {
    g_autoptr (GString) why_not = g_string_new (NULL);
    g_autofree char *path = find_log (server, names->pdata[i], why_not);
    struct stat status;
    if (path == NULL || stat (path, &status) != 0)
      continue;
    g_string_append_printf (to, "%s{\"name\":", separator);
    append_text (to, names->pdata[i]);
    g_string_append_printf (to,
                            ",\"bytes\":%" G_GINT64_FORMAT ",\"modified_s\":%" G_GINT64_FORMAT "}",
                            (gint64) status.st_size, (gint64) status.st_mtime);
    separator = ",";
  }
  g_string_append_printf (to, "],\"left_out\":%u}",
                          names->len - MIN (names->len, (guint) LIST_MAX));
}

/* ---- command lines ---- */

static bool
add_log (const struct mcp_server *server, GPtrArray *argv, const char *name, GString *to)
{
  char *log = find_log (server, name, to);
  if (log != NULL)
    g_ptr_array_add (argv, log);
  return log != NULL;
}

static bool
add_logs (const struct mcp_server *server, GPtrArray *argv, const char *path, GString *to)
{
  guint n = 0;
  for (; n < LOGS_MAX; n++) {
    g_autofree char *at = g_strdup_printf ("%s[%u]", path, n);
    g_autofree char *name = mcp_json_text (server->json, at);
    if (name == NULL)
      break;
    if (!add_log (server, argv, name, to))
      return false;
  }
  if (n == 0 || n == LOGS_MAX)
    g_string_printf (to, "logs: a list of 1 to %d names is needed", LOGS_MAX - 1);
  return n != 0 && n != LOGS_MAX;
}

static bool
add_argument (const struct mcp_server *server, GPtrArray *argv, const struct argument *a,
              GString *to)
{
  g_autofree char *path = g_strdup_printf ("$.params.arguments.%s", a->name);
  g_autofree char *value = mcp_json_text (server->json, path);
  if (value == NULL) {
    g_string_printf (to, "the argument '%s' is missing: %s", a->name, a->doc);
    return !a->is_needed;
  }
  switch (a->kind) {
  case ARGUMENT_LOG:
    return add_log (server, argv, value, to);
  case ARGUMENT_LOGS:
    return add_logs (server, argv, path, to);
  case ARGUMENT_OPTION:
    g_ptr_array_add (argv, g_strconcat (a->option, value, NULL));
    return true;
  case ARGUMENT_WORD:
    g_ptr_array_add (argv, g_strdup ("--"));
    g_ptr_array_add (argv, g_strdup (value));
  }
  return true;
}

/* Of the command; NULL: an argument cannot be taken, which `to` states (transfer full). */
static GPtrArray *
command_line (const struct mcp_server *server, const struct tool *tool, GString *to)
{
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  bool good = true;
  g_ptr_array_add (argv, g_strdup (server->program));
  for (guint i = 0; tool->words[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (tool->words[i]));
  for (guint i = 0; good && i < ARGUMENTS_MAX && tool->arguments[i].name != NULL; i++)
    good = add_argument (server, argv, &tool->arguments[i], to);
  g_ptr_array_add (argv, NULL);
  g_string_truncate (to, good ? 0 : to->len);
  if (good)
    return argv;
  g_ptr_array_unref (argv);
  return NULL;
}

/* ---- the program ---- */

/* The output of a program, up to bounds. */
struct printed {
  GString *text;
  size_t most;
  bool is_cut;
};

/* False at the end. */
static bool
take (int fd, struct printed *p)
{
  char bytes[16384];
  const ssize_t n = read (fd, bytes, sizeof bytes);
  if (n <= 0)
    return n < 0 && errno == EINTR;
  const size_t left = p->most - p->text->len;
  p->is_cut |= (size_t) n > left;
  g_string_append_len (p->text, bytes, (gssize) MIN ((size_t) n, left));
  return !p->is_cut;
}

/* Reads both to their ends, or until one has too much; false: it takes too long. */
static bool
read_all (int out, int err, struct printed *text, struct printed *errors)
{
  const gint64 end = g_get_monotonic_time () + (gint64) TIME_MAX_MS * 1000;
  struct pollfd fds[] = { { .fd = out, .events = POLLIN }, { .fd = err, .events = POLLIN } };
  while (!text->is_cut && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
    const gint64 left = (end - g_get_monotonic_time ()) / 1000;
    if (left <= 0)
      return false;
    if (poll (fds, 2, (int) left) < 0 && errno != EINTR)
      return true;
    if (fds[0].revents != 0 && !take (out, text))
      fds[0].fd = -1;
    if (fds[1].revents != 0 && !take (err, errors))
      fds[1].fd = -1;
    fds[0].revents = fds[1].revents = 0;
  }
  return true;
}

/* Ends the text where a character ends, and states what is missing. */
static void
close_text (struct printed *text)
{
  const char *end;
  if (!g_utf8_validate_len (text->text->str, text->text->len, &end))
    g_string_truncate (text->text, (gsize) (end - text->text->str));
  if (text->is_cut)
    g_string_append_printf (text->text,
                            "\n... cut after %d bytes: ask for less (limit, sections, "
                            "time_range)",
                            TEXT_MAX);
}

static bool
run_program (char **argv, GString *to)
{
  struct printed text = { .text = to, .most = TEXT_MAX },
                 errors = { .text = g_string_new (NULL), .most = ERROR_MAX };
  GPid pid;
  gint out, err, status = 0;
  g_autoptr (GError) error = NULL;
  if (!g_spawn_async_with_pipes (NULL, argv, NULL,
                                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CLOEXEC_PIPES, NULL, NULL,
                                 &pid, NULL, &out, &err, &error)) {
    g_string_assign (to, error->message);
    g_string_free (errors.text, TRUE);
    return false;
  }
  const bool in_time = read_all (out, err, &text, &errors);
  if (!in_time || text.is_cut)
    kill (pid, SIGKILL);
  close (out);
  close (err);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  close_text (&text);
  const bool good = in_time && (text.is_cut || (WIFEXITED (status) && to->len != 0));
  if (!in_time)
    g_string_printf (to, "stopped after %d s", TIME_MAX_MS / 1000);
  else if (!good)
    g_string_assign (to, errors.text->str);
  else if (errors.text->len != 0)
    g_string_append_printf (to, "\n%s", errors.text->str);
  close_text (&(struct printed){ .text = to });
  g_string_free (errors.text, TRUE);
  return good;
}

bool
mcp_tools_call (const struct mcp_server *server, GString *to, bool *failed)
{
  g_autofree char *name = mcp_json_text (server->json, "$.params.name");
  const struct tool *tool = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (tools) && tool == NULL; i++)
    if (g_strcmp0 (name, tools[i].name) == 0)
      tool = &tools[i];
  *failed = false;
  if (tool == NULL)
    return false;
  if (tool->words[0] == NULL) {
    list_logs (server, to);
    return true;
  }
  g_autoptr (GPtrArray) argv = command_line (server, tool, to);
  *failed = argv == NULL || !run_program ((char **) argv->pdata, to);
  return true;
}
