/* schema-top.c -- the JSON schema of a line of `proflog top`, of the list of live figures. */
#include "config.h"

#include "docs/schema-top.h"
#include <glib.h>

#define TOP_END_NONE ""
#define TOP_END_BYTES "_bytes"
#define TOP_END_NS "_ns"

#define TOP_COLLECTIONS                                                                            \
  "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}, \"description\": "    \
  "\"Collections by "                                                                              \
  "generation"

/* Members that are no figures; the first three only of several logs. */
static const struct {
  const char *key, *schema;
} top_extras[] = {
  { "log", "{\"type\": \"string\", \"description\": \"The name of the log, of several\"}" },
  { "pid", "{\"type\": [\"integer\", \"null\"], \"description\": \"The process; null: unknown\"}" },
  { "ended", "{\"type\": \"boolean\", \"description\": \"Whether the log has ended\"}" },
  { "mark_names", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
                  "\"description\": \"The names of the marks of the interval\"}" },
  { "collections", TOP_COLLECTIONS ", in the interval\"}" },
  { "collections_all", TOP_COLLECTIONS "\"}" },
};

static void
top_member (GString *out, GString *required, const char *key, const char *meaning)
{
  g_string_append_printf (
      out, "  \"%s\": {\"type\": \"integer\", \"minimum\": 0, \"description\": \"%s\"},\n", key,
      meaning);
  g_string_append_printf (required, ", \"%s\"", key);
}

bool
schema_write_top (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "top-line.json", NULL);
  g_autoptr (GString) required = g_string_new ("\"format\""), out = g_string_new (NULL);
  g_string_append (
      out, "{ \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
           " \"$id\": \"urn:proflog:top-line\",\n"
           " \"title\": \"proflog.top-line\",\n"
           " \"description\": \"proflog top --format=json: a line, the figures of an interval\",\n"
           " \"type\": \"object\",\n"
           " \"properties\": {\n");
  for (gsize i = 0; i < G_N_ELEMENTS (top_extras); i++)
    g_string_append_printf (out, "  \"%s\": %s,\n", top_extras[i].key, top_extras[i].schema);
#define COUNTER(member, name, unit, help)                                                          \
  top_member (out, required, name TOP_END_##unit, help ", in the interval");                       \
  top_member (out, required, name TOP_END_##unit "_all", help);
#define GAUGE(member, name, unit, help) top_member (out, required, name TOP_END_##unit, help);
#include "decoder/live/live-figures.def"
  g_string_append_printf (
      out,
      "  \"format\": {\"enum\": [\"mono\", \"ghc\"], \"description\": \"The format of the "
      "log\"}},\n"
      " \"required\": [%s, \"mark_names\", \"collections\", \"collections_all\"],\n"
      " \"additionalProperties\": false}\n",
      required->str);
  return g_file_set_contents (path, out->str, (gssize) out->len, NULL);
}
