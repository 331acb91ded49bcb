/* push-profile.h -- stacks with their weights, as servers of continuous profiles get them. */
#ifndef PROFLOG_PUSH_PROFILE_H
#define PROFLOG_PUSH_PROFILE_H

#include "decoder/exports/export.h"

struct push_profile {
  const char *program;                /* the service that it is of */
  const char *kind;                   /* what was counted: "cpu", "alloc", ... */
  const char *host;                   /* "": unknown */
  const GPtrArray *labels;            /* of const char *: names and values in turn */
  const struct export_stacks *stacks; /* with their time */
};

#endif
