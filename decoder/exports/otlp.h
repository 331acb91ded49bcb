/* otlp.h -- messages of OpenTelemetry: profiles and metrics of programs.
 *
 * Profiles of all programs of a message share a dictionary of frames, stacks, threads and links.
 * Numbers of these count from 1; 0 is none.
 */
#ifndef PROFLOG_OTLP_H
#define PROFLOG_OTLP_H

#include "decoder/exports/export-stacks.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The program that values are of. */
struct otlp_resource {
  GPtrArray *attributes; /* of char *: names and values in turn, each name once; owned */
  uint64_t pid;          /* 0: unknown */
};

void otlp_resource_init (struct otlp_resource *resource);
void otlp_resource_clear (struct otlp_resource *resource);

/* Sets an attribute, in place of an earlier value. */
void otlp_resource_set (struct otlp_resource *resource, const char *name, const char *value);

/* ---- profiles ---- */

/* A frame within an outer stack. */
struct otlp_stack {
  uint32_t outer; /* 0: it is the outermost frame */
  uint32_t frame;
};

struct otlp_thread {
  uint64_t id; /* 0: unknown */
  char *name;
};

/* A span of a trace: bytes as programs send them. */
struct otlp_link {
  uint8_t trace[16];
  uint8_t span[8];
};

struct otlp_sample {
  uint32_t stack, thread, link;
  uint64_t time; /* ns since 1970; 0: the value is a sum over all times */
  uint64_t value;
};

/* A profile: values of one type. */
struct otlp_profile {
  const char *type, *unit; /* static */
  GArray *samples;         /* of struct otlp_sample; owned */
};

/* Those of a program. */
struct otlp_program {
  struct otlp_resource resource;
  GArray *profiles; /* of struct otlp_profile */
};

struct otlp_profiles {
  GPtrArray *frames;    /* of char *: names */
  GByteArray *types;    /* of enum export_frame_type, by frame less 1 */
  GArray *stacks;       /* of struct otlp_stack; an outer one comes before those within it */
  GArray *threads;      /* of struct otlp_thread */
  GArray *links;        /* of struct otlp_link */
  GPtrArray *programs;  /* of struct otlp_program * */
  uint64_t start_ns;    /* since 1970 */
  uint64_t duration_ns; /* of the time that all samples are of */
};

void otlp_profiles_init (struct otlp_profiles *profiles);
void otlp_profiles_clear (struct otlp_profiles *profiles);

/* The next frame, stack, thread or link; returns its number. */
uint32_t otlp_profiles_frame (struct otlp_profiles *profiles, const char *name,
                              enum export_frame_type type);
uint32_t otlp_profiles_stack (struct otlp_profiles *profiles, uint32_t outer, uint32_t frame);
uint32_t otlp_profiles_thread (struct otlp_profiles *profiles, uint64_t id, const char *name);
uint32_t otlp_profiles_link (struct otlp_profiles *profiles, const struct otlp_link *link);

/* Another program, and another profile of one; they belong to the profiles. */
struct otlp_program *otlp_profiles_program (struct otlp_profiles *profiles);
struct otlp_profile *otlp_program_profile (struct otlp_program *program, const char *type,
                                           const char *unit);

/* Appends a ProfilesData, which is an ExportProfilesServiceRequest, too.  Profiles without samples
 * are left out.  The samples are sorted. */
void otlp_profiles_put (struct otlp_profiles *profiles, GString *to);

/* ---- metrics ---- */

struct otlp_point {
  uint64_t time; /* ns since 1970 */
  uint64_t value;
};

enum otlp_metric_kind {
  OTLP_LEVEL, /* a sum that grows and shrinks, as the number of threads */
  OTLP_COUNT, /* since the start */
};

/* Values of one name over time.  Members are borrowed. */
struct otlp_metric {
  const char *name, *text, *unit;
  enum otlp_metric_kind kind;
  bool is_ns;                 /* the values are ns, and are written as seconds */
  const char *attribute, *of; /* of the values: a name and its value; NULL: there is none */
  uint64_t start_ns;          /* since 1970: when counts were 0 */
  const struct otlp_point *points;
  guint n_points;
};

/* Appends a ResourceMetrics to a MetricsData, which is an ExportMetricsServiceRequest, too.
 * Metrics of one name follow each other.  Those without points are left out. */
void otlp_metrics_put (const struct otlp_resource *resource, const struct otlp_metric *metrics,
                       guint n_metrics, GString *to);

/* Generations of collections; later ones count as the last. */
#define OTLP_GENERATIONS 4

/* The figures of a runtime over time (of struct otlp_point), of Mono or GHC; each may be empty. */
struct otlp_runtime {
  bool is_ghc;
  uint64_t start_ns;     /* since 1970: when counts were 0 */
  const GArray *heap;    /* its bytes */
  const GArray *paused;  /* ns for which collections stopped the program, up to that time */
  const GArray *threads; /* the number of them */
  const GArray
      *collections[OTLP_GENERATIONS + 1]; /* up to that time; the last: of an unknown one */
};

/* Appends their metrics in the same way. */
void otlp_runtime_put (const struct otlp_resource *resource, const struct otlp_runtime *runtime,
                       GString *to);

#endif
