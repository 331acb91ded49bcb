/* push-otlp.h -- profiles as messages of OpenTelemetry. */
#ifndef PROFLOG_PUSH_OTLP_H
#define PROFLOG_PUSH_OTLP_H

#include "decoder/push/push-profile.h"

/* Appends a request with the profile: an ExportProfilesServiceRequest. */
void push_otlp_put (const struct push_profile *profile, GString *to);

#endif
