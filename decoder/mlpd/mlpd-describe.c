/* mlpd-describe.c -- expands the event list to tables of kinds and fields. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"

#include <glib.h>
#include <proflog/mlpd-encode.h>

#define LATEST MLPD_LATEST
#define NO_MTYPE 0
#define WHEN(since, until, mask, value)                                                            \
  {                                                                                                \
    since, until, mask, value                                                                      \
  }
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
  { MLPD_##ID,                                                                                     \
    #id,                                                                                           \
    doc,                                                                                           \
    type,                                                                                          \
    exinfo,                                                                                        \
    mask,                                                                                          \
    mtype,                                                                                         \
    since,                                                                                         \
    until,                                                                                         \
    fields_of_##id,                                                                                \
    G_N_ELEMENTS (fields_of_##id),                                                                 \
    NULL },
#include <proflog/mlpd-events.def>
};

/* The list spells names with '_', people read '-'.  They are not interned: the thread sanitizer
 * does not see the locks of GLib's table, to which other threads add theirs. */
static void
complete (struct mlpd_description *description)
{
  description->name = g_strdelimit (g_strdup (description->name), "_", '-');
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

/* Where the time of an event ends in its payload, as this is done for each event; 0: it has none.
 */
static const uint16_t time_ends[] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) 0
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  +(MLPD_WIRE_##wire == MLPD_WIRE_TIME ? offsetof (struct mlpd_##id, field) + sizeof (uint64_t) : 0)
#define END_EVENT(id) ,
#include <proflog/mlpd-events.def>
};

bool
mlpd_event_time (enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t *time)
{
  const uint16_t end = time_ends[kind];
  uint64_t when
      = end != 0 ? *(const uint64_t *) ((const char *) payload + end - sizeof (uint64_t)) : 0;
  if (when == 0 && kind == MLPD_SAMPLE_HIT) /* up to data version 12 it is there, not counted on */
    when = payload->sample_hit.sampled_at;
  if (when == 0 && (end == 0 || mlpd_describe (kind)->time->when.since != 0))
    return false; /* of a data version that does not state it */
  *time = when;
  return true;
}

bool
mlpd_unit_has_names (enum mlpd_unit unit)
{
  static const uint64_t named = 0
#define VALUE(unit, number, NAME, text) | UINT64_C (1) << MLPD_UNIT_##unit
#include <proflog/mlpd-values.def>
      ;
  return (named >> unit & 1) != 0;
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
  for (size_t i = 0; i < G_N_ELEMENTS (names) && mlpd_unit_has_names (unit); i++)
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
    [MLPD_UNIT_VTABLE] = "vtable",
    [MLPD_UNIT_THREAD] = "thread",
    [MLPD_UNIT_HANDLE_TYPE] = "handle-type",
    [MLPD_UNIT_ROOT_SOURCE] = "root-source",
    [MLPD_UNIT_ROOT_FLAG] = "root-flag",
    [MLPD_UNIT_SAMPLE_TYPE] = "sample-type",
    [MLPD_UNIT_COUNTER_SECTION] = "counter-section",
    [MLPD_UNIT_COUNTER_TYPE] = "counter-type",
    [MLPD_UNIT_COUNTER_UNIT] = "counter-unit",
    [MLPD_UNIT_COUNTER_VARIANCE] = "counter-variance",
    [MLPD_UNIT_HELPER_TYPE] = "helper-type",
    [MLPD_UNIT_SYNC_TYPE] = "sync-type",
    [MLPD_UNIT_IMAGE] = "image",
    [MLPD_UNIT_METHOD] = "method",
    [MLPD_UNIT_GENERATION] = "generation",
    [MLPD_UNIT_OFFSET] = "offset",
    [MLPD_UNIT_DOUBLE] = "double",
    [MLPD_UNIT_TEXT] = "text",
    [MLPD_UNIT_CLASS_NAME] = "class-name",
    [MLPD_UNIT_METHOD_NAME] = "method-name",
    [MLPD_UNIT_FILE_NAME] = "file-name",
    [MLPD_UNIT_ASSEMBLY_NAME] = "assembly-name",
    [MLPD_UNIT_SYMBOL_NAME] = "symbol-name",
    [MLPD_UNIT_ROOT_NAME] = "root-name",
    [MLPD_UNIT_LABEL] = "label",
    [MLPD_UNIT_PUBLIC_TEXT] = "public-text",
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
event_byte (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version)
{
  switch (kind) {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  case MLPD_##ID:                                                                                  \
    return mlpd_byte_##id (&payload->id, version);
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

/* The fields of items of composite wires. */
#define ITEM_FIELD(field, wire, unit, doc)                                                         \
  {                                                                                                \
    field, doc, MLPD_WIRE_##wire, MLPD_UNIT_##unit, 0, ALWAYS                                      \
  }
static const struct mlpd_field item_object = ITEM_FIELD ("object", OBJ, OBJECT, "the object");
static const struct mlpd_field item_offset
    = ITEM_FIELD ("offset", UVAR, BYTES, "where the reference is, from the object's start");
static const struct mlpd_field item_address
    = ITEM_FIELD ("address", PTR, ADDRESS, "address of the slot");
static const struct mlpd_field item_root_type
    = ITEM_FIELD ("type", UVAR, ROOT_FLAG, "kind of root and flags");
static const struct mlpd_field item_extra = ITEM_FIELD ("extra", UVAR, NUMBER, "what goes with it");
static const struct mlpd_field item_collections
    = ITEM_FIELD ("collections", UVAR, NUMBER, "major collections so far");
static const struct mlpd_field item_method = ITEM_FIELD ("method", METHOD, METHOD, "the method");
static const struct mlpd_field item_il_offset
    = ITEM_FIELD ("il_offset", UVAR, OFFSET, "IL offset in it");
static const struct mlpd_field item_native_offset
    = ITEM_FIELD ("native_offset", UVAR, OFFSET, "offset in its machine code");
static const struct mlpd_field item_section
    = ITEM_FIELD ("section", UVAR, COUNTER_SECTION, "section of the counter");
static const struct mlpd_field item_section_name
    = ITEM_FIELD ("user_section", STRZ, TEXT, "name of a section that users made");
static const struct mlpd_field item_name = ITEM_FIELD ("name", STRZ, TEXT, "its name");
static const struct mlpd_field item_counter_type
    = ITEM_FIELD ("type", UVAR, COUNTER_TYPE, "type of the values");
static const struct mlpd_field item_counter_unit
    = ITEM_FIELD ("unit", UVAR, COUNTER_UNIT, "unit of the values");
static const struct mlpd_field item_variance
    = ITEM_FIELD ("variance", UVAR, COUNTER_VARIANCE, "how the values change");
static const struct mlpd_field item_index = ITEM_FIELD ("index", UVAR, NUMBER, "its number");
static const struct mlpd_field item_value
    = ITEM_FIELD ("value", UVAR, OFFSET, "difference from the value before");
static const struct mlpd_field item_double = ITEM_FIELD ("value", U64, DOUBLE, "the value");
static const struct mlpd_field item_text = ITEM_FIELD ("value", STRZ, TEXT, "the value");

static void
visit_text (const struct mlpd_visitor *visitor, const struct mlpd_field *field,
            struct mlpd_string text, void *data)
{
  if (visitor->text != NULL)
    visitor->text (field, text, data);
}

static void
visit_list (const struct mlpd_visitor *visitor, const struct mlpd_field *field,
            struct mlpd_list list, void *data)
{
  if (visitor->list != NULL)
    visitor->list (field, list, data);
}

static void
visit_open (const struct mlpd_visitor *visitor, const struct mlpd_field *field, size_t count,
            void *data)
{
  if (visitor->open != NULL)
    visitor->open (field, count, data);
}

static void
visit_item (const struct mlpd_visitor *visitor, void *data)
{
  if (visitor->item != NULL)
    visitor->item (data);
}

static void
visit_close (const struct mlpd_visitor *visitor, const struct mlpd_field *field, void *data)
{
  if (visitor->close != NULL)
    visitor->close (field, data);
}

static void
visit_references (const struct mlpd_field *field, struct mlpd_references references,
                  unsigned version, const struct mlpd_visitor *visitor, void *data)
{
  if (version < MLPD_VERSION_REFERENCE_OFFSETS) {
    visit_list (visitor, field, (struct mlpd_list){ references.items, references.count }, data);
    return;
  }
  visit_open (visitor, field, references.count, data);
  for (size_t i = 0; i < references.count; i++) {
    visit_item (visitor, data);
    visitor->number (&item_offset, references.offsets[i], data);
    visitor->number (&item_object, references.items[i], data);
  }
  visit_close (visitor, field, data);
}

static void
visit_roots (const struct mlpd_field *field, struct mlpd_roots roots, unsigned version,
             const struct mlpd_visitor *visitor, void *data)
{
  const bool has_addresses = version >= MLPD_VERSION_ROOT_ADDRESSES;
  if (!has_addresses)
    visitor->number (&item_collections, roots.collections, data);
  visit_open (visitor, field, roots.count, data);
  for (size_t i = 0; i < roots.count; i++) {
    visit_item (visitor, data);
    if (has_addresses)
      visitor->number (&item_address, roots.items[i].address, data);
    visitor->number (&item_object, roots.items[i].object, data);
    if (!has_addresses) {
      visitor->number (&item_root_type, roots.items[i].type, data);
      visitor->number (&item_extra, roots.items[i].extra, data);
    }
  }
  visit_close (visitor, field, data);
}

static void
visit_frames (const struct mlpd_field *field, struct mlpd_frames frames, unsigned version,
              const struct mlpd_visitor *visitor, void *data)
{
  visit_open (visitor, field, frames.count, data);
  for (size_t i = 0; i < frames.count; i++) {
    visit_item (visitor, data);
    visitor->number (&item_method, frames.items[i].method, data);
    if (version < MLPD_VERSION_NO_FLAGS) {
      visitor->number (&item_il_offset, (uint64_t) frames.items[i].il_offset, data);
      visitor->number (&item_native_offset, (uint64_t) frames.items[i].native_offset, data);
    }
  }
  visit_close (visitor, field, data);
}

static void
visit_counters (const struct mlpd_field *field, struct mlpd_counters counters,
                const struct mlpd_visitor *visitor, void *data)
{
  visit_open (visitor, field, counters.count, data);
  for (size_t i = 0; i < counters.count; i++) {
    const struct mlpd_counter *counter = &counters.items[i];
    visit_item (visitor, data);
    visitor->number (&item_index, counter->index, data);
    visitor->number (&item_section, counter->section, data);
    if (counter->section == MLPD_COUNTER_SECTION_USER)
      visit_text (visitor, &item_section_name, counter->section_name, data);
    visit_text (visitor, &item_name, counter->name, data);
    visitor->number (&item_counter_type, counter->type, data);
    visitor->number (&item_counter_unit, counter->unit, data);
    visitor->number (&item_variance, counter->variance, data);
  }
  visit_close (visitor, field, data);
}

static void
visit_counter_values (const struct mlpd_field *field, struct mlpd_counter_values values,
                      const struct mlpd_visitor *visitor, void *data)
{
  visit_open (visitor, field, values.count, data);
  for (size_t i = 0; i < values.count; i++) {
    const struct mlpd_counter_value *value = &values.items[i];
    visit_item (visitor, data);
    visitor->number (&item_index, value->index, data);
    visitor->number (&item_counter_type, value->type, data);
    if (value->type == MLPD_COUNTER_TYPE_DOUBLE)
      visitor->number (&item_double, value->number, data);
    else if (value->type != MLPD_COUNTER_TYPE_STRING)
      visitor->number (&item_value, value->number, data);
    else if (value->text.text != NULL)
      visit_text (visitor, &item_text, value->text, data);
  }
  visit_close (visitor, field, data);
}

void
mlpd_visit (enum mlpd_kind kind, const union mlpd_payload *payload, unsigned version,
            const struct mlpd_visitor *visitor, void *data)
{
  const struct mlpd_description *description = mlpd_describe (kind);
  const uint8_t byte = event_byte (kind, payload, version);
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
    case MLPD_WIRE_SMALL:
    case MLPD_WIRE_SIZE:
    case MLPD_WIRE_TIME:
    case MLPD_WIRE_PTR:
    case MLPD_WIRE_BINARY_ADDRESS:
    case MLPD_WIRE_OBJ:
    case MLPD_WIRE_METHOD:
    case MLPD_WIRE_MTYPE:
    case MLPD_WIRE_EXINFO:
    case MLPD_WIRE_MONITOR_EVENT:
    case MLPD_WIRE_HELPER_TYPE:
      visitor->number (field, *(const uint64_t *) value, data);
      break;
    case MLPD_WIRE_STR32:
    case MLPD_WIRE_STRZ:
      visit_text (visitor, field, *(const struct mlpd_string *) value, data);
      break;
    case MLPD_WIRE_HELPER_NAME:
      if (((const struct mlpd_string *) value)->text != NULL)
        visit_text (visitor, field, *(const struct mlpd_string *) value, data);
      break;
    case MLPD_WIRE_BACKTRACE:
    case MLPD_WIRE_PTRS:
    case MLPD_WIRE_OBJS:
      visit_list (visitor, field, *(const struct mlpd_list *) value, data);
      break;
    case MLPD_WIRE_REFS:
      visit_references (field, *(const struct mlpd_references *) value, version, visitor, data);
      break;
    case MLPD_WIRE_ROOTS:
      visit_roots (field, *(const struct mlpd_roots *) value, version, visitor, data);
      break;
    case MLPD_WIRE_FRAMES:
      visit_frames (field, *(const struct mlpd_frames *) value, version, visitor, data);
      break;
    case MLPD_WIRE_COUNTERS:
      visit_counters (field, *(const struct mlpd_counters *) value, visitor, data);
      break;
    case MLPD_WIRE_COUNTER_VALUES:
      visit_counter_values (field, *(const struct mlpd_counter_values *) value, visitor, data);
      break;
    }
  }
}
