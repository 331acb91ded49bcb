/* ghc-verbs.h -- the verbs of `proflog ctl` that a GHC program runs. */
#ifndef GHC_VERBS_H
#define GHC_VERBS_H

#include "agent/control-dispatch.h"

extern const struct control_verbs ghc_verbs;

#endif
