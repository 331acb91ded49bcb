/* ghc-describe.c -- expands the event list to tables of kinds and fields. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"

#include <glib.h>
#include <string.h>

#define MOST UINT16_MAX
#define VARIABLE GHC_VARIABLE
#define ALWAYS                                                                                     \
  {                                                                                                \
    0, MOST, false                                                                                 \
  }
#define IF_LEFT                                                                                    \
  {                                                                                                \
    0, MOST, true                                                                                  \
  }
#define SIZES(least, most)                                                                         \
  {                                                                                                \
    least, most, false                                                                             \
  }

/* Of events without fields the table has but its end. */
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  static const struct ghc_field fields_of_##id[] = {
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  { #field, doc, GHC_WIRE_##wire, GHC_UNIT_##unit, offsetof (struct ghc_##id, field), when },
#define END_EVENT(id)                                                                              \
  {                                                                                                \
    .name = NULL                                                                                   \
  }                                                                                                \
  }                                                                                                \
  ;
#include <proflog/ghc-events.def>

/* The bits of `present` suffice. */
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  G_STATIC_ASSERT (G_N_ELEMENTS (fields_of_##id) - 1 <= 32);
#include <proflog/ghc-events.def>

enum { ROLE_OCCURS = false, ROLE_ANNOUNCES = true };

/* Completed at first use, see below. */
static struct ghc_description descriptions[] = {
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  { GHC_##ID,                                                                                      \
    #id,                                                                                           \
    doc,                                                                                           \
    since,                                                                                         \
    tag,                                                                                           \
    size,                                                                                          \
    ROLE_##role,                                                                                   \
    fields_of_##id,                                                                                \
    G_N_ELEMENTS (fields_of_##id) - 1,                                                             \
    sizeof (struct ghc_##id) },
#include <proflog/ghc-events.def>
};

const struct ghc_description *
ghc_describe (enum ghc_kind kind)
{
  static gsize completed = 0;
  g_return_val_if_fail (kind < GHC_KINDS, NULL);
  if (g_once_init_enter (&completed)) {
    /* The list spells names with '_', people read '-'. */
    for (unsigned i = 0; i < GHC_KINDS; i++)
      descriptions[i].name = g_strdelimit (g_strdup (descriptions[i].name), "_", '-');
    g_once_init_leave (&completed, 1);
  }
  return &descriptions[kind];
}

bool
ghc_announces (enum ghc_kind kind)
{
  return kind != GHC_UNKNOWN && ghc_describe (kind)->announces;
}

unsigned
ghc_least_size (const struct ghc_description *description, unsigned size)
{
  static const unsigned bytes[]
      = { [GHC_WIRE_U8] = 1, [GHC_WIRE_U16] = 2, [GHC_WIRE_U32] = 4, [GHC_WIRE_U64] = 8 };
  unsigned least = 0;
  for (size_t i = 0; i < description->n_fields; i++) {
    const struct ghc_field *field = &description->fields[i];
    if (!field->when.if_left && size >= field->when.least && size <= field->when.most
        && field->wire < G_N_ELEMENTS (bytes))
      least += bytes[field->wire];
  }
  return least;
}

const char *
ghc_value_name (enum ghc_unit unit, uint64_t value)
{
  static const struct {
    enum ghc_unit unit;
    uint64_t value;
    const char *name;
  } names[] = {
#define VALUE(unit, number, NAME, text) { GHC_UNIT_##unit, number, text },
#include <proflog/ghc-values.def>
  };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].unit == unit && names[i].value == value)
      return names[i].name;
  return NULL;
}

bool
ghc_unit_has_names (enum ghc_unit unit)
{
  static const enum ghc_unit named[] = {
#define VALUE(unit, number, NAME, text) GHC_UNIT_##unit,
#include <proflog/ghc-values.def>
  };
  for (size_t i = 0; i < G_N_ELEMENTS (named); i++)
    if (named[i] == unit)
      return true;
  return false;
}

const char *
ghc_unit_name (enum ghc_unit unit)
{
  static const char *const names[] = {
#define UNIT(ID, name) [GHC_UNIT_##ID] = name,
#include <proflog/ghc-units.def>
  };
  g_return_val_if_fail ((size_t) unit < G_N_ELEMENTS (names), NULL);
  return names[unit];
}

bool
ghc_texts_next (struct ghc_texts *texts, struct ghc_text *text)
{
  if (texts->length == 0)
    return false;
  const char *nul = memchr (texts->text, 0, texts->length);
  const size_t length = nul != NULL ? (size_t) (nul - texts->text) : texts->length;
  *text = (struct ghc_text){ texts->text, length };
  texts->text += length + (nul != NULL);
  texts->length -= length + (nul != NULL);
  return true;
}

static void
visit_field (const struct ghc_field *field, const void *value, const struct ghc_visitor *visitor,
             void *data)
{
  switch (field->wire) {
  case GHC_WIRE_U8:
    visitor->number (field, *(const uint8_t *) value, data);
    break;
  case GHC_WIRE_U16:
    visitor->number (field, *(const uint16_t *) value, data);
    break;
  case GHC_WIRE_U32:
    visitor->number (field, *(const uint32_t *) value, data);
    break;
  case GHC_WIRE_U64:
    visitor->number (field, *(const uint64_t *) value, data);
    break;
  case GHC_WIRE_STR:
  case GHC_WIRE_STR_BUT_4:
  case GHC_WIRE_STRZ:
    visitor->text (field, *(const struct ghc_text *) value, data);
    break;
  case GHC_WIRE_STRZS:
    visitor->texts (field, *(const struct ghc_texts *) value, data);
    break;
  case GHC_WIRE_STACK:
    visitor->stack (field, value, data);
    break;
  case GHC_WIRE_BYTES:
    visitor->bytes (field, *(const struct ghc_text *) value, data);
    break;
  }
}

void
ghc_visit (enum ghc_kind kind, const union ghc_payload *payload, const struct ghc_header *header,
           const struct ghc_visitor *visitor, void *data)
{
  const struct ghc_description *description = ghc_describe (kind);
  /* All payloads begin with it. */
  const uint32_t present = payload->create_thread.present;
  for (size_t i = 0; i < description->n_fields; i++) {
    struct ghc_field field = description->fields[i];
    if ((present >> i & 1) == 0)
      continue;
    if (field.unit == GHC_UNIT_STOP_STATUS && header != NULL && header->is_7_8_2)
      field.unit = GHC_UNIT_STOP_STATUS_7_8_2;
    visit_field (&field, (const char *) payload + field.offset, visitor, data);
  }
}
