/* ghc-call-stacks.h -- the stacks that ghc-stack-profiler writes into binary messages: of a program
 * that is compiled without -prof, at each tick of a clock, the stack of each thread.
 *
 * A message begins with FF and its kind; numbers have their most significant byte first:
 *
 *   FF CA  the last part of a stack, or all of it     FF CB  a part of it that others follow
 *          capability u32, thread u32, count u16, and `count` frames:
 *          01 info table u64 | 02 text u64 | 03 text u64, place u64
 *   FF CC  text u64, length u16, bytes                FF CD  place u64, row u32, column u32, text
 * u64
 *
 * Versions 0.1 and 0.2 write the innermost frame first, later ones the outermost.  No message
 * states which, so it is found from the stacks: the common part of consecutive ones of a thread is
 * their outer end. Texts and places may come after the stacks that need them.
 */
#ifndef PROFLOG_GHC_CALL_STACKS_H
#define PROFLOG_GHC_CALL_STACKS_H

#include "decoder/core/id-map.h"
#include "decoder/ghc/analyses/ghc-provenance.h"

/* Frames of a stack; more are left out, and counted. */
#define GHC_CALL_STACK_FRAMES_MAX (1 << 18)
/* Stacks that decide in which order frames come. */
enum { GHC_CALL_STACKS_JUDGED = 4096, GHC_CALL_STACKS_RECENT = 64 };

/* The stack that a message added. */
struct ghc_call_stack {
  uint32_t cap, thread;
  const uint32_t *frames; /* numbers, in the order of the bytes; until the next message */
  size_t count;
};

struct ghc_call_stacks {
  struct id_map tables; /* info table -> number of the frame / 2 */
  struct id_map marks;  /* (place + 1) << 32 | text -> likewise */
  GArray *table_keys;   /* of uint64_t: keys by number */
  GArray *mark_keys;
  GHashTable *texts;  /* number -> char * */
  GHashTable *places; /* number -> struct place */
  GHashTable *parts;  /* thread -> GArray of frames: the part of a stack so far */
  GArray *recent[GHC_CALL_STACKS_RECENT]; /* by the low bits of a thread: its latest stack */
  GArray *frames;                         /* of the message */
  uint64_t stacks;                        /* that are whole */
  uint64_t in_parts;                      /* of these */
  uint64_t damaged;                       /* messages with other contents than they state */
  uint64_t cut;                           /* stacks of too many frames */
  uint64_t first_shared, last_shared;     /* frames, with the stack before, from either end */
};

void ghc_call_stacks_init (struct ghc_call_stacks *stacks);
void ghc_call_stacks_clear (struct ghc_call_stacks *stacks);

/* The messages come again from the first on: parts that wait for others are forgotten. */
void ghc_call_stacks_rewind (struct ghc_call_stacks *stacks);

/* Is it a message of ghc-stack-profiler? */
bool ghc_call_stacks_has (const struct ghc_text *message);

/* Adds a message, which is one (ghc_call_stacks_has), of an event of this capability.  True if it
 * ends a stack. */
bool ghc_call_stacks_add (struct ghc_call_stacks *stacks, unsigned writer,
                          const struct ghc_text *message, struct ghc_call_stack *stack);

/* Do the frames of its stacks come innermost first?  After GHC_CALL_STACKS_JUDGED stacks the answer
 * is final.  Where stacks share nothing, or are all alike, `main` is the outer end; without it they
 * are of a later version. */
bool ghc_call_stacks_begin_innermost (const struct ghc_call_stacks *stacks,
                                      const struct ghc_provenances *provenances);

/* Stacks of which the last part is missing. */
unsigned ghc_call_stacks_incomplete (const struct ghc_call_stacks *stacks);

/* The kind of a frame: "info-table" or "annotation". */
const char *ghc_call_stacks_kind (uint32_t frame);

/* Does the log name the frame? */
bool ghc_call_stacks_names (const struct ghc_call_stacks *stacks,
                            const struct ghc_provenances *provenances, uint32_t frame);

/* "Module.label"; the text of an annotation; the number of a frame without a name (transfer
 * full). */
char *ghc_call_stacks_name (const struct ghc_call_stacks *stacks,
                            const struct ghc_provenances *provenances, uint32_t frame);

/* Its module; NULL: none is known. */
const char *ghc_call_stacks_module (const struct ghc_call_stacks *stacks,
                                    const struct ghc_provenances *provenances, uint32_t frame);

/* Its place in the source (transfer full); NULL: none is known. */
char *ghc_call_stacks_location (const struct ghc_call_stacks *stacks,
                                const struct ghc_provenances *provenances, uint32_t frame);

#endif
