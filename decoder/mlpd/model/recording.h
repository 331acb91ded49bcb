/* recording.h -- which code runs for the recording only.
 *
 * The runtime calls a profiler module in functions that raise an event; managed code calls these
 * through wrappers.  Samples there are no time of the program: it is one frame, named
 * "[recording]", below the method that caused the event.  Native code that the module calls has
 * names of its own; it is known by the wrapper that is on the stack, if there is one.
 */
#ifndef PROFLOG_RECORDING_H
#define PROFLOG_RECORDING_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

#define RECORDING_NAME "[recording]"

/* The symbol of the frame among methods: no method has this address. */
#define RECORDING_METHOD UINT64_MAX

/* Is a method of this name (NULL: unknown) a wrapper of a function that raises events? */
bool recording_is_method (const char *name);

/* Does a native function of this name raise events, or belong to the module? */
bool recording_is_function (const char *name);

/* Code of the recording, where names come before the hits. */
struct recording {
  GArray *code;    /* of struct recording_code: native functions */
  GArray *methods; /* of uint64_t: addresses of wrappers */
};

struct recording_code {
  uint64_t address, size;
};

void recording_init (struct recording *recording);
void recording_clear (struct recording *recording);

/* An event that may name code of the recording. */
void recording_note (struct recording *recording, enum mlpd_kind kind,
                     const union mlpd_payload *payload);

/* Was the hit in code of the recording?  Then `wrappers` of its innermost frames stand for that. */
bool recording_has_hit (const struct recording *recording, const struct mlpd_sample_hit *hit,
                        size_t *wrappers);

#endif
