/* cmd-dump.c -- proflog dump */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/views/dump.h"
#include <string.h>

static void
dump_one (void *data, const struct mlpd_item *item, GString *text)
{
  dump_item (data, item, text);
}

/* Damage of the compression has no place in the log. */
static void
dump_damage (void *data, bool truncated, const char *message, GString *text)
{
  const struct dump *dump = data;
  if (dump->format == EMITTER_JSON) {
    g_string_append_printf (text, "{\"item\":\"damage\",\"reason\":\"%s\",\"message\":",
                            truncated ? "truncated" : "corrupt");
    emitter_append_json_string (text, message, strlen (message));
    g_string_append (text, "}\n");
  } else {
    g_string_append_printf (text, "damage reason=%s %s\n", truncated ? "truncated" : "corrupt",
                            message);
  }
}

int
cmd_dump (int argc, char **argv)
{
  static const struct log_handler handler = { dump_one, dump_damage };
  struct log_command command;
  int status;
  if (!log_command_parse (
          &command, "dump", "print every event",
          "A line is: byte offset, seconds since the first buffer, thread, kind, fields.\n"
          "With --format json each line is an object; time_ns is in it as in the log.\n"
          "Names are those that were announced before the line.\n\n"
          "Examples:\n"
          "  proflog dump app.mlpd | grep exception-throw\n"
          "  proflog dump --format json app.mlpd | jq 'select (.kind == \"gc-event\")'",
          NULL, argc, argv, &status))
    return status;
  if (!log_command_open (&command, &status))
    return status;
  status = CLI_OK;
  for (char **path = command.logs; *path != NULL; path++) {
    struct dump dump;
    dump_init (&dump, command.format);
    int this_status = log_command_read (&command, *path, &handler, &dump);
    status = MAX (status, this_status);
    dump_clear (&dump);
  }
  return log_command_finish (&command, status);
}
