/* push-profile.h -- stacks with their weights to servers of continuous profiles. */
#ifndef PROFLOG_PUSH_PROFILE_H
#define PROFLOG_PUSH_PROFILE_H

#include "decoder/cli/cmd-push.h"
#include "decoder/exports/export.h"
#include "decoder/push/push-http.h"

struct push_profile {
  const char *program;                /* the service that it is of */
  const char *kind;                   /* what was counted: "cpu", "alloc", ... */
  const char *host;                   /* "": unknown */
  const GPtrArray *labels;            /* of const char *: names and values in turn */
  const struct export_stacks *stacks; /* with their time */
};

/* Sends it to each server of the command line.  A profile that is sent twice counts twice.  False
 * with an error. */
bool push_profile_send (const struct push_profile *profile, const struct push_values *values,
                        struct push_http *http, GError **error);

/* ---- for push-otlp.c ---- */

/* Appends a request of OTLP with the profile: an ExportProfilesServiceRequest. */
void push_otlp_put (const struct push_profile *profile, GString *to);

#endif
