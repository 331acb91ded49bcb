/* eventlog-kinds.h -- the tags and sizes of the events that the writer writes. */
#ifndef PROFLOG_EVENTLOG_KINDS_H
#define PROFLOG_EVENTLOG_KINDS_H

#include <proflog/ghc.h>

uint16_t eventlog_tag (enum ghc_kind kind);

/* Bytes of the payload, as the writer's header declares them: GHC_VARIABLE if they vary. */
uint16_t eventlog_size (enum ghc_kind kind);

#endif
