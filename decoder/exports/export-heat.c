/* export-heat.c -- the page of a heat map: the data of its script, as JSON. */
#include "config.h"

#include "decoder/exports/export-heat.h"
#include "decoder/output/emitter-values.h"
#include "decoder/output/figure.h"
#include "decoder/output/html.h"
#include "decoder/output/name-lists.h"

static const char *const kind_names[HEAT_KINDS] = {
  [HEAT_COLLECTION] = "collection",
  [HEAT_CONTENTION] = "contention",
  [HEAT_EXCEPTION] = "exception",
  [HEAT_MARK] = "mark",
};

/* ---- the elements ---- */

static void
put_head (const struct heat_page *page, const GPtrArray *files, struct export_out *out)
{
  g_autofree char *title = g_strdup_printf ("%s - heat map", page->title);
  html_append_head (out->bytes, title, (gpointer) files->pdata);
  g_string_append (out->bytes, "<h1>");
  html_append_text (out->bytes, page->title);
  g_string_append (out->bytes, "</h1>\n<p id=\"about\">");
  g_string_append_printf (out->bytes, "Heat map of %u s: a column is a second, a row in it 20 ms.",
                          page->cells->seconds->len);
  if (page->selection != NULL) {
    g_string_append (out->bytes, " Selected: ");
    html_append_text (out->bytes, page->selection);
    g_string_append_c (out->bytes, '.');
  }
  if (page->summed != 0)
    g_string_append_printf (out->bytes,
                            " The log has more stacks than a page: %" G_GUINT64_FORMAT
                            " entries have the outer frames of theirs, below [other stacks].",
                            page->summed);
  g_string_append (out->bytes, "</p>\n");
}

static void
put_elements (struct export_out *out)
{
  g_string_append (
      out->bytes,
      "<form id=\"controls\"><select id=\"weight\" aria-label=\"What the colours show\"></select>"
      "<select id=\"program\" aria-label=\"Program\" hidden></select>"
      "<button id=\"out\" type=\"button\" title=\"Narrower columns (-)\">-</button>"
      "<button id=\"in\" type=\"button\" title=\"Wider columns (+)\">+</button>"
      "<span id=\"scale\"></span></form>\n"
      "<p id=\"episode\" hidden></p>\n"
      "<canvas id=\"overview\" aria-label=\"All seconds; a click shows a part\"></canvas>\n"
      "<div id=\"scroll\" tabindex=\"0\" role=\"application\" aria-label=\"Heat map: drag selects "
      "a "
      "rectangle; arrows move it, with Shift they change its size, c compares, Escape selects "
      "nothing\"><canvas id=\"cells\"></canvas><div id=\"wide\"></div></div>\n"
      "<div id=\"status\" role=\"status\" aria-live=\"polite\"></div>\n"
      "<div id=\"selection\"><span id=\"range\"></span>"
      "<button id=\"compare\" type=\"button\" aria-pressed=\"false\" title=\"The next rectangle is "
      "compared with this one (c)\">Compare</button>"
      "<button id=\"clear\" type=\"button\" title=\"Select nothing "
      "(Escape)\">Clear</button></div>\n"
      "<ul class=\"legend\" id=\"legend\" hidden><li class=\"more\">+ more than in the first"
      "<li class=\"less\">- less than in the first<li class=\"new\">new: not in the first"
      "<li class=\"same\">= the same, within 0.5 %</ul>\n"
      "<h2>Stacks</h2>\n<form id=\"search\"><input id=\"query\" type=\"search\" "
      "placeholder=\"Search a name\" aria-label=\"Search a name\"><button id=\"invert\" "
      "type=\"button\" aria-pressed=\"false\" title=\"The innermost frames first\">Invert</button>"
      "<button id=\"own\" type=\"button\" aria-pressed=\"false\" hidden title=\"What the library "
      "and the runtime cost is their caller's\">Own code</button><button id=\"reset\" "
      "type=\"button\">Zoom out</button><output id=\"matched\"></output></form>\n"
      "<div id=\"frame\"></div>\n"
      "<canvas id=\"graph\" tabindex=\"0\" role=\"application\" aria-label=\"Flame graph: arrows "
      "move, Enter zooms, Escape shows all\"></canvas>\n"
      "<h2>Events</h2>\n<p id=\"eventful\"></p>\n<div id=\"listed\"><table "
      "id=\"events\"><thead><tr><th>Time<th>Lasted"
      "<th>Kind<th>Name</thead><tbody></tbody></table></div>\n"
      "<noscript><p>This page needs JavaScript.</p></noscript>\n");
}

/* ---- the data ---- */

static void
put_texts (const char *key, const GPtrArray *texts, struct export_out *out)
{
  g_string_append_printf (out->bytes, ",\n\"%s\":[", key);
  for (guint i = 0; i < texts->len && !out->failed; i++) {
    g_string_append (out->bytes, i > 0 ? ",\n" : "");
    html_append_json_string (out->bytes, texts->pdata[i]);
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
}

static void
put_frames (const GPtrArray *names, struct export_out *out)
{
  struct name_lists lists;
  put_texts ("frames", names, out);
  name_lists_init (&lists);
  for (guint i = 0; i < names->len; i++)
    name_lists_add (&lists, i, names->pdata[i]);
  name_lists_append (&lists, out->bytes);
  name_lists_clear (&lists);
}

static void
put_stacks (const struct trace_stacks *stacks, struct export_out *out)
{
  for (unsigned column = 0; column < 2; column++) {
    g_string_append (out->bytes, column == 0 ? ",\n\"parents\":[" : ",\n\"names\":[");
    for (guint i = 1; i <= stacks->keys->len && !out->failed; i++) {
      g_string_append (out->bytes, i > 1 ? "," : "");
      emitter_append_decimal (out->bytes, column == 0 ? trace_stacks_outer (stacks, i)
                                                      : trace_stacks_name (stacks, i));
      export_flush_much (out);
    }
    g_string_append_c (out->bytes, ']');
  }
}

static void
put_weights (struct export_out *out)
{
  g_string_append (out->bytes, ",\n\"weights\":[");
  for (unsigned i = 0; i < HEAT_WEIGHTS; i++) {
    const struct heat_weight_name *w = &heat_weight_names[i];
    g_string_append_printf (
        out->bytes,
        "%s{\"key\":\"%s\",\"title\":\"%s\",\"unit\":\"%s\",\"counts\":%s,\"backward\":%s}",
        i > 0 ? "," : "", w->key, w->title, w->unit, heat_weight_is_counted (i) ? "true" : "false",
        heat_weight_is_backward (i) ? "true" : "false");
  }
  g_string_append_c (out->bytes, ']');
}

/* Rows of: begin and length in us, program, name, thread + 1. */
static void
put_events (const struct heat_events *events, struct export_out *out)
{
  g_string_append (out->bytes, ",\n\"events\":[");
  for (unsigned kind = 0; kind < HEAT_KINDS; kind++) {
    const GArray *list = events[kind].list;
    g_string_append_printf (out->bytes,
                            "%s{\"kind\":\"%s\",\"count\":%" G_GUINT64_FORMAT ",\"rows\":[",
                            kind > 0 ? ",\n" : "", kind_names[kind], events[kind].count);
    for (guint i = 0; i < list->len && !out->failed; i++) {
      const struct heat_event *e = &g_array_index (list, struct heat_event, i);
      g_string_append_printf (
          out->bytes, "%s[%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%u,%u,%u]", i > 0 ? "," : "",
          e->begin / 1000, e->ns / 1000, e->program, e->name, e->thread);
      export_flush_much (out);
    }
    g_string_append (out->bytes, "]}");
  }
  g_string_append_c (out->bytes, ']');
}

static void
put_pieces (const GArray *pieces, struct export_out *out)
{
  g_string_append (out->bytes, ",\n\"pieces\":[");
  for (guint i = 0; i < pieces->len && !out->failed; i++) {
    const struct heat_piece *p = &g_array_index (pieces, struct heat_piece, i);
    g_autofree char *text = g_base64_encode (p->bytes->data, p->bytes->len);
    g_string_append_printf (out->bytes,
                            "%s{\"program\":%u,\"weight\":%u,\"from\":%u,\"columns\":%u,"
                            "\"entries\":%u,\"data\":\"",
                            i > 0 ? ",\n" : "", p->program, (unsigned) p->weight, p->column,
                            p->columns, p->entries);
    g_string_append (out->bytes, text);
    g_string_append (out->bytes, "\"}");
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
}

static void
put_data (const struct heat_page *page, struct export_out *out)
{
  g_string_append_printf (
      out->bytes,
      "<script type=\"application/json\" id=\"data\">\n{\"start_ms\":%" G_GUINT64_FORMAT
      ",\"columns\":%u,\"rows\":%d",
      page->start_ns / 1000000, page->cells->seconds->len, HEAT_ROWS);
  put_texts ("programs", page->programs, out);
  put_weights (out);
  put_frames (page->names, out);
  put_stacks (page->stacks, out);
  put_events (page->events, out);
  put_pieces (page->cells->pieces, out);
  g_string_append (out->bytes, "}\n</script>\n");
}

void
export_heat_write (const struct heat_page *page, struct export_out *out)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  for (const struct embedded_file *file = heat_files; file->name != NULL; file++)
    g_ptr_array_add (files, (gpointer) file);
  g_ptr_array_add (files, NULL);
  put_head (page, files, out);
  put_elements (out);
  put_data (page, out);
  html_append_end (out->bytes, (gpointer) files->pdata);
  export_flush (out);
}
