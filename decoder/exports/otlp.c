/* otlp.c -- writes messages of OpenTelemetry. */
#include "config.h"

#include "decoder/exports/otlp.h"
#include "decoder/exports/protobuf.h"
#include <string.h>

/* Fields of common.v1, resource.v1 and metrics.v1, and of profiles v1development, which is not
 * final. */
enum {
  DATA_RESOURCES = 1,
  DATA_DICTIONARY = 2,
  RESOURCES_RESOURCE = 1,
  RESOURCES_SCOPES = 2,
  RESOURCE_ATTRIBUTES = 1,
  KEY_VALUE_KEY = 1,
  KEY_VALUE_VALUE = 2,
  VALUE_STRING = 1,
  VALUE_INTEGER = 3,
  SCOPES_SCOPE = 1,
  SCOPES_ALL = 2, /* profiles, or metrics */
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
  SAMPLE_ATTRIBUTES = 2,
  SAMPLE_LINK = 3,
  SAMPLE_VALUES = 4,
  SAMPLE_TIMES = 5,
  LINK_TRACE = 1,
  LINK_SPAN = 2,
  STACK_LOCATIONS = 1,
  LOCATION_LINES = 3,
  LOCATION_ATTRIBUTES = 4,
  LINE_FUNCTION = 1,
  FUNCTION_NAME = 1,
  METRIC_NAME = 1,
  METRIC_TEXT = 2,
  METRIC_UNIT = 3,
  METRIC_SUM = 7,
  SUM_POINTS = 1,
  SUM_TEMPORALITY = 2,
  SUM_IS_MONOTONIC = 3,
  POINT_START = 2,
  POINT_TIME = 3,
  POINT_DOUBLE = 4,
  POINT_INTEGER = 6,
  POINT_ATTRIBUTES = 7,
};

enum { CUMULATIVE = 2 };

/* Strings of the dictionary; the first entry of each of its tables is its zero value.  Those of
 * types follow, then the names of frames. */
enum { STRING_FRAME_TYPE = 1, STRING_THREAD_NAME, STRING_THREAD_ID, STRING_OTHERS };

/* Attributes of the dictionary: types of frames, then name and id of each thread. */
static const char *const frame_types[]
    = { [EXPORT_FRAME_MANAGED] = "dotnet", [EXPORT_FRAME_NATIVE] = "native" };

enum {
  ATTRIBUTE_THREADS = G_N_ELEMENTS (frame_types),
  ATTRIBUTES_OF_THREAD = 2,
  ID_BYTES = 16,
};

/* ---- the resource ---- */

void
otlp_resource_init (struct otlp_resource *r)
{
  *r = (struct otlp_resource){ .attributes = g_ptr_array_new_with_free_func (g_free) };
}

void
otlp_resource_clear (struct otlp_resource *r)
{
  g_clear_pointer (&r->attributes, g_ptr_array_unref);
}

/* The place of an attribute's value; NULL: there is none. */
static char **
value_of (const struct otlp_resource *r, const char *name)
{
  for (guint i = 0; i < r->attributes->len; i += 2)
    if (strcmp (r->attributes->pdata[i], name) == 0)
      return (char **) &r->attributes->pdata[i + 1];
  return NULL;
}

void
otlp_resource_set (struct otlp_resource *r, const char *name, const char *value)
{
  char **const place = value_of (r, name);
  if (place != NULL) {
    g_free (*place);
    *place = g_strdup (value);
    return;
  }
  g_ptr_array_add (r->attributes, g_strdup (name));
  g_ptr_array_add (r->attributes, g_strdup (value));
}

static void
put_text_value (GString *to, unsigned field, const char *text)
{
  const size_t any = protobuf_begin (to, field);
  protobuf_put_text (to, VALUE_STRING, text);
  protobuf_end (to, any);
}

static void
put_number_value (GString *to, unsigned field, uint64_t number)
{
  const size_t any = protobuf_begin (to, field);
  protobuf_put_number (to, VALUE_INTEGER, number);
  protobuf_end (to, any);
}

static void
put_attribute (GString *to, unsigned field, const char *name, const char *value)
{
  const size_t attribute = protobuf_begin (to, field);
  protobuf_put_text (to, KEY_VALUE_KEY, name);
  put_text_value (to, KEY_VALUE_VALUE, value);
  protobuf_end (to, attribute);
}

static void
put_resource (GString *to, const struct otlp_resource *r)
{
  const size_t resource = protobuf_begin (to, RESOURCES_RESOURCE);
  for (guint i = 0; i < r->attributes->len; i += 2)
    put_attribute (to, RESOURCE_ATTRIBUTES, r->attributes->pdata[i], r->attributes->pdata[i + 1]);
  if (r->pid != 0 && value_of (r, "process.pid") == NULL) {
    const size_t attribute = protobuf_begin (to, RESOURCE_ATTRIBUTES);
    protobuf_put_text (to, KEY_VALUE_KEY, "process.pid");
    put_number_value (to, KEY_VALUE_VALUE, r->pid);
    protobuf_end (to, attribute);
  }
  protobuf_end (to, resource);
}

static void
put_scope (GString *to)
{
  const size_t scope = protobuf_begin (to, SCOPES_SCOPE);
  protobuf_put_text (to, SCOPE_NAME, PACKAGE_NAME);
  protobuf_put_text (to, SCOPE_VERSION, PACKAGE_VERSION);
  protobuf_end (to, scope);
}

/* 8 bytes, of which the lowest comes first. */
static void
append_fixed (GString *to, uint64_t number)
{
  const uint64_t bytes = GUINT64_TO_LE (number);
  g_string_append_len (to, (const char *) &bytes, sizeof bytes);
}

static void
put_fixed (GString *to, unsigned field, uint64_t number)
{
  protobuf_put_varint (to, field << 3 | PROTOBUF_64_BITS);
  append_fixed (to, number);
}

/* ---- parts of profiles ---- */

static void
clear_thread (void *data)
{
  g_free (((struct otlp_thread *) data)->name);
}

static void
clear_profile (void *data)
{
  g_array_unref (((struct otlp_profile *) data)->samples);
}

static void
free_program (void *data)
{
  struct otlp_program *program = data;
  otlp_resource_clear (&program->resource);
  g_array_unref (program->profiles);
  g_free (program);
}

void
otlp_profiles_init (struct otlp_profiles *p)
{
  *p = (struct otlp_profiles){
    .frames = g_ptr_array_new_with_free_func (g_free),
    .types = g_byte_array_new (),
    .stacks = g_array_new (FALSE, FALSE, sizeof (struct otlp_stack)),
    .threads = g_array_new (FALSE, FALSE, sizeof (struct otlp_thread)),
    .links = g_array_new (FALSE, FALSE, sizeof (struct otlp_link)),
    .programs = g_ptr_array_new_with_free_func (free_program),
  };
  g_array_set_clear_func (p->threads, clear_thread);
}

void
otlp_profiles_clear (struct otlp_profiles *p)
{
  g_ptr_array_unref (p->frames);
  g_byte_array_unref (p->types);
  g_array_unref (p->stacks);
  g_array_unref (p->threads);
  g_array_unref (p->links);
  g_ptr_array_unref (p->programs);
}

uint32_t
otlp_profiles_frame (struct otlp_profiles *p, const char *name, enum export_frame_type type)
{
  const guint8 byte = (guint8) type;
  g_ptr_array_add (p->frames, g_strdup (name));
  g_byte_array_append (p->types, &byte, 1);
  return p->frames->len;
}

uint32_t
otlp_profiles_stack (struct otlp_profiles *p, uint32_t outer, uint32_t frame)
{
  const struct otlp_stack stack = { outer, frame };
  g_array_append_val (p->stacks, stack);
  return p->stacks->len;
}

uint32_t
otlp_profiles_thread (struct otlp_profiles *p, uint64_t id, const char *name)
{
  const struct otlp_thread thread = { id, g_strdup (name) };
  g_array_append_val (p->threads, thread);
  return p->threads->len;
}

uint32_t
otlp_profiles_link (struct otlp_profiles *p, const struct otlp_link *link)
{
  g_array_append_vals (p->links, link, 1);
  return p->links->len;
}

struct otlp_program *
otlp_profiles_program (struct otlp_profiles *p)
{
  struct otlp_program *program = g_new0 (struct otlp_program, 1);
  otlp_resource_init (&program->resource);
  program->profiles = g_array_new (FALSE, FALSE, sizeof (struct otlp_profile));
  g_array_set_clear_func (program->profiles, clear_profile);
  g_ptr_array_add (p->programs, program);
  return program;
}

struct otlp_profile *
otlp_program_profile (struct otlp_program *program, const char *type, const char *unit)
{
  const struct otlp_profile profile
      = { type, unit, g_array_new (FALSE, FALSE, sizeof (struct otlp_sample)) };
  g_array_append_val (program->profiles, profile);
  return &g_array_index (program->profiles, struct otlp_profile, program->profiles->len - 1);
}

/* ---- profiles ---- */

/* The names and units of the types of profiles, as strings of the dictionary. */
struct strings {
  GPtrArray *all;    /* of const char * */
  GHashTable *known; /* text -> number */
};

static guint
string_of (struct strings *s, const char *text)
{
  const void *known = g_hash_table_lookup (s->known, text);
  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  const guint number = STRING_OTHERS + s->all->len;
  g_ptr_array_add (s->all, (gpointer) text);
  g_hash_table_insert (s->known, (gpointer) text, GUINT_TO_POINTER (number));
  return number;
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const struct otlp_sample *x = a, *y = b;
  if (x->stack != y->stack)
    return x->stack < y->stack ? -1 : 1;
  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  if (x->link != y->link)
    return x->link < y->link ? -1 : 1;
  return (x->time > y->time) - (x->time < y->time);
}

static bool
is_alike (const struct otlp_sample *a, const struct otlp_sample *b)
{
  return a->stack == b->stack && a->thread == b->thread && a->link == b->link;
}

static void
put_thread_attributes (GString *to, const struct otlp_profiles *p, uint32_t thread)
{
  const guint first = ATTRIBUTE_THREADS + ATTRIBUTES_OF_THREAD * (thread - 1);
  const size_t attributes = protobuf_begin (to, SAMPLE_ATTRIBUTES);
  protobuf_put_varint (to, first);
  if (g_array_index (p->threads, struct otlp_thread, thread - 1).id != 0)
    protobuf_put_varint (to, first + 1);
  protobuf_end (to, attributes);
}

/* Samples that differ in time and value alone are one, with all of these. */
static void
put_samples (GString *to, const struct otlp_profiles *p, const struct otlp_sample *samples, guint n)
{
  const size_t sample = protobuf_begin (to, PROFILE_SAMPLES);
  protobuf_put_number (to, SAMPLE_STACK, samples->stack);
  if (samples->thread != 0)
    put_thread_attributes (to, p, samples->thread);
  if (samples->link != 0)
    protobuf_put_number (to, SAMPLE_LINK, samples->link);
  const size_t values = protobuf_begin (to, SAMPLE_VALUES);
  for (guint i = 0; i < n; i++)
    protobuf_put_varint (to, samples[i].value);
  protobuf_end (to, values);
  if (samples->time != 0) {
    const size_t times = protobuf_begin (to, SAMPLE_TIMES);
    for (guint i = 0; i < n; i++)
      append_fixed (to, samples[i].time);
    protobuf_end (to, times);
  }
  protobuf_end (to, sample);
}

static void
put_profile (GString *to, const struct otlp_profiles *p, const struct otlp_profile *of,
             struct strings *strings)
{
  const struct otlp_sample *all = (const struct otlp_sample *) (const void *) of->samples->data;
  const guint n = of->samples->len;
  const size_t profile = protobuf_begin (to, SCOPES_ALL);
  const size_t type = protobuf_begin (to, PROFILE_TYPE);
  protobuf_put_number (to, TYPE_NAME, string_of (strings, of->type));
  protobuf_put_number (to, TYPE_UNIT, string_of (strings, of->unit));
  protobuf_end (to, type);
  g_array_sort (of->samples, compare_samples);
  for (guint i = 0, alike; i < n; i += alike) {
    for (alike = 1; i + alike < n && is_alike (&all[i], &all[i + alike]);)
      alike++;
    put_samples (to, p, &all[i], alike);
  }
  put_fixed (to, PROFILE_TIME, p->start_ns);
  protobuf_put_number (to, PROFILE_DURATION, p->duration_ns);
  guint32 id[ID_BYTES / sizeof (guint32)];
  for (gsize i = 0; i < G_N_ELEMENTS (id); i++)
    id[i] = g_random_int ();
  protobuf_put_bytes (to, PROFILE_ID, (const char *) id, ID_BYTES);
  protobuf_end (to, profile);
}

static void
put_program (GString *to, const struct otlp_profiles *p, const struct otlp_program *program,
             struct strings *strings)
{
  const size_t resources = protobuf_begin (to, DATA_RESOURCES);
  put_resource (to, &program->resource);
  const size_t scopes = protobuf_begin (to, RESOURCES_SCOPES);
  put_scope (to);
  for (guint i = 0; i < program->profiles->len; i++) {
    const struct otlp_profile *of = &g_array_index (program->profiles, struct otlp_profile, i);
    if (of->samples->len != 0)
      put_profile (to, p, of, strings);
  }
  protobuf_end (to, scopes);
  protobuf_end (to, resources);
}

/* ---- the dictionary ---- */

static void
put_zero (GString *to, unsigned field)
{
  protobuf_put_bytes (to, field, "", 0);
}

/* A location and a function for each frame, whose number they have. */
static void
put_frames (GString *to, const struct otlp_profiles *p, guint first_name)
{
  put_zero (to, DICTIONARY_LOCATIONS);
  for (guint i = 1; i <= p->frames->len; i++) {
    const size_t location = protobuf_begin (to, DICTIONARY_LOCATIONS);
    const size_t line = protobuf_begin (to, LOCATION_LINES);
    protobuf_put_number (to, LINE_FUNCTION, i);
    protobuf_end (to, line);
    if (p->types->data[i - 1] != EXPORT_FRAME_OTHER) {
      const size_t attributes = protobuf_begin (to, LOCATION_ATTRIBUTES);
      protobuf_put_varint (to, p->types->data[i - 1]);
      protobuf_end (to, attributes);
    }
    protobuf_end (to, location);
  }
  put_zero (to, DICTIONARY_FUNCTIONS);
  for (guint i = 0; i < p->frames->len; i++) {
    const size_t function = protobuf_begin (to, DICTIONARY_FUNCTIONS);
    protobuf_put_number (to, FUNCTION_NAME, (uint64_t) first_name + i);
    protobuf_end (to, function);
  }
}

static void
put_links (GString *to, const struct otlp_profiles *p)
{
  put_zero (to, DICTIONARY_LINKS);
  for (guint i = 0; i < p->links->len; i++) {
    const struct otlp_link *of = &g_array_index (p->links, struct otlp_link, i);
    const size_t link = protobuf_begin (to, DICTIONARY_LINKS);
    protobuf_put_bytes (to, LINK_TRACE, (const char *) of->trace, sizeof of->trace);
    protobuf_put_bytes (to, LINK_SPAN, (const char *) of->span, sizeof of->span);
    protobuf_end (to, link);
  }
}

static void
put_strings (GString *to, const struct otlp_profiles *p, const struct strings *strings)
{
  static const char *const first[STRING_OTHERS] = { [0] = "",
                                                    [STRING_FRAME_TYPE] = "profile.frame.type",
                                                    [STRING_THREAD_NAME] = "thread.name",
                                                    [STRING_THREAD_ID] = "thread.id" };
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    protobuf_put_text (to, DICTIONARY_STRINGS, first[i]);
  for (guint i = 0; i < strings->all->len; i++)
    protobuf_put_text (to, DICTIONARY_STRINGS, strings->all->pdata[i]);
  for (guint i = 0; i < p->frames->len; i++)
    protobuf_put_text (to, DICTIONARY_STRINGS, p->frames->pdata[i]);
}

static void
put_attributes (GString *to, const struct otlp_profiles *p)
{
  put_zero (to, DICTIONARY_ATTRIBUTES);
  for (guint type = EXPORT_FRAME_OTHER + 1; type < G_N_ELEMENTS (frame_types); type++) {
    const size_t attribute = protobuf_begin (to, DICTIONARY_ATTRIBUTES);
    protobuf_put_number (to, KEY_VALUE_KEY, STRING_FRAME_TYPE);
    put_text_value (to, KEY_VALUE_VALUE, frame_types[type]);
    protobuf_end (to, attribute);
  }
  for (guint i = 0; i < p->threads->len; i++) {
    const struct otlp_thread *thread = &g_array_index (p->threads, struct otlp_thread, i);
    const size_t name = protobuf_begin (to, DICTIONARY_ATTRIBUTES);
    protobuf_put_number (to, KEY_VALUE_KEY, STRING_THREAD_NAME);
    put_text_value (to, KEY_VALUE_VALUE, thread->name);
    protobuf_end (to, name);
    const size_t id = protobuf_begin (to, DICTIONARY_ATTRIBUTES);
    protobuf_put_number (to, KEY_VALUE_KEY, STRING_THREAD_ID);
    put_number_value (to, KEY_VALUE_VALUE, thread->id);
    protobuf_end (to, id);
  }
}

static void
put_stacks (GString *to, const struct otlp_profiles *p)
{
  put_zero (to, DICTIONARY_STACKS);
  for (guint i = 1; i <= p->stacks->len; i++) {
    const size_t stack = protobuf_begin (to, DICTIONARY_STACKS);
    const size_t locations = protobuf_begin (to, STACK_LOCATIONS);
    for (guint n = i; n != 0;) { /* the innermost first */
      const struct otlp_stack *of = &g_array_index (p->stacks, struct otlp_stack, n - 1);
      protobuf_put_varint (to, of->frame);
      n = of->outer;
    }
    protobuf_end (to, locations);
    protobuf_end (to, stack);
  }
}

void
otlp_profiles_put (struct otlp_profiles *p, GString *to)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  struct strings strings = { others, known };
  for (guint i = 0; i < p->programs->len; i++)
    put_program (to, p, p->programs->pdata[i], &strings);
  const size_t dictionary = protobuf_begin (to, DATA_DICTIONARY);
  put_zero (to, DICTIONARY_MAPPINGS);
  put_frames (to, p, STRING_OTHERS + others->len);
  put_links (to, p);
  put_strings (to, p, &strings);
  put_attributes (to, p);
  put_stacks (to, p);
  protobuf_end (to, dictionary);
}

/* ---- metrics ---- */

static void
put_point (GString *to, const struct otlp_metric *m, const struct otlp_point *of)
{
  const size_t point = protobuf_begin (to, SUM_POINTS);
  put_fixed (to, POINT_START, m->start_ns);
  put_fixed (to, POINT_TIME, of->time);
  if (m->is_ns)
    protobuf_put_double (to, POINT_DOUBLE, (double) of->value / 1e9);
  else
    put_fixed (to, POINT_INTEGER, of->value);
  if (m->attribute != NULL)
    put_attribute (to, POINT_ATTRIBUTES, m->attribute, m->of);
  protobuf_end (to, point);
}

/* Those of one name are one metric, with values of several attributes. */
static void
put_metric (GString *to, const struct otlp_metric *m, guint n)
{
  const size_t metric = protobuf_begin (to, SCOPES_ALL);
  protobuf_put_text (to, METRIC_NAME, m->name);
  protobuf_put_text (to, METRIC_TEXT, m->text);
  protobuf_put_text (to, METRIC_UNIT, m->unit);
  const size_t sum = protobuf_begin (to, METRIC_SUM);
  for (guint i = 0; i < n; i++)
    for (guint p = 0; p < m[i].n_points; p++)
      put_point (to, &m[i], &m[i].points[p]);
  protobuf_put_number (to, SUM_TEMPORALITY, CUMULATIVE);
  if (m->kind == OTLP_COUNT)
    protobuf_put_number (to, SUM_IS_MONOTONIC, 1);
  protobuf_end (to, sum);
  protobuf_end (to, metric);
}

void
otlp_metrics_put (const struct otlp_resource *resource, const struct otlp_metric *metrics,
                  guint n_metrics, GString *to)
{
  const size_t resources = protobuf_begin (to, DATA_RESOURCES);
  put_resource (to, resource);
  const size_t scopes = protobuf_begin (to, RESOURCES_SCOPES);
  put_scope (to);
  for (guint i = 0, alike; i < n_metrics; i += alike) {
    guint points = metrics[i].n_points;
    for (alike = 1; i + alike < n_metrics && strcmp (metrics[i].name, metrics[i + alike].name) == 0;
         alike++)
      points += metrics[i + alike].n_points;
    if (points != 0)
      put_metric (to, &metrics[i], alike);
  }
  protobuf_end (to, scopes);
  protobuf_end (to, resources);
}

void
otlp_runtime_put (const struct otlp_resource *resource, const struct otlp_runtime *r, GString *to)
{
  static const char *const generations[OTLP_GENERATIONS] = { "gen0", "gen1", "gen2", "gen3" };
  struct otlp_metric all[3 + OTLP_GENERATIONS + 1] = {
    { .name = r->is_ghc ? "ghc.heap.size" : "dotnet.gc.last_collection.memory.committed_size",
      .text = "Bytes of memory that the heap has",
      .unit = "By",
      .kind = OTLP_LEVEL },
    { .name = r->is_ghc ? "ghc.gc.pause.time" : "dotnet.gc.pause.time",
      .text = "Time for which collections stopped the program",
      .unit = "s",
      .kind = OTLP_COUNT,
      .is_ns = true },
    { .name = "process.thread.count",
      .text = "Threads of the runtime",
      .unit = "{thread}",
      .kind = OTLP_LEVEL },
  };
  const GArray *points[3 + OTLP_GENERATIONS + 1] = { r->heap, r->paused, r->threads };
  for (guint i = 0; i <= OTLP_GENERATIONS; i++) {
    all[3 + i]
        = (struct otlp_metric){ .name = r->is_ghc ? "ghc.gc.collections" : "dotnet.gc.collections",
                                .text = "Collections",
                                .unit = "{collection}",
                                .kind = OTLP_COUNT,
                                .attribute = i < OTLP_GENERATIONS ? "gc.heap.generation" : NULL,
                                .of = i < OTLP_GENERATIONS ? generations[i] : NULL };
    points[3 + i] = r->collections[i];
  }
  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    all[i].start_ns = r->start_ns;
    all[i].points = (const struct otlp_point *) (const void *) points[i]->data;
    all[i].n_points = points[i]->len;
  }
  otlp_metrics_put (resource, all, G_N_ELEMENTS (all), to);
}
