/* log-page.c -- names pages, and opens them. */
#include "config.h"

#include "decoder/log/log-page.h"
#include "decoder/command/cli.h"
#include <string.h>

#define OPEN_OPTION                                                                                \
  {                                                                                                \
    .name = "open", .kind = CLI_FLAG, .offset = offsetof (struct log_command, opens),              \
    .help = "Open the page in a browser, by xdg-open"                                              \
  }

const struct cli_option log_page_options[]
    = { { .name = "html",
          .kind = CLI_FLAG,
          .offset = offsetof (struct log_command, is_page),
          .help = "Write a page for a browser: that of app.mlpd is app.html, unless -o names it" },
        OPEN_OPTION,
        { .name = NULL } };

const struct cli_option log_open_option[] = { OPEN_OPTION, { .name = NULL } };

char *
log_page_path (const struct log_command *c)
{
  static const char *const endings[] = { ".gz", ".zst", ".mlpd", ".eventlog" };
  if (c->logs == NULL || c->logs[0] == NULL || strcmp (c->logs[0], "-") == 0)
    return NULL;
  g_autofree char *name = g_path_get_basename (c->logs[0]);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      name[strlen (name) - strlen (endings[i])] = 0;
  return g_strconcat (name, ".html", NULL);
}

bool
log_page_apply (struct log_command *c, GError **error)
{
  if (!c->is_page && !c->opens)
    return true;
  if ((c->has_format || c->path != NULL) && c->format != EMITTER_HTML)
    return cli_refuse (error, "--html and --open are for a page, and another format is requested");
  c->format = EMITTER_HTML;
  if (c->path == NULL)
    c->path = c->page = log_page_path (c);
  return true;
}
