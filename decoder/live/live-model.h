/* live-model.h -- a log that is being written, as figures: added up as it comes, in memory that
 * does not grow with the stream, but with the names of the program and its living threads.  The
 * figures of a program of Mono go on from one of its logs to the next; another's begin anew.
 *
 * A model belongs to one thread at a time.  Its functions for items and buffers are those of a
 * live_handler, with the model as data.
 */
#ifndef PROFLOG_LIVE_MODEL_H
#define PROFLOG_LIVE_MODEL_H

#include "decoder/exports/export-stacks.h"
#include "decoder/live/live-figures.h"
#include "decoder/stacks/live-stacks.h"
#include <proflog/ghc-reader.h>
#include <proflog/mlpd-reader.h>

struct live_model;

/* Free it with live_model_free. */
struct live_model *live_model_new (void);

/* The process whose processor time and memory are figures, too; 0: none. */
void live_model_set_process (struct live_model *model, long pid);
void live_model_free (struct live_model *model);

void live_model_mono (void *model, const struct mlpd_item *item);
void live_model_ghc (void *model, const struct ghc_item *item);
bool live_model_buffers (void *model, const uint8_t *bytes, size_t length, uint64_t offset);

/* The figures since the last call, of an interval of `interval_ns` by our clock.  They are the
 * model's, until the next call. */
const struct live_figures *live_model_figures (struct live_model *model, uint64_t interval_ns);

/* The stacks of samples of a log of Mono, and the symbols of their methods: the model's, until the
 * next item. */
const struct live_stacks *live_model_stacks (const struct live_model *model);
const struct symbols *live_model_symbols (const struct live_model *model);

/* Adds the stacks of the samples up to now: those of Mono, or the time profile and the call stacks
 * of GHC. */
void live_model_add_stacks (struct live_model *model, struct export_stacks *stacks);

#endif
