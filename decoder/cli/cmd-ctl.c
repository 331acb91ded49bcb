/* cmd-ctl.c -- proflog ctl: asks something of a program that is being profiled. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/control-client.h"
#include "decoder/cli/tell.h"
#include "decoder/views/emitter.h"
#include <getopt.h>
#include <glib.h>
#include <proflog/control.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void
print_help (void)
{
  fputs (
      "Usage: proflog ctl [OPTION...] [list]\n"
      "       proflog ctl [OPTION...] PID VERB [ARGUMENT...]\n"
      "Lists the programs that are being profiled and can be controlled, or asks one of them,\n"
      "by its process id, for something:\n\n"
      "  status            what is recorded, where to, how much, what was lost, by which threads\n"
      "  flush             all that was recorded up to now is in the log\n"
      "  stop, start       record no more events, or again\n"
      "  enable CLASS...   record these classes of events: alloc, calls, gc, ...\n"
      "  disable CLASS...  do not\n"
      "  heapshot          a major collection with a heap shot\n"
      "  sync              say all names once more, for who begins to read the log here\n"
      "  mark NAME         a moment of that name in the log\n"
      "  set KEY=VALUE     flush, sync, memory, patience, heapshot: as the module's options\n"
      "  output FILE       the log goes on in this file, which is complete in itself\n"
      "\n"
      "  -f, --format=FORMAT  text (default) or json, errors included\n"
      "  -h, --help           print this text\n\n"
      "The program must be the user's own, or the user root, and must not have been started\n"
      "with the option nocontrol.\n\n"
      "The exit status is 2 if there is no such verb or its arguments make no sense, 3 if there\n"
      "is no such program, or it refuses or cannot do it.\n\n"
      "Examples:\n"
      "  proflog ctl\n"
      "  proflog ctl 4711 status\n"
      "  proflog ctl 4711 enable alloc\n"
      "  proflog ctl --format json 4711 status | jq .bytes_written\n",
      stdout);
}

/* Prints what went wrong; returns the exit status. */
static int
tell_error (bool json, const char *kind, const char *message)
{
  if (json) {
    GString *line = g_string_new ("{\"ok\":false,\"error\":");
    emitter_append_json_string (line, kind, strlen (kind));
    g_string_append (line, ",\"message\":");
    emitter_append_json_string (line, message, strlen (message));
    puts (g_string_append_c (line, '}')->str);
    g_string_free (line, TRUE);
  } else {
    cli_tell ("proflog ctl: %s", message);
  }
  return strcmp (kind, PROFLOG_CONTROL_USAGE) == 0 ? CLI_USAGE : CLI_INPUT;
}

static int G_GNUC_PRINTF (2, 3) tell_usage (bool json, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  return tell_error (json, PROFLOG_CONTROL_USAGE, message);
}

/* ---- list ---- */

static void
append_process (GString *text, bool json, bool first, long pid)
{
  g_autofree char *command = control_client_command (pid);
  if (json) {
    g_string_append_printf (text, "%s{\"pid\":%ld,\"command\":", first ? "" : ",", pid);
    emitter_append_json_string (text, command, strlen (command));
    g_string_append_c (text, '}');
  } else {
    g_autofree char *safe = emitter_printable (command);
    g_string_append_printf (text, "%7ld  %s\n", pid, safe);
  }
}

static int
list (bool json)
{
  g_autoptr (GArray) pids = control_client_list ();
  g_autoptr (GString) text = g_string_new (json ? "{\"ok\":true,\"processes\":[" : "");
  for (guint i = 0; i < pids->len; i++)
    append_process (text, json, i == 0, g_array_index (pids, long, i));
  if (json)
    g_string_append (text, "]}\n");
  else if (pids->len == 0)
    cli_tell ("proflog ctl: no program of yours is being profiled and can be controlled");
  fputs (text->str, stdout);
  return CLI_OK;
}

/* ---- one program ---- */

/* Prints a reply, which the program may have meant to be anything. */
static int
print_reply (const char *reply, bool json)
{
  static const char json_ok[] = "{\"ok\":true", json_error[] = "{\"ok\":false,\"error\":\"";
  static const char text_error[] = "error ";
  if (json) {
    g_autofree char *line = g_strchomp (g_strdup (reply));
    g_autofree char *whole = g_utf8_make_valid (line, -1);
    const bool is_reply = g_str_has_prefix (whole, json_ok) || g_str_has_prefix (whole, json_error);
    if (!is_reply)
      return tell_error (json, PROFLOG_CONTROL_FAILED, "the program's reply makes no sense");
    puts (whole);
    if (g_str_has_prefix (whole, json_ok))
      return CLI_OK;
    const char *kind = whole + sizeof json_error - 1;
    return g_str_has_prefix (kind, PROFLOG_CONTROL_USAGE "\"") ? CLI_USAGE : CLI_INPUT;
  }
  g_auto (GStrv) lines = g_strsplit (reply, "\n", -1);
  if (lines[0] != NULL && lines[1] != NULL && g_str_has_prefix (lines[0], text_error))
    return tell_error (json, lines[0] + sizeof text_error - 1, lines[1]);
  if (g_strcmp0 (lines[0], "ok") != 0)
    return tell_error (json, PROFLOG_CONTROL_FAILED, "the program's reply makes no sense");
  for (char **line = lines + 1; *line != NULL; line++) {
    if (line[1] == NULL && **line == 0)
      break;
    g_autofree char *safe = emitter_printable (*line);
    puts (safe);
  }
  return CLI_OK;
}

static bool
parse_pid (const char *text, long *pid)
{
  guint64 value;
  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &value, NULL))
    return false;
  *pid = (long) value;
  return true;
}

static int
ask (const char *process, char **words, bool json)
{
  long pid;
  if (!parse_pid (process, &pid))
    return tell_usage (json, "'%s' is no process id", process);
  g_autoptr (GString) request = g_string_new (json ? "json" : "");
  const bool is_output = strcmp (words[0], "output") == 0 && words[1] != NULL && words[2] == NULL;
  g_autofree char *file = is_output ? g_canonicalize_filename (words[1], NULL) : NULL;
  char *output_words[] = { words[0], file, NULL };
  if (is_output)
    words = output_words; /* the program may be in another directory */
  for (; *words != NULL; words++) {
    if (**words == 0 || strpbrk (*words, " \t\r\n") != NULL)
      return tell_usage (json, "'%s': arguments have no blanks", *words);
    if (request->len != 0)
      g_string_append_c (request, ' ');
    g_string_append (request, *words);
  }
  g_string_append_c (request, '\n');
  if (request->len > PROFLOG_CONTROL_REQUEST_MAX)
    return tell_usage (json, "the request has %zu bytes, and not more than %d are taken",
                       request->len, PROFLOG_CONTROL_REQUEST_MAX);
  g_autoptr (GError) error = NULL;
  g_autofree char *reply = control_client_ask (pid, request->str, &error);
  return reply != NULL ? print_reply (reply, json)
                       : tell_error (json, PROFLOG_CONTROL_FAILED, error->message);
}

/* The options from optind on, up to the first word that is none.  False with *status if that is all
 * there is to do. */
static bool
read_options (int argc, char **argv, bool *json, int *status)
{
  static const struct option options[] = {
    { "format", required_argument, NULL, 'f' },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
  };
  int option;
  while ((option = getopt_long (argc, argv, "+:f:h", options, NULL)) != -1)
    switch (option) {
    case 'f':
      *json = strcmp (optarg, "json") == 0;
      if (*json || strcmp (optarg, "text") == 0)
        break;
      *status = tell_usage (*json, "--format=%s: there are text and json", optarg);
      return false;
    case 'h':
      print_help ();
      *status = CLI_OK;
      return false;
    default:
      *status = tell_usage (*json,
                            option == ':' ? "option '%s' needs a value; see 'proflog ctl --help'"
                                          : "there is no option '%s'; see 'proflog ctl --help'",
                            argv[optind - 1]);
      return false;
    }
  return true;
}

int
cmd_ctl (int argc, char **argv)
{
  bool json = false;
  int status;
  optind = 1;
  opterr = 0;
  if (!read_options (argc, argv, &json, &status))
    return status;
  const bool is_list = optind == argc || strcmp (argv[optind], "list") == 0;
  if (is_list && optind < argc) {
    optind++;
    if (!read_options (argc, argv, &json, &status))
      return status;
  }
  argc -= optind;
  argv += optind;
  if (is_list)
    return argc == 0 ? list (json) : tell_usage (json, "'%s': list takes no arguments", argv[0]);
  if (argc == 1)
    return tell_usage (json, "what to ask of process %s is missing; see 'proflog ctl --help'",
                       argv[0]);
  return ask (argv[0], argv + 1, json);
}
