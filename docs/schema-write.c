/* schema-write.c -- JSON schemas (draft 2020-12) of the recorded values. */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "docs/schemas.h"
#include <string.h>

/* ---- meanings of keys ---- */

static const struct {
  const char *place, *meaning;
} meanings[] = {
#define MEANING(place, text) { place, text },
#include "docs/schema-keys.def"
};

static const char *const nullables[] = {
#define NULLABLE(place) place,
#include "docs/schema-keys.def"
  NULL
};

static const char *const optionals[] = {
#define OPTIONAL(place) place,
#include "docs/schema-keys.def"
  NULL
};

/* The meaning of the key at this place, "gc.pauses.count", of a key anywhere, or of a schema by its
 * name; NULL: it is not listed. */
static const char *
schema_key_meaning (const char *place)
{
  for (gsize i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (strcmp (meanings[i].place, place) == 0)
      return meanings[i].meaning;
  return NULL;
}

/* May the value at this place be null, though none of the runs has shown that? */
static bool
schema_key_is_nullable (const char *path, const char *key)
{
  return g_strv_contains (nullables, path) || g_strv_contains (nullables, key);
}

/* May it be missing in the object at this place? */
static bool
schema_key_is_optional (const char *object, const char *key)
{
  g_autofree char *path = g_strdup_printf ("%s%s%s", object, *object != 0 ? "." : "", key);
  return g_strv_contains (optionals, path) || g_strv_contains (optionals, key);
}

/* ---- schemas ---- */

/* A schema that is being written. */
struct writer {
  GString *out;
  guint depth;
  GString *path;    /* of the place: keys with dots between them */
  const char *name; /* of the schema */
};

static void
line (struct writer *w, const char *before)
{
  g_string_append (w->out, before);
  g_string_append_c (w->out, '\n');
  for (guint i = 0; i < w->depth; i++)
    g_string_append (w->out, " ");
}

static void
put_text (struct writer *w, const char *text)
{
  emitter_append_json_string (w->out, text, strlen (text));
}

static void
put_pair (struct writer *w, const char *key, const char *text)
{
  put_text (w, key);
  g_string_append (w->out, ": ");
  put_text (w, text);
}

/* ---- types ---- */

#define BIT(type) (1u << (type))
#define UNSIGNED (BIT (EMIT_NUMBER) | BIT (EMIT_NS) | BIT (EMIT_SHARE))
#define SIGNED (BIT (EMIT_CHANGE) | BIT (EMIT_TIME) | BIT (EMIT_NS_CHANGE))
#define TEXTS (BIT (EMIT_TEXT) | BIT (EMIT_ADDRESS))

/* Items of a list have no key. */
static bool
is_nullable (const char *path, const struct schema_node *node, const char *key)
{
  return node->has_null || (key != NULL && schema_key_is_nullable (path, key));
}

/* Does each object at the path have the member? */
static bool
is_required (const char *path, const struct schema_node *node, const struct schema_member *member)
{
  return member->count >= node->instances && !schema_key_is_optional (path, member->key);
}

/* Names of its types, at most 7. */
static guint
type_names (const struct schema_node *node, bool is_nullable, const char *names[static 7])
{
  guint n = 0;
  if (node->members != NULL)
    names[n++] = "object";
  if (node->is_list)
    names[n++] = "array";
  if (node->is_truth)
    names[n++] = "boolean";
  if ((node->types & BIT (EMIT_REAL)) != 0)
    names[n++] = "number";
  else if ((node->types & (UNSIGNED | SIGNED)) != 0)
    names[n++] = "integer";
  if ((node->types & TEXTS) != 0)
    names[n++] = "string";
  if (is_nullable || n == 0)
    names[n++] = "null";
  return n;
}

static void
put_types (struct writer *w, const struct schema_node *node, bool is_nullable)
{
  const char *names[7];
  const guint n = type_names (node, is_nullable, names);
  g_string_append (w->out, "\"type\": ");
  for (guint i = 0; i < n; i++) {
    g_string_append (w->out, i > 0 ? ", " : n > 1 ? "[" : "");
    put_text (w, names[i]);
  }
  g_string_append (w->out, n > 1 ? "]" : "");
  if ((node->types & UNSIGNED) != 0 && (node->types & (SIGNED | BIT (EMIT_REAL))) == 0)
    g_string_append (w->out, ", \"minimum\": 0");
  if ((node->types & TEXTS) == BIT (EMIT_ADDRESS))
    g_string_append (w->out, ", \"pattern\": \"^0x[0-9a-f]+$\"");
}

/* The unit of the figure; NULL: it has none. */
static const char *
unit_of (const struct schema_node *node, const char *key, const char *label)
{
  if ((node->types & (BIT (EMIT_NS) | BIT (EMIT_NS_CHANGE) | BIT (EMIT_TIME))) != 0)
    return "ns";
  if ((node->types & BIT (EMIT_SHARE)) != 0)
    return "thousandths";
  if ((node->types & (UNSIGNED | SIGNED)) == 0)
    return NULL;
  const enum figure_unit unit
      = emitter_figure (key, label, EMIT_NUMBER, (union emitter_value){ .number = 0 }).unit;
  return unit == FIGURE_BYTES ? "bytes" : unit == FIGURE_NS ? "ns" : NULL;
}

/* The label without its unit, which is that of text. */
static char *
plain_label (const char *label)
{
  static const char *const ends[] = { ", ms", " ms", ", %", " %", NULL };
  for (const char *const *end = ends; *end != NULL; end++)
    if (g_str_has_suffix (label, *end))
      return g_strndup (label, strlen (label) - strlen (*end));
  return g_strdup (label);
}

/* "bytes" ends "Base bytes"; "ns" does not end "runs". */
static bool
ends_with_word (const char *text, const char *word)
{
  const gsize length = strlen (text), last = strlen (word);
  return g_str_has_suffix (text, word)
         && (length == last || !g_ascii_isalpha (text[length - last - 1]));
}

/* The meaning of the value at the path, with its unit (transfer full); NULL: nothing is known. */
static char *
description_of (const char *path, const struct schema_node *node, const char *key,
                const char *label)
{
  const char *const meaning = schema_key_meaning (path);
  const char *const unit = unit_of (node, key, label);
  g_autofree char *plain = label != NULL ? plain_label (label) : NULL;
  const char *text = meaning != NULL ? meaning : plain;
  if (text == NULL)
    text = schema_key_meaning (key);
  g_autofree char *lower = text != NULL ? g_ascii_strdown (text, -1) : NULL;
  if (text == NULL || unit == NULL || ends_with_word (lower, unit))
    return g_strdup (text != NULL ? text : unit);
  return g_strdup_printf ("%s; %s", text, unit);
}

/* ---- places ---- */

static void put_node (struct writer *w, const struct schema_node *node, const char *key,
                      const char *label);

static void
put_members (struct writer *w, const struct schema_node *node)
{
  w->depth++;
  line (w, ",");
  g_string_append (w->out, "\"properties\": {");
  w->depth++;
  for (guint i = 0; i < node->members->len; i++) {
    const struct schema_member *const member = node->members->pdata[i];
    const gsize length = w->path->len;
    line (w, i > 0 ? "," : "");
    put_text (w, member->key);
    g_string_append (w->out, ": ");
    g_string_append_printf (w->path, "%s%s", length > 0 ? "." : "", member->key);
    put_node (w, member->node, member->key, member->label);
    g_string_truncate (w->path, length);
  }
  w->depth--;
  g_string_append_c (w->out, '}');
  guint n = 0;
  for (guint i = 0; i < node->members->len; i++) {
    const struct schema_member *const member = node->members->pdata[i];
    if (!is_required (w->path->str, node, member))
      continue;
    if (n++ == 0) {
      line (w, ",");
      g_string_append (w->out, "\"required\": [");
    } else {
      g_string_append (w->out, ", ");
    }
    put_text (w, member->key);
  }
  g_string_append (w->out, n > 0 ? "]" : "");
  line (w, ",");
  g_string_append (w->out, "\"additionalProperties\": false");
  w->depth--;
}

static void
put_node (struct writer *w, const struct schema_node *node, const char *key, const char *label)
{
  g_autofree char *description
      = key != NULL ? description_of (w->path->str, node, key, label) : NULL;
  g_string_append_c (w->out, '{');
  if (strcmp (w->path->str, "schema") == 0)
    put_pair (w, "const", w->name);
  else
    put_types (w, node, is_nullable (w->path->str, node, key));
  if (description != NULL) {
    g_string_append (w->out, ", ");
    put_pair (w, "description", description);
  }
  if (node->members != NULL)
    put_members (w, node);
  if (node->is_list && node->item != NULL) {
    w->depth++;
    line (w, ",");
    g_string_append (w->out, "\"items\": ");
    put_node (w, node->item, NULL, NULL);
    w->depth--;
  }
  g_string_append_c (w->out, '}');
}

/* ---- files ---- */

static const char *
variant_name (const struct schema *schema)
{
  return *schema->variant != 0 ? schema->variant : "any";
}

/* How many schemas from here on are variants of one. */
static guint
count_variants (const GPtrArray *schemas, guint first)
{
  const struct schema *const schema = schemas->pdata[first];
  guint n = 1;
  while (first + n < schemas->len
         && strcmp (((const struct schema *) schemas->pdata[first + n])->name, schema->name) == 0)
    n++;
  return n;
}

/* The schema of one variant, or of several, each under its name. */
static void
put_schema (struct writer *w, struct schema *const *variants, guint n)
{
  const char *const meaning = schema_key_meaning (w->name);
  g_autofree char *id = g_strdup_printf ("urn:%s", w->name);
  g_strdelimit (id, "./", ':');
  g_string_append (w->out, "{ ");
  put_pair (w, "$schema", "https://json-schema.org/draft/2020-12/schema");
  w->depth = 1;
  line (w, ",");
  put_pair (w, "$id", id);
  line (w, ",");
  put_pair (w, "title", w->name);
  line (w, ",");
  put_pair (w, "description", meaning != NULL ? meaning : "");
  line (w, ",");
  g_string_append (w->out, "\"anyOf\": [");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (w->out, "%s{\"$ref\": \"#/$defs/%s\"}", i > 0 ? ", " : "",
                            variant_name (variants[i]));
  g_string_append_c (w->out, ']');
  line (w, ",");
  g_string_append (w->out, "\"$defs\": {");
  w->depth++;
  for (guint i = 0; i < n; i++) {
    line (w, i > 0 ? "," : "");
    put_text (w, variant_name (variants[i]));
    g_string_append (w->out, ": ");
    put_node (w, variants[i]->root, NULL, NULL);
  }
  g_string_append (w->out, "}}\n");
}

char *
schema_write_all (GPtrArray *schemas, const char *folder)
{
  for (guint i = 0, n; i < schemas->len; i += n) {
    struct schema *const *const variants = (struct schema *const *) schemas->pdata + i;
    n = count_variants (schemas, i);
    g_autoptr (GString) out = g_string_new (NULL), place = g_string_new (NULL);
    struct writer w = { .out = out, .path = place, .name = variants[0]->name };
    put_schema (&w, variants, n);
    g_autofree char *file = g_strdup_printf ("%s.json", strchr (w.name, '.') + 1);
    g_strdelimit (file, "/", '-');
    g_autofree char *path = g_build_filename (folder, file, NULL);
    if (!g_file_set_contents (path, out->str, (gssize) out->len, NULL))
      return g_steal_pointer (&path);
  }
  return NULL;
}

/* ---- the page ---- */

/* A line of the table for each key of the object. */
static void
put_rows (struct writer *w, const struct schema_node *node, const char *shown)
{
  for (guint i = 0; i < node->members->len; i++) {
    const struct schema_member *const member = node->members->pdata[i];
    const struct schema_node *const value = member->node;
    const char *names[7];
    const gsize length = w->path->len;
    const bool is_always = is_required (w->path->str, node, member);
    g_string_append_printf (w->path, "%s%s", length > 0 ? "." : "", member->key);
    g_autofree char *path = g_strdup_printf ("%s%s%s%s", shown, *shown != 0 ? "." : "", member->key,
                                             value->is_list ? "[]" : "");
    g_autofree char *description = description_of (w->path->str, value, member->key, member->label);
    const guint n = type_names (value, is_nullable (w->path->str, value, member->key), names);
    g_string_append_printf (w->out, "| `%s` | ", path);
    for (guint j = 0; j < n; j++)
      g_string_append_printf (w->out, "%s%s", j > 0 ? ", " : "", names[j]);
    g_string_append_printf (w->out, " | %s%s |\n", is_always ? "" : "(not always) ",
                            description != NULL ? description : "");
    const struct schema_node *const inner = value->is_list ? value->item : value;
    if (inner != NULL && inner->members != NULL)
      put_rows (w, inner, path);
    g_string_truncate (w->path, length);
  }
}

void
schema_append_page (GPtrArray *schemas, GString *page)
{
  for (guint i = 0, n; i < schemas->len; i += n) {
    struct schema *const *const variants = (struct schema *const *) schemas->pdata + i;
    n = count_variants (schemas, i);
    const char *const meaning = schema_key_meaning (variants[0]->name);
    g_string_append_printf (page, "\n## %s\n\n%s.\n", variants[0]->name,
                            meaning != NULL ? meaning : "");
    for (guint j = 0; j < n; j++) {
      g_autoptr (GString) place = g_string_new (NULL);
      struct writer w = { .out = page, .path = place, .name = variants[0]->name };
      if (*variants[j]->variant != 0)
        g_string_append_printf (page, "\nOf %s:\n",
                                strcmp (variants[j]->variant, "ghc") == 0 ? "eventlogs of GHC"
                                                                          : "logs of Mono");
      g_string_append (page, "\n| key | type | meaning; unit |\n|---|---|---|\n");
      put_rows (&w, variants[j]->root, "");
    }
  }
}
