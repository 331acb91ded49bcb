/* cmd-stacks.c -- proflog stacks: what each thread of a recorded program does now. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/command/message.h"
#include "decoder/mlpd/model/wait-kind.h"
#include "decoder/output/emitter.h"
#include "decoder/system/control-programs.h"
#include "decoder/system/program-control.h"
#include <proflog/control.h>
#include <stdio.h>
#include <string.h>

struct stacks_values {
  unsigned format; /* enum emitter_format */
};

/* ---- the reply ---- */

/* A thread of the reply, in which a row is "  id 0x7f, tid 5, state waits, name Main". */
struct stacks_thread {
  char *id, *tid, *state, *name;
  GPtrArray *frames; /* innermost first, borrowed */
};

/* The words of a row of the reply up to the last key, whose text may have any bytes (transfer
 * full); NULL: it is another row. */
static char *
take_word (const char **at, const char *key, bool is_last)
{
  if (!g_str_has_prefix (*at, key))
    return NULL;
  const char *const value = *at + strlen (key);
  const char *const end = is_last ? value + strlen (value) : strstr (value, ", ");
  if (end == NULL)
    return NULL;
  *at = is_last ? end : end + strlen (", ");
  return g_strndup (value, (gsize) (end - value));
}

static void
stacks_thread_free (gpointer data)
{
  struct stacks_thread *const t = data;
  g_free (t->id);
  g_free (t->tid);
  g_free (t->state);
  g_free (t->name);
  g_ptr_array_free (t->frames, TRUE);
  g_free (t);
}

static bool
add_thread (GPtrArray *threads, const char *row)
{
  struct stacks_thread *const t = g_new0 (struct stacks_thread, 1);
  t->frames = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (threads, t);
  return (t->id = take_word (&row, "  id ", false)) != NULL
         && (t->tid = take_word (&row, "tid ", false)) != NULL
         && (t->state = take_word (&row, "state ", false)) != NULL
         && (t->name = take_word (&row, "name ", true)) != NULL;
}

static bool
add_frame (GPtrArray *threads, const char *row)
{
  g_autofree char *tid = take_word (&row, "  tid ", false);
  char *const method = tid != NULL ? take_word (&row, "method ", true) : NULL;
  for (guint i = 0; method != NULL && i < threads->len; i++) {
    struct stacks_thread *const t = threads->pdata[i];
    if (strcmp (t->tid, tid) == 0) {
      g_ptr_array_add (t->frames, method);
      return true;
    }
  }
  g_free (method);
  return false;
}

/* False: the reply is not one. */
static bool
read_reply (GPtrArray *threads, char **lines)
{
  bool is_frame = false;
  for (char **line = lines; *line != NULL && **line != 0; line++)
    if (strcmp (*line, "threads: ") == 0 || strcmp (*line, "frames: ") == 0)
      is_frame = **line == 'f';
    else if (!(is_frame ? add_frame (threads, *line) : add_thread (threads, *line)))
      return false;
  return true;
}

/* ---- text ---- */

/* What the thread does, by the code that it waits in. */
static const char *
state_of (const struct stacks_thread *t)
{
  static const char *const texts[WAIT_KINDS] = {
    [WAIT_LOCK] = "waits for a lock, owner unknown",
    [WAIT_EVENT] = "waits for a signal",
    [WAIT_JOIN] = "waits for the end of a thread",
    [WAIT_CHILD] = "waits for the end of a process",
    [WAIT_SLEEP] = "sleeps",
    [WAIT_IO] = "waits for input or output",
    [WAIT_POLL] = "waits for descriptors",
    [WAIT_GC] = "waits for the collector",
  };
  if (strcmp (t->state, "waits") != 0)
    return strcmp (t->state, "runs") == 0 ? "runs" : "not seen";
  const enum wait_kind kind
      = t->frames->len != 0 ? wait_kind_of_method (t->frames->pdata[0]) : WAIT_NONE;
  return texts[kind] != NULL ? texts[kind] : "waits in native code";
}

static void
print_thread (const struct stacks_thread *t)
{
  g_autofree char *name = emitter_printable (t->name);
  g_autofree char *id = emitter_printable (t->id);
  g_autofree char *tid = emitter_printable (t->tid);
  printf ("%s (%s, tid %s): %s\n", *name != 0 ? name : "thread", id, tid, state_of (t));
  for (guint i = 0; i < t->frames->len; i++) {
    g_autofree char *frame = emitter_printable (t->frames->pdata[i]);
    printf ("    %s\n", frame);
  }
}

static int
print_text (const char *reply)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new_with_free_func (stacks_thread_free);
  g_auto (GStrv) lines = g_strsplit (reply, "\n", -1);
  if (lines[0] != NULL && lines[1] != NULL && g_str_has_prefix (lines[0], "error ")) {
    g_autofree char *message = emitter_printable (lines[1]);
    cli_message ("proflog stacks: %s", message);
    if (strstr (message, "not sampled") != NULL)
      cli_message ("proflog stacks: 'proflog run --wall' and 'proflog attach --wall' sample them");
    return CLI_INPUT;
  }
  if (lines[0] == NULL || strcmp (lines[0], "ok") != 0 || !read_reply (threads, lines + 1)) {
    cli_message ("proflog stacks: the program's reply is invalid");
    return CLI_INPUT;
  }
  for (guint i = 0; i < threads->len; i++)
    print_thread (threads->pdata[i]);
  return CLI_OK;
}

static int
print_json (const char *reply)
{
  g_autofree char *line = g_strchomp (g_strdup (reply));
  g_autofree char *whole = g_utf8_make_valid (line, -1);
  puts (whole);
  return g_str_has_prefix (whole, "{\"ok\":true") ? CLI_OK : CLI_INPUT;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct stacks_values v = { .format = EMITTER_TEXT };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  int status;
  if (!cli_parse_or_report (spec, argc, argv, &v, words, &status))
    return status;
  if (words->len != 1) {
    cli_message ("proflog stacks: one process is needed, by its id or name; 'proflog ctl' lists "
                 "those that are recorded");
    return CLI_USAGE;
  }
  const bool json = v.format == EMITTER_JSON;
  const long pid = control_programs_find_process (words->pdata[0], &error);
  g_autofree char *reply
      = pid != 0 ? control_client_request (pid, json ? "json stacks\n" : "stacks\n", &error) : NULL;
  if (reply != NULL)
    return json ? print_json (reply) : print_text (reply);
  cli_message ("proflog stacks: %s", error->message);
  return CLI_INPUT;
}

static const struct cli_choice formats[]
    = { { "text", EMITTER_TEXT, false }, { "json", EMITTER_JSON, false }, { NULL, 0, false } };

static const struct cli_option own[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_CHOICE,
    .argument = "FORMAT",
    .offset = offsetof (struct stacks_values, format),
    .choices = formats,
    .help = "Output format: text (default) or json, errors included" },
  { .name = NULL },
};

const struct cli_command command_stacks = {
  .name = "stacks",
  .group = CLI_LIVE,
  .summary = "print what each thread of a running program does",
  .parameters = "PROGRAM",
  .description
  = "PROGRAM is a process id, or a name such as app.exe, of a Mono program that is recorded with "
    "--wall, by 'proflog run' or 'proflog attach'.  Each managed thread has a line with its name, "
    "numbers and state, and below it its methods, innermost first: whether it runs, sleeps, or "
    "waits for a lock, a signal, input, or another thread.  Who owns a lock is not known.  A "
    "thread that runs is seen at its next sample, for which the command waits at most 0.3 s; else "
    "it is 'not seen'.  "
    "Threads that wait in native code that a signal would interrupt have no stack.",
  .examples = CLI_EXAMPLES ({ "Does it hang?", "proflog stacks 4711" }),
  .options = { { own, 0 } },
  .run = run,
};
