/* validate.h -- whether an eventlog goes through the state machines of ghc-validator.h. */
#ifndef PROFLOG_VALIDATE_H
#define PROFLOG_VALIDATE_H

#include "decoder/ghc/analyses/ghc-validator.h"
#include "decoder/output/table.h"

/* Machines that inspect a log, side by side. */
struct validate {
  struct ghc_validator *validators[GHC_VALIDATIONS]; /* NULL: not requested */
  struct validate_verdict {
    bool refused; /* the event of these: */
    uint64_t offset, time;
    unsigned cap;
    char *event; /* the event, in words */
    char *reason;
  } verdicts[GHC_VALIDATIONS];
  guint going; /* machines that refused nothing so far */
};

/* `selected`: bit 1 << type for each machine; `reminders`: as of ghc_validator_new. */
void validate_init (struct validate *validate, unsigned selected, bool reminders);
void validate_clear (struct validate *validate);

/* The next event, in order of time.  False when no machine goes on. */
bool validate_item (struct validate *validate, const struct ghc_item *item);

/* Did all machines go on to the end? */
bool validate_is_valid (const struct validate *validate);

/* Writes the verdicts, and with view->verbose, or for programs, the open states of the machines. */
void validate_write (struct emitter *emitter, const char *log_name, const struct validate *validate,
                     const struct view *view);

#endif
