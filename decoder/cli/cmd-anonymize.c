/* cmd-anonymize.c -- proflog anonymize */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/ghc/edit/ghc-anonymizer.h"
#include "decoder/command/cli.h"
#include "decoder/edit/write-command.h"
#include "decoder/log/log-kind.h"
#include "decoder/mlpd/edit/mlpd-anonymizer.h"
#include <string.h>

struct anonymize_values {
  struct log_command log;
  bool keeps[SECRETS];
  const char *key_file; /* NULL: the key is in the environment, or random */
  struct secrets secrets;
};

/* ---- a log of Mono ---- */

static bool
anonymize_item (void *anonymizer, const struct mlpd_item *item, GError **error)
{
  return mlpd_anonymizer_item (anonymizer, item, error);
}

/* Writes the command's only log to its output.  Returns the exit status. */
static int
anonymize_mono (void *data, const char *path)
{
  struct anonymize_values *v = data;
  struct mlpd_anonymizer anonymizer;
  (void) path;
  mlpd_anonymizer_init (&anonymizer, &v->secrets);
  const struct write_mono write
      = { .writer = anonymizer.writer, .item = anonymize_item, .data = &anonymizer };
  const int status = write_command_mono_log (&v->log, &write);
  mlpd_anonymizer_clear (&anonymizer);
  return status;
}

/* ---- an eventlog ---- */

static void
list_secrets (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (enum secret secret = 0; secret < SECRETS; secret++)
    g_ptr_array_add (names, (gpointer) secret_name (secret));
}

/* A list such as "args,env". */
static bool
parse_keep (void *field, const char *text, GError **error)
{
  bool *keeps = field;
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  for (char **name = names; *name != NULL; name++) {
    const enum secret secret = secret_of_name (*name);
    if (secret == SECRETS) {
      g_autoptr (GPtrArray) known = g_ptr_array_new ();
      list_secrets (NULL, known);
      return cli_refuse_value (error, "--keep", *name, known);
    }
    keeps[secret] = true;
  }
  return true;
}

static bool
change (void *data, const struct ghc_item *item, struct ghc_event *event)
{
  ghc_anonymizer_event (data, item, event);
  return true;
}

static int
anonymize_eventlog (void *data, const char *path)
{
  struct anonymize_values *v = data;
  static const struct write_watch watch = { 0 };
  struct ghc_anonymizer anonymizer;
  struct ghc_rewrite rewrite;
  (void) path;
  ghc_anonymizer_init (&anonymizer, &v->secrets);
  ghc_rewrite_init (&rewrite);
  rewrite.change = change;
  rewrite.data = &anonymizer;
  rewrite.completes = true;
  const int status = write_command_log (&v->log, &rewrite, &watch);
  ghc_rewrite_clear (&rewrite);
  ghc_anonymizer_clear (&anonymizer);
  return status;
}

/* The key, of which others see neither the file nor the variable, as they would the command line;
 * NULL: there is none, or an error (g_free). */
static char *
read_key (const char *file, GError **error)
{
  char *key = NULL;
  if (file == NULL)
    key = g_strdup (g_getenv ("PROFLOG_KEY"));
  else if (g_file_get_contents (file, &key, NULL, error))
    g_strchomp (key);
  if (key == NULL || *key != 0)
    return key;
  g_free (key);
  cli_refuse (error, "%s: the key is empty", file != NULL ? file : "PROFLOG_KEY");
  return NULL;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct anonymize_values v = { .key_file = NULL };
  static const struct log_action actions[]
      = { [LOG_MONO] = { .run = anonymize_mono }, [LOG_GHC] = { .run = anonymize_eventlog } };
  GError *error = NULL;
  int status;
  if (!write_command_parse (&v.log, spec, false, argc, argv, &status))
    return status;
  g_autofree char *key = read_key (v.key_file, &error);
  if (error != NULL) {
    write_command_discard (&v.log);
    return log_command_refuse (&v.log, error);
  }
  secrets_init (&v.secrets, key);
  memcpy (v.secrets.keeps, v.keeps, sizeof v.keeps);
  status = write_command_run (&v.log, false, actions, &v);
  secrets_clear (&v.secrets);
  return log_command_finish (&v.log, status);
}

static const struct cli_option own[] = {
  { .name = "keep",
    .kind = CLI_PARSED,
    .argument = "KIND,...",
    .offset = offsetof (struct anonymize_values, keeps),
    .parse = parse_keep,
    .list = list_secrets,
    .help = "Do not replace these: args, env, messages, labels, names, bytes" },
  { .name = "key-file",
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct anonymize_values, key_file),
    .help = "Derive the words from the key in this file, or in the variable PROFLOG_KEY; use the "
            "same one for logs to be compared (default: a random key)" },
  { .name = NULL },
};

const struct cli_command command_anonymize = {
  .name = "anonymize",
  .group = CLI_CONVERT,
  .summary = "replace the texts in a log",
  .parameters = "LOG",
  .description
  = "The kinds of texts are:\n"
    "  args      command line; of Mono logs, texts among the profiler's options\n"
    "  env       environment\n"
    "  messages  messages, markers, marks, and the program's own counters\n"
    "  labels    labels of threads and domains\n"
    "  names     classes, methods, files, cost centres, modules, types, closures\n"
    "            and all other texts\n"
    "  bytes     messages of bytes, and unknown events\n\n"
    "The same text becomes the same word everywhere.  The words are derived from a random key, or "
    "from that of --key-file.  Damaged parts are left out, and a missing end mark of an eventlog "
    "is added.  All "
    "numbers and times, process ids, the clock and the version of the compiler stay.  In Mono logs "
    "each part of a name is replaced separately; names in the namespaces System, Mono and "
    "Microsoft stay, as do the runtime's own.",
  .examples = CLI_EXAMPLES (
      { "Replace all texts of an eventlog", "proflog anonymize app.eventlog -o to-send.eventlog" },
      { "Replace those of a log of Mono", "proflog anonymize app.mlpd -o to-send.mlpd" },
      { "Leave names and labels",
        "proflog anonymize --keep names,labels app.eventlog -o to-send.eventlog" }),
  .options = { { own, 0 }, { log_no_format_option, 0 }, { log_options, 0 } },
  .run = run,
};
