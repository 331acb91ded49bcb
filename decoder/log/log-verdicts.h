/* log-verdicts.h -- whether the events of logs come in an order that state machines accept. */
#ifndef PROFLOG_LOG_VERDICTS_H
#define PROFLOG_LOG_VERDICTS_H

#include "decoder/log/log-command.h"
#include "decoder/log/log-kind.h"
#include "decoder/output/emitter.h"
#include "decoder/output/view.h"

/* The data common to all logs of a command; all of it is borrowed. */
struct log_verdicts {
  struct log_command *command;
  unsigned selected[LOG_KINDS]; /* machines of each format, as bits */
  bool duplicates;              /* a thing that exists may be created again */
  const struct view *view;
  struct emitter *emitter; /* into `text` */
  GString *text;
};

/* Selects all machines of each format. */
void log_verdicts_select_all (struct log_verdicts *verdicts);

/* Reads the log of this name, and writes its verdicts out.  A log whose format has none of the
 * machines is refused.  Returns the exit status. */
int log_verdicts_put (struct log_verdicts *verdicts, const char *path);

#endif
