/* ghc-validator.h -- state machines of an eventlog: which events of threads, tasks and sparks may
 * follow which.
 *
 * They are those that the reference tool has, and give its verdicts.  Feed them events in order of
 * time, those of one time in the order of the file.
 */
#ifndef PROFLOG_GHC_VALIDATOR_H
#define PROFLOG_GHC_VALIDATOR_H

#include <glib.h>
#include <proflog/ghc-reader.h>

enum ghc_validation {
  GHC_VALIDATE_THREADS,    /* each thread is made, queued, run, stopped, finished in turn */
  GHC_VALIDATE_THREADPOOL, /* a thread is made once and belongs to one capability */
  GHC_VALIDATE_THREADRUN,  /* a capability runs one thread, a thread runs on one capability */
  GHC_VALIDATE_TASKPOOL,   /* a task is made once and belongs to one capability */
  GHC_VALIDATE_TASKS,      /* and is one thread of the system all the time */
  GHC_VALIDATE_SPARKS,     /* threads that run sparks run one after the other */
  GHC_VALIDATIONS,
};

struct ghc_validator;

/* `reminders`: that something is made which is there already is skipped.  `accepts_parts`: of
 * a log that does not have the program's start (ghc_is_first_of_program), threads may have been
 * there before; the reference tool refuses them. */
struct ghc_validator *ghc_validator_new (enum ghc_validation type, bool reminders,
                                         bool accepts_parts);
void ghc_validator_free (struct ghc_validator *validator);

/* "threads" */
const char *ghc_validation_name (enum ghc_validation type);

/* Takes the next event.  False if it must not come now, with why in *reason (transfer full); give
 * it no more then. */
bool ghc_validator_item (struct ghc_validator *validator, const struct ghc_item *item,
                         char **reason);

/* Events that were of a kind that the machine inspects. */
uint64_t ghc_validator_events (const struct ghc_validator *validator);

/* A thread, task or capability that a machine knows. */
struct ghc_validator_state {
  uint64_t id;
  const char *state; /* "queued"; NULL: the machine has none for it */
  unsigned cap;      /* GHC_NO_CAP: not known to the machine */
  uint64_t other; /* of a task the thread of the system, of a capability the thread that it runs; 0:
                     not known to the machine */
  uint64_t sparks; /* that a spark thread got after its first one */
};

/* The open states at the end: threads or tasks that were not finished, or threads that run, in the
 * order of their ids (transfer full: an array of struct ghc_validator_state). */
GArray *ghc_validator_states (const struct ghc_validator *validator);

/* The open state of a machine. */
enum ghc_validator_table {
  GHC_VALIDATOR_THINGS,  /* threads or tasks, also finished ones */
  GHC_VALIDATOR_CAPS,    /* capabilities that run a thread */
  GHC_VALIDATOR_SYSTEMS, /* the system's threads that are tasks, with the capability of the task */
};

/* The same of a table as it is. */
GArray *ghc_validator_table (const struct ghc_validator *validator, enum ghc_validator_table table);

#endif
