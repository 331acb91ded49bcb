/* push-profiles.h -- profiles to servers. */
#ifndef PROFLOG_PUSH_PROFILES_H
#define PROFLOG_PUSH_PROFILES_H

#include "decoder/push/push-values.h"
#include "decoder/push/push-http.h"
#include "decoder/push/push-profile.h"

/* Sends it to each server of the command line.  A profile that is sent twice counts twice.  False
 * with an error. */
bool push_profile_send (const struct push_profile *profile, const struct push_values *values,
                        struct push_http *http, GError **error);

#endif
