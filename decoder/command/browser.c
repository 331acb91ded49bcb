/* browser.c -- opens pages by xdg-open. */
#include "config.h"

#include "decoder/command/browser.h"
#include "decoder/command/message.h"

#include <glib.h>

void
browser_show (const char *command, const char *path, bool opens, bool quiet)
{
  char *arguments[] = { "xdg-open", (char *) path, NULL };
  g_autoptr (GError) error = NULL;
  if (opens
      && g_spawn_async (NULL, arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                        NULL, NULL, NULL, &error))
    return;
  if (error != NULL)
    cli_message ("proflog %s: %s", command, error->message);
  if (!quiet)
    cli_message ("proflog %s: open %s in a browser", command, path);
}
