/* mlpd-value-check.c -- checks each field of an event by its wire. */
#include "config.h"

#include "decoder/mlpd/mlpd-value-check.h"

#include "decoder/mlpd/mlpd-describe.h"

#include <string.h>

/* Here, as this file is below the writer, which reports the same errors. */
G_DEFINE_QUARK (mlpd - writer - error - quark, mlpd_writer_error)

/* What is checked, and what is found to be wrong. */
struct check {
  const char *event;
  const char *field;
  unsigned version;
  uint64_t address_max;
  GError **error;
};

static bool
fits (const struct check *c, uint64_t value, uint64_t most)
{
  if (value <= most)
    return true;
  g_set_error (c->error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_VALUE,
               "the field '%s' of an event '%s' is %" G_GUINT64_FORMAT
               "; data version %u has room for at most %" G_GUINT64_FORMAT,
               c->field, c->event, value, c->version, most);
  return false;
}

static bool
refuse (const struct check *c, const char *why)
{
  g_set_error (c->error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_VALUE,
               "the field '%s' of an event '%s' %s", c->field, c->event, why);
  return false;
}

/* So many items need more bytes than an event may have, which have to be allocated first. */
static bool
can_have (const struct check *c, size_t count)
{
  if (count <= MLPD_WRITER_EVENT_MAX)
    return true;
  g_set_error (c->error, MLPD_WRITER_ERROR, MLPD_WRITER_ERROR_TOO_LONG,
               "the field '%s' of an event '%s' has %" G_GSIZE_FORMAT " items; there may be %u",
               c->field, c->event, count, MLPD_WRITER_EVENT_MAX);
  return false;
}

static bool
is_text (const struct check *c, struct mlpd_string text)
{
  if (!can_have (c, text.length))
    return false;
  if (text.length != 0 && memchr (text.text, 0, text.length) != NULL)
    return refuse (c, "has a NUL in its text");
  return true;
}

static bool
is_address (const struct check *c, uint64_t address)
{
  return fits (c, address, c->address_max);
}

static bool
is_object (const struct check *c, uint64_t object)
{
  if (object % 8 != 0)
    return refuse (c, "has an object whose address is no multiple of 8");
  return is_address (c, object);
}

static bool
is_list (const struct check *c, const uint64_t *items, size_t count,
         bool (*is_item) (const struct check *c, uint64_t item))
{
  bool good = can_have (c, count);
  for (size_t i = 0; good && i < count; i++)
    good = is_item (c, items[i]);
  return good;
}

static bool
is_references (const struct check *c, const struct mlpd_references *references)
{
  if (references->count != 0 && references->offsets == NULL
      && c->version >= MLPD_VERSION_REFERENCE_OFFSETS)
    return refuse (c, "has no offsets of its references");
  return is_list (c, references->items, references->count, is_object);
}

static bool
is_roots (const struct check *c, const struct mlpd_roots *roots)
{
  bool good = can_have (c, roots->count);
  for (size_t i = 0; good && i < roots->count; i++)
    good = is_object (c, roots->items[i].object)
           && (c->version >= MLPD_VERSION_ROOT_ADDRESSES
                   ? is_address (c, roots->items[i].address)
                   : c->version != MLPD_VERSION_NO_FLAGS || fits (c, roots->items[i].type, 255));
  return good;
}

static bool
is_frames (const struct check *c, const struct mlpd_frames *frames)
{
  bool good = can_have (c, frames->count);
  for (size_t i = 0; good && i < frames->count; i++)
    good = is_address (c, frames->items[i].method);
  return good;
}

/* Types, units and variances. */
static uint64_t
counter_number_max (const struct check *c)
{
  return c->version == 13 || c->version == 14 ? 255 : UINT64_MAX;
}

static bool
is_counters (const struct check *c, const struct mlpd_counters *counters)
{
  const uint64_t most = counter_number_max (c);
  bool good = can_have (c, counters->count);
  for (size_t i = 0; good && i < counters->count; i++) {
    const struct mlpd_counter *counter = &counters->items[i];
    good = is_text (c, counter->name) && is_text (c, counter->section_name)
           && fits (c, counter->type, most) && fits (c, counter->unit, most)
           && fits (c, counter->variance, most);
  }
  return good;
}

static bool
is_counter_values (const struct check *c, const struct mlpd_counter_values *values)
{
  bool good = can_have (c, values->count);
  for (size_t i = 0; good && i < values->count; i++) {
    const struct mlpd_counter_value *value = &values->items[i];
    if (value->index == 0)
      return refuse (c, "has a counter 0, which ends the list");
    good = fits (c, value->type, MLPD_COUNTER_TYPE_TIME_INTERVAL) && is_text (c, value->text);
  }
  return good;
}

/* A larger size is damage (see MLPD_WIRE_SIZE). */
static bool
check_number (const struct check *c, enum mlpd_wire wire, uint64_t value)
{
  switch (wire) {
  case MLPD_WIRE_SIZE:
    return fits (c, value, MLPD_SIZE_MAX);
  case MLPD_WIRE_SMALL:
  case MLPD_WIRE_HELPER_TYPE: /* 255 is "unknown" in all versions */
    return fits (c, value, c->version < MLPD_VERSION_NO_FLAGS ? UINT64_MAX - 1 : 255);
  case MLPD_WIRE_MONITOR_EVENT:
    return fits (c, value, c->version < MLPD_VERSION_MONITOR_BYTE ? 3 : 255);
  case MLPD_WIRE_EXINFO:
    return (value & ~UINT64_C (0xf0)) == 0 || refuse (c, "has no such value");
  case MLPD_WIRE_PTR:
  case MLPD_WIRE_BINARY_ADDRESS:
  case MLPD_WIRE_METHOD:
    return is_address (c, value);
  case MLPD_WIRE_OBJ:
    return is_object (c, value);
  default:
    return true;
  }
}

static bool
check_field (const struct check *c, enum mlpd_wire wire, const void *value)
{
  switch (wire) {
  case MLPD_WIRE_U8:
  case MLPD_WIRE_U16:
  case MLPD_WIRE_U32:
    return true;
  case MLPD_WIRE_STR32:
  case MLPD_WIRE_STRZ:
  case MLPD_WIRE_HELPER_NAME:
    return is_text (c, *(const struct mlpd_string *) value);
  case MLPD_WIRE_BACKTRACE:
  case MLPD_WIRE_PTRS: {
    const struct mlpd_list *list = value;
    return is_list (c, list->items, list->count, is_address);
  }
  case MLPD_WIRE_OBJS: {
    const struct mlpd_list *list = value;
    return is_list (c, list->items, list->count, is_object);
  }
  case MLPD_WIRE_REFS:
    return is_references (c, value);
  case MLPD_WIRE_ROOTS:
    return is_roots (c, value);
  case MLPD_WIRE_FRAMES:
    return is_frames (c, value);
  case MLPD_WIRE_COUNTERS:
    return is_counters (c, value);
  case MLPD_WIRE_COUNTER_VALUES:
    return is_counter_values (c, value);
  default:
    return check_number (c, wire, *(const uint64_t *) value);
  }
}

bool
mlpd_check_values (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version,
                   uint8_t pointer_size, GError **error)
{
  const struct mlpd_description *description = mlpd_describe (kind);
  struct check c = { .event = description->name,
                     .version = version,
                     .address_max = pointer_size == 4 ? UINT32_MAX : UINT64_MAX,
                     .error = error };
  bool good = true;
  for (size_t i = 0; good && i < description->n_fields; i++) {
    const struct mlpd_field *field = &description->fields[i];
    c.field = field->name;
    if (version >= field->when.since && version <= field->when.until)
      good = check_field (&c, field->wire, (const char *) payload + field->offset);
  }
  return good;
}
