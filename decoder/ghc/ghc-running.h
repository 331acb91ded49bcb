/* ghc-running.h -- the Haskell thread that runs on a capability. */
#ifndef PROFLOG_GHC_RUNNING_H
#define PROFLOG_GHC_RUNNING_H

#include <proflog/ghc.h>

#include <stdbool.h>
#include <stdint.h>

/* Of zeros: none, as far as is known. */
struct ghc_running {
  bool is_known;
  uint32_t thread;
};

/* The next event of the capability. */
static inline void
ghc_running_event (struct ghc_running *running, enum ghc_kind kind,
                   const union ghc_payload *payload)
{
  if (kind == GHC_RUN_THREAD)
    *running = (struct ghc_running){ true, payload->run_thread.thread };
  else if (kind == GHC_STOP_THREAD)
    running->is_known = false;
}

/* Where a mark or message on this capability is from: a number that no other thread has and, if no
 * thread runs, no other capability. */
static inline uint64_t
ghc_running_place (const struct ghc_running *running, unsigned cap)
{
  return running->is_known ? running->thread : UINT64_C (1) << 32 | cap;
}

/* Is a place that of a thread, whose number it is then? */
static inline bool
ghc_running_is_thread (uint64_t place)
{
  return place <= UINT32_MAX;
}

#endif
