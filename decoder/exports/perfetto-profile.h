/* perfetto-profile.h -- samples and allocations with their stacks, in packets of Perfetto. */
#ifndef PROFLOG_PERFETTO_PROFILE_H
#define PROFLOG_PERFETTO_PROFILE_H

#include "decoder/exports/trace-stacks.h"

/* Stacks are written at their first use.  Allocations are summed up by process and stack. */
struct perfetto_profile {
  struct trace_stacks stacks;
  GByteArray *written;  /* by stack: it is in the trace */
  struct id_map places; /* process and stack -> place in the sums */
  GArray *sums;         /* of struct perfetto_sum */
  uint64_t last;        /* time of the latest allocation */
};

struct perfetto_sum {
  uint32_t pid;
  guint stack;
  struct trace_objects objects;
};

void perfetto_profile_init (struct perfetto_profile *profile);
void perfetto_profile_clear (struct perfetto_profile *profile);

/* The fields of interned data that make a name a function and a frame, with the same number. */
void perfetto_put_frame (GString *to, uint64_t id, const char *name);

void perfetto_put_sample (struct trace *trace, struct perfetto_profile *profile,
                          const struct trace_track *track, const struct trace_stack *stack,
                          uint64_t time);

/* The type is the innermost frame. */
void perfetto_add_allocation (struct perfetto_profile *profile, const struct trace_track *track,
                              guint type, const struct trace_stack *stack,
                              struct trace_objects objects, uint64_t time);

/* Writes the allocations of each process as a heap profile. */
void perfetto_put_allocations (struct trace *trace, struct perfetto_profile *profile);

#endif
