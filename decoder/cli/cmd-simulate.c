/* cmd-simulate.c -- proflog simulate */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-kind.h"
#include "decoder/core/suggest.h"
#include "decoder/log/log-reads.h"
#include "decoder/views/dump-lines.h"
#include "decoder/views/ghc/ghc-simulation.h"
#include <string.h>

/* Text that is written at once. */
#define TEXT_BYTES (64 * 1024)

struct simulate_values {
  struct log_command log;
  bool allows_duplicates;
  enum ghc_validation machine;
};

struct simulating {
  struct log_command *command;
  struct ghc_simulation *simulation;
  GString *text;
  bool failed; /* to write */
};

static bool
write_text (struct simulating *s)
{
  if (s->text->len != 0)
    progress_clear (&s->command->progress);
  s->failed = s->failed || !output_write (&s->command->output, s->text);
  g_string_truncate (s->text, 0);
  return !s->failed;
}

static bool
handle_item (void *data, const struct ghc_item *item)
{
  struct simulating *s = data;
  const bool goes_on = ghc_simulation_item (s->simulation, item, s->text);
  return (s->text->len < TEXT_BYTES || write_text (s)) && goes_on;
}

static int
simulate_log (void *data, const char *path)
{
  struct simulate_values *v = data;
  struct log_command *c = &v->log;
  struct dump_lines lines
      = { .format = EMITTER_TEXT, .log_name = c->logs[1] != NULL ? path : NULL };
  struct simulating s = { .command = c };
  bool has_header;
  s.simulation = ghc_simulation_new (v->machine, v->allows_duplicates);
  s.text = g_string_new (NULL);
  dump_lines_head (&lines, "", s.text);
  ghc_simulation_begin (s.simulation, s.text);
  int status = log_command_follow_threads (c, path, handle_item, &s, &has_header);
  if (has_header && !s.failed) {
    ghc_simulation_end (s.simulation, s.text);
    write_text (&s);
  }
  if (s.failed)
    status = MAX (status, CLI_INPUT);
  if (status == CLI_OK && !ghc_simulation_is_valid (s.simulation))
    status = CLI_TRUE;
  ghc_simulation_free (s.simulation);
  g_string_free (s.text, TRUE);
  return status;
}

/* ---- the command line ---- */

static void
list_machines (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    g_ptr_array_add (names, (gpointer) ghc_validation_name (i));
}

/* The first word is the machine, the others are logs. */
static bool
parse_machine_word (struct simulate_values *v, GError **error)
{
  const char *first = v->log.logs[0];
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  list_machines (NULL, known);
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    if (first != NULL && strcmp (first, ghc_validation_name (i)) == 0) {
      v->machine = i;
      return log_command_drop_word (&v->log, error);
    }
  g_autofree char *all = cli_join (known);
  if (first == NULL || log_command_is_log (first))
    return cli_refuse (error, "a machine is needed before the log: %s", all);
  g_autofree char *near = suggest_text ("", first, known);
  return cli_refuse (error, "there is no machine '%s'; there are %s%s", first, all, near);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct simulate_values v = { .allows_duplicates = false };
  GError *error = NULL;
  int status;
  if (!log_command_parse (&v.log, spec, argc, argv, &status))
    return status;
  if (!parse_machine_word (&v, &error))
    return log_command_refuse (&v.log, error);
  if (!log_command_open (&v.log, &status))
    return status;
  status = CLI_OK;
  static const struct log_action actions[]
      = { [LOG_MONO] = { .lack = "'proflog validate' has the machines of those" },
          [LOG_GHC] = { .run = simulate_log } };
  for (char **path = v.log.logs; *path != NULL; path++) {
    const int this_status = log_kind_run (&v.log, *path, false, actions, &v);
    status = MAX (status, this_status);
  }
  return log_command_finish (&v.log, status);
}

static const struct cli_option own[] = {
  { .name = "allow-duplicates",
    .kind = CLI_FLAG,
    .offset = offsetof (struct simulate_values, allows_duplicates),
    .help = "Accept creation events for threads and tasks that already exist" },
  { .name = NULL },
};

const struct cli_command command_simulate = {
  .name = "simulate",
  .group = CLI_INSPECT,
  .summary = "print the states of an eventlog's threads, tasks or sparks after each event",
  .parameters = "MACHINE LOG...",
  .description
  = "Follows the events of a GHC eventlog in order of time through one state machine of 'proflog "
    "validate': threads, threadpool, threadrun, taskpool, tasks or sparks.  A line for each event "
    "that the machine inspects has the state after it, and the event, in the words of 'ghc-events "
    "simulate'.  It ends with the first event that is not accepted, with the state before it.\n\n"
    "The exit status is 1 if there is such an event (with --strict 4 if there is damage).",
  .examples = CLI_EXAMPLES (
      { "Print the states of threads after each event", "proflog simulate threads app.eventlog" },
      { "Print the last state of tasks", "proflog simulate tasks app.eventlog | tail -n 2" }),
  .options = { { own, 0 }, { log_text_format_option, 0 }, { log_options, 0 } },
  .words = list_machines,
  .run = run,
};
