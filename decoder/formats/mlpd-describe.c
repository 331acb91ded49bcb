/* mlpd-describe.c -- see mlpd-describe.h. */
#include "decoder/formats/mlpd-describe.h"

#include <glib.h>
#include <proflog/mlpd-encode.h>

#define LATEST MLPD_LATEST
#define NO_MTYPE 0
#define WHEN(since, until, mask, value) { since, until, mask, value }
#define ALWAYS WHEN (0, LATEST, 0, 0)
#define VERSIONS(since, until) WHEN (since, until, 0, 0)
#define FLAG(mask) WHEN (0, LATEST, mask, mask)
#define EXINFO_IS(value) WHEN (0, LATEST, 0xf0, value)

/* Every event has a field, so none of these is empty. */
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static const struct mlpd_field fields_of_##id[] = {
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  { #field, doc, MLPD_WIRE_##wire, MLPD_UNIT_##unit, offsetof (struct mlpd_##id, field), when },
#define END_EVENT(id)                                                                              \
  }                                                                                                \
  ;
#include <proflog/mlpd-events.def>

/* Completed at first use, see below. */
static struct mlpd_description descriptions[] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  { MLPD_##ID, #id, doc, type, exinfo, mask, mtype, since, until, fields_of_##id,                  \
    G_N_ELEMENTS (fields_of_##id), NULL },
#include <proflog/mlpd-events.def>
};

/* The list spells names with '_', people read '-'. */
static void
complete (struct mlpd_description *description)
{
  gchar *name = g_strdelimit (g_strdup (description->name), "_", '-');
  description->name = g_intern_string (name);
  g_free (name);
  for (size_t i = 0; i < description->n_fields; i++)
    if (description->fields[i].wire == MLPD_WIRE_TIME)
      description->time = &description->fields[i];
}

const struct mlpd_description *
mlpd_describe (enum mlpd_kind kind)
{
  static gsize completed = 0;
  g_return_val_if_fail (kind < MLPD_KINDS, NULL);
  if (g_once_init_enter (&completed)) {
    for (unsigned i = 0; i < MLPD_KINDS; i++)
      complete (&descriptions[i]);
    g_once_init_leave (&completed, 1);
  }
  return &descriptions[kind];
}

bool
mlpd_event_time (enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t *time)
{
  const struct mlpd_field *field = mlpd_describe (kind)->time;
  if (field == NULL)
    return false;
  *time = *(const uint64_t *)((const char *)payload + field->offset);
  return true;
}

const char *
mlpd_value_name (enum mlpd_unit unit, uint64_t value)
{
  static const struct {
    enum mlpd_unit unit;
    uint64_t value;
    const char *name;
  } names[] = {
#define VALUE(unit, number, NAME, text) { MLPD_UNIT_##unit, number, text },
#include <proflog/mlpd-values.def>
  };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].unit == unit && names[i].value == value)
      return names[i].name;
  return NULL;
}

const char *
mlpd_unit_name (enum mlpd_unit unit)
{
  static const char *const names[] = {
    [MLPD_UNIT_NUMBER] = "number",
    [MLPD_UNIT_BYTES] = "bytes",
    [MLPD_UNIT_NS] = "ns",
    [MLPD_UNIT_ADDRESS] = "address",
    [MLPD_UNIT_OBJECT] = "object",
    [MLPD_UNIT_CLASS] = "class",
    [MLPD_UNIT_IMAGE] = "image",
    [MLPD_UNIT_METHOD] = "method",
    [MLPD_UNIT_GENERATION] = "generation",
    [MLPD_UNIT_TEXT] = "text",
    [MLPD_UNIT_LOAD] = "load",
    [MLPD_UNIT_GC_EVENT] = "gc-event",
    [MLPD_UNIT_CLAUSE_TYPE] = "clause-type",
    [MLPD_UNIT_MONITOR_EVENT] = "monitor-event",
  };
  g_return_val_if_fail ((size_t) unit < G_N_ELEMENTS (names), NULL);
  return names[unit];
}

/* The event byte that would be written for this payload. */
static uint8_t
event_byte (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  switch (kind) {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  case MLPD_##ID:                                                                                  \
    return mlpd_byte_##id (&payload->id);
#include <proflog/mlpd-events.def>
  default:
    return 0;
  }
}

static bool
is_present (const struct mlpd_when *when, unsigned version, uint8_t byte)
{
  return version >= when->since && version <= when->until && (byte & when->mask) == when->value;
}

void
mlpd_visit (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version,
            const struct mlpd_visitor *visitor, void *data)
{
  const struct mlpd_description *description = mlpd_describe (kind);
  const uint8_t byte = event_byte (kind, payload);
  for (size_t i = 0; i < description->n_fields; i++) {
    const struct mlpd_field *field = &description->fields[i];
    const void *value = (const char *) payload + field->offset;
    if (!is_present (&field->when, version, byte))
      continue;
    switch (field->wire) {
    case MLPD_WIRE_U8:
      visitor->number (field, *(const uint8_t *) value, data);
      break;
    case MLPD_WIRE_U16:
      visitor->number (field, *(const uint16_t *) value, data);
      break;
    case MLPD_WIRE_U32:
      visitor->number (field, *(const uint32_t *) value, data);
      break;
    case MLPD_WIRE_U64:
    case MLPD_WIRE_UVAR:
    case MLPD_WIRE_SIZE:
    case MLPD_WIRE_TIME:
    case MLPD_WIRE_PTR:
    case MLPD_WIRE_OBJ:
    case MLPD_WIRE_METHOD:
    case MLPD_WIRE_MTYPE:
    case MLPD_WIRE_EXINFO:
    case MLPD_WIRE_EXINFO_MONITOR:
      visitor->number (field, *(const uint64_t *) value, data);
      break;
    case MLPD_WIRE_STRZ:
      visitor->text (field, *(const struct mlpd_string *) value, data);
      break;
    case MLPD_WIRE_BACKTRACE:
    case MLPD_WIRE_OBJS:
    case MLPD_WIRE_REFS:
      visitor->list (field, *(const struct mlpd_list *) value, data);
      break;
    }
  }
}
