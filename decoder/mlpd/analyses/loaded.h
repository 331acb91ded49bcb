/* loaded.h -- domains, contexts, images and assemblies that are loaded into the runtime and
 * unloaded.
 */
#ifndef PROFLOG_LOADED_H
#define PROFLOG_LOADED_H

#include "decoder/mlpd/model/lifetimes.h"

struct loaded {
  struct lifetimes domains;
  struct lifetimes contexts;
  struct lifetimes images;
  struct lifetimes assemblies;
};

extern const struct analysis loaded_analysis;

/* Images, assemblies and domains that could not be loaded. */
uint64_t loaded_errors (const struct loaded *loaded);

#endif
