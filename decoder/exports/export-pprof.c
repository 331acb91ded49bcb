/* export-pprof.c -- the protocol buffers of pprof: numbers and weights of stacks.
 *
 * A frame is a function with one place.  The message is not compressed, which readers accept.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/exports/protobuf.h"

/* Fields, from pprof's profile.proto. */
enum {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_MAPPING = 3,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRINGS = 6,
  PROFILE_TIME = 9,
  PROFILE_DURATION = 10,
  PROFILE_DEFAULT_TYPE = 14,
  TYPE_NAME = 1,
  TYPE_UNIT = 2,
  SAMPLE_LOCATIONS = 1,
  SAMPLE_VALUES = 2,
  MAPPING_ID = 1,
  MAPPING_FILE = 5,
  MAPPING_HAS_FUNCTIONS = 7,
  LOCATION_ID = 1,
  LOCATION_MAPPING = 2,
  LOCATION_LINE = 4,
  LINE_FUNCTION = 1,
  FUNCTION_ID = 1,
  FUNCTION_NAME = 2,
};

/* Numbers of strings; the first is empty, and names of frames follow the last. */
enum { STRING_COUNTED = 1, STRING_COUNT, STRING_WEIGHED, STRING_UNIT, STRING_TITLE, STRING_FRAMES };

/* Ends a message of the profile. */
static void
end_message (struct export_out *out, size_t begin)
{
  protobuf_end (out->bytes, begin);
  export_flush_much (out);
}

static void
put_type (struct export_out *out, unsigned name, unsigned unit)
{
  const size_t type = protobuf_begin (out->bytes, PROFILE_SAMPLE_TYPE);
  protobuf_put_number (out->bytes, TYPE_NAME, name);
  protobuf_put_number (out->bytes, TYPE_UNIT, unit);
  end_message (out, type);
}

static void
put_types (const struct export_stacks *stacks, struct export_out *out)
{
  const bool has_weight = stacks->weighed != NULL;
  put_type (out, STRING_COUNTED, STRING_COUNT);
  if (has_weight)
    put_type (out, STRING_WEIGHED, STRING_UNIT);
  protobuf_put_number (out->bytes, PROFILE_DEFAULT_TYPE,
                       has_weight ? STRING_WEIGHED : STRING_COUNTED);
}

/* The innermost frame is the first. */
static void
put_sample (const struct export_stacks *stacks, const struct export_node *node,
            struct export_out *out)
{
  GString *to = out->bytes;
  const size_t sample = protobuf_begin (to, PROFILE_SAMPLE);
  const size_t locations = protobuf_begin (to, SAMPLE_LOCATIONS);
  for (const struct export_node *n = node;;
       n = &g_array_index (stacks->nodes, struct export_node, n->parent)) {
    protobuf_put_varint (to, (uint64_t) n->frame + 1);
    if (n->parent == EXPORT_STACKS_ROOT)
      break;
  }
  protobuf_end (to, locations);
  const size_t values = protobuf_begin (to, SAMPLE_VALUES);
  protobuf_put_varint (to, node->count);
  if (stacks->weighed != NULL)
    protobuf_put_varint (to, node->weight);
  protobuf_end (to, values);
  end_message (out, sample);
}

/* Without one, readers search for a binary. */
static void
put_mapping (struct export_out *out)
{
  const size_t mapping = protobuf_begin (out->bytes, PROFILE_MAPPING);
  protobuf_put_number (out->bytes, MAPPING_ID, 1);
  protobuf_put_number (out->bytes, MAPPING_FILE, STRING_TITLE);
  protobuf_put_number (out->bytes, MAPPING_HAS_FUNCTIONS, 1);
  end_message (out, mapping);
}

static void
put_frame (struct export_out *out, guint frame)
{
  GString *to = out->bytes;
  const size_t location = protobuf_begin (to, PROFILE_LOCATION);
  protobuf_put_number (to, LOCATION_ID, (uint64_t) frame + 1);
  protobuf_put_number (to, LOCATION_MAPPING, 1);
  const size_t line = protobuf_begin (to, LOCATION_LINE);
  protobuf_put_number (to, LINE_FUNCTION, (uint64_t) frame + 1);
  protobuf_end (to, line);
  end_message (out, location);
  const size_t function = protobuf_begin (out->bytes, PROFILE_FUNCTION);
  protobuf_put_number (to, FUNCTION_ID, (uint64_t) frame + 1);
  protobuf_put_number (to, FUNCTION_NAME, (uint64_t) STRING_FRAMES + frame);
  end_message (out, function);
}

static void
put_strings (const struct export_stacks *s, struct export_out *out)
{
  const char *const first[] = {
    [0] = "",
    [STRING_COUNTED] = s->counted,
    [STRING_COUNT] = "count",
    [STRING_WEIGHED] = s->weighed != NULL ? s->weighed : "",
    [STRING_UNIT] = export_stacks_unit_name (s),
    [STRING_TITLE] = s->title != NULL ? s->title : "log",
  };
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    protobuf_put_text (out->bytes, PROFILE_STRINGS, first[i]);
  for (guint i = 0; i < s->frames->len && !out->failed; i++) {
    protobuf_put_text (out->bytes, PROFILE_STRINGS, s->frames->pdata[i]);
    export_flush_much (out);
  }
}

static void
put_time (const struct export_stacks *stacks, struct export_out *out)
{
  if (stacks->start_ns == 0)
    return;
  protobuf_put_number (out->bytes, PROFILE_TIME, stacks->start_ns);
  protobuf_put_number (out->bytes, PROFILE_DURATION, stacks->duration_ns);
}

static void
write_pprof (const struct export_stacks *stacks, struct export_out *out)
{
  put_types (stacks, out);
  put_time (stacks, out);
  for (guint i = EXPORT_STACKS_ROOT + 1; i < stacks->nodes->len && !out->failed; i++) {
    const struct export_node *node = &g_array_index (stacks->nodes, struct export_node, i);
    if (node->weight != 0 || node->count != 0)
      put_sample (stacks, node, out);
  }
  put_mapping (out);
  for (guint i = 0; i < stacks->frames->len && !out->failed; i++)
    put_frame (out, i);
  put_strings (stacks, out);
  export_flush (out);
}

const struct export_format export_pprof
    = { "pprof", "numbers and weights of stacks: go tool pprof", .write_stacks = write_pprof };
