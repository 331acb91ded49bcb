/* schema-keys.c -- what no label states about the keys of JSON. */
#include "config.h"

#include "docs/schema-keys.h"
#include <glib.h>
#include <string.h>

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

const char *
schema_key_meaning (const char *place)
{
  for (gsize i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (strcmp (meanings[i].place, place) == 0)
      return meanings[i].meaning;
  return NULL;
}

bool
schema_key_is_nullable (const char *path, const char *key)
{
  return g_strv_contains (nullables, path) || g_strv_contains (nullables, key);
}

bool
schema_key_is_optional (const char *object, const char *key)
{
  g_autofree char *path = g_strdup_printf ("%s%s%s", object, *object != 0 ? "." : "", key);
  return g_strv_contains (optionals, path) || g_strv_contains (optionals, key);
}
