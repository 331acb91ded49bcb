/* push-otlp.c -- the protocol buffers of OpenTelemetry's profiles, as of
 * opentelemetry.proto.profiles v1development: the format is not final.  The first entry of each
 * table is its zero value. */
#include "config.h"

#include "decoder/push/push-otlp.h"
#include "decoder/exports/protobuf.h"
#include <string.h>

/* Fields. */
enum {
  REQUEST_RESOURCES = 1,
  REQUEST_DICTIONARY = 2,
  RESOURCES_RESOURCE = 1,
  RESOURCES_SCOPES = 2,
  RESOURCE_ATTRIBUTES = 1,
  ATTRIBUTE_KEY = 1,
  ATTRIBUTE_VALUE = 2,
  VALUE_STRING = 1,
  SCOPES_SCOPE = 1,
  SCOPES_PROFILES = 2,
  SCOPE_NAME = 1,
  SCOPE_VERSION = 2,
  DICTIONARY_MAPPINGS = 1,
  DICTIONARY_LOCATIONS = 2,
  DICTIONARY_FUNCTIONS = 3,
  DICTIONARY_LINKS = 4,
  DICTIONARY_STRINGS = 5,
  DICTIONARY_ATTRIBUTES = 6,
  DICTIONARY_STACKS = 7,
  PROFILE_TYPE = 1,
  PROFILE_SAMPLES = 2,
  PROFILE_TIME = 3,
  PROFILE_DURATION = 4,
  PROFILE_ID = 7,
  TYPE_NAME = 1,
  TYPE_UNIT = 2,
  SAMPLE_STACK = 1,
  SAMPLE_VALUES = 4,
  STACK_LOCATIONS = 1,
  LOCATION_LINES = 3,
  LINE_FUNCTION = 1,
  FUNCTION_NAME = 1,
};

/* Numbers of strings; the first is empty, and names of frames follow the last. */
enum { STRING_COUNTED = 1, STRING_COUNT, STRING_WEIGHED, STRING_UNIT, STRING_FRAMES };

enum { ID_BYTES = 16 };

/* ---- the resource ---- */

static void
put_attribute (GString *to, const char *name, const char *value)
{
  const size_t attribute = protobuf_begin (to, RESOURCE_ATTRIBUTES);
  protobuf_put_text (to, ATTRIBUTE_KEY, name);
  const size_t any = protobuf_begin (to, ATTRIBUTE_VALUE);
  protobuf_put_text (to, VALUE_STRING, value);
  protobuf_end (to, any);
  protobuf_end (to, attribute);
}

static void
put_resource (GString *to, const struct push_profile *p)
{
  const size_t resource = protobuf_begin (to, RESOURCES_RESOURCE);
  put_attribute (to, "service.name", p->program);
  if (*p->host != 0)
    put_attribute (to, "host.name", p->host);
  for (guint i = 0; i < p->labels->len; i += 2)
    put_attribute (to, p->labels->pdata[i], p->labels->pdata[i + 1]);
  protobuf_end (to, resource);
}

/* ---- profiles ---- */

/* A profile has one type of values. */
static void
put_profile (GString *to, const struct export_stacks *s, bool is_weight)
{
  const size_t profile = protobuf_begin (to, SCOPES_PROFILES);
  const size_t type = protobuf_begin (to, PROFILE_TYPE);
  protobuf_put_number (to, TYPE_NAME, is_weight ? STRING_WEIGHED : STRING_COUNTED);
  protobuf_put_number (to, TYPE_UNIT, is_weight ? STRING_UNIT : STRING_COUNT);
  protobuf_end (to, type);
  for (guint i = EXPORT_STACKS_ROOT + 1; i < s->nodes->len; i++) {
    const struct export_node *node = &g_array_index (s->nodes, struct export_node, i);
    const uint64_t value = is_weight ? node->weight : node->count;
    if (value == 0)
      continue;
    const size_t sample = protobuf_begin (to, PROFILE_SAMPLES);
    protobuf_put_number (to, SAMPLE_STACK, i);
    const size_t values = protobuf_begin (to, SAMPLE_VALUES);
    protobuf_put_varint (to, value);
    protobuf_end (to, values);
    protobuf_end (to, sample);
  }
  const uint64_t start = GUINT64_TO_LE (s->start_ns);
  protobuf_put_varint (to, PROFILE_TIME << 3 | PROTOBUF_64_BITS);
  g_string_append_len (to, (const char *) &start, sizeof start);
  protobuf_put_number (to, PROFILE_DURATION, s->duration_ns);
  guint32 id[ID_BYTES / sizeof (guint32)];
  for (gsize i = 0; i < G_N_ELEMENTS (id); i++)
    id[i] = g_random_int ();
  protobuf_put_bytes (to, PROFILE_ID, (const char *) id, ID_BYTES);
  protobuf_end (to, profile);
}

static void
put_profiles (GString *to, const struct push_profile *p)
{
  const size_t resources = protobuf_begin (to, REQUEST_RESOURCES);
  put_resource (to, p);
  const size_t scopes = protobuf_begin (to, RESOURCES_SCOPES);
  const size_t scope = protobuf_begin (to, SCOPES_SCOPE);
  protobuf_put_text (to, SCOPE_NAME, PACKAGE_NAME);
  protobuf_put_text (to, SCOPE_VERSION, PACKAGE_VERSION);
  protobuf_end (to, scope);
  put_profile (to, p->stacks, false);
  if (p->stacks->weighed != NULL)
    put_profile (to, p->stacks, true);
  protobuf_end (to, scopes);
  protobuf_end (to, resources);
}

/* ---- the dictionary ---- */

static void
put_empty (GString *to, unsigned field)
{
  protobuf_put_bytes (to, field, "", 0);
}

/* A stack for each node, whose number it has; a location and a function for each frame. */
static void
put_stacks (GString *to, const struct export_stacks *s)
{
  put_empty (to, DICTIONARY_STACKS);
  for (guint i = EXPORT_STACKS_ROOT + 1; i < s->nodes->len; i++) {
    const size_t stack = protobuf_begin (to, DICTIONARY_STACKS);
    const size_t locations = protobuf_begin (to, STACK_LOCATIONS);
    for (guint n = i; n != EXPORT_STACKS_ROOT;) { /* the innermost first */
      const struct export_node *node = &g_array_index (s->nodes, struct export_node, n);
      protobuf_put_varint (to, (uint64_t) node->frame + 1);
      n = node->parent;
    }
    protobuf_end (to, locations);
    protobuf_end (to, stack);
  }
}

static void
put_frames (GString *to, const struct export_stacks *s)
{
  put_empty (to, DICTIONARY_LOCATIONS);
  for (guint i = 1; i <= s->frames->len; i++) {
    const size_t location = protobuf_begin (to, DICTIONARY_LOCATIONS);
    const size_t line = protobuf_begin (to, LOCATION_LINES);
    protobuf_put_number (to, LINE_FUNCTION, i);
    protobuf_end (to, line);
    protobuf_end (to, location);
  }
  put_empty (to, DICTIONARY_FUNCTIONS);
  for (guint i = 0; i < s->frames->len; i++) {
    const size_t function = protobuf_begin (to, DICTIONARY_FUNCTIONS);
    protobuf_put_number (to, FUNCTION_NAME, (uint64_t) STRING_FRAMES + i);
    protobuf_end (to, function);
  }
}

static void
put_strings (GString *to, const struct export_stacks *s)
{
  const char *const first[] = { [0] = "",
                                [STRING_COUNTED] = s->counted,
                                [STRING_COUNT] = "count",
                                [STRING_WEIGHED] = s->weighed != NULL ? s->weighed : "",
                                [STRING_UNIT] = export_stacks_unit_name (s) };
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    protobuf_put_text (to, DICTIONARY_STRINGS, first[i]);
  for (guint i = 0; i < s->frames->len; i++)
    protobuf_put_text (to, DICTIONARY_STRINGS, s->frames->pdata[i]);
}

void
push_otlp_put (const struct push_profile *p, GString *to)
{
  put_profiles (to, p);
  const size_t dictionary = protobuf_begin (to, REQUEST_DICTIONARY);
  put_empty (to, DICTIONARY_MAPPINGS);
  put_frames (to, p->stacks);
  put_empty (to, DICTIONARY_LINKS);
  put_strings (to, p->stacks);
  put_empty (to, DICTIONARY_ATTRIBUTES);
  put_stacks (to, p->stacks);
  protobuf_end (to, dictionary);
}
