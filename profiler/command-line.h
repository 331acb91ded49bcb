/* command-line.h -- how the runtime was started. */
#ifndef PROFLOG_COMMAND_LINE_H
#define PROFLOG_COMMAND_LINE_H

#include <stdbool.h>

/* Whether the runtime was told to compile everything itself, by -O=-aot on its command line or in
 * MONO_ENV_OPTIONS.  Embedders that say so otherwise are not known of. */
bool command_line_has_no_aot (void);

#endif
