/* samples.h -- where the program was when it was sampled.
 *
 * A hit belongs to the code that its instruction pointer lies in: the code of a compiled method
 * makes it a managed one, all others are unmanaged and have the name of the native symbol before
 * the instruction pointer, or are unresolved if there is none near.  The managed frames of a hit
 * tell which methods were on the stack: these have it in their total.  (They do not make a hit
 * managed: a thread in the runtime has the frames of the methods that called it.)
 *
 * Code and symbols may be announced after the hits in them, so that addresses are kept and looked
 * up at the end.
 */
#ifndef PROFLOG_SAMPLES_H
#define PROFLOG_SAMPLES_H

#include <glib.h>
#include <proflog/mlpd.h>

/* Sample types are 1 to 6; others, and from data version 14 on all, are 0. */
#define SAMPLE_TYPES 7

/* How far behind a native symbol's address its name holds, where its size does not tell. */
#define SAMPLE_SYMBOL_REACH 4096

struct sample_sum {
  uint64_t hits;
  uint64_t total; /* with all that it called */
};

struct sample_symbol {
  uint64_t address;
  uint64_t size;
  const char *name; /* the samples' */
  uint64_t hits;    /* after samples_resolve */
};

struct samples {
  uint64_t hits;
  uint64_t types[SAMPLE_TYPES];
  GHashTable *threads; /* uint64_t id -> uint64_t hits */
  GHashTable *ips;     /* uint64_t address -> uint64_t hits */
  GArray *codes;       /* of struct sample_code */
  GArray *symbols;     /* of struct sample_symbol; after samples_resolve by address */
  GStringChunk *names;
  GArray *methods; /* of struct sample_sum, by method symbol */
  GArray *seen;    /* of uint64_t, by method symbol: the latest hit that has it, from 1 on */

  /* After samples_resolve. */
  uint64_t managed;
  uint64_t unmanaged;
  uint64_t unresolved; /* of the unmanaged */
};

void samples_init (struct samples *samples);
void samples_clear (struct samples *samples);

/* A hit in the given thread; `methods` are the symbols of its managed frames, one each. */
void samples_hit (struct samples *samples, const struct mlpd_sample_hit *event, uint64_t thread,
                  const guint *methods);

/* A method was compiled to this code; where two overlap, the one announced later counts. */
void samples_code (struct samples *samples, guint method, uint64_t code, uint64_t size);

/* Native code has a name. */
void samples_symbol (struct samples *samples, const struct mlpd_sample_symbol *event);

/* After all of them: looks up what was hit. */
void samples_resolve (struct samples *samples);

#endif
