/* heap-strings-view.c -- strings of a heap snapshot that are there more than once. */
#include "config.h"

#include "decoder/heap/heap-strings.h"
#include "decoder/views/heap/heap-views.h"

static const struct emitter_column columns[] = { { "wasted_bytes", "Wasted", EMIT_NUMBER },
                                                 { "bytes", "Bytes", EMIT_NUMBER },
                                                 { "count", "Strings", EMIT_NUMBER },
                                                 { "length", "Length", EMIT_NUMBER },
                                                 { "held", "held", EMIT_NUMBER },
                                                 { "holder", "by", EMIT_TEXT },
                                                 { "text", "Text", EMIT_TEXT } };
static const struct table_shape duplicates
    = { .key = "duplicates",
        .title = "Strings of one text",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("wasted_bytes", "count", "text", "holder"),
        .name = "text",
        .bytes = "wasted_bytes" };

/* Characters that would move the cursor are written as in programs. */
static char *
escape (const struct heap_text *t)
{
  GString *to = g_string_new (NULL);
  g_autofree char *valid = g_utf8_make_valid (t->text, -1);
  glong units = 0;
  for (const char *c = valid; *c != 0; c = g_utf8_next_char (c)) {
    const gunichar u = g_utf8_get_char (c);
    units += u > 0xffff ? 2 : 1;
    if (u == '\\')
      g_string_append (to, "\\\\");
    else if (u == '\n')
      g_string_append (to, "\\n");
    else if (u == '\r')
      g_string_append (to, "\\r");
    else if (u == '\t')
      g_string_append (to, "\\t");
    else if (!g_unichar_isprint (u) && u < 0x10000)
      g_string_append_printf (to, "\\u%04x", u);
    else
      g_string_append_unichar (to, u);
  }
  if (t->length > (uint64_t) units && units >= MLPD_CONTENTS_TEXT_LENGTH - 1)
    g_string_append (to, "...");
  return g_string_free (to, FALSE);
}

struct texts_context {
  const struct heap_graph *graph;
  const struct heap_strings *strings;
};

static char *
text_of (const void *data, uint64_t nth)
{
  const struct texts_context *c = data;
  const struct heap_string *s = &g_array_index (c->strings->all, struct heap_string, nth);
  return s->text->text != NULL ? escape (s->text) : NULL;
}

static char *
holder_of (const void *data, uint64_t nth)
{
  const struct texts_context *c = data;
  return heap_holder_text (c->graph,
                           g_array_index (c->strings->all, struct heap_string, nth).holder);
}

static void
put_strings (const struct report *r)
{
  const struct heap_graph *g = r->heap->graph;
  struct heap_strings strings;
  struct table *t = section_table (r, &duplicates);
  heap_strings_init (&strings, g);
  const struct texts_context context = { g, &strings };
  table_set_text (t, "text", text_of, &context);
  table_set_text (t, "holder", holder_of, &context);
  heap_put_shot (r, "Strings of");
  if (emitter_get_format (r->e) != EMITTER_CSV) {
    emitter_open (r->e, "strings", "Strings");
    emitter_number (r->e, "count", "Number", g->contents->strings);
    emitter_number (r->e, "different", "Different", g->contents->different);
    emitter_number (r->e, "not_compared", g->contents->unread != 0 ? "Not compared" : NULL,
                    g->contents->unread);
    emitter_number (r->e, "wasted_bytes", "Wasted bytes", strings.wasted);
    emitter_close (r->e);
  }
  for (guint i = 0; i < strings.all->len; i++) {
    const struct heap_string *s = &g_array_index (strings.all, struct heap_string, i);
    SECTION_ROW (t, { .number = s->wasted }, { .number = s->bytes }, { .number = s->count },
                 { .number = s->text->length }, { .number = s->held }, { .number = i },
                 { .number = i });
  }
  if (strings.all->len == 0)
    emitter_note (r->e, "No text is there twice.");
  table_write (t, r->e);
  heap_strings_clear (&strings);
}

const struct section heap_section_strings
    = { .key = "strings", .put = put_strings, .tables = SECTION_TABLES (&duplicates) };
