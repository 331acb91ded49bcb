/* test-top-page.c -- the page of proflog top: its figures, and how it fits a terminal. */
#include "config.h"

#include "decoder/live/top.h"
#include "tests/unit/test.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#define SOURCES 12

/* Of one source. */
#define HEAD_LINES 8

static struct live_figures figures[SOURCES];
static struct live_named sources[SOURCES];

static void
begin (void)
{
  static const char *const names[] = { "a.exe", "b", "名前.mlpd" };
  for (guint i = 0; i < SOURCES; i++) {
    live_figures_init (&figures[i]);
    figures[i].format = LIVE_MONO;
    figures[i].interval_ns = 1000000000;
    sources[i] = (struct live_named){ .name = names[i % 3], .figures = &figures[i] };
  }
}

static void
end (void)
{
  for (guint i = 0; i < SOURCES; i++)
    live_figures_clear (&figures[i]);
}

static struct top_page
page_of (guint n)
{
  return (struct top_page){ .sources = sources, .count = n, .columns = 200, .rows = 60 };
}

static void
add_method (guint i, const char *name, const char *waits, uint64_t calls)
{
  const struct live_row row
      = { .name = name, .address = 0x1000, .waits = waits, .count = { calls, calls } };
  figures[i].has_calls = true;
  g_array_append_val (figures[i].methods, row);
}

static void
add_thread (guint i, uint64_t id, const char *name)
{
  const struct live_thread thread = { .id = id, .name = name, .state = LIVE_RUNNING };
  g_array_append_val (figures[i].threads, thread);
}

/* The lines of a page (transfer full). */
static char **
lines_of (const struct top_page *page)
{
  g_autoptr (GString) text = g_string_new (NULL);
  top_page_print (page, text);
  assert_true (text->len == 0 || text->str[text->len - 1] == '\n');
  g_string_truncate (text, text->len - (text->len != 0));
  return g_strsplit (text->str, "\n", -1);
}

static bool
has (const struct top_page *page, const char *part)
{
  g_auto (GStrv) lines = lines_of (page);
  for (char **line = lines; *line != NULL; line++)
    if (strstr (*line, part) != NULL)
      return true;
  return false;
}

/* Columns of a terminal: two for each character of these tests that is not ASCII. */
static unsigned
width_of (const char *line)
{
  unsigned width = 0;
  for (const char *p = line; *p != 0; p = g_utf8_next_char (p))
    width += (unsigned char) *p >= 0x80 ? 2 : 1;
  return width;
}

/* ---- the size ---- */

/* Cuts fit, whatever is shown. */
TEST_WITH (test_fits, begin, end)
{
  static const unsigned columns[] = { 1, 7, 40, 100 };
  static const unsigned rows[] = { 1, 2, 5, 9, 10, 14, 25, 60 };
  static const guint counts[] = { 1, 2, 5, SOURCES };
  setlocale (LC_CTYPE, "C");
  for (guint i = 0; i < SOURCES; i++)
    for (unsigned k = 0; k < 30; k++)
      add_method (i, "Program:Main (名前)", NULL, k);
  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    for (size_t r = 0; r < G_N_ELEMENTS (rows); r++)
      for (size_t n = 0; n < G_N_ELEMENTS (counts); n++)
        for (unsigned how = 0; how < 4; how++) {
          struct top_page page = page_of (counts[n]);
          page.columns = columns[c];
          page.rows = rows[r];
          page.help = how & 1;
          page.note = how & 2 ? "a note of more than forty columns, which is cut" : NULL;
          g_auto (GStrv) lines = lines_of (&page);
          /* The cursor stands in the last line. */
          assert_in_range (g_strv_length (lines), 0, rows[r] - 1);
          for (char **line = lines; *line != NULL; line++)
            assert_in_range (width_of (*line), 0, columns[c]);
        }
}

/* Without a limit all is there, of a table as many rows as a page usually has. */
TEST_WITH (test_no_limit, begin, end)
{
  struct top_page page = page_of (1);
  for (unsigned k = 0; k < TOP_ROWS + 7; k++)
    add_method (0, "Program:Main ()", NULL, k);
  page.rows = page.columns = 0;
  assert_true (has (&page, "... and 7 more"));
  page.rows = 60;
  assert_false (has (&page, " more"));
  page.help = true;
  page.rows = 0;
  assert_true (has (&page, "SELF% is the time in a method without its callees"));
}

/* Sources that have no room are counted. */
TEST_WITH (test_many_sources, begin, end)
{
  struct top_page page = page_of (SOURCES);
  page.rows = 10;
  assert_true (has (&page, "proflog top  12 sources"));
  assert_true (has (&page, "... and 8 more"));
  page.rows = 2 * SOURCES;
  assert_false (has (&page, " more"));
  sources[1].is_over = true;
  sources[2].failed = true;
  figures[3].format = LIVE_NOTHING;
  figures[3].pid = 4711;
  assert_true (has (&page, "Mono ended"));
  assert_true (has (&page, "Mono failed"));
  assert_true (has (&page, " 4711 - "));
}

/* A byte that is no character takes a column, too. */
TEST_WITH (test_invalid, begin, end)
{
  struct top_page page = page_of (1);
  page.note = "\xff"
              "23456789";
  page.columns = 5;
  assert_true (has (&page, "\xff"
                           "2345"));
  assert_false (has (&page, "\xff"
                            "23456"));
}

/* ---- figures ---- */

TEST_WITH (test_figures, begin, end)
{
  struct live_figures *const f = &figures[0];
  const struct top_page page = page_of (1);
  assert_true (has (&page, "heap    -"));
  assert_true (has (&page, "gc      gen0 0 (0/s)  gen1 0 (0/s)   pauses"));
  static const char *const absent[]
      = { "lost", "damaged", "objects", "live", "at most  ", "CPU", "[paused]", "[ended]" };
  for (size_t i = 0; i < G_N_ELEMENTS (absent); i++)
    assert_false (has (&page, absent[i]));
  f->lost_events.all = 7;
  f->damages.all = 3;
  f->alloc_objects = (struct live_count){ 12, 50 };
  f->heap_bytes = 2000;
  f->heap_max_bytes = 4000000;
  f->live_bytes = 1000;
  f->collections[0] = (struct live_count){ 4, 9 };
  f->collections[3] = (struct live_count){ 0, 5 };
  f->contentions.now = 6;
  f->wait_ns.now = 250000000;
  f->exceptions = (struct live_count){ 2, 99 };
  f->pause_max_ns = 1500000;
  f->process_memory_bytes = 3000000;
  f->process_interval_ns = 1000000000;
  f->process_cpu_ns.now = 500000000;
  static const char *const present[] = {
    "   lost 7   damaged places 3",
    "   objects 12/s",
    "heap    2.0 kB (at most 4.0 MB)   live 1.0 kB",
    "gen0 9 (4.0/s)  gen1 0 (0/s)  gen2 0 (0/s)  gen3 5 (0/s)   pauses 0.0% of the time",
    "% of the time, at most 1.5 ms",
    "locks   6.0/s contended, waited 25.0%   exceptions 2.0/s (99)",
    "  CPU 50.0%  memory 3.0 MB",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (present); i++)
    if (!has (&page, present[i]))
      fail_msg ("not there: %s", present[i]);
}

TEST_WITH (test_title, begin, end)
{
  struct top_page page = page_of (1);
  assert_true (has (&page, "proflog top  a.exe  Mono  0.0 s"));
  figures[0].program = "a.exe"; /* once is enough */
  assert_true (has (&page, "proflog top  a.exe  Mono  0.0 s"));
  figures[0].program = "Shop.exe";
  assert_true (has (&page, "proflog top  Shop.exe  a.exe  Mono  0.0 s"));
  figures[0].program = NULL;
  page.ended = true;
  assert_true (has (&page, "  [ended]"));
  page.paused = true;
  assert_true (has (&page, "  [paused]"));
  figures[0].format = LIVE_NOTHING;
  assert_true (has (&page, "proflog top  a.exe  no log yet  "));
}

/* The line without a page. */
TEST_WITH (test_line, begin, end)
{
  g_autoptr (GString) text = g_string_new (NULL);
  top_page_line (&figures[0], text);
  assert_true (g_str_has_prefix (text->str, "      0.0 s  heap -  alloc "));
  assert_null (strstr (text->str, "lost"));
  figures[0].lost_events.all = 7;
  g_string_truncate (text, 0);
  top_page_line (&figures[0], text);
  assert_true (g_str_has_suffix (text->str, "  lost 7"));
}

/* ---- tables ---- */

/* Why a table is empty, and how to fill it. */
TEST_WITH (test_reasons, begin, end)
{
  static const struct {
    enum live_format format;
    enum live_table panel;
    bool has_process;
    const char *present, *absent;
  } cases[] = {
    { LIVE_MONO, LIVE_METHODS, false, "No calls and no samples were recorded yet.", "e records" },
    { LIVE_MONO, LIVE_METHODS, true, "e records them, if the program was prepared", "Eventlogs" },
    { LIVE_MONO, LIVE_METHODS, false, "proflog run --sample, or --calls, records", "e records" },
    { LIVE_MONO, LIVE_TYPES, true, "proflog run --allocs=512k records them", "Eventlogs" },
    { LIVE_MONO, LIVE_THREADS, true, "No thread has recorded anything yet.", "records them" },
    { LIVE_MONO, LIVE_THROWS, true, "No exceptions were recorded yet.", "records them" },
    { LIVE_GHC, LIVE_METHODS, true, "Eventlogs have no methods and no types; 3 shows", "records" },
    { LIVE_GHC, LIVE_TYPES, true, "Eventlogs have no methods and no types; 3 shows", "records" },
    { LIVE_GHC, LIVE_THROWS, true, "No exceptions were recorded yet.", "Eventlogs" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint n = 1; n <= 2; n++) {
      struct top_page page = page_of (n);
      page.panel = cases[i].panel;
      page.has_process = cases[i].has_process;
      figures[0].format = figures[1].format = cases[i].format;
      assert_true (has (&page, cases[i].present));
      assert_false (has (&page, cases[i].absent));
      page.columns = 0;
      assert_false (has (&page, cases[i].present));
    }
  /* One source of another kind could have some. */
  struct top_page page = page_of (2);
  figures[0].format = LIVE_GHC;
  figures[1].format = LIVE_MONO;
  assert_true (has (&page, "No calls and no samples were recorded yet."));
}

/* Methods that wait are shown on request. */
TEST_WITH (test_waiting, begin, end)
{
  struct top_page page = page_of (2);
  figures[0].format = LIVE_GHC;
  add_method (1, "Monitor:Wait ()", "lock", 3);
  assert_true (has (&page, "All methods with samples wait; w shows them."));
  assert_false (has (&page, "Monitor:Wait"));
  page.waiting = true;
  assert_true (has (&page, " b      Monitor:Wait () [waits: lock]"));
  page.waiting = false;
  add_method (1, NULL, NULL, 3);
  assert_false (has (&page, "All methods"));
  assert_true (has (&page, " b      0x1000"));
}

TEST_WITH (test_threads, begin, end)
{
  struct top_page page = page_of (1);
  page.panel = LIVE_THREADS;
  add_thread (0, 0xabc, "Finalizer");
  add_thread (0, 0xdef, NULL);
  assert_true (has (&page, " STATE             THREAD"));
  assert_true (has (&page, " runs              0xabc Finalizer"));
  assert_true (has (&page, " runs              0xdef"));
}

/* Keys go through the columns that a log has. */
TEST_WITH (test_sort, begin, end)
{
  struct top_page page = page_of (1);
  top_page_sort_next (&page); /* nothing is known */
  assert_int_equal (page.sort[LIVE_METHODS], 0);
  add_method (0, "few", NULL, 1);
  add_method (0, "many", NULL, 9);
  page.rows = HEAD_LINES + 2;
  assert_true (has (&page, "many"));
  assert_false (has (&page, "few"));
  page.reverse = true;
  assert_true (has (&page, "few"));
  assert_false (has (&page, "many"));
  static const char *const titles[] = { "CALLS/s^", "SELF ms^", "CALLS^", "SELF%^" };
  assert_true (has (&page, "SELF%^"));
  for (size_t i = 0; i < G_N_ELEMENTS (titles); i++) {
    top_page_sort_next (&page);
    assert_true (has (&page, titles[i]));
  }
  page.reverse = false;
  assert_true (has (&page, "SELF%*"));
  /* Rows above are passed. */
  page.first = 1;
  assert_true (has (&page, "few"));
  assert_false (has (&page, "many"));
  page.first = 1000;
  assert_true (has (&page, "few"));
}

TEST_WITH (test_panels, begin, end)
{
  const struct top_page page = page_of (2);
  assert_int_equal (top_page_choose_panel (&page), LIVE_THREADS);
  const struct live_row type = { .name = "System.String" };
  g_array_append_val (figures[1].types, type);
  assert_int_equal (top_page_choose_panel (&page), LIVE_TYPES);
  add_method (0, "Monitor:Wait ()", "lock", 3);
  assert_int_equal (top_page_choose_panel (&page), LIVE_TYPES);
  g_autoptr (GString) text = g_string_new (NULL);
  top_page_print_all (&page, text);
  assert_non_null (strstr (text->str, "\nmethods\n"));
  assert_non_null (strstr (text->str, "\ntypes\n"));
  assert_null (strstr (text->str, "\nthreads\n"));
  add_method (0, "Program:Main ()", NULL, 3);
  assert_int_equal (top_page_choose_panel (&page), LIVE_METHODS);
}

/* ---- pictures ---- */

/* The last intervals; none with heaps if the size is unknown, and none of several sources. */
TEST_WITH (test_history, begin, end)
{
  struct top_page page = page_of (1);
  setlocale (LC_CTYPE, "C.UTF-8");
  top_page_add_history (&page);
  assert_false (has (&page, "▁"));
  top_page_add_history (&page);
  assert_true (has (&page, "alloc   0 B/s (0 B)   ▁▁"));
  assert_false (has (&page, "heap    -   ▁"));
  for (unsigned i = 0; i < 2 * TOP_HISTORY; i++) {
    figures[0].alloc_bytes.now = i;
    figures[0].heap_bytes = 500;
    top_page_add_history (&page);
  }
  assert_int_equal (page.history.n, TOP_HISTORY);
  for (unsigned i = 0; i < TOP_HISTORY; i++)
    assert_true (page.history.alloc[i] == TOP_HISTORY + i);
  assert_true (has (&page, "heap    500 B   ████████████████████"));
  page.count = 2;
  assert_false (has (&page, "█"));
  page.count = 1;
  setlocale (LC_CTYPE, "C");
  g_auto (GStrv) lines = lines_of (&page);
  for (char **line = lines; *line != NULL; line++)
    assert_true (g_str_is_ascii (*line));
}

/* ---- numbers ---- */

TEST (test_values)
{
  static const struct {
    enum live_value kind;
    double value;
    const char *text;
  } cases[] = {
    { LIVE_VALUE_RATE, 0, "0" },          { LIVE_VALUE_RATE, 0.04, "0.0" },
    { LIVE_VALUE_RATE, 9.9, "9.9" },      { LIVE_VALUE_RATE, 10, "10" },
    { LIVE_VALUE_RATE, NAN, "-" },        { LIVE_VALUE_COUNT, 12.6, "13" },
    { LIVE_VALUE_COUNT, -1, "0" },        { LIVE_VALUE_BYTES, 512, "512 B" },
    { LIVE_VALUE_BYTES, NAN, "-" },       { LIVE_VALUE_SHARE, 0.5, "50.0%" },
    { LIVE_VALUE_SHARE, 1.25, "125.0%" }, { LIVE_VALUE_MS, 1.25, "1.2" },
    { LIVE_VALUE_NONE, 5, "" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) text = g_string_new (NULL);
    top_append_labelled (text, "<", cases[i].kind, cases[i].value, ">");
    g_autofree char *expected = g_strdup_printf ("<%s>", cases[i].text);
    assert_string_equal (text->str, expected);
  }
}
