/* cmd-validate.c -- proflog validate */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/core/suggest.h"
#include "decoder/log/log-verdicts.h"
#include "decoder/views/ghc/validate.h"
#include "decoder/views/mlpd/mono-validate.h"
#include <string.h>

static int
validate_logs (struct log_verdicts *v)
{
  int status = CLI_OK;
  v->text = g_string_new (NULL);
  v->emitter = log_command_new_emitter (v->command, v->text);
  for (char **path = v->command->logs; *path != NULL; path++) {
    const int this_status = log_verdicts_put (v, *path);
    status = MAX (status, this_status);
  }
  g_string_truncate (v->text, 0);
  emitter_free (v->emitter);
  if (!output_write (&v->command->output, v->text))
    status = MAX (status, CLI_INPUT);
  g_string_free (v->text, TRUE);
  return status;
}

/* ---- the command line ---- */

struct validate_values {
  struct log_command log;
  bool allows_duplicates, verbose;
};

/* The machines of both formats have names of their own, but for threads. */
static void
list_machines (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    g_ptr_array_add (names, (gpointer) ghc_validation_name (i));
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++)
    if (i != LOG_VALIDATE_THREADS)
      g_ptr_array_add (names, (gpointer) log_validation_name (i));
  g_ptr_array_add (names, (gpointer) "all");
}

/* The machines that have a name, of each format. */
static void
find_machines (const char *name, unsigned found[LOG_KINDS])
{
  const bool all = strcmp (name, "all") == 0;
  found[LOG_MONO] = found[LOG_GHC] = 0;
  for (unsigned i = 0; i < GHC_VALIDATIONS; i++)
    if (all || strcmp (name, ghc_validation_name (i)) == 0)
      found[LOG_GHC] |= 1u << i;
  for (unsigned i = 0; i < LOG_VALIDATIONS; i++)
    if (all || strcmp (name, log_validation_name (i)) == 0)
      found[LOG_MONO] |= 1u << i;
}

/* The machines of a list such as "threads,tasks"; false and an error if there are others in it. */
static bool
parse_machines (const char *list, unsigned selected[LOG_KINDS], GError **error)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  list_machines (NULL, known);
  g_autofree char *all = cli_join (known);
  selected[LOG_MONO] = selected[LOG_GHC] = 0;
  if (names[0] == NULL)
    return cli_refuse (error, "a machine is needed: %s", all);
  for (char **name = names; *name != NULL; name++) {
    unsigned found[LOG_KINDS];
    find_machines (*name, found);
    if (found[LOG_MONO] == 0 && found[LOG_GHC] == 0) {
      g_autofree char *near = suggest_text ("", *name, known);
      return cli_refuse (error, "there is no machine '%s'; there are %s%s", *name, all, near);
    }
    selected[LOG_MONO] |= found[LOG_MONO];
    selected[LOG_GHC] |= found[LOG_GHC];
  }
  return true;
}

/* The first word is the machines, the others are logs.  Without machines it is all of them.  A word
 * alone that is neither is a log that is not there. */
static bool
parse_machines_word (struct log_command *command, unsigned selected[LOG_KINDS], GError **error)
{
  const char *first = command->logs[0];
  if (first != NULL && (log_command_is_log (first) || command->logs[1] == NULL)
      && !parse_machines (first, selected, NULL))
    return parse_machines ("all", selected, error);
  if (!parse_machines (first, selected, error))
    return false;
  return log_command_drop_word (command, error);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct validate_values v = { .verbose = false };
  struct log_verdicts validating = { .command = &v.log };
  GError *error = NULL;
  int status;
  if (!log_command_parse (&v.log, spec, argc, argv, &status))
    return status;
  if (!parse_machines_word (&v.log, validating.selected, &error))
    return log_command_refuse (&v.log, error);
  if (!log_command_open (&v.log, &status))
    return status;
  const struct view view = { .verbose = v.verbose };
  validating.duplicates = v.allows_duplicates;
  validating.view = &view;
  status = validate_logs (&validating);
  return log_command_finish (&v.log, status);
}

static const struct cli_option own[] = {
  { .name = "allow-duplicates",
    .kind = CLI_FLAG,
    .offset = offsetof (struct validate_values, allows_duplicates),
    .help = "Accept creation events for threads, tasks and handles that already exist" },
  { .name = "reminders", .kind = CLI_ALIAS, .help = "allow-duplicates" },
  { .name = "verbose",
    .letter = 'v',
    .kind = CLI_FLAG,
    .offset = offsetof (struct validate_values, verbose),
    .help = "List the threads, tasks and handles that are left at the end, too" },
  { .name = NULL },
};

const struct cli_command command_validate = {
  .name = "validate",
  .group = CLI_INSPECT,
  .summary = "check the order of events in a log",
  .parameters = "[MACHINE,...] LOG...",
  .description
  = "Follows the events in order of time and prints the first event that its state machine does "
    "not accept.  MACHINE,... is one or more of these (default: all).\n\n"
    "Of Mono logs:\n"
    "  calls        methods are left in the reverse order of their enters, until the end of the "
    "thread\n"
    "  collections  collections of each generation begin and end in turn, as do the phases of the "
    "world\n"
    "  heapshots    objects stand between the start and the end of a heap snapshot\n"
    "  monitors     a thread waits for a lock until it has it, or fails to get it\n"
    "  threads      a thread has events after its start and before its end\n"
    "  handles      a GC handle is created, then destroyed\n"
    "  finalizers   finalizers begin and end in turn\n\n"
    "Of GHC eventlogs, as 'ghc-events validate' does:\n"
    "  threads      each thread is created, queued, run, stopped and finished in turn\n"
    "  threadpool   a thread is created once and belongs to one capability\n"
    "  threadrun    a capability runs one thread, and a thread runs on one capability\n"
    "  taskpool     a task is created once and belongs to one capability\n"
    "  tasks        a task stays on one thread of the operating system\n"
    "  sparks       threads that run sparks run one after the other\n\n"
    "A part of a log, which begins in the middle of the program, has threads and collections that "
    "began before it.  A part of some capabilities lacks threads that others created.\n\n"
    "The exit status is 1 if an event is not accepted (with --strict 4 if there is damage).",
  .examples
  = CLI_EXAMPLES ({ "Check a log by all state machines", "proflog validate app.mlpd" },
                  { "Check by some of them", "proflog validate calls,monitors app.mlpd" },
                  { "Check the threads and tasks of an eventlog",
                    "proflog validate threads,tasks app.eventlog" },
                  { "Check a part of an eventlog, in which things are announced again",
                    "proflog validate all --allow-duplicates --format json app.eventlog" }),
  .options = { { own, 0 }, { log_format_option, 0 }, { log_options, 0 } },
  .words = list_machines,
  .run = run,
};
