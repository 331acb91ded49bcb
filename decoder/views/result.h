/* result.h -- the values and tables of reports, as results.def declares them. */
#ifndef PROFLOG_RESULT_H
#define PROFLOG_RESULT_H

#include "decoder/output/emitter.h"

enum result {
#define RESULT(id, key, type, head) id,
#include "decoder/views/results.def"
  RESULTS
};

/* How a value or column of several logs becomes one. */
enum result_rule {
  RESULT_NONE,
  RESULT_NAME, /* a text */
  RESULT_KEY,  /* a number */
  RESULT_OF,   /* a text that is a value of the section */
  RESULT_SUM,
  RESULT_LARGEST,
  RESULT_LEAST,
  RESULT_MEAN,
  RESULT_SHARE,
};

struct result_value {
  const char *key, *head;
  enum emitter_type type;
  enum result_rule rule;
  const char *part, *whole; /* of RESULT_SHARE */
  bool is_compared;
};

/* By enum result. */
extern const struct result_value result_values[RESULTS];

struct result_table {
  const char *section, *key;
};

/* Up to one without a section. */
extern const struct result_table result_tables[];

/* The part of a key behind its last dot. */
const char *result_last_part (const char *key);

/* Is the value one of the section? */
bool result_is_in (enum result result, const char *section);

/* ---- for the sections ---- */

/* Put a value where the emitter is, under the last part of its key.  People see it if `is_shown`.
 */
void result_put (struct emitter *emitter, enum result result, bool is_shown,
                 union emitter_value value);
void result_number (struct emitter *emitter, enum result result, uint64_t number);
void result_number_if (struct emitter *emitter, enum result result, bool is_shown, uint64_t number);
void result_text (struct emitter *emitter, enum result result, const char *text);
void result_text_if (struct emitter *emitter, enum result result, bool is_shown, const char *text);

/* Null if it is not known. */
void result_put_known (struct emitter *emitter, enum result result, bool is_shown, bool is_known,
                       union emitter_value value);

#endif
