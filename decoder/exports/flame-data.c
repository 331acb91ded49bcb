/* flame-data.c -- writes the columns of a flame graph. */
#include "config.h"

#include "decoder/exports/flame-data.h"
#include "decoder/output/emitter-values.h"
#include "decoder/output/html-page.h"

enum column { PARENT, FRAME, SELF, SELF_BEFORE };

static void
put_column (const struct flame_tree *t, const char *name, enum column column,
            struct export_out *out)
{
  g_string_append_printf (out->bytes, ",\n\"%s\":[", name);
  for (guint i = 1; i < t->nodes->len && !out->failed; i++) {
    const struct flame_node *node = &g_array_index (t->nodes, struct flame_node, i);
    g_string_append (out->bytes, i > 1 ? "," : "");
    emitter_append_decimal (out->bytes, column == PARENT  ? node->parent
                                        : column == FRAME ? node->frame
                                        : column == SELF  ? node->self
                                                          : node->self_before);
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
}

void
flame_data_append (const struct flame_tree *t, struct export_out *out)
{
  g_string_append_printf (out->bytes, "{\"unit\":\"%s\",\n%s\"frames\":[", t->stacks->unit,
                          t->stacks->is_by_thread ? "\"has_threads\":true,\n" : "");
  const guint frames = t->stacks->frames->len + (t->least != 0);
  for (guint i = 0; i < frames && !out->failed; i++) {
    g_string_append (out->bytes, i > 0 ? ",\n" : "");
    html_append_json_string (out->bytes, flame_tree_name (t, i));
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
  put_column (t, "parents", PARENT, out);
  put_column (t, "names", FRAME, out);
  put_column (t, "selves", SELF, out);
  if (t->stacks->is_comparison)
    put_column (t, "before", SELF_BEFORE, out);
  g_string_append_c (out->bytes, '}');
}

static bool
collect (void *data, const GString *bytes)
{
  g_string_append_len (data, bytes->str, (gssize) bytes->len);
  return true;
}

void
flame_data_put (const struct flame_tree *t, GString *json)
{
  struct export_out out = { .bytes = g_string_new (NULL), .put = collect, .data = json };
  flame_data_append (t, &out);
  export_flush (&out);
  g_string_free (out.bytes, TRUE);
}
