/* schema-results.c -- compares the values that runs put into reports with results.def. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"
#include "docs/schemas.h"
#include <string.h>

/* Values that no run shows, by the variant of their reports; "": both. */
static const struct {
  const char *variant, *key;
} rare[] = {
#define RARE(variant, key) { variant, key },
#include "docs/schema-keys.def"
};

static const char *const reports[] = { "report", "info", "stats" };
static const char *const profiles[]
    = { "heap-list", "heap-histogram", "heap-diff", "heap-growth", "heap-leaks" };
static const char *const variants[] = { "mono", "ghc" };

struct check {
  bool has_value[RESULTS];
  GHashTable *tables; /* of char *, those that were seen */
  GString *faults;    /* lines */
};

static void
find_fault (struct check *c, const char *key, const char *fault)
{
  g_string_append_printf (c->faults, "\n  %s: %s", key, fault);
}

/* Each process of an eventlog has values of sections. */
static const char *
without_process (const char *path)
{
  const char *const process = "processes.";
  return g_str_has_prefix (path, process) ? path + strlen (process) : path;
}

static void
see_value (struct check *c, const char *path, bool is_truth)
{
  bool is_declared = is_truth; /* no result has this type */
  for (enum result i = 0; i < RESULTS; i++) {
    const char *key = result_values[i].key;
    const bool is_it = strcmp (key, path) == 0 || strcmp (key, without_process (path)) == 0;
    c->has_value[i] |= is_it;
    is_declared |= is_it;
  }
  if (!is_declared)
    find_fault (c, path, "a section puts this value, which results.def does not declare");
}

/* Has a list objects with values that are declared, and not rows? */
static bool
has_objects (const char *path)
{
  for (enum result i = 0; i < RESULTS; i++)
    if (g_str_has_prefix (result_values[i].key, path) && result_values[i].key[strlen (path)] == '.')
      return true;
  return false;
}

static bool
has_shape (const struct section *const *all, const char *key)
{
  for (; *all != NULL; all++)
    for (guint i = 0; (*all)->tables != NULL && (*all)->tables[i] != NULL; i++)
      if (strcmp ((*all)->tables[i]->key, key) == 0)
        return true;
  return false;
}

static void
see_table (struct check *c, const char *path)
{
  const struct section *const *const all[]
      = { report_sections, ghc_report_sections, info_sections, ghc_info_sections };
  bool is_declared = false;
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    is_declared |= has_shape (all[i], result_last_part (path));
  if (!is_declared)
    find_fault (c, path, "a section puts this table, which is none of its tables");
  g_hash_table_add (c->tables, g_strdup (without_process (path)));
}

static void
see_members (struct check *c, const struct schema_node *node, const char *object)
{
  for (guint i = 0; i < node->members->len; i++) {
    const struct schema_member *const member = node->members->pdata[i];
    const struct schema_node *const value = member->node;
    const struct schema_node *const inner = value->is_list ? value->item : value;
    g_autofree char *path
        = g_strdup_printf ("%s%s%s", object, *object != 0 ? "." : "", member->key);
    if (inner != NULL && inner->members != NULL && (!value->is_list || has_objects (path)))
      see_members (c, inner, path);
    else if (inner != NULL && inner->members != NULL)
      see_table (c, path);
    else if (!value->is_list && strcmp (path, "schema") != 0)
      see_value (c, path, value->is_truth);
  }
}

static bool
is_rare (enum result result)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rare); i++)
    if (strcmp (rare[i].key, result_values[result].key) == 0)
      return true;
  return false;
}

char *
schema_results_check (const GPtrArray *schemas)
{
  struct check c = { .faults = g_string_new (NULL),
                     .tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  for (guint i = 0; i < schemas->len; i++) {
    const struct schema *const schema = schemas->pdata[i];
    for (size_t r = 0; r < G_N_ELEMENTS (reports); r++) {
      g_autofree char *name = g_strdup_printf ("proflog.%s/1", reports[r]);
      if (strcmp (schema->name, name) == 0)
        see_members (&c, schema->root, "");
    }
  }
  for (enum result i = 0; i < RESULTS; i++)
    if (c.has_value[i] == is_rare (i))
      find_fault (&c, result_values[i].key,
                  is_rare (i) ? "a log of the tree has this value: it is not RARE"
                              : "no log of the tree has this value");
  for (const struct result_table *t = result_tables; t->section != NULL; t++)
    if (!g_hash_table_contains (c.tables, t->key))
      find_fault (&c, t->key, "no log of the tree has this table");
  g_hash_table_unref (c.tables);
  return g_string_free (c.faults, c.faults->len == 0);
}

static void
add_rare (const char *variant, enum result result)
{
  const struct result_value *v = &result_values[result];
  const char *const last = result_last_part (v->key);
  g_autofree char *object = g_strndup (v->key, (gsize) (last - v->key - 1));
  for (size_t r = 0; r < G_N_ELEMENTS (reports); r++)
    schema_record_member (reports[r], variant, object, last, v->head, v->type);
  for (size_t p = 0; p < G_N_ELEMENTS (profiles) && strcmp (object, "heap_profiles") == 0; p++)
    schema_record_member (profiles[p], variant, object, last, v->head, v->type);
}

void
schema_results_add_rare (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rare); i++)
    for (size_t v = 0; v < G_N_ELEMENTS (variants); v++)
      for (enum result r = 0; r < RESULTS; r++)
        if (strcmp (rare[i].key, result_values[r].key) == 0
            && (*rare[i].variant == 0 || strcmp (rare[i].variant, variants[v]) == 0))
          add_rare (variants[v], r);
}
