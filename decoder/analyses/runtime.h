/* runtime.h -- what goes on in the runtime: samples, counters, handles, finalizers, JIT helpers,
 * roots, domains and what is loaded into them, coverage.
 *
 * Each is an analysis of its own; here is which events concern it.
 */
#ifndef PROFLOG_RUNTIME_H
#define PROFLOG_RUNTIME_H

#include "decoder/analyses/counters.h"
#include "decoder/analyses/coverage.h"
#include "decoder/analyses/finalizers.h"
#include "decoder/analyses/handles.h"
#include "decoder/analyses/helpers.h"
#include "decoder/analyses/lives.h"
#include "decoder/analyses/roots.h"
#include "decoder/analyses/samples.h"
#include "decoder/analyses/symbols.h"
#include "decoder/analyses/type-traces.h"

struct runtime {
  struct samples samples;
  struct counters counters;
  struct handles handles;
  struct finalizers finalizers;
  struct helpers helpers;
  struct roots roots;
  struct lives domains;
  struct lives contexts;
  struct lives images;
  struct lives assemblies;
  struct coverage coverage;
  GArray *methods; /* of guint: symbols of the frames of a hit */
};

/* What an event does not tell itself. */
struct runtime_place {
  unsigned version; /* data version of the log */
  uint64_t start;   /* its first time */
  uint64_t thread;  /* whose buffer the event is in */
};

void runtime_init (struct runtime *runtime);
void runtime_clear (struct runtime *runtime);

/* An event, after its own announcement, if it is one, went into the symbols.  Kinds that concern
 * nothing here are passed over.  Backtraces go into `traces`, unless that is NULL. */
void runtime_event (struct runtime *runtime, struct symbols *symbols, struct traces *traces,
                    const struct runtime_place *place, enum mlpd_kind kind,
                    const union mlpd_payload *payload);

/* An event that does not count: what names are to be learnt of it, and values that later ones are
 * told by their difference to. */
void runtime_name (struct runtime *runtime, struct symbols *symbols, enum mlpd_kind kind,
                   const union mlpd_payload *payload);

/* After the last of them. */
void runtime_finish (struct runtime *runtime);

#endif
