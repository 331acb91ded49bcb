/* schema-record.c -- an emitter that stands in the place of JSON's in print-schemas, and records
 * the values. */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "docs/schemas.h"
#include <string.h>

/* An object or list that is open. */
struct level {
  struct schema_node *node;
  guint next; /* of an object: where a member that is new is inserted */
};

static GPtrArray *schemas; /* of struct schema */
static const char *variant = "";
static GArray *levels; /* of struct level */

void
schema_record_variant (const char *name)
{
  variant = name;
}

static int
compare (const void *a, const void *b)
{
  const struct schema *const x = *(struct schema *const *) a, *const y
                                                              = *(struct schema *const *) b;
  const int names = strcmp (x->name, y->name);
  return names != 0 ? names : strcmp (x->variant, y->variant);
}

GPtrArray *
schema_record_all (void)
{
  g_ptr_array_sort (schemas, compare);
  return schemas;
}

static struct schema_node *
schema_root (const char *name)
{
  if (schemas == NULL)
    schemas = g_ptr_array_new ();
  for (guint i = 0; i < schemas->len; i++) {
    struct schema *const s = schemas->pdata[i];
    if (strcmp (s->name, name) == 0 && strcmp (s->variant, variant) == 0)
      return s->root;
  }
  struct schema *const s = g_new0 (struct schema, 1);
  s->name = g_strdup (name);
  s->variant = g_strdup (variant);
  s->root = g_new0 (struct schema_node, 1);
  g_ptr_array_add (schemas, s);
  return s->root;
}

/* ---- places ---- */

static void
push (struct schema_node *node, bool is_list)
{
  const struct level level = { .node = node };
  if (levels == NULL)
    levels = g_array_new (FALSE, FALSE, sizeof level);
  node->is_list |= is_list;
  if (!is_list) {
    node->instances++;
    if (node->members == NULL)
      node->members = g_ptr_array_new ();
  }
  g_array_append_val (levels, level);
}

static void
pop (void)
{
  g_array_set_size (levels, levels->len - 1);
}

static struct level *
top (void)
{
  return levels != NULL && levels->len != 0 ? &g_array_index (levels, struct level, levels->len - 1)
                                            : NULL;
}

static struct schema_node *
item_of (struct schema_node *list)
{
  if (list->item == NULL)
    list->item = g_new0 (struct schema_node, 1);
  return list->item;
}

/* An object, or the items of a list. */
static struct schema_node *
objects_of (struct schema_node *node)
{
  struct schema_node *const object = node->is_list ? item_of (node) : node;
  if (object->members == NULL)
    object->members = g_ptr_array_new ();
  return object;
}

/* The member of this key, which is new or not. */
static struct schema_member *
member_of (struct level *level, const char *key, const char *label)
{
  GPtrArray *const members = level->node->members;
  guint i = 0;
  while (i < members->len && strcmp (((struct schema_member *) members->pdata[i])->key, key) != 0)
    i++;
  if (i == members->len) {
    struct schema_member *const fresh = g_new0 (struct schema_member, 1);
    fresh->key = g_strdup (key);
    fresh->node = g_new0 (struct schema_node, 1);
    i = MIN (level->next, members->len);
    g_ptr_array_insert (members, (gint) i, fresh);
  }
  struct schema_member *const member = members->pdata[i];
  if (member->label == NULL && label != NULL && *label != 0)
    member->label = g_strdup (label);
  level->next = i + 1;
  return member;
}

/* The node for the value under this key, in an object or, without one, in a list. */
static struct schema_node *
place (const char *key, const char *label)
{
  struct level *const level = top ();
  if (level->node->is_list)
    return item_of (level->node);
  struct schema_member *const member = member_of (level, key, label);
  member->count++;
  return member->node;
}

/* ---- values ---- */

static void
note_type (struct schema_node *node, enum emitter_type type, union emitter_value value)
{
  node->has_null |= type == EMIT_ANY; /* most of these are of such kinds */
  if (type == EMIT_ANY && value.any == NULL)
    return;
  emitter_resolve_any (&type, &value);
  if (type == EMIT_TEXT && value.text == NULL) {
    node->has_null = true;
    return;
  }
  node->has_null |= type == EMIT_REAL;
  node->types |= 1u << type;
}

static void
record_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  if (e->depth++ == 0) {
    if (levels != NULL)
      g_array_set_size (levels, 0); /* its name comes first: "schema" */
    return;
  }
  push (place (key, title), bracket == '[');
}

static void
record_close (struct emitter *e, char bracket)
{
  (void) bracket;
  e->depth--;
  pop ();
}

static void
record_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
              union emitter_value value)
{
  (void) e;
  if (top () == NULL) {
    g_assert (strcmp (key, "schema") == 0);
    push (schema_root (value.text), false);
    top ()->next = 0;
  }
  note_type (place (key, label), type, value);
}

static void
record_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  (void) e;
  (void) truth;
  place (key, label)->is_truth = true;
}

static void
record_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  (void) e;
  (void) texts;
  struct schema_node *const list = place (key, label);
  list->is_list = true;
  item_of (list)->types |= 1u << EMIT_TEXT;
}

static void
record_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  record_texts (e, key, NULL, texts);
}

static void
record_note (struct emitter *e, const char *text)
{
  (void) e;
  (void) text;
}

/* ---- tables ---- */

/* The row of a table with these columns, also of one without rows. */
static struct level
record_columns (struct schema_node *table, const struct emitter_column *columns, size_t n_columns)
{
  struct level row = { .node = objects_of (table) };
  for (size_t i = 0; i < n_columns; i++)
    if (columns[i].key != NULL) {
      struct schema_node *const cell = member_of (&row, columns[i].key, columns[i].label)->node;
      if (columns[i].type != EMIT_ANY)
        cell->types |= 1u << columns[i].type;
      else
        cell->has_null = true;
    }
  return row;
}

static void
record_open_table (struct emitter *e, const char *key)
{
  const struct emitter_table *const t = e->table;
  push (place (key, t->title), true);
  record_columns (top ()->node, t->columns, t->n_columns);
}

/* The member that rows may have after the one of the column. */
static void
record_set_words (struct emitter *e, const char *column)
{
  struct level row = { .node = objects_of (top ()->node) };
  (void) e;
  member_of (&row, column, NULL);
  member_of (&row, EMITTER_WORDS, NULL)->node->types |= 1u << EMIT_TEXT;
}

static void
record_open_row (struct emitter *e, const union emitter_value *values)
{
  const struct emitter_table *const t = e->table;
  push (item_of (top ()->node), false);
  for (size_t i = 0; i < t->n_columns; i++)
    if (t->columns[i].key != NULL)
      note_type (place (t->columns[i].key, t->columns[i].label), t->columns[i].type, values[i]);
}

static void
record_close_row (struct emitter *e)
{
  (void) e;
  pop ();
}

static void
record_close_table (struct emitter *e, uint64_t more)
{
  (void) e;
  (void) more;
  pop ();
}

/* Tables and values that the objects of a list, or the rows of a table, have if there are any. */
static void
record_expect_table (struct emitter *e, const char *key, const char *id,
                     const struct emitter_column *columns, size_t n_columns,
                     const char *const *details)
{
  (void) e;
  (void) id;
  if (strchr (key, '.') != NULL)
    return; /* of CSV: a table in the rows of another */
  struct schema_node *const around = objects_of (top ()->node);
  struct level level = { .node = around, .next = around->members->len };
  struct schema_node *const table = member_of (&level, key, NULL)->node;
  table->is_list = true;
  struct level row = record_columns (table, columns, n_columns);
  for (size_t i = 0; details != NULL && details[i] != NULL; i++)
    member_of (&row, details[i], NULL);
}

/* ---- values that no run shows ---- */

static struct schema_node *
find_object (struct schema_node *root, const char *place)
{
  struct schema_node *object = root->members != NULL ? root : NULL; /* that no run had */
  g_auto (GStrv) keys = g_strsplit (place, ".", -1);
  for (char **key = keys; *key != NULL && object != NULL; key++) {
    struct schema_node *found = NULL;
    for (guint i = 0; i < object->members->len; i++) {
      const struct schema_member *const member = object->members->pdata[i];
      if (strcmp (member->key, *key) == 0)
        found = objects_of (member->node);
    }
    object = found;
  }
  return object;
}

bool
schema_record_member (const char *name, const char *of_variant, const char *object, const char *key,
                      const char *label, enum emitter_type type)
{
  g_autofree char *whole = g_strdup_printf ("proflog.%s/1", name);
  variant = of_variant;
  struct schema_node *const node = find_object (schema_root (whole), object);
  if (node == NULL)
    return false;
  g_auto (GStrv) plain = g_strsplit_set (key, "[{", 2);
  struct level level = { .node = node, .next = node->members->len };
  struct schema_node *const value = member_of (&level, plain[0], label)->node;
  if (g_str_has_suffix (key, "[]"))
    value->is_list = true;
  else if (g_str_has_suffix (key, "{}"))
    objects_of (value);
  struct schema_node *const typed = value->is_list && type != EMIT_ANY ? item_of (value) : value;
  if (type != EMIT_ANY)
    typed->types |= 1u << type;
  return true;
}

const struct emitter_ops emitter_json_ops = {
  .open = record_open,
  .close = record_close,
  .value = record_value,
  .truth = record_truth,
  .texts = record_texts,
  .lines = record_lines,
  .note = record_note,
  .open_table = record_open_table,
  .open_row = record_open_row,
  .close_row = record_close_row,
  .close_table = record_close_table,
  .expect_table = record_expect_table,
  .set_words = record_set_words,
};
