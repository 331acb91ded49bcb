/* test-budgets.c -- budgets as text, and the verdicts on figures of any type. */
#include "config.h"

#include "decoder/views/compare/budgets.h"
#include "decoder/views/compare/compare.h"
#include "decoder/views/compare/runs.h"
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static GPtrArray *
make_keys (void)
{
  static const char *const all[] = { "n.count",
                                     "n.wait_ns",
                                     "n.size_bytes",
                                     "n.real",
                                     "n.change",
                                     "n.time_ns",
                                     "n.text",
                                     "n.share",
                                     "n.guess",
                                     "n.rough",
                                     "none",
                                     "t[NAME].count",
                                     "t[NAME].max_ns",
                                     "t[NAME].real",
                                     "t[NAME].text",
                                     "t[NAME].other",
                                     "ids[NAME].count",
                                     "ids[NAME].guess",
                                     "lacks[NAME].count",
                                     "allocations.bytes",
                                     "calls.total",
                                     "cpu.total_ns",
                                     "log.duration_ns" };
  GPtrArray *keys = g_ptr_array_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    g_ptr_array_add (keys, (gpointer) all[i]);
  return keys;
}

/* ---- text ---- */

TEST (test_texts)
{
  const struct {
    const char *text, *key, *row, *column;
    double limit;
    bool is_relative, is_percent;
    enum figure_unit unit;
  } cases[] = {
    { "n.count=12", "n.count", NULL, NULL, 12, false, false, FIGURE_COUNT },
    { " n.count = 1.5 ", "n.count", NULL, NULL, 1.5, false, false, FIGURE_COUNT },
    { "none=0", "none", NULL, NULL, 0, false, false, FIGURE_COUNT },
    { "n.count=1e3", "n.count", NULL, NULL, 1000, false, false, FIGURE_COUNT },
    { "n.wait_ns=5ms", "n.wait_ns", NULL, NULL, 5000000, false, false, FIGURE_NS },
    { "n.wait_ns=+5us", "n.wait_ns", NULL, NULL, 5000, true, false, FIGURE_NS },
    { "n.size_bytes=2K", "n.size_bytes", NULL, NULL, 2048, false, false, FIGURE_BYTES },
    { "n.size_bytes=+2.5%", "n.size_bytes", NULL, NULL, 2.5, true, true, FIGURE_BYTES },
    { "t[a].count=7", "t", "a", "count", 7, false, false, FIGURE_COUNT },
    { "t[a[b].c=d].max_ns=1s", "t", "a[b].c=d", "max_ns", 1e9, false, false, FIGURE_NS },
    { "t[].count=+0", "t", "", "count", 0, true, false, FIGURE_COUNT },
  };
  GPtrArray *keys = make_keys ();
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    GPtrArray *budgets = budgets_new ();
    GError *error = NULL;
    if (!budgets_add (budgets, cases[i].text, keys, &error))
      fail_msg ("%s", error->message);
    const struct budget *b = g_ptr_array_index (budgets, 0);
    assert_string_equal (b->key, cases[i].key);
    assert_int_equal (g_strcmp0 (b->row, cases[i].row), 0);
    assert_int_equal (g_strcmp0 (b->column, cases[i].column), 0);
    assert_true (b->limit == cases[i].limit);
    assert_int_equal (b->is_relative, cases[i].is_relative);
    assert_int_equal (b->is_percent, cases[i].is_percent);
    assert_int_equal (budget_unit (b), cases[i].unit);
    assert_int_equal (budgets_need_base (budgets), cases[i].is_relative);
    g_ptr_array_unref (budgets);
  }
  g_ptr_array_unref (keys);
}

TEST (test_refusals)
{
  static const char *const needs_number = "a number is needed";
  const struct {
    const char *text, *why;
  } cases[] = {
    { "n.count", "KEY=LIMIT is needed" },
    { "", "KEY=LIMIT is needed" },
    { "n.count=", needs_number },
    { "n.count=x", needs_number },
    { "n.count=1x", needs_number },
    { "n.count=-1", needs_number },
    { "n.count=++1", needs_number },
    { "n.count=.5", needs_number },
    { "n.count=inf", needs_number },
    { "n.count=1e999", needs_number },
    { "n.count=nan", needs_number },
    { "n.count=+%", "a number of percents is needed" },
    { "n.count=+x%", "a number of percents is needed" },
    { "n.count=5%", "percents are relative to the base" },
    { "n.wait_ns=5", "a time is needed" },
    { "n.size_bytes=x", "a size is needed" },
    { "n.coun=5", "no report has the figure n.coun" },
    { "=5", "no report has the figure" },
    { "t[a.count=5", "no report has the figure t[a.count" },
    { "t].count=5", "no report has the figure t].count" },
    { "t].count[=5", "no report has the figure t].count[" },
    { "n[a].count=5", "no report has the figure n[NAME].count" },
  };
  GPtrArray *keys = make_keys ();
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    GPtrArray *budgets = budgets_new ();
    GError *error = NULL;
    if (budgets_add (budgets, cases[i].text, keys, &error))
      fail_msg ("'%s' is accepted", cases[i].text);
    assert_true (g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE));
    if (strstr (error->message, cases[i].why) == NULL)
      fail_msg ("'%s': %s", cases[i].text, error->message);
    assert_int_equal (budgets->len, 0);
    g_error_free (error);
    g_ptr_array_unref (budgets);
  }
  g_ptr_array_unref (keys);
}

/* Comments begin lines or words; an error names the line. */
TEST (test_files)
{
  GPtrArray *keys = make_keys (), *budgets = budgets_new ();
  GError *error = NULL;
  char *path = NULL;
  const int fd = g_file_open_tmp ("proflog-budgets.XXXXXX", &path, &error);
  assert_true (fd >= 0);
  close (fd);
  g_file_set_contents (path, "# all\n\n t[a#b].count = 5 # as before\n\t# x\nn.count=6#7\n", -1,
                       NULL);
  assert_false (budgets_add_file (budgets, path, keys, &error));
  assert_non_null (strstr (error->message, ":5: "));
  g_clear_error (&error);
  g_file_set_contents (path, "# all\n\n t[a#b].count = 5 # as before\n\t# x\nn.count=6 #7\n", -1,
                       NULL);
  g_ptr_array_set_size (budgets, 0);
  assert_true (budgets_add_file (budgets, path, keys, &error));
  assert_int_equal (budgets->len, 2);
  assert_string_equal (((const struct budget *) budgets->pdata[0])->row, "a#b");
  assert_true (((const struct budget *) budgets->pdata[1])->limit == 6);
  assert_int_equal (remove (path), 0);
  g_free (path);
  g_ptr_array_unref (budgets);
  g_ptr_array_unref (keys);
}

/* ---- figures ---- */

static const struct emitter_column columns[]
    = { { "name", "Name", EMIT_TEXT },     { "other_name", "Other", EMIT_TEXT },
        { "count", "Count", EMIT_NUMBER }, { "max_ns", "Max", EMIT_NS },
        { "real", "Real", EMIT_REAL },     { "text", "Text", EMIT_TEXT } };
static const struct emitter_column id_columns[] = { { "id", "Number", EMIT_NUMBER },
                                                    { "count", "Count", EMIT_NUMBER },
                                                    { "guess", "Guess", EMIT_NUMBER },
                                                    { "guess_low", NULL, EMIT_NUMBER },
                                                    { "guess_high", NULL, EMIT_NUMBER } };

static void
put_row (struct emitter *e, const union emitter_value *values)
{
  emitter_open_row (e, values);
  emitter_close_row (e);
}

/* A run whose figures are all `factor` times those of another. */
static struct run_figures
make_run (double factor)
{
  struct run_figures run = { .log = g_strdup ("a log"), .record = emitter_record_new () };
  struct emitter *e = emitter_new_record (run.record);
  const uint64_t f = (uint64_t) factor;
  emitter_begin (e, "test/1");
  emitter_open (e, "n", "Numbers");
  emitter_number (e, "count", "Count", 10 * f);
  emitter_ns (e, "wait_ns", "Wait", 999 * f);
  emitter_number (e, "size_bytes", "Size", 1000 * f);
  emitter_value (e, "real", "Real", EMIT_REAL, (union emitter_value){ .real = 1.25 * factor });
  emitter_value (e, "change", "Change", EMIT_CHANGE,
                 (union emitter_value){ .change = -3 * (int64_t) f });
  emitter_value (e, "time_ns", "Time", EMIT_TIME,
                 (union emitter_value){ .change = 40 * (int64_t) f });
  emitter_value (e, "share", "Share", EMIT_SHARE, (union emitter_value){ .number = 5 * f });
  emitter_text (e, "text", "Text", "five");
  emitter_number (e, "guess", "Guess", 100 * f);
  emitter_number (e, "guess_low", "At least", 100 * f - 60);
  emitter_number (e, "guess_high", "At most", 100 * f + 60);
  emitter_number (e, "rough", "Rough guess", 100 * f);
  emitter_number (e, "rough_low", "At least", 100 * f - 80);
  emitter_number (e, "rough_high", "At most", 100 * f + 80);
  emitter_close (e);
  emitter_open_table (e, "t", "Table", columns, G_N_ELEMENTS (columns));
  for (uint64_t i = 1; i <= 2; i++)
    put_row (e, (const union emitter_value[]){ { .text = "a" },
                                               { .text = i == 1 ? "b" : "c" },
                                               { .number = i * f },
                                               { .number = 100 * i * f },
                                               { .real = 0.5 * factor },
                                               { .text = "words" } });
  emitter_close_table (e, 0);
  emitter_open_table (e, "ids", "Ids", id_columns, G_N_ELEMENTS (id_columns));
  for (uint64_t i = 7; i <= 8; i++) /* the error is 60 in the first, 80 in the second */
    put_row (e, (const union emitter_value[]){ { .number = i },
                                               { .number = 10 * i * f },
                                               { .number = 100 * f },
                                               { .number = 100 * f - 20 * (i - 4) },
                                               { .number = 100 * f + 20 * (i - 4) } });
  emitter_close_table (e, 0);
  emitter_open (e, "cpu", "CPU");
  emitter_ns (e, "total_ns", "Total", 700 + 300 * f);
  emitter_close (e);
  emitter_open (e, "log", "Log");
  emitter_ns (e, "duration_ns", "Duration", 1000 * f + 200 * (f - 1));
  emitter_close (e);
  emitter_open (e, "allocations", "Allocations");
  emitter_number (e, "bytes", "Bytes", 0);
  emitter_close (e);
  emitter_end (e);
  emitter_free (e);
  return run;
}

static void
clear_run (struct run_figures *run)
{
  emitter_record_free (run->record);
  g_free (run->log);
}

struct verdict {
  const char *budget;
  enum budget_verdict verdict;
  const char *sentence;
};

static void
check_verdicts (const struct verdict *cases, size_t n, const GPtrArray *runs, const GPtrArray *base,
                const char *log)
{
  GPtrArray *keys = make_keys ();
  for (size_t i = 0; i < n; i++) {
    GPtrArray *budgets = budgets_new ();
    struct budget_results results;
    budget_results_init (&results);
    assert_true (budgets_add (budgets, cases[i].budget, keys, NULL));
    budget_results_add (&results, budgets, runs, base);
    const struct budget_result *r = g_ptr_array_index (results.all, 0);
    assert_string_equal (r->sentence, cases[i].sentence);
    assert_int_equal (r->verdict, cases[i].verdict);
    assert_string_equal (r->log, log);
    assert_int_equal (budget_results_are_good (&results),
                      cases[i].verdict == BUDGET_WITHIN || cases[i].verdict == BUDGET_NOISE);
    GString *xml = junit_new (&results);
    assert_int_equal (strstr (xml->str, "<failure ") != NULL, cases[i].verdict == BUDGET_EXCEEDED);
    assert_int_equal (strstr (xml->str, "<error ") != NULL, cases[i].verdict == BUDGET_UNKNOWN);
    g_string_free (xml, TRUE);
    budget_results_clear (&results);
    g_ptr_array_unref (budgets);
  }
  g_ptr_array_unref (keys);
}

#define UNKNOWN(key, limit)                                                                        \
  key ": the log has no such figure, so its budget of " limit " cannot be checked"

TEST (test_verdicts)
{
  static const struct verdict cases[] = {
    { "n.count=10", BUDGET_WITHIN, "n.count is 10, within its budget of 10" },
    { "n.count=9.5", BUDGET_EXCEEDED, "n.count is 10, above its budget of 9.500" },
    { "n.wait_ns=1us", BUDGET_WITHIN,
      "n.wait_ns is 999 ns, within its budget of 1.00 us (1000 ns)" },
    { "n.wait_ns=998ns", BUDGET_EXCEEDED, "n.wait_ns is 999 ns, above its budget of 998 ns" },
    { "n.size_bytes=1000", BUDGET_WITHIN,
      "n.size_bytes is 1.0 kB (1000 bytes), within its budget of 1.0 kB (1000 bytes)" },
    { "n.real=1.25", BUDGET_WITHIN, "n.real is 1.250, within its budget of 1.250" },
    { "n.real=1", BUDGET_EXCEEDED, "n.real is 1.250, above its budget of 1" },
    { "n.change=0", BUDGET_WITHIN, "n.change is -3.000, within its budget of 0" },
    { "n.time_ns=39ns", BUDGET_EXCEEDED, "n.time_ns is 40 ns, above its budget of 39 ns" },
    { "n.share=5", BUDGET_WITHIN, "n.share is 5, within its budget of 5" },
    { "n.count=1e18", BUDGET_WITHIN,
      "n.count is 10, within its budget of 1000000000000000000.000" },
    { "n.text=5", BUDGET_UNKNOWN, UNKNOWN ("n.text", "5") },
    { "none=5", BUDGET_UNKNOWN, UNKNOWN ("none", "5") },
    /* Rows of one name are summed up, or their largest counts; so are those of another column. */
    { "t[a].count=3", BUDGET_WITHIN, "t[a].count is 3, within its budget of 3" },
    { "t[c].count=1", BUDGET_EXCEEDED, "t[c].count is 2, above its budget of 1" },
    { "t[a].max_ns=200ns", BUDGET_WITHIN, "t[a].max_ns is 200 ns, within its budget of 200 ns" },
    { "t[b].real=0.25", BUDGET_EXCEEDED, "t[b].real is 0.500, above its budget of 0.250" },
    { "t[b].text=0", BUDGET_WITHIN, "t[b].text is 0, within its budget of 0" },
    { "t[x].count=0", BUDGET_WITHIN,
      "t[x].count is 0 (no row has this name), within its budget of 0" },
    { "t[a].other=0", BUDGET_UNKNOWN, UNKNOWN ("t[a].other", "0") },
    { "lacks[a].count=0", BUDGET_UNKNOWN, UNKNOWN ("lacks[a].count", "0") },
    { "ids[7].count=70", BUDGET_WITHIN, "ids[7].count is 70, within its budget of 70" },
    { "ids[9].count=70", BUDGET_WITHIN,
      "ids[9].count is 0 (no row has this name), within its budget of 70" },
    { "allocations.bytes=0", BUDGET_WITHIN,
      "allocations.bytes is 0 bytes, within its budget of 0 bytes" },
    { "n.count=+1", BUDGET_UNKNOWN,
      "n.count: the base has no such figure, so its budget of +1 cannot be checked" },
  };
  struct run_figures run = make_run (1);
  GPtrArray *runs = g_ptr_array_new ();
  g_ptr_array_add (runs, &run);
  check_verdicts (cases, G_N_ELEMENTS (cases), runs, NULL, "a log");
  /* What was not recorded is not known to be 0. */
  static const struct verdict lacking[]
      = { { "allocations.bytes=0", BUDGET_UNKNOWN, UNKNOWN ("allocations.bytes", "0") },
          { "calls.total=0", BUDGET_UNKNOWN, UNKNOWN ("calls.total", "0") } };
  run.lacks_allocations = run.lacks_calls = true;
  check_verdicts (lacking, G_N_ELEMENTS (lacking), runs, NULL, "a log");
  g_ptr_array_unref (runs);
  clear_run (&run);
}

/* Of several runs the median counts, relative to that of the base. */
TEST (test_relative_verdicts)
{
  static const struct verdict cases[] = {
    { "n.count=20", BUDGET_WITHIN, "n.count is 20, within its budget of 20" },
    { "n.count=+10", BUDGET_WITHIN, "n.count is 20, within its budget of 20: +10 from 10" },
    { "n.count=+9", BUDGET_NOISE,
      "n.count is 20, above its budget of 19: +9 from 10, no more than runs of one side differ" },
    { "n.count=+100%", BUDGET_WITHIN, "n.count is 20, within its budget of 20: +100% from 10" },
    { "n.count=+99%", BUDGET_NOISE,
      "n.count is 20, above its budget of 19.900: +99% from 10, no more than runs of one side "
      "differ" },
    { "t[a].count=+3", BUDGET_WITHIN, "t[a].count is 6, within its budget of 6: +3 from 3" },
  };
  struct run_figures all[] = { make_run (1), make_run (3), make_run (2) };
  GPtrArray *runs = g_ptr_array_new (), *base = g_ptr_array_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    g_ptr_array_add (runs, &all[i]);
  g_ptr_array_add (base, &all[0]);
  check_verdicts (cases, G_N_ELEMENTS (cases), runs, base, "3 logs");
  g_ptr_array_unref (base);
  g_ptr_array_unref (runs);
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    clear_run (&all[i]);
}

/* Of a run on each side chance explains estimates within their common error, 60 or 80 times the
 * root of 2, and nothing else. */
TEST (test_estimates)
{
  static const struct verdict cases[] = {
    { "n.guess=+100", BUDGET_WITHIN, "n.guess is 200, within its budget of 200: +100 from 100" },
    { "n.guess=+99", BUDGET_EXCEEDED, "n.guess is 200, above its budget of 199: +99 from 100" },
    { "n.rough=+99", BUDGET_NOISE,
      "n.rough is 200, above its budget of 199: +99 from 100, no more than the error of the "
      "estimates" },
    /* 13 % and 40 % for a run, 1.36 and 2.11 times for two. */
    { "cpu.total_ns=+299ns", BUDGET_NOISE,
      "cpu.total_ns is 1.30 us (1300 ns), above its budget of 1.30 us (1299 ns): +299ns from 1.00 "
      "us "
      "(1000 ns), no more than two runs of one program may differ" },
    { "log.duration_ns=+5%", BUDGET_EXCEEDED,
      "log.duration_ns is 2.20 us (2200 ns), above its budget of 1.05 us (1050 ns): +5% from 1.00 "
      "us "
      "(1000 ns)" },
    { "n.rough=199", BUDGET_EXCEEDED, "n.rough is 200, above its budget of 199" },
    { "ids[7].guess=+99", BUDGET_EXCEEDED,
      "ids[7].guess is 200, above its budget of 199: +99 from 100" },
    { "ids[8].guess=+99", BUDGET_NOISE,
      "ids[8].guess is 200, above its budget of 199: +99 from 100, no more than the error of the "
      "estimates" },
    { "n.count=+9", BUDGET_EXCEEDED, "n.count is 20, above its budget of 19: +9 from 10" },
    { "n.size_bytes=+99.95%", BUDGET_EXCEEDED,
      "n.size_bytes is 2.0 kB (2000 bytes), above its budget of 2.0 kB (1999 bytes): +99.95% from "
      "1.0 kB (1000 bytes)" },
  };
  struct run_figures before = make_run (1), after = make_run (2);
  GPtrArray *runs = g_ptr_array_new (), *base = g_ptr_array_new ();
  g_ptr_array_add (runs, &after);
  g_ptr_array_add (base, &before);
  check_verdicts (cases, G_N_ELEMENTS (cases), runs, base, "a log");
  g_ptr_array_unref (base);
  g_ptr_array_unref (runs);
  clear_run (&before);
  clear_run (&after);
}

/* XML has no place for some characters; others have names there. */
TEST (test_junit_text)
{
  struct run_figures run = make_run (1);
  g_free (run.log);
  run.log = g_strdup ("a<b>\"&\xef\xbf\xbe\xef\xbf\xbf\xc3\xa4");
  GPtrArray *runs = g_ptr_array_new (), *keys = make_keys (), *budgets = budgets_new ();
  struct budget_results results;
  budget_results_init (&results);
  g_ptr_array_add (runs, &run);
  assert_true (budgets_add (budgets, "n.count=10", keys, NULL));
  budget_results_add (&results, budgets, runs, NULL);
  GString *xml = junit_new (&results);
  assert_non_null (strstr (
      xml->str, "<testcase classname=\"a&lt;b&gt;&quot;&amp;??\xc3\xa4\" name=\"n.count=10\"/>"));
  g_string_free (xml, TRUE);
  budget_results_clear (&results);
  g_ptr_array_unref (budgets);
  g_ptr_array_unref (keys);
  g_ptr_array_unref (runs);
  clear_run (&run);
}

/* ---- origins ---- */

struct origin {
  const char *log;
  bool is_eventlog;
  uint64_t data_version; /* 0: none */
  const char *runtime;   /* of an eventlog */
  const char *names[3];  /* of assemblies, of images 1, 2 ... */
  const char *files[3];  /* of these images */
  const char *host, *version;
};

static struct run_figures
make_origin (const struct origin *o)
{
  static const struct emitter_column name_columns[]
      = { { "image", "Image", EMIT_ADDRESS }, { "name", "Name", EMIT_TEXT } };
  struct run_figures run = { .log = g_strdup (o->log),
                             .is_eventlog = o->is_eventlog,
                             .record = emitter_record_new () };
  struct emitter *e = emitter_new_record (run.record);
  emitter_begin (e, "test/1");
  emitter_open (e, "log", "Log");
  if (o->data_version != 0)
    emitter_number (e, "data_version", "Version", o->data_version);
  if (o->is_eventlog)
    emitter_text (e, "runtime", "Runtime", o->runtime);
  emitter_number (e, "pid", "Process", 4711);
  emitter_close (e);
  emitter_open (e, "metadata", "Metadata");
  for (int kind = 0; kind < 2; kind++) {
    const char *const *all = kind == 0 ? o->names : o->files;
    if (all[0] == NULL && all[1] == NULL)
      continue;
    emitter_open_table (e, kind == 0 ? "assembly_names" : "image_files", "Names", name_columns,
                        G_N_ELEMENTS (name_columns));
    for (uint64_t i = 0; i < 3; i++)
      put_row (e, (const union emitter_value[]){ { .number = i + 1 }, { .text = all[i] } });
    emitter_close_table (e, 0);
  }
  emitter_close (e);
  emitter_end (e);
  emitter_free (e);
  return run;
}

TEST (test_origins)
{
#define LIBRARY "mscorlib, Version=4.0.0.0, Culture=neutral"
#define APP "App, Version=1.2.3.4, Culture=neutral"
#define OTHER "Other, Version=5.6.7.8, Culture=neutral"
  static const struct origin cases[] = {
    { "/x/a.mlpd", false, 17, NULL, { NULL }, { NULL }, "unknown", "Mono log, data version 17" },
    { "-", false, 17, NULL, { NULL }, { NULL }, "unknown", "Mono log, data version 17" },
    { "/x/a.mlpd", false, 0, NULL, { NULL }, { NULL }, "unknown", "unknown" },
    { "/host=h/version=v/a", false, 17, NULL, { NULL }, { NULL }, "h", "v" },
    { "/host=a%20b/version=/host=/hosts=x/host/a",
      false,
      3,
      NULL,
      { NULL },
      { NULL },
      "a b",
      "Mono log, data version 3" },
    { "/host=a%zz/a", false, 3, NULL, { NULL }, { NULL }, "a%zz", "Mono log, data version 3" },
    { "/x/host=h", false, 3, NULL, { NULL }, { NULL }, "unknown", "Mono log, data version 3" },
    { "/x/a", true, 0, "GHC-9.4 rts_thr", { NULL }, { NULL }, "unknown", "GHC-9.4 rts_thr" },
    { "/x/a", true, 0, NULL, { NULL }, { NULL }, "unknown", "unknown" },
    /* The program's assembly, which a file names; the first one without such a file. */
    { "/x/a",
      false,
      17,
      NULL,
      { LIBRARY, OTHER, APP },
      { "m.dll", "o.dll", "a.exe" },
      "unknown",
      "App 1.2.3.4" },
    { "/x/a",
      false,
      17,
      NULL,
      { LIBRARY, OTHER, APP },
      { "m.dll", "o.dll", NULL },
      "unknown",
      "Other 5.6.7.8" },
    { "/x/a", false, 17, NULL, { LIBRARY, OTHER, APP }, { NULL }, "unknown", "Other 5.6.7.8" },
    { "/x/a", false, 17, NULL, { LIBRARY, NULL, APP }, { NULL }, "unknown", "App 1.2.3.4" },
    { "/version=v/a", false, 17, NULL, { LIBRARY, NULL, NULL }, { NULL }, "unknown", "v" },
    { "/x/a",
      false,
      17,
      NULL,
      { "App, Version=0.0.0.0, x", NULL, NULL },
      { NULL },
      "unknown",
      "Mono log, data version 17" },
    { "/x/a",
      false,
      17,
      NULL,
      { "App, Version=, x", NULL, NULL },
      { NULL },
      "unknown",
      "Mono log, data version 17" },
    { "/x/a",
      false,
      17,
      NULL,
      { "App", NULL, NULL },
      { NULL },
      "unknown",
      "Mono log, data version 17" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct run_figures run = make_origin (&cases[i]);
    char *host = run_origin_host (&run), *version = run_origin_version (&run);
    assert_string_equal (host, cases[i].host);
    assert_string_equal (version, cases[i].version);
    assert_int_equal (run_origin_pid (&run), 4711);
    /* What an eventlog states of its host, its folder may state better. */
    run.host = (char *) "stated";
    char *stated = run_origin_host (&run);
    assert_string_equal (stated, strcmp (host, "unknown") == 0 ? "stated" : host);
    g_free (stated);
    g_free (version);
    g_free (host);
    clear_run (&run);
  }
  struct run_figures none = { .log = g_strdup ("a"), .record = emitter_record_new () };
  assert_int_equal (run_origin_pid (&none), 0);
  clear_run (&none);
}

/* Rows that are one: a maximum is the largest, others are a sum, and what is no amount adds
 * nothing. */
TEST (test_added_cells)
{
  const struct {
    const char *column;
    enum emitter_type type;
    uint64_t expected;
  } cases[]
      = { { "count", EMIT_NUMBER, 12 }, { "total_ns", EMIT_NS, 12 },  { "max_ns", EMIT_NS, 7 },
          { "count", EMIT_CHANGE, 7 },  { "count", EMIT_ADDRESS, 7 }, { "name", EMIT_TEXT, 7 } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct emitter_any cell = { .type = cases[i].type, .value.number = 5 };
    assert_int_equal (run_figures_add_cell (cases[i].column, 7, &cell), cases[i].expected);
  }
}
