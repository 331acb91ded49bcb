/* export-stacks.h -- stacks with the weight of each, for the formats that show where time went.
 *
 * Each stack is a path from the root, which is no frame.
 */
#ifndef PROFLOG_EXPORT_STACKS_H
#define PROFLOG_EXPORT_STACKS_H

#include "decoder/core/id-map.h"
#include "decoder/output/figure.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPORT_STACKS_ROOT 0

enum export_frame_type {
  EXPORT_FRAME_OTHER, /* a type, a thread, a place that has no code, or code of Haskell */
  EXPORT_FRAME_MANAGED,
  EXPORT_FRAME_NATIVE,
};

struct export_node {
  uint32_t parent;
  uint32_t frame;
  uint64_t weight; /* of the stack that ends here, without those that go on */
  uint64_t count;  /* of the things with this weight */
  uint64_t before; /* the same in the earlier log of a comparison */
};

/* A stack was found once or several times, one after the other. */
struct export_sample {
  uint32_t track; /* on which: a capability */
  uint32_t node;
  uint64_t weight;
};

struct export_stacks {
  GArray *nodes;        /* of struct export_node; a parent comes before its children */
  struct id_map places; /* parent and frame -> place in `nodes`, without the root */
  GPtrArray *frames;    /* of char *: names, each once */
  GHashTable *numbers;  /* name -> place in `frames` */
  GByteArray *types;    /* of enum export_frame_type, by frame; those that it lacks are OTHER */
  uint64_t total;       /* of all weights */
  bool is_by_thread;    /* the outermost frames are names of threads */
  bool is_comparison;   /* the nodes have weights of an earlier log, too */
  uint64_t total_before;
  double sample; /* the weight that a sample stands for; 0: nothing is estimated (chance.h) */
  double sample_before; /* in the earlier log */
  const char *cost;     /* the weights, in words; static */
  const char *unit;     /* of the weights: "ns", "bytes", "hits", "calls", "throws"; static */
  const char *counted;  /* the counted things: "samples", "calls", "alloc_objects"; static */
  const char *weighed;  /* the name of the weight: "cpu", "time", "alloc_space"; NULL: it is the
                           count; static */
  GArray *order;        /* of struct export_sample, in order of time on each track, one track after
                           the other: all of the weights; NULL: not known */
  char *title;          /* NULL: none */
  uint64_t start_ns;    /* since 1970: when these were counted; 0: unknown */
  uint64_t duration_ns; /* the time that these took */
  char *selection;      /* the options that select a part of the log; NULL: it is all of it */
};

/* The stacks of a log of one kind. */
struct export_named_stacks {
  const char *name; /* of the kind; static */
  struct export_stacks stacks;
};

/* An array of them (of struct export_named_stacks *), which it owns. */
GPtrArray *export_named_stacks_new (void);

/* Adds an empty one to it. */
struct export_stacks *export_named_stacks_add (GPtrArray *all, const char *name);

void export_stacks_init (struct export_stacks *stacks);
void export_stacks_clear (struct export_stacks *stacks);

/* The unit of the weights, to print them. */
enum figure_unit export_stacks_figure (const struct export_stacks *stacks);

/* The same unit as profiles name it: "nanoseconds", "bytes", "count". */
const char *export_stacks_unit_name (const struct export_stacks *stacks);

/* The number of the frame of this name. */
uint32_t export_stacks_frame (struct export_stacks *stacks, const char *name);

/* States the type of a frame. */
void export_stacks_set_type (struct export_stacks *stacks, uint32_t frame,
                             enum export_frame_type type);
enum export_frame_type export_stacks_type (const struct export_stacks *stacks, uint32_t frame);

/* Adds the weight of a stack, which is another one and this frame; returns its node.  Each stack
 * has one node. */
uint32_t export_stacks_add (struct export_stacks *stacks, uint32_t parent, uint32_t frame,
                            uint64_t weight);

/* Adds to the number of things with the weight of a node. */
void export_stacks_count (struct export_stacks *stacks, uint32_t node, uint64_t count);

/* Adds the stacks of an earlier log, with which these are compared, by their names. */
void export_stacks_compare (struct export_stacks *stacks, const struct export_stacks *before);

/* Scales the weights so that all together are `total`, where they are some. */
void export_stacks_scale (struct export_stacks *stacks, uint64_t total);

/* Leaves only the weights since earlier stacks of the same program. */
void export_stacks_subtract (struct export_stacks *stacks, const struct export_stacks *before);

/* Sets `frames` (of uint32_t) to those of the stack that ends in a node, the outermost first. */
void export_stacks_path (const struct export_stacks *stacks, uint32_t node, GArray *frames);

/* Appends the frames as formats of a line for each stack have them: with ';' between them, in names
 * ':' for it, and blanks for control characters. */
void export_stacks_fold (const struct export_stacks *stacks, const GArray *frames, GString *to);

#endif
