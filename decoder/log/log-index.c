/* log-index.c -- writes the index of a log where one can be. */
#include "config.h"

#include "decoder/log/log-index.h"
#include "decoder/command/message.h"
#include "decoder/ghc/index/ghc-block-index.h"
#include "decoder/mlpd/index/buffers.h"

const struct cli_option log_index_option[] = {
  { .name = "index",
    .kind = CLI_FLAG,
    .offset = offsetof (struct log_command, index),
    .help
    = "Write an index of the log to LOG.index, so that this command and later ones read no more "
      "of it than a selection needs" },
  { .name = NULL },
};

static bool
update (struct log_input *input, GError **error)
{
  bool is_eventlog;
  if (log_input_identity (input) == NULL)
    return cli_refuse (error, "%s: no index is written: it is %s", log_input_name (input),
                       log_input_size (input) == 0 ? "compressed, or no file"
                                                   : "more than one file");
  if (!log_input_detect_eventlog (input, &is_eventlog, error))
    return false;
  return is_eventlog ? ghc_block_index_store (input, error) : buffer_flags_store (input, error);
}

/* The first time that messages are written; a log may be opened several times. */
static void
report_once (struct log_command *c, const char *log, const char *problem)
{
  if (c->quiet || cli_is_mute ())
    return;
  if (c->unindexed == NULL)
    c->unindexed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_add (c->unindexed, g_strdup (log)))
    cli_message ("proflog %s: %s", c->name, problem);
}

void
log_command_write_index (struct log_command *c, struct log_input *input)
{
  GError *error = NULL;
  if (!c->index || update (input, &error))
    return;
  report_once (c, log_input_name (input), error->message);
  g_error_free (error);
}
