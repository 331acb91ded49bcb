/* cmd-ctl.c -- proflog ctl: a request to a program that is being profiled. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/input/spool-logs.h"
#include "decoder/output/figure.h"
#include "decoder/system/control-programs.h"
#include "decoder/command/message.h"
#include "decoder/output/emitter.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include <glib.h>
#include <proflog/control.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- the status of a program ---- */

#define NS_PER_S UINT64_C (1000000000)

static bool
is_nothing (const char *value)
{
  return *value == 0 || strcmp (value, "0") == 0;
}

/* A value of nearly every program says nothing about this one. */
static bool
is_usual (const char *key, const char *value)
{
  return (strcmp (key, "events are estimated") == 0 && strcmp (value, "no") == 0)
         || (strcmp (key, "files") == 0 && strcmp (value, "1") == 0);
}

static void
append_line (GString *out, const char *key, const char *value)
{
  guint64 number = 0;
  const bool is_number = g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT64, &number, NULL);
  if (is_nothing (value) || is_usual (key, value))
    return;
  const bool is_time = strcmp (key, "seconds") == 0;
  const enum figure_unit unit = is_time                         ? FIGURE_NS
                                : strstr (key, "bytes") != NULL ? FIGURE_BYTES
                                : strcmp (key, "pid") != 0      ? FIGURE_COUNT
                                                                : FIGURE_NONE;
  g_autofree char *text = is_time && number < 60 ? g_strconcat (value, " s", NULL)
                          : is_time              ? figure_text (unit, number * NS_PER_S)
                          : is_number            ? figure_text (unit, number)
                                                 : g_strdup (value);
  g_string_append_printf (out, "%s: %s\n", is_time ? "for" : key, text);
}

/* A row of a list: "  id 0x7f00, name Main, lives yes, lost bytes 0". */
static void
append_row (GString *out, const char *row)
{
  g_auto (GStrv) cells = g_strsplit (row, ", ", -1);
  for (char **cell = cells; *cell != NULL; cell++) {
    const bool is_name = g_str_has_prefix (*cell, "name ");
    const char *value = is_name ? *cell + strlen ("name") : strrchr (*cell, ' ');
    if (value == NULL || (is_name ? value[1] == 0 : is_nothing (value + 1))
        || strcmp (*cell, "lives yes") == 0)
      continue;
    g_string_append_printf (out, "  %s", is_name ? value + 1 : *cell);
  }
  g_string_append_c (out, '\n');
}

/* The only file of a log is the log. */
static bool
is_hidden_list (char **lines, const char *head)
{
  return g_str_has_prefix (head, "last files:")
         && g_strv_contains ((const char *const *) lines, "files: 1");
}

static bool
is_row (const char *line)
{
  return line != NULL && g_str_has_prefix (line, "  ");
}

/* Appends the lines of a status as text ("key: value", rows of lists indented), without zeros and
 * empty values, and with units. */
static void
ctl_status_append (GString *out, char **lines)
{
  bool hides_rows = false;
  for (char **line = lines; *line != NULL; line++) {
    const char *colon = strstr (*line, ": ");
    if (is_row (*line)) {
      if (!hides_rows)
        append_row (out, *line + strspn (*line, " "));
    } else if (is_row (line[1])) {
      hides_rows = is_hidden_list (lines, *line);
      if (!hides_rows)
        g_string_append_printf (out, "%s\n", *line);
    } else if (colon != NULL) {
      g_autofree char *key = g_strndup (*line, (gsize) (colon - *line));
      append_line (out, key, colon + 2);
    }
  }
}

/* ---- columns ---- */

struct ctl_values {
  unsigned format; /* enum emitter_format */
  bool verbose;
};

/* Prints the error; returns the exit status. */
static int
report_error (bool json, const char *kind, const char *message)
{
  if (json) {
    GString *line = g_string_new ("{\"ok\":false,\"error\":");
    emitter_append_json_string (line, kind, strlen (kind));
    g_string_append (line, ",\"message\":");
    emitter_append_json_string (line, message, strlen (message));
    puts (g_string_append_c (line, '}')->str);
    g_string_free (line, TRUE);
  } else {
    cli_message ("proflog ctl: %s", message);
  }
  return strcmp (kind, PROFLOG_CONTROL_USAGE) == 0 ? CLI_USAGE : CLI_INPUT;
}

static int G_GNUC_PRINTF (2, 3) report_usage (bool json, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  return report_error (json, PROFLOG_CONTROL_USAGE, message);
}

/* ---- list ---- */

static void
append_json (GString *text, const struct control_program *program)
{
  g_autofree char *command = process_command (program->pid);
  g_autofree char *mend = control_programs_mend (program);
  const char *const values[][2] = { { "command", command },
                                    { "state", control_programs_state (program->state) },
                                    { "runtime", control_programs_runtime (program->runtime) },
                                    { "mend", mend } };
  g_string_append_printf (text, "{\"pid\":%ld", program->pid);
  for (size_t i = 0; i < G_N_ELEMENTS (values); i++) {
    const char *value = values[i][1];
    g_string_append_printf (text, ",\"%s\":", values[i][0]);
    if (value != NULL)
      emitter_append_json_string (text, value, strlen (value));
    else
      g_string_append (text, "null");
  }
  g_string_append_c (text, '}');
}

static int
list (bool json)
{
  g_autoptr (GArray) programs = control_programs_list ();
  detach_mark (programs);
  spool_remains_remove_old ();
  g_autoptr (GString) text = g_string_new (json ? "{\"ok\":true,\"processes\":[" : "");
  bool any = false;
  for (guint i = 0; i < programs->len; i++) {
    const struct control_program *program = &g_array_index (programs, struct control_program, i);
    any |= program->state == CONTROL_RECORDED;
    if (!json)
      control_programs_append (text, program);
    else
      append_json (i > 0 ? g_string_append_c (text, ',') : text, program);
  }
  if (json)
    g_string_append (text, "]}\n");
  else if (!any)
    cli_message ("proflog ctl: none of your programs is being profiled with control enabled");
  fputs (text->str, stdout);
  return CLI_OK;
}

/* ---- one program ---- */

/* Prints a reply, which the program may have meant to be anything. */
static int
print_reply (const char *reply, bool json, bool is_status)
{
  static const char json_ok[] = "{\"ok\":true", json_error[] = "{\"ok\":false,\"error\":\"";
  static const char text_error[] = "error ";
  if (json) {
    g_autofree char *line = g_strchomp (g_strdup (reply));
    g_autofree char *whole = g_utf8_make_valid (line, -1);
    const bool is_reply = g_str_has_prefix (whole, json_ok) || g_str_has_prefix (whole, json_error);
    if (!is_reply)
      return report_error (json, PROFLOG_CONTROL_FAILED, "the program's reply is invalid");
    puts (whole);
    if (g_str_has_prefix (whole, json_ok))
      return CLI_OK;
    const char *kind = whole + sizeof json_error - 1;
    return g_str_has_prefix (kind, PROFLOG_CONTROL_USAGE "\"") ? CLI_USAGE : CLI_INPUT;
  }
  g_auto (GStrv) lines = g_strsplit (reply, "\n", -1);
  if (lines[1] != NULL && g_str_has_prefix (lines[0], text_error))
    return report_error (json, lines[0] + sizeof text_error - 1, lines[1]);
  if (strcmp (lines[0], "ok") != 0)
    return report_error (json, PROFLOG_CONTROL_FAILED, "the program's reply is invalid");
  for (char **line = lines + 1; *line != NULL; line++) {
    char *safe = line[1] != NULL || **line != 0 ? emitter_printable (*line) : NULL;
    g_free (*line);
    *line = safe; /* NULL: the end of the last line */
    if (safe == NULL)
      break;
    if (!is_status)
      puts (safe);
  }
  if (is_status) {
    g_autoptr (GString) text = g_string_new (NULL);
    ctl_status_append (text, lines + 1);
    fputs (text->str, stdout);
  }
  return CLI_OK;
}

/* "status -v" is "-v PID status". */
static bool
ends_with_verbose (char **words)
{
  const char *last = words[g_strv_length (words) - 1];
  return strcmp (words[0], "status") == 0
         && (strcmp (last, "-v") == 0 || strcmp (last, "--verbose") == 0);
}

/* The output with a path that is right also if the program is in another directory.  Descriptors
 * and commands are the program's. */
static char *
absolute_output (const char *output)
{
  static const char *const before_path[] = { "unix:", "unix-listen:", "+", "" };
  if (output[0] == '#' || output[0] == '|')
    return g_strdup (output);
  size_t i = 0;
  while (!g_str_has_prefix (output, before_path[i]))
    i++;
  g_autofree char *path = g_canonicalize_filename (output + strlen (before_path[i]), NULL);
  return g_strconcat (before_path[i], path, NULL);
}

/* The one argument of "output" or "save", which is a path; `last` is the time of --last (NULL:
 * all). NULL if there is another number of arguments. */
static char *
path_argument (char **words, const char **last)
{
  static const char option[] = "--last";
  const char *path = NULL;
  unsigned paths = 0;
  const bool is_save = strcmp (words[0], "save") == 0;
  *last = NULL;
  for (char **word = words + 1; *word != NULL; word++)
    if (is_save && strcmp (*word, option) == 0 && word[1] != NULL) {
      *last = *++word;
    } else if (is_save && g_str_has_prefix (*word, "--last=")) {
      *last = *word + sizeof option;
    } else {
      path = *word;
      paths++;
    }
  if (paths != 1)
    return NULL;
  return is_save ? g_canonicalize_filename (path, NULL) : absolute_output (path);
}

/* The word of a command that only a shell understands (transfer full); NULL: none. */
static char *
find_shell_word (const char *output)
{
  static const char *const words[]
      = { "|", ">", ">>", "<", "2>", "2>&1", "&", "&&", "||", ";", NULL };
  g_auto (GStrv) argv = NULL;
  if (output[0] != '|' || !g_shell_parse_argv (output + 1, NULL, &argv, NULL))
    return NULL;
  for (char **word = argv; *word != NULL; word++)
    if (g_strv_contains (words, *word))
      return g_strdup (*word);
  return NULL;
}

static int
send_request (const char *process, char **words, bool json, bool verbose)
{
  const bool is_status = strcmp (words[0], "status") == 0;
  if (ends_with_verbose (words)) {
    words[g_strv_length (words) - 1] = NULL;
    verbose = true;
  }
  g_autoptr (GString) request = g_string_new (json ? "json" : "");
  const char *last;
  const bool has_path = strcmp (words[0], "output") == 0 || strcmp (words[0], "save") == 0;
  g_autofree char *path = has_path ? path_argument (words, &last) : NULL;
  if (has_path && path == NULL)
    return report_usage (json, strcmp (words[0], "save") == 0
                                   ? "save takes a file, and perhaps --last TIME"
                                   : "output takes one argument; put a command in quotes");
  g_autofree char *shell_word = has_path ? find_shell_word (path) : NULL;
  if (shell_word != NULL)
    return report_usage (json,
                         "no shell runs the command, which would get '%s' as an argument; "
                         "with one: output \"|sh -c '...'\"",
                         shell_word);
  char *path_words[] = { words[0], path, NULL, NULL, NULL };
  if (has_path && last != NULL) {
    path_words[1] = (char *) "--last";
    path_words[2] = (char *) last;
    path_words[3] = path;
  }
  if (has_path)
    words = path_words;
  /* Names of marks and files may have blanks. */
  const bool has_text = has_path || strcmp (words[0], "mark") == 0;
  const char *const forbidden = has_text ? "\r\n" : " \t\r\n";
  for (; *words != NULL; words++) {
    if (**words == 0 || strpbrk (*words, forbidden) != NULL)
      return report_usage (json, "'%s': arguments must not contain blanks", *words);
    if (request->len != 0)
      g_string_append_c (request, ' ');
    g_string_append (request, *words);
  }
  g_string_append_c (request, '\n');
  if (request->len > PROFLOG_CONTROL_REQUEST_MAX)
    return report_usage (json, "the request has %zu bytes; the limit is %d", request->len,
                         PROFLOG_CONTROL_REQUEST_MAX);
  g_autoptr (GError) error = NULL;
  const long pid = control_programs_find_process (process, &error);
  if (pid == 0)
    return report_error (json, PROFLOG_CONTROL_FAILED, error->message);
  g_autofree char *reply = control_client_request (pid, request->str, &error);
  return reply != NULL ? print_reply (reply, json, is_status && !verbose)
                       : report_error (json, PROFLOG_CONTROL_FAILED, error->message);
}

/* ---- the command line ---- */

/* Parses options, up to the first argument.  False with the exit status if that was all. */
static bool
parse_options (const struct cli_command *spec, int argc, char **argv, struct ctl_values *v,
               GPtrArray *words, int *status)
{
  g_autoptr (GError) error = NULL;
  const enum cli_parse result = cli_parse (spec, argc, argv, v, words, &error);
  *status = result == CLI_PARSE_ERROR ? report_usage (
                v->format == EMITTER_JSON, "%s; see 'proflog ctl --help'", error->message)
                                      : CLI_OK;
  return result == CLI_PARSE_GO_ON;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct ctl_values v = { .format = EMITTER_TEXT };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  int status;
  if (!parse_options (spec, argc, argv, &v, words, &status))
    return status;
  const bool is_list = words->len == 0 || strcmp (words->pdata[0], "list") == 0;
  if (is_list && words->len != 0) { /* options may follow */
    const int at = argc - (int) words->len;
    g_ptr_array_set_size (words, 0);
    if (!parse_options (spec, argc - at, argv + at, &v, words, &status))
      return status;
  }
  const bool json = v.format == EMITTER_JSON;
  if (is_list)
    return words->len == 0
               ? list (json)
               : report_usage (json, "'%s': list takes no arguments", (char *) words->pdata[0]);
  if (words->len == 1)
    return report_usage (json, "no verb for process %s; see 'proflog ctl --help'",
                         (char *) words->pdata[0]);
  return send_request (words->pdata[0], argv + argc - words->len + 1, json, v.verbose);
}

static const struct cli_choice formats[]
    = { { "text", EMITTER_TEXT, false }, { "json", EMITTER_JSON, false }, { NULL, 0, false } };

static const struct cli_option own[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_CHOICE,
    .argument = "FORMAT",
    .offset = offsetof (struct ctl_values, format),
    .choices = formats,
    .help = "Output format: text (default) or json, errors included" },
  { .name = "verbose",
    .letter = 'v',
    .kind = CLI_FLAG,
    .offset = offsetof (struct ctl_values, verbose),
    .help = "status: print what is zero or empty, too, and plain numbers" },
  { .name = NULL },
};

static const struct verb {
  const char *name, *arguments, *summary;
} verbs[] = {
  { "status", " [-v]", "the recorded classes, the log, its size, losses, threads" },
  { "flush", "", "write all events up to now to the log" },
  { "stop", "", "stop recording events" },
  { "start", "", "start recording again" },
  { "enable", " CLASS...", "record these classes of events: alloc, calls, gc, ..." },
  { "disable", " CLASS...", "stop recording these classes" },
  { "heapshot", "", "run a major collection and take a heap snapshot" },
  { "sync", "", "re-announce all names, for readers that start here" },
  { "mark", " NAME", "put a mark with this name into the log (data version 17, or an eventlog)" },
  { "set", " KEY=VALUE",
    "set flush, reannounce, memory, block-timeout or heapshot, as the module's options" },
  { "output", " TARGET",
    "continue the log in this file, FIFO, unix:PATH, unix-listen:PATH, #FD or |COMMAND, where it "
    "is complete in itself" },
  { "save", " FILE [--last TIME]",
    "copy the log, or the files of it that ended within TIME, to one whole log, while recording "
    "goes on" },
};

static void
list_words (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  g_ptr_array_add (names, (gpointer) "list");
  for (size_t i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_ptr_array_add (names, (gpointer) verbs[i].name);
}

static void
describe (const struct cli_command *command, GString *text)
{
  (void) command;
  GString *rows = g_string_new ("Verbs:\n");
  for (size_t i = 0; i < G_N_ELEMENTS (verbs); i++) {
    g_autofree char *usage = g_strconcat (verbs[i].name, verbs[i].arguments, NULL);
    g_string_append_printf (rows, "  %-16s  %s\n", usage, verbs[i].summary);
  }
  g_string_append_c (rows, '\n');
  g_string_prepend_len (text, rows->str, (gssize) rows->len);
  g_string_free (rows, TRUE);
}

const struct cli_command command_ctl = {
  .name = "ctl",
  .group = CLI_RECORD,
  .summary = "list and control the programs that are being recorded",
  .parameters = "[list]\nPROGRAM VERB [ARGUMENT...]",
  .description
  = "PROGRAM is a process id, or a name as app.exe.  The program must belong to the user, or the "
    "user must be root, and it must not have been started with the option nocontrol.  It may have "
    "another XDG_RUNTIME_DIR, a private /tmp, or be in a container.\n\n"
    "The list has the programs of Mono and GHC that run, and their states: recorded, detached (its "
    "recording was ended), no control (a log is written, but there is no control socket), or not "
    "profiled.  For those that are not recorded, a second line is the command that records them, "
    "or that reads their log.\n\n"
    "The exit status is 2 if the verb or its arguments are wrong, and 3 if there is no such "
    "program, if it is not recorded, or if it refuses or fails.",
  .describe = describe,
  .examples = CLI_EXAMPLES (
      { "List the programs that run", "proflog ctl" },
      { "Show the state of a recording, also what is zero", "proflog ctl 4711 status -v" },
      { "Record allocations, too, from now on", "proflog ctl app.exe enable alloc" },
      { "Print the size of the log, for a script",
        "proflog ctl --format json 4711 status | jq .bytes_written" }),
  .options = { { own, 0 } },
  .words = list_words,
  .is_posix = true,
  .run = run,
};
