/* log-survival.h -- follows the allocated objects of a log of Mono, read in order of time. */
#ifndef PROFLOG_LOG_SURVIVAL_H
#define PROFLOG_LOG_SURVIVAL_H

#include "decoder/log/log-command.h"
#include "decoder/mlpd/analyses/survival.h"
#include "decoder/mlpd/model/traces.h"

/* What a log is read into, or was before. */
struct survival_model {
  struct symbols *symbols;
  struct traces *traces;
  bool has_names; /* the symbols have those of the log already */
  /* NULL, or called for each object of a heap snapshot whose allocation is known. */
  void (*in_shot) (void *data, guint shot, uint64_t object, guint row);
  void *in_shot_data;
};

/* Reads a log.  The allocations that the command selects count; they are followed over all of the
 * log.  Returns the exit status; with another one than CLI_OK there was a message.  The survival is
 * to be cleared in any case. */
int log_survival_read (struct log_command *command, const char *path,
                       const struct survival_model *model, struct survival *survival);

#endif
