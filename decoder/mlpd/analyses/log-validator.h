/* log-validator.h -- state machines of a Mono log: which events may follow which.
 *
 * Feed them events in order of time, those of one time in the order of the file (mlpd-order.h).
 */
#ifndef PROFLOG_LOG_VALIDATOR_H
#define PROFLOG_LOG_VALIDATOR_H

#include <glib.h>
#include <proflog/mlpd-reader.h>

enum log_validation {
#define MACHINE(ID, name, ...) LOG_VALIDATE_##ID,
#include "decoder/mlpd/analyses/log-validator.def"
  LOG_VALIDATIONS,
};

struct log_validator;

/* `is_part`: the log continues another one, where something that ends may have begun.
 * `duplicates`: that something begins which is there already is skipped, of threads and handles. */
struct log_validator *log_validator_new (enum log_validation type, bool is_part, bool duplicates);
void log_validator_free (struct log_validator *validator);

/* "calls" */
const char *log_validation_name (enum log_validation type);

/* Handles the next event.  False if it must not come now, with the cause in *reason (transfer
 * full); give it no more then. */
bool log_validator_item (struct log_validator *validator, const struct mlpd_item *item,
                         char **reason);

/* Events that were of a kind that the machine inspects. */
uint64_t log_validator_events (const struct log_validator *validator);

/* A state that is open at the end. */
struct log_validator_state {
  uint64_t id;       /* a thread, or a handle */
  const char *state; /* static */
  uint64_t offset;   /* where that began */
};

/* Those that are left, in the order of their ids (transfer full: an array of struct
 * log_validator_state). */
GArray *log_validator_states (const struct log_validator *validator);

#endif
