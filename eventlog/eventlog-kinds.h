/* eventlog-kinds.h -- the tags and sizes of the events that we write. */
#ifndef PROFLOG_EVENTLOG_KINDS_H
#define PROFLOG_EVENTLOG_KINDS_H

#include <proflog/ghc.h>

uint16_t eventlog_tag (enum ghc_kind kind);

/* As our header declares it: GHC_VARIABLE where it varies. */
uint16_t eventlog_size (enum ghc_kind kind);

#endif
