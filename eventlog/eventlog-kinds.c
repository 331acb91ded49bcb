/* eventlog-kinds.c -- tags and sizes by kind, out of the list of events. */
#include "config.h"

#include "eventlog/eventlog-parts.h"

#define VARIABLE GHC_VARIABLE

static const uint16_t tags[GHC_KINDS] = {
#define EVENT(ID, id, tag, size, since, group, role, doc) [GHC_##ID] = tag,
#include <proflog/ghc-events.def>
};

static const uint16_t sizes[GHC_KINDS] = {
#define EVENT(ID, id, tag, size, since, group, role, doc) [GHC_##ID] = size,
#include <proflog/ghc-events.def>
};

uint16_t
eventlog_tag (enum ghc_kind kind)
{
  return tags[kind];
}

uint16_t
eventlog_size (enum ghc_kind kind)
{
  return sizes[kind];
}
