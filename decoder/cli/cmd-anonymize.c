/* cmd-anonymize.c -- proflog anonymize */
#include "decoder/analyses/ghc-anonymizer.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/write-command.h"

/* What --keep leaves as it is. */
static bool
parse_keep (struct ghc_anonymizer *anonymizer, char **lists, GError **error)
{
  for (; lists != NULL && *lists != NULL; lists++) {
    char **names = g_strsplit (*lists, ",", -1);
    bool good = true;
    for (char **name = names; good && *name != NULL; name++) {
      const enum ghc_secret secret = ghc_secret_of_name (*name);
      good = secret != GHC_SECRETS;
      if (good)
        anonymizer->keeps[secret] = true;
      else
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     "--keep %s: there are args, env, messages, labels, names and bytes", *name);
    }
    g_strfreev (names);
    if (!good)
      return false;
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

int
cmd_anonymize (int argc, char **argv)
{
  char *key = NULL;
  char **keep = NULL;
  const GOptionEntry own[]
      = { { "keep", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &keep,
            "Leave these as they are: args, env, messages, labels, names, bytes", "WHAT,..." },
          { "key", 0, 0, G_OPTION_ARG_FILENAME, &key,
            "What words follow from; the same for logs to be compared", "TEXT" },
          G_OPTION_ENTRY_NULL };
  const struct log_command_sort sort = {
    .name = "anonymize",
    .parameters = "LOG",
    .summary = "replace what an eventlog tells of a program and its user",
    .description
    = "Replaced are: args (command line), env (environment), messages (with markers), labels (of\n"
      "threads), names (cost centres, modules, types, closures and all other texts) and bytes\n"
      "(messages of bytes, and events that are not known).  The same text becomes the same word\n"
      "everywhere.  Which word that is follows from a random key, unless --key says otherwise.\n"
      "What is damaged is left out, and an end mark added where it lacks.\n"
      "What stays: all numbers and times, process ids, the clock, the version of the compiler.\n\n"
      "Examples:\n"
      "  proflog anonymize app.eventlog -o to-send.eventlog\n"
      "  proflog anonymize --keep names,labels app.eventlog -o to-send.eventlog",
    .own = own,
    .is_log = true,
  };
  struct log_command command;
  struct ghc_anonymizer anonymizer;
  GError *error = NULL;
  int status;
  if (!write_command_begin (&command, &sort, argc, argv, &status)) {
    g_strfreev (keep);
    g_free (key);
    return status;
  }
  ghc_anonymizer_init (&anonymizer, key);
  if (parse_keep (&anonymizer, keep, &error)) {
    status = anonymize (&command, &anonymizer);
    status = log_command_finish (&command, status);
  } else {
    write_command_give_up (&command);
    status = log_command_refuse (&command, error);
  }
  ghc_anonymizer_clear (&anonymizer);
  g_strfreev (keep);
  g_free (key);
  return status;
}
