/* info.h -- what a log holds, on one screen. */
#ifndef PROFLOG_INFO_H
#define PROFLOG_INFO_H

#include "decoder/views/section.h"

#define INFO_SCHEMA "proflog.info/1"

extern const struct section *const info_sections[];

#endif
