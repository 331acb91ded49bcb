/* convert-report.c -- a line for each kind of what was left out. */
#include "config.h"

#include "decoder/edit/convert-report.h"
#include "decoder/command/message.h"

void
convert_report_losses (const struct log_command *c, const char *path, const char *target,
                       const struct convert_losses *losses)
{
  for (guint i = 0; !c->quiet && i < losses->names->len; i++)
    cli_message ("proflog %s: %s: not in %s: %" G_GUINT64_FORMAT " %s", c->name, path, target,
                 g_array_index (losses->counts, uint64_t, i),
                 (const char *) losses->names->pdata[i]);
}
