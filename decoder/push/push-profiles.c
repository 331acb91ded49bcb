/* push-profiles.c -- the requests of Pyroscope, Parca and OTLP.
 *
 * The first two take the protocol buffers of pprof: Pyroscope as the body of /ingest, Parca in
 * base64 within the JSON of /profiles/writeraw. */
#include "config.h"

#include "decoder/exports/protobuf.h"
#include "decoder/output/emitter.h"
#include "decoder/push/push.h"
#include <string.h>

/* ---- the message of OTLP ---- */

/* Fields of opentelemetry.proto.profiles v1development: the format is not final.  The first entry
 * of each table is its zero value. */
enum {
  REQUEST_RESOURCES = 1,
  REQUEST_DICTIONARY = 2,
  RESOURCES_RESOURCE = 1,
  RESOURCES_SCOPES = 2,
  RESOURCE_ATTRIBUTES = 1,
  ATTRIBUTE_KEY = 1,
  ATTRIBUTE_VALUE = 2,
  TABLE_ATTRIBUTE_KEY = 1,
  TABLE_ATTRIBUTE_VALUE = 2,
  VALUE_STRING = 1,
  VALUE_INTEGER = 3,
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
  LOCATION_ATTRIBUTES = 4,
  LINE_FUNCTION = 1,
  FUNCTION_NAME = 1,
};

/* Numbers of strings; the first is empty, and names of frames follow the last. */
enum {
  STRING_COUNTED = 1,
  STRING_COUNT,
  STRING_WEIGHED,
  STRING_UNIT,
  STRING_FRAME_TYPE,
  STRING_FRAMES,
};

/* The attributes of frames, by their types: numbers in the dictionary. */
static const char *const frame_types[]
    = { [EXPORT_FRAME_MANAGED] = "dotnet", [EXPORT_FRAME_NATIVE] = "native" };

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
put_pid (GString *to, uint64_t pid)
{
  const size_t attribute = protobuf_begin (to, RESOURCE_ATTRIBUTES);
  protobuf_put_text (to, ATTRIBUTE_KEY, "process.pid");
  const size_t any = protobuf_begin (to, ATTRIBUTE_VALUE);
  protobuf_put_number (to, VALUE_INTEGER, pid);
  protobuf_end (to, any);
  protobuf_end (to, attribute);
}

/* Sets it, in place of an earlier value: a resource has each name once. */
static void
set_attribute (GPtrArray *attributes, const char *name, const char *value)
{
  for (guint i = 0; i < attributes->len; i += 2)
    if (strcmp (attributes->pdata[i], name) == 0) {
      attributes->pdata[i + 1] = (gpointer) value;
      return;
    }
  g_ptr_array_add (attributes, (gpointer) name);
  g_ptr_array_add (attributes, (gpointer) value);
}

/* The attributes of labels of the command line; others have their own names. */
static const char *
attribute_of_label (const char *label)
{
  return strcmp (label, "program") == 0   ? "service.name"
         : strcmp (label, "version") == 0 ? "service.version"
                                          : label;
}

/* The attributes of the log, then of the environment, then of the command line. */
static void
put_resource (GString *to, const struct push_profile *p, const struct push_otel *otel)
{
  g_autoptr (GPtrArray) attributes = g_ptr_array_new ();
  set_attribute (attributes, "service.name", p->program);
  if (*p->host != 0)
    set_attribute (attributes, "host.name", p->host);
  set_attribute (attributes, "process.runtime.name", p->runtime);
  for (guint i = 0; i < otel->attributes->len; i += 2)
    set_attribute (attributes, otel->attributes->pdata[i], otel->attributes->pdata[i + 1]);
  for (guint i = 0; i < p->labels->len; i += 2)
    set_attribute (attributes, attribute_of_label (p->labels->pdata[i]), p->labels->pdata[i + 1]);
  const size_t resource = protobuf_begin (to, RESOURCES_RESOURCE);
  for (guint i = 0; i < attributes->len; i += 2)
    put_attribute (to, attributes->pdata[i], attributes->pdata[i + 1]);
  if (p->pid != 0)
    put_pid (to, p->pid);
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
put_profiles (GString *to, const struct push_profile *p, const struct push_otel *otel)
{
  const size_t resources = protobuf_begin (to, REQUEST_RESOURCES);
  put_resource (to, p, otel);
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
    const enum export_frame_type type = export_stacks_type (s, i - 1);
    if (type != EXPORT_FRAME_OTHER) {
      const size_t attributes = protobuf_begin (to, LOCATION_ATTRIBUTES);
      protobuf_put_varint (to, type);
      protobuf_end (to, attributes);
    }
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
                                [STRING_UNIT] = export_stacks_unit_name (s),
                                [STRING_FRAME_TYPE] = "profile.frame.type" };
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    protobuf_put_text (to, DICTIONARY_STRINGS, first[i]);
  for (guint i = 0; i < s->frames->len; i++)
    protobuf_put_text (to, DICTIONARY_STRINGS, s->frames->pdata[i]);
}

static void
put_frame_types (GString *to)
{
  put_empty (to, DICTIONARY_ATTRIBUTES);
  for (guint type = EXPORT_FRAME_OTHER + 1; type < G_N_ELEMENTS (frame_types); type++) {
    const size_t attribute = protobuf_begin (to, DICTIONARY_ATTRIBUTES);
    protobuf_put_number (to, TABLE_ATTRIBUTE_KEY, STRING_FRAME_TYPE);
    const size_t any = protobuf_begin (to, TABLE_ATTRIBUTE_VALUE);
    protobuf_put_text (to, VALUE_STRING, frame_types[type]);
    protobuf_end (to, any);
    protobuf_end (to, attribute);
  }
}

/* Appends a request with the profile: an ExportProfilesServiceRequest. */
static void
push_otlp_put (const struct push_profile *p, const struct push_otel *otel, GString *to)
{
  put_profiles (to, p, otel);
  const size_t dictionary = protobuf_begin (to, REQUEST_DICTIONARY);
  put_empty (to, DICTIONARY_MAPPINGS);
  put_frames (to, p->stacks);
  put_empty (to, DICTIONARY_LINKS);
  put_strings (to, p->stacks);
  put_frame_types (to);
  put_stacks (to, p->stacks);
  protobuf_end (to, dictionary);
}

enum { SECOND_NS = 1000000000 };

/* ---- pprof ---- */

static bool
keep_bytes (void *data, const GString *bytes)
{
  g_string_append_len (data, bytes->str, (gssize) bytes->len);
  return true;
}

static GString *
make_pprof (const struct export_stacks *stacks)
{
  GString *pprof = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = keep_bytes, .data = pprof };
  export_pprof.write_stacks (stacks, &out);
  g_string_free (out.bytes, TRUE);
  return pprof;
}

/* ---- Pyroscope ---- */

/* Signs that end a label there become '_'. */
static void
append_value (GString *to, const char *value)
{
  for (; *value != 0; value++)
    g_string_append_c (to, strchr ("{}=,\"", *value) != NULL ? '_' : *value);
}

static void
append_label (GString *to, const char *name, const char *value)
{
  if (to->str[to->len - 1] != '{')
    g_string_append_c (to, ',');
  g_string_append_printf (to, "%s=", name);
  append_value (to, value);
}

/* PROGRAM.KIND{NAME=VALUE,...} (transfer full). */
static char *
pyroscope_name (const struct push_profile *p)
{
  g_autoptr (GString) name = g_string_new (NULL);
  append_value (name, p->program);
  g_string_append_printf (name, ".%s{", p->kind);
  if (*p->host != 0)
    append_label (name, "host", p->host);
  for (guint i = 0; i < p->labels->len; i += 2)
    append_label (name, p->labels->pdata[i], p->labels->pdata[i + 1]);
  g_string_append_c (name, '}');
  return g_uri_escape_string (name->str, NULL, FALSE);
}

static bool
send_pyroscope (const struct push_profile *p, const char *url, const struct push_values *values,
                struct push_http *http, GString *answer, GError **error)
{
  g_autofree char *name = pyroscope_name (p);
  g_autofree char *tenant
      = values->tenant != NULL ? g_strconcat ("X-Scope-OrgID: ", values->tenant, NULL) : NULL;
  const char *const headers[] = { "Content-Type: application/octet-stream", tenant, NULL };
  const uint64_t from = p->stacks->start_ns / SECOND_NS;
  const uint64_t until = (p->stacks->start_ns + p->stacks->duration_ns) / SECOND_NS;
  g_autofree char *place
      = g_strdup_printf ("%s/ingest?name=%s&from=%" G_GUINT64_FORMAT "&until=%" G_GUINT64_FORMAT
                         "&format=pprof&spyName=" PACKAGE_NAME,
                         url, name, from, MAX (until, from + 1));
  g_autoptr (GString) pprof = make_pprof (p->stacks);
  const struct push_request request
      = { .url = place, .headers = headers, .bytes = pprof->str, .length = pprof->len };
  return push_http_repeat (http, &request, answer, error);
}

/* ---- Parca ---- */

static void
append_json_label (GString *to, const char *name, const char *value)
{
  g_string_append (to, to->str[to->len - 1] == '[' ? "{\"name\":" : ",{\"name\":");
  emitter_append_json_string (to, name, strlen (name));
  g_string_append (to, ",\"value\":");
  emitter_append_json_string (to, value, strlen (value));
  g_string_append_c (to, '}');
}

static bool
send_parca (const struct push_profile *p, const char *url, struct push_http *http, GString *answer,
            GError **error)
{
  static const char *const headers[] = { "Content-Type: application/json", NULL };
  g_autofree char *place = g_strconcat (url, "/profiles/writeraw", NULL);
  g_autoptr (GString) pprof = make_pprof (p->stacks);
  g_autofree char *base64 = g_base64_encode ((const guchar *) pprof->str, pprof->len);
  g_autoptr (GString) json = g_string_new ("{\"series\":[{\"labels\":{\"labels\":[");
  append_json_label (json, "__name__", p->kind);
  append_json_label (json, "job", p->program);
  if (*p->host != 0)
    append_json_label (json, "instance", p->host);
  for (guint i = 0; i < p->labels->len; i += 2)
    append_json_label (json, p->labels->pdata[i], p->labels->pdata[i + 1]);
  g_string_append_printf (json, "]},\"samples\":[{\"rawProfile\":\"%s\"}]}],\"normalized\":false}",
                          base64);
  const struct push_request request
      = { .url = place, .headers = headers, .bytes = json->str, .length = json->len };
  return push_http_repeat (http, &request, answer, error);
}

/* ---- OTLP ---- */

char *
push_profile_place (const char *url)
{
  gsize length = strlen (url);
  while (length != 0 && url[length - 1] == '/')
    length--;
  return g_strdup_printf ("%.*s/v1development/profiles", (int) length, url);
}

static bool
send_otlp (const struct push_profile *p, const char *place, const struct push_otel *otel,
           struct push_http *http, GString *answer, GError **error)
{
  g_autoptr (GPtrArray) headers = g_ptr_array_new ();
  g_ptr_array_add (headers, (gpointer) "Content-Type: application/x-protobuf");
  for (guint i = 0; i < otel->headers->len; i++)
    g_ptr_array_add (headers, otel->headers->pdata[i]);
  g_ptr_array_add (headers, NULL);
  g_autoptr (GString) bytes = g_string_new (NULL);
  push_otlp_put (p, otel, bytes);
  const struct push_request request = { .url = place,
                                        .headers = (const char *const *) headers->pdata,
                                        .bytes = bytes->str,
                                        .length = bytes->len,
                                        .compress = true };
  return push_http_repeat (http, &request, answer, error);
}

static bool
send_all_otlp (const struct push_profile *p, const struct push_values *values,
               struct push_http *http, GString *answer, GError **error)
{
  bool good = true;
  if (values->urls == NULL)
    return send_otlp (p, values->otel.url, &values->otel, http, answer, error);
  for (guint i = 0; good && i < values->urls->len; i++) {
    g_autofree char *place = push_profile_place (values->urls->pdata[i]);
    good = send_otlp (p, place, &values->otel, http, answer, error);
  }
  return good;
}

/* ---- all ---- */

bool
push_profile_send (const struct push_profile *p, const struct push_values *values,
                   struct push_http *http, GError **error)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  bool good = true;
  if (values->to == PUSH_OTLP)
    return send_all_otlp (p, values, http, answer, error);
  for (guint i = 0; good && i < values->urls->len; i++) {
    g_autofree char *url = g_strdup (values->urls->pdata[i]);
    while (g_str_has_suffix (url, "/"))
      url[strlen (url) - 1] = 0;
    good = values->to == PUSH_PYROSCOPE ? send_pyroscope (p, url, values, http, answer, error)
                                        : send_parca (p, url, http, answer, error);
  }
  return good;
}
