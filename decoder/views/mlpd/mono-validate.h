/* mono-validate.h -- whether a Mono log goes through the state machines of log-validator.h. */
#ifndef PROFLOG_MONO_VALIDATE_H
#define PROFLOG_MONO_VALIDATE_H

#include "decoder/mlpd/analyses/log-validator.h"
#include "decoder/output/table.h"
#include "decoder/views/mlpd/dump.h"

/* Machines that inspect a log, side by side. */
struct mono_validate {
  struct log_validator *validators[LOG_VALIDATIONS]; /* NULL: not requested */
  struct mono_verdict {
    bool refused; /* the event of these: */
    uint64_t offset, time, thread;
    char *event; /* the event, as in a dump */
    char *reason;
  } verdicts[LOG_VALIDATIONS];
  guint going;      /* machines that refused nothing so far */
  struct dump dump; /* names */
};

/* `selected`: bit 1 << type for each machine; see log_validator_new.  `names` (borrowed) has later
 * announcements. */
void mono_validate_init (struct mono_validate *validate, unsigned selected, bool is_part,
                         bool duplicates, const struct symbols *names);
void mono_validate_clear (struct mono_validate *validate);

/* The next event, in order of time, at this time on the log's clock.  False when no machine goes
 * on. */
bool mono_validate_item (struct mono_validate *validate, const struct mlpd_item *item,
                         uint64_t time);

/* Did all machines go on to the end? */
bool mono_validate_is_valid (const struct mono_validate *validate);

/* Writes the verdicts, and with view->verbose, or for programs, the open states of the machines. */
void mono_validate_write (struct emitter *emitter, const char *log_name,
                          const struct mono_validate *validate, const struct view *view);

#endif
