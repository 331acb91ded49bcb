/* ghc-types.c -- stores the event types of a header, and corrects their sizes. */
#include "config.h"

#include "decoder/ghc/ghc-types.h"
#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include <string.h>

/* Descriptions are stored in pieces of this. */
enum { TEXT_BYTES = 256 };

void
ghc_types_init (struct ghc_types *t)
{
  t->types = g_array_new (FALSE, FALSE, sizeof (struct ghc_event_type));
  t->texts = g_string_chunk_new (TEXT_BYTES);
  t->index = g_new0 (uint16_t, GHC_DATA_END);
  t->forms = g_new0 (uint32_t, GHC_DATA_END + 1);
}

void
ghc_types_clear (struct ghc_types *t)
{
  if (t->types == NULL)
    return;
  g_array_unref (t->types);
  g_string_chunk_free (t->texts);
  g_free (t->index);
  g_free (t->forms);
  *t = (struct ghc_types){ .types = NULL };
}

void
ghc_types_reset (struct ghc_types *t)
{
  if (t->types == NULL) {
    ghc_types_init (t);
    return;
  }
  for (guint i = 0; i < t->types->len; i++) {
    const unsigned tag = g_array_index (t->types, struct ghc_event_type, i).tag;
    t->index[tag] = 0;
    t->forms[tag] = 0;
  }
  g_array_set_size (t->types, 0);
  g_string_chunk_clear (t->texts);
}

static struct ghc_text
copy_text (struct ghc_types *t, struct ghc_text text)
{
  if (text.length == 0)
    return (struct ghc_text){ "", 0 };
  return (struct ghc_text){ g_string_chunk_insert_len (t->texts, text.text, (gssize) text.length),
                            text.length };
}

void
ghc_types_add (struct ghc_types *t, uint16_t tag, uint16_t size, struct ghc_text description,
               struct ghc_text more)
{
  const struct ghc_event_type type = {
    .tag = tag,
    .size = size,
    .real_size = size,
    .kind = ghc_kind_of_tag (tag),
    .description = copy_text (t, description),
    .more = copy_text (t, more),
  };
  g_array_append_val (t->types, type);
  t->index[tag] = (uint16_t) t->types->len;
  t->forms[tag] = ghc_event_form (size);
}

/* GHC 6.12 declares thread ids with 8 bytes and writes 4, and states nothing about the capabilities
 * in the event of the start. */
static void
correct_size (struct ghc_types *t, struct ghc_event_type *type)
{
  if (type->kind == GHC_STARTUP && type->size == 0)
    type->real_size = 2;
  if (type->kind == GHC_UNKNOWN || type->size == GHC_VARIABLE)
    return;
  const struct ghc_description *description = ghc_describe (type->kind);
  const unsigned least = ghc_least_size (description, type->size);
  unsigned ids = 0;
  for (size_t i = 0; i < description->n_fields; i++)
    ids += description->fields[i].unit == GHC_UNIT_THREAD
           || description->fields[i].unit == GHC_UNIT_PROCESS;
  if (ids != 0 && type->size == least + 4 * ids)
    type->real_size = (uint16_t) least;
  t->forms[type->tag] = ghc_event_form (type->real_size);
}

/* An event without room for the fields of its kind is none of that kind, nor is one of variable
 * size if its kind is of a fixed one, or the other way round.  Events of variable size are checked
 * one by one. */
static void
check_size (struct ghc_event_type *type)
{
  if (type->kind == GHC_UNKNOWN)
    return;
  const struct ghc_description *description = ghc_describe (type->kind);
  const bool is_variable = type->size == GHC_VARIABLE;
  if (is_variable != (description->size == GHC_VARIABLE)
      || (!is_variable && type->real_size < ghc_least_size (description, type->real_size)))
    type->kind = GHC_UNKNOWN;
}

void
ghc_types_finish (struct ghc_types *t)
{
  const struct ghc_event_type *create = ghc_types_find (t, GHC_TAG_CREATE_THREAD);
  t->header = (struct ghc_header){
    .types = (const struct ghc_event_type *) (const void *) t->types->data,
    .n_types = t->types->len,
    .is_6_12 = create != NULL && create->size == 8,
    .is_7_8_2 = ghc_types_find (t, GHC_TAG_USER_MARKER) != NULL
                && ghc_types_find (t, GHC_TAG_HACK_BUG_T9003) == NULL,
  };
  for (guint i = 0; i < t->types->len; i++) {
    struct ghc_event_type *type = &g_array_index (t->types, struct ghc_event_type, i);
    if (t->header.is_6_12)
      correct_size (t, type);
    check_size (type);
  }
}

struct ghc_types *
ghc_types_copy (const struct ghc_header *header)
{
  struct ghc_types *types = g_new (struct ghc_types, 1);
  ghc_types_init (types);
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    ghc_types_add (types, type->tag, type->size, type->description, type->more);
  }
  ghc_types_finish (types);
  return types;
}

void
ghc_types_pack (struct ghc_types *types)
{
  g_clear_pointer (&types->index, g_free);
  g_clear_pointer (&types->forms, g_free);
}

static bool
text_equals (struct ghc_text a, struct ghc_text b)
{
  return a.length == b.length && (a.length == 0 || memcmp (a.text, b.text, a.length) == 0);
}

bool
ghc_header_equals (const struct ghc_header *a, const struct ghc_header *b)
{
  bool equal = a->n_types == b->n_types;
  for (size_t i = 0; equal && i < a->n_types; i++)
    equal = a->types[i].tag == b->types[i].tag && a->types[i].size == b->types[i].size
            && text_equals (a->types[i].description, b->types[i].description)
            && text_equals (a->types[i].more, b->types[i].more);
  return equal;
}

void
ghc_types_free (struct ghc_types *types)
{
  if (types == NULL)
    return;
  ghc_types_clear (types);
  g_free (types);
}
