/* log-page.h -- pages of logs for a browser. */
#ifndef PROFLOG_LOG_PAGE_H
#define PROFLOG_LOG_PAGE_H

#include "decoder/log/log-command.h"

extern const struct cli_option log_page_options[]; /* --html, --open */
extern const struct cli_option log_open_option[];  /* --open */

/* The page of app.mlpd is app.html, in the current directory (transfer full); NULL: the log is
 * standard input. */
char *log_page_path (const struct log_command *command);

/* After the options: where the page that they request goes.  Fails with G_OPTION_ERROR if they
 * request another format, too. */
bool log_page_apply (struct log_command *command, GError **error);

#endif
