/* ghc-describe.h -- the list of GHC's events at run time: the kinds, the meanings of their fields,
 * and a walk over the fields of any event.  Made from ghc-events.def and ghc-values.def.
 *
 * All of it is constant; any thread may use it.
 */
#ifndef PROFLOG_GHC_DESCRIBE_H
#define PROFLOG_GHC_DESCRIBE_H

#include <proflog/ghc.h>

/* When a field is present: if the declared size is one of these, and, for `if_left`, if there are
 * bytes for it. */
struct ghc_when {
  uint16_t least;
  uint16_t most;
  bool if_left;
};

struct ghc_field {
  const char *name; /* "block_size" */
  const char *doc;
  enum ghc_wire wire;
  enum ghc_unit unit;
  size_t offset; /* in the payload */
  struct ghc_when when;
};

struct ghc_description {
  enum ghc_kind kind;
  const char *name; /* "block-marker" */
  const char *doc;
  const char *since; /* first writer: "6.12", "Eden" */
  uint16_t tag;
  uint16_t size;  /* that the newest writer declares, or GHC_VARIABLE */
  bool announces; /* something that later events refer to */
  const struct ghc_field *fields;
  size_t n_fields;
  size_t payload_size; /* bytes of its struct */
};

/* The description of a kind. */
const struct ghc_description *ghc_describe (enum ghc_kind kind);

/* Do later events refer to announcements of this kind?  Not of GHC_UNKNOWN. */
bool ghc_announces (enum ghc_kind kind);

/* Bytes of the fields that every event of this kind has whose size is declared; those of variable
 * wires count as none. */
unsigned ghc_least_size (const struct ghc_description *description, unsigned size);

/* Name of a value of a unit that has names ("heap-overflow"); NULL where there is none. */
const char *ghc_value_name (enum ghc_unit unit, uint64_t value);

/* Do values of this unit have names? */
bool ghc_unit_has_names (enum ghc_unit unit);

/* "bytes", "ns", "thread", ... */
const char *ghc_unit_name (enum ghc_unit unit);

/* The functions that ghc_visit calls for each field.  All are needed. */
struct ghc_visitor {
  void (*number) (const struct ghc_field *field, uint64_t value, void *data);
  void (*text) (const struct ghc_field *field, struct ghc_text text, void *data);
  void (*texts) (const struct ghc_field *field, struct ghc_texts texts, void *data);
  void (*stack) (const struct ghc_field *field, const struct ghc_stack *stack, void *data);
  void (*bytes) (const struct ghc_field *field, struct ghc_text bytes, void *data);
};

/* Calls `visitor` for each field that this event has, in the order of the list.  The header is that
 * of its log: some writers gave numbers another meaning, so the unit of a field may be another. */
void ghc_visit (enum ghc_kind kind, const union ghc_payload *payload,
                const struct ghc_header *header, const struct ghc_visitor *visitor, void *data);

/* Takes the first text out of several; false if there is none. */
bool ghc_texts_next (struct ghc_texts *texts, struct ghc_text *text);

#endif
