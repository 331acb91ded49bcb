/* live-flame.h -- the samples of a live program as a flame graph. */
#ifndef PROFLOG_LIVE_FLAME_H
#define PROFLOG_LIVE_FLAME_H

#include "decoder/live/live-model.h"

/* The graph of all samples up to now, as flame-graph.js reads it (transfer full). */
GBytes *live_flame (struct live_model *model);

#endif
