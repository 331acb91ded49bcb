/* ghc-simulation.h -- a state machine of ghc-validator.h, step by step: a line for each event that
 * it inspects, with its state after it, in the words of 'ghc-events simulate'.
 *
 * Feed it events in order of time, those of one time in the order of the file.
 */
#ifndef PROFLOG_GHC_SIMULATION_H
#define PROFLOG_GHC_SIMULATION_H

#include "decoder/ghc/analyses/ghc-validator.h"

struct ghc_simulation;

/* `reminders`: as of ghc_validator_new. */
struct ghc_simulation *ghc_simulation_new (enum ghc_validation type, bool reminders);
void ghc_simulation_free (struct ghc_simulation *simulation);

/* Appends the text before the events. */
void ghc_simulation_begin (const struct ghc_simulation *simulation, GString *out);

/* Handles the next event and appends its line.  False if it does not fit: then it appends the event
 * with the state before it, and no other must follow. */
bool ghc_simulation_item (struct ghc_simulation *simulation, const struct ghc_item *item,
                          GString *out);

/* Appends the text after the events. */
void ghc_simulation_end (const struct ghc_simulation *simulation, GString *out);

/* Did all events fit? */
bool ghc_simulation_is_valid (const struct ghc_simulation *simulation);

#endif
