/* mlpd-describe.h -- the event list at run time: the kinds, the meanings of their fields, and a
 * walk over the fields of any event.  Made from mlpd-events.def and mlpd-values.def.
 *
 * All of it is constant; any thread may use it.
 */
#ifndef PROFLOG_MLPD_DESCRIBE_H
#define PROFLOG_MLPD_DESCRIBE_H

#include <proflog/mlpd.h>
#include <stdbool.h>

#define MLPD_LATEST UINT32_MAX

/* When a field is present: in these data versions, if (event byte & mask) == value. */
struct mlpd_when {
  uint32_t since;
  uint32_t until;
  uint8_t mask;
  uint8_t value;
};

struct mlpd_field {
  const char *name; /* "clause_type" */
  const char *doc;
  enum mlpd_wire wire;
  enum mlpd_unit unit;
  size_t offset; /* in the payload */
  struct mlpd_when when;
};

struct mlpd_description {
  enum mlpd_kind kind;
  const char *name; /* "gc-event" */
  const char *doc;
  uint8_t type;
  uint8_t exinfo;
  uint8_t mask;
  uint8_t mtype;  /* 0: no metadata */
  uint32_t since; /* data versions */
  uint32_t until; /* MLPD_LATEST: it stayed */
  const struct mlpd_field *fields;
  size_t n_fields;
  const struct mlpd_field *time; /* when it happened; NULL where it does not state */
};

/* The description of a kind. */
const struct mlpd_description *mlpd_describe (enum mlpd_kind kind);

/* Sets *time to when the event happened; false, and *time left alone, for one that does not state
 * it.
 */
bool mlpd_event_time (enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t *time);

/* Name of a value of a unit that has names ("pre-stop-world"); NULL where there is none. */
const char *mlpd_value_name (enum mlpd_unit unit, uint64_t value);

/* Do values of this unit have names?  Most units have none. */
bool mlpd_unit_has_names (enum mlpd_unit unit);

/* "bytes", "ns", "class", ... */
const char *mlpd_unit_name (enum mlpd_unit unit);

/* The functions that mlpd_visit calls for each field.  All but `number` may be NULL.  A list of
 * more than addresses comes as open, then for each item `item` and its fields, then close. */
struct mlpd_visitor {
  void (*number) (const struct mlpd_field *field, uint64_t value, void *data);
  void (*text) (const struct mlpd_field *field, struct mlpd_string text, void *data);
  void (*list) (const struct mlpd_field *field, struct mlpd_list list, void *data);
  void (*open) (const struct mlpd_field *field, size_t count, void *data);
  void (*item) (void *data);
  void (*close) (const struct mlpd_field *field, void *data);
};

/* Calls `visitor` for each field that this event has in a log of data version `version`, in the
 * order of the list.  A backtrace of no frames counts as absent. */
void mlpd_visit (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version,
                 const struct mlpd_visitor *visitor, void *data);

#endif
