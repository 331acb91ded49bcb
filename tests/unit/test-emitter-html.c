/* test-emitter-html.c -- reports as a page, and its parts for scripts of other makers. */
#include "config.h"

#include "decoder/output/html.h"
#include "tests/unit/test.h"

#include <string.h>

static const struct emitter_column columns[]
    = { { "bytes", "Bytes", EMIT_NUMBER }, { "delta", "Change", EMIT_CHANGE },
        { "none", "None", EMIT_TEXT },     { "secret", NULL, EMIT_NUMBER },
        { NULL, "Bar", EMIT_TEXT },        { "name", "Type", EMIT_TEXT } };

static void
put_table (struct emitter *e, bool any)
{
  const union emitter_value row[]
      = { { .number = 12345678 }, { .change = INT64_MIN }, { .text = NULL },
          { .number = 7 },        { .text = "##" },        { .text = "<b>&\"\xff\x1b" } };
  GPtrArray *frames = g_ptr_array_new ();
  g_ptr_array_add (frames, (gpointer) "Main ()");
  emitter_open_table (e, "types", "Types", columns, G_N_ELEMENTS (columns));
  if (any) {
    emitter_open_row (e, row);
    emitter_lines (e, "frames", frames);
    emitter_close_row (e);
  }
  emitter_close_table (e, any ? 3 : 0);
  g_ptr_array_unref (frames);
}

static void
put_report (struct emitter *e)
{
  emitter_begin (e, "test/1");
  emitter_html_block (e, "<p id=\"mine\">block</p>\n");
  emitter_open (e, "gc", "GC & more");
  emitter_ns (e, "wait_ns", "Wait", 1002003);
  emitter_truth (e, "whole", "Whole", true);
  emitter_number (e, "secret", NULL, 7);
  emitter_open (e, "inner", "Inner");
  put_table (e, true);
  emitter_close (e);
  emitter_open (e, "hidden", NULL);
  emitter_html_block (e, "<p>not shown</p>\n");
  emitter_close (e);
  emitter_close (e);
  put_table (e, false);
  emitter_end (e);
}

static const char gc_section[]
    = "<p id=\"mine\">block</p>\n"
      "<section data-section=\"gc\">\n"
      "<h2 id=\"gc\">GC &amp; more</h2>\n"
      "<dl>\n"
      "<div><dt>Wait</dt><dd data-key=\"wait_ns\" data-value=\"1002003\">1.00 ms</dd></div>\n"
      "<div><dt>Whole</dt><dd data-key=\"whole\" data-value=\"true\">yes</dd></div>\n"
      "</dl>\n"
      "<div data-key=\"inner\">\n"
      "<h3>Inner</h3>\n"
      "<div data-key=\"types\">\n"
      "<h4>Types</h4>\n"
      "<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"Types\">\n"
      "<table data-section=\"gc\" data-table=\"types\">\n"
      "<thead>\n"
      "<tr><th scope=\"col\" data-key=\"bytes\">MB</th><th scope=\"col\" "
      "data-key=\"delta\">Change, T</th>"
      "<th scope=\"col\" class=\"drawing\">Bar</th>"
      "<th scope=\"col\" class=\"text\" data-key=\"name\">Type</th></tr>\n"
      "</thead>\n"
      "<tbody>\n"
      "<tr><td data-value=\"12345678\">12.345</td>"
      "<td data-value=\"-9223372036854775808\">-9223372.036</td><td class=\"drawing\"><span "
      "class=\"bar\">##</span></td>"
      "<td class=\"text\">&lt;b&gt;&amp;&quot;\xef\xbf\xbd?"
      "<details><summary>Details</summary>\n"
      "<ul data-key=\"frames\">\n<li>Main ()</li>\n</ul>\n"
      "</details></td></tr>\n"
      "</tbody>\n"
      "</table>\n"
      "</div>\n"
      "<p class=\"more\">... and 3 more (--limit 0 shows all)</p>\n"
      "</div>\n"
      "</div>\n"
      "</section>\n"
      "</main>\n";

static struct emitter *
new_emitter (GString *out)
{
  struct emitter *e = emitter_new (EMITTER_HTML, out);
  emitter_set_style (e, &(const struct emitter_style){ .has_units = true });
  emitter_set_title (e, "proflog <test>");
  return e;
}

/* How often the text has a part. */
static unsigned
count (const char *text, const char *part)
{
  unsigned n = 0;
  while ((text = strstr (text, part)) != NULL) {
    text += strlen (part);
    n++;
  }
  return n;
}

static void
assert_has (const GString *page, const char *part)
{
  if (strstr (page->str, part) == NULL)
    fail_msg ("there is no %s in %s", part, page->str);
}

TEST (test_page)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = new_emitter (out);
  put_report (e);
  emitter_free (e);
  assert_int_equal (strncmp (out->str, "<!DOCTYPE html>\n", 16), 0);
  assert_has (out, "<title>proflog &lt;test&gt;</title>");
  assert_has (out, gc_section);
  /* The empty table is not there. */
  assert_has (out, "<ul>\n<li><a href=\"#gc\">GC &amp; more</a></li>\n</ul>\n</nav>\n");
  g_string_free (out, TRUE);
}

TEST (test_nothing)
{
  GString *out = g_string_new (NULL);
  emitter_free (new_emitter (out));
  assert_string_equal (out->str, "");
  g_string_free (out, TRUE);
}

TEST (test_several_logs)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = new_emitter (out);
  assert_int_equal (emitter_html_report_number (e), 0);
  for (unsigned i = 1; i <= 2; i++) {
    emitter_set_log (e, i == 1 ? "a\"b" : "c");
    put_report (e);
    assert_int_equal (emitter_html_report_number (e), i);
  }
  emitter_free (e);
  assert_has (out, "<article data-log=\"a&quot;b\">\n<h2 id=\"log\">a&quot;b</h2>\n");
  assert_has (out, "<article data-log=\"c\">\n<h2 id=\"log-2\">c</h2>\n");
  assert_has (out, "<h3 id=\"gc\">");
  assert_has (out, "<h3 id=\"gc-2\">");
  assert_int_equal (count (out->str, "<!DOCTYPE"), 1);
  assert_int_equal (count (out->str, "</article>"), 2);
  g_string_free (out, TRUE);
}

/* The hashes are those of openssl dgst -sha256 -binary | base64. */
TEST (test_scripts)
{
  static const struct embedded_file script
      = { "x.js", "text/javascript; charset=utf-8", (const unsigned char *) "x = 1;\n", 7 };
  static const struct embedded_file style
      = { "x.css", "text/css; charset=utf-8", (const unsigned char *) "p { }\n", 6 };
  GString *out = g_string_new (NULL);
  struct emitter *e = new_emitter (out);
  emitter_begin (e, "test/1");
  emitter_html_add_file (e, &script);
  emitter_html_add_file (e, &style);
  emitter_html_add_file (e, &script);
  emitter_html_add_data (e, "lanes", "{\"a\": \"</script><!--\"}");
  emitter_end (e);
  emitter_free (e);
  const char *policy = strstr (out->str, "; script-src ");
  const char *styles = strstr (out->str, "; style-src ");
  const char *end = strstr (out->str, "; base-uri 'none'; form-action 'none'\">");
  const char *script_hash
      = strstr (out->str, " 'sha256-mgIVY1bpWfmwWgO8aRJw1+oRMR3fg7MLh1fT4hKxiXM='");
  const char *style_hash
      = strstr (out->str, " 'sha256-8EWXWIX901IzyKhiPVvgHN9cF4eaz96C4L2gvHo/XgI='");
  assert_true (policy != NULL && script_hash > policy && styles > script_hash && style_hash > styles
               && end > style_hash);
  assert_int_equal (count (out->str, "<script>x = 1;\n</script>"), 1);
  assert_int_equal (count (out->str, "<style>p { }\n</style>"), 1);
  assert_has (out, "<script type=\"application/json\" id=\"lanes\">\n"
                   "{\"a\": \"\\u003c/script>\\u003c!--\"}\n</script>\n");
  /* After the page's own, which it may call. */
  assert_true (strstr (out->str, "function refreshTable") < strstr (out->str, "x = 1;"));
  g_string_free (out, TRUE);
}

/* In other formats, there is nothing of it. */
TEST (test_other_formats)
{
  for (int format = EMITTER_TEXT; format < EMITTER_HTML; format++) {
    GString *out = g_string_new (NULL);
    struct emitter *e = emitter_new ((enum emitter_format) format, out);
    emitter_begin (e, "test/1");
    emitter_html_block (e, "<p>block</p>");
    emitter_html_add_file (e, &report_files[0]);
    emitter_html_add_data (e, "lanes", "{}");
    emitter_end (e);
    assert_int_equal (emitter_html_report_number (e), 0);
    emitter_free (e);
    assert_null (strchr (out->str, '<'));
    g_string_free (out, TRUE);
  }
}
