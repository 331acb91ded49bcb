/* log-map.h -- facts of an eventlog after it was read once, to read it in order of time: chunks,
 * its start, the labels of threads, the names of call stacks.
 */
#ifndef PROFLOG_LOG_MAP_H
#define PROFLOG_LOG_MAP_H

#include "decoder/ghc/analyses/ghc-call-stacks.h"
#include "decoder/ghc/ghc-start.h"
#include "decoder/ghc/index/ghc-chunks.h"

struct log_map {
  struct ghc_chunks chunks;
  struct ghc_start start;
  bool has_names;    /* they were requested: */
  GPtrArray *labels; /* by part, of GHashTable: thread -> char *: the first ones */
  struct ghc_call_stacks stacks;
  struct ghc_provenances provenances;
};

/* `others`: names of info tables that the log does not name (borrowed); NULL: there are none. */
void log_map_init (struct log_map *map, bool has_names, const struct ghc_provenances *others);
void log_map_clear (struct log_map *map);

/* The input of a watch of the chunks: its items, and its events. */
void log_map_item (struct log_map *map, const struct ghc_item *item);
void log_map_event (struct log_map *map, const struct ghc_item *item);

#endif
