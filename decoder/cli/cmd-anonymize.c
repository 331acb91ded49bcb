/* cmd-anonymize.c -- proflog anonymize */
#include "config.h"

#include "decoder/ghc/edit/ghc-anonymizer.h"
#include "decoder/cli/write-command.h"
#include <string.h>

struct anonymize_values {
  struct log_command log;
  bool keeps[GHC_SECRETS];
  const char *key;
};

static void
list_secrets (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (enum ghc_secret secret = 0; secret < GHC_SECRETS; secret++)
    g_ptr_array_add (names, (gpointer) ghc_secret_name (secret));
}

/* A list such as "args,env". */
static bool
parse_keep (void *field, const char *text, GError **error)
{
  bool *keeps = field;
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  for (char **name = names; *name != NULL; name++) {
    const enum ghc_secret secret = ghc_secret_of_name (*name);
    if (secret == GHC_SECRETS) {
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
anonymize (struct log_command *command, struct ghc_anonymizer *anonymizer)
{
  static const struct write_watch watch = { 0 };
  struct ghc_rewrite rewrite;
  ghc_rewrite_init (&rewrite);
  rewrite.change = change;
  rewrite.data = anonymizer;
  rewrite.completes = true;
  const int status = write_command_log (command, &rewrite, &watch);
  ghc_rewrite_clear (&rewrite);
  return status;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct anonymize_values v = { .key = NULL };
  struct ghc_anonymizer anonymizer;
  int status;
  if (!write_command_begin (&v.log, spec, argc, argv, &status))
    return status;
  ghc_anonymizer_init (&anonymizer, v.key);
  memcpy (anonymizer.keeps, v.keeps, sizeof v.keeps);
  status = anonymize (&v.log, &anonymizer);
  ghc_anonymizer_clear (&anonymizer);
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
  { .name = "key",
    .kind = CLI_STRING,
    .argument = "TEXT",
    .offset = offsetof (struct anonymize_values, key),
    .help = "Derive the words from this key; use the same one for logs to be compared" },
  { .name = NULL },
};

const struct cli_command command_anonymize = {
  .name = "anonymize",
  .group = CLI_CONVERT,
  .summary = "replace the texts in a GHC eventlog",
  .parameters = "LOG",
  .description
  = "The texts are:\n"
    "  args      command line\n"
    "  env       environment\n"
    "  messages  messages and markers\n"
    "  labels    labels of threads\n"
    "  names     cost centres, modules, types, closures and all other texts\n"
    "  bytes     messages of bytes, and unknown events\n\n"
    "The same text becomes the same word everywhere.  The words are derived from a random key, or "
    "from --key.  Damaged parts are left out, and a missing end mark is added.  All numbers and "
    "times, process ids, the clock and the version of the compiler stay.",
  .examples = "  proflog anonymize app.eventlog -o to-send.eventlog\n"
              "  proflog anonymize --keep names,labels app.eventlog -o to-send.eventlog",
  .options = { { own, 0 }, { log_no_format_option, 0 }, { log_options, 0 } },
  .run = run,
};
