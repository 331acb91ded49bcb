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

struct profile {
  const struct export_stacks *stacks;
  struct export_out *out;
  GString *message, *part;
};

/* Puts a message of the profile, which is empty then. */
static void
put_message (struct profile *p, unsigned field)
{
  protobuf_put_message (p->out->bytes, field, p->message);
  export_flush_much (p->out);
}

static void
put_type (struct profile *p, unsigned name, unsigned unit)
{
  protobuf_put_number (p->message, TYPE_NAME, name);
  protobuf_put_number (p->message, TYPE_UNIT, unit);
  put_message (p, PROFILE_SAMPLE_TYPE);
}

static void
put_types (struct profile *p)
{
  const bool has_weight = p->stacks->weighed != NULL;
  put_type (p, STRING_COUNTED, STRING_COUNT);
  if (has_weight)
    put_type (p, STRING_WEIGHED, STRING_UNIT);
  protobuf_put_number (p->out->bytes, PROFILE_DEFAULT_TYPE,
                       has_weight ? STRING_WEIGHED : STRING_COUNTED);
}

/* The innermost frame is the first. */
static void
put_sample (struct profile *p, const struct export_node *node)
{
  const GArray *nodes = p->stacks->nodes;
  for (const struct export_node *n = node;;
       n = &g_array_index (nodes, struct export_node, n->parent)) {
    protobuf_put_varint (p->part, (uint64_t) n->frame + 1);
    if (n->parent == EXPORT_STACKS_ROOT)
      break;
  }
  protobuf_put_message (p->message, SAMPLE_LOCATIONS, p->part);
  protobuf_put_varint (p->part, node->count);
  if (p->stacks->weighed != NULL)
    protobuf_put_varint (p->part, node->weight);
  protobuf_put_message (p->message, SAMPLE_VALUES, p->part);
  put_message (p, PROFILE_SAMPLE);
}

/* Without one, readers look for a binary. */
static void
put_mapping (struct profile *p)
{
  protobuf_put_number (p->message, MAPPING_ID, 1);
  protobuf_put_number (p->message, MAPPING_FILE, STRING_TITLE);
  protobuf_put_number (p->message, MAPPING_HAS_FUNCTIONS, 1);
  put_message (p, PROFILE_MAPPING);
}

static void
put_frame (struct profile *p, guint frame)
{
  protobuf_put_number (p->message, LOCATION_ID, (uint64_t) frame + 1);
  protobuf_put_number (p->message, LOCATION_MAPPING, 1);
  protobuf_put_number (p->part, LINE_FUNCTION, (uint64_t) frame + 1);
  protobuf_put_message (p->message, LOCATION_LINE, p->part);
  put_message (p, PROFILE_LOCATION);
  protobuf_put_number (p->message, FUNCTION_ID, (uint64_t) frame + 1);
  protobuf_put_number (p->message, FUNCTION_NAME, (uint64_t) STRING_FRAMES + frame);
  put_message (p, PROFILE_FUNCTION);
}

static void
put_strings (struct profile *p)
{
  const struct export_stacks *s = p->stacks;
  const enum figure_unit unit = export_stacks_figure (s);
  const char *const first[] = {
    [0] = "",
    [STRING_COUNTED] = s->counted,
    [STRING_COUNT] = "count",
    [STRING_WEIGHED] = s->weighed != NULL ? s->weighed : "",
    [STRING_UNIT] = unit == FIGURE_NS      ? "nanoseconds"
                    : unit == FIGURE_BYTES ? "bytes"
                                           : "count",
    [STRING_TITLE] = s->title != NULL ? s->title : "log",
  };
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    protobuf_put_text (p->out->bytes, PROFILE_STRINGS, first[i]);
  for (guint i = 0; i < s->frames->len && !p->out->failed; i++) {
    protobuf_put_text (p->out->bytes, PROFILE_STRINGS, s->frames->pdata[i]);
    export_flush_much (p->out);
  }
}

static void
write_pprof (const struct export_stacks *stacks, struct export_out *out)
{
  struct profile p = {
    .stacks = stacks, .out = out, .message = g_string_new (NULL), .part = g_string_new (NULL)
  };
  put_types (&p);
  for (guint i = EXPORT_STACKS_ROOT + 1; i < stacks->nodes->len && !out->failed; i++) {
    const struct export_node *node = &g_array_index (stacks->nodes, struct export_node, i);
    if (node->weight != 0 || node->count != 0)
      put_sample (&p, node);
  }
  put_mapping (&p);
  for (guint i = 0; i < stacks->frames->len && !out->failed; i++)
    put_frame (&p, i);
  put_strings (&p);
  export_flush (out);
  g_string_free (p.message, TRUE);
  g_string_free (p.part, TRUE);
}

const struct export_format export_pprof
    = { "pprof", "numbers and weights of stacks: go tool pprof", .write_stacks = write_pprof };
