/* test-emitter.c -- the same calls as text and as JSON. */
#include "config.h"

#include "decoder/output/emitter.h"
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

static void
put_row (struct emitter *e, const union emitter_value *values)
{
  emitter_open_row (e, values);
  emitter_close_row (e);
}

static const struct emitter_column columns[] = {
  { "bytes", "Bytes", EMIT_NUMBER },  { NULL, "%", EMIT_SHARE },
  { "delta", "Change", EMIT_CHANGE }, { "ns", "ms", EMIT_NS },
  { "object", "At", EMIT_ADDRESS },   { "note", "Note", EMIT_TEXT },
  { "name", "Type", EMIT_TEXT },
};

static void
put_table (struct emitter *e)
{
  const union emitter_value rows[][7] = {
    { { .number = UINT64_MAX },
      { .number = 999 },
      { .change = INT64_MIN },
      { .number = 1234567 },
      { .number = 0xfedcba9876543210 },
      { .text = NULL },
      { .text = "A" } },
    { { .number = 8 },
      { .number = 1 },
      { .change = 5 },
      { .number = 999 },
      { .number = 0 },
      { .text = NULL },
      { .text = "L\xc3\xa4nge" } },
  };
  emitter_open_table (e, "types", "Types", columns, G_N_ELEMENTS (columns));
  put_row (e, rows[0]);
  put_row (e, rows[1]);
  emitter_close_table (e, 3);
}

static void
put_all (struct emitter *e)
{
  GPtrArray *texts = g_ptr_array_new ();
  g_ptr_array_add (texts, (gpointer) "one");
  g_ptr_array_add (texts, (gpointer) "two");
  emitter_begin (e, "test/1");
  emitter_open (e, "log", "Log");
  emitter_number (e, "pid", "Process", 4711);
  emitter_number (e, "secret", NULL, 7);
  emitter_ns (e, "wait_ns", "Wait", 1002003);
  emitter_value (e, "when_ns", "When", EMIT_TIME, (union emitter_value){ .change = -1500000 });
  emitter_text (e, "name", "Name", NULL);
  emitter_truth (e, "whole", "Whole", true);
  emitter_texts (e, "messages", "What", texts);
  emitter_close (e);
  put_table (e);
  emitter_open (e, "hidden", NULL);
  emitter_number (e, "hits", "Hits", 1);
  put_table (e);
  emitter_note (e, "not to be seen");
  emitter_open_list (e, "inner", "Inner");
  emitter_close_list (e);
  emitter_close (e);
  emitter_open_list (e, "shots", NULL);
  for (unsigned i = 1; i <= 2; i++) {
    emitter_open (e, NULL, i == 1 ? "Shot 1" : "Shot 2");
    emitter_number (e, "index", NULL, i);
    emitter_number (e, "objects", "Objects", i * 10);
    emitter_close (e);
  }
  emitter_close_list (e);
  emitter_open_list (e, "none", NULL);
  emitter_close_list (e);
  emitter_open_table (e, "empty", "Empty", columns, G_N_ELEMENTS (columns));
  emitter_close_table (e, 0);
  emitter_note (e, "That is all.");
  emitter_end (e);
  g_ptr_array_free (texts, TRUE);
}

static void
expect_output (enum emitter_format format, const char *expected)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (format, out);
  put_all (e);
  emitter_free (e);
  assert_string_equal (out->str, expected);
  g_string_free (out, TRUE);
}

#define ROWS(indent)                                                                               \
  indent "{ \"bytes\": 18446744073709551615, \"delta\": -9223372036854775808, \"ns\": 1234567, "   \
         "\"object\": \"0xfedcba9876543210\", \"note\": null, \"name\": \"A\" },\n" indent         \
         "{ \"bytes\": 8, \"delta\": 5, \"ns\": 999, \"object\": \"0x0\", \"note\": null, "        \
         "\"name\": \"L\xc3\xa4nge\" }\n"

TEST (test_json)
{
  expect_output (EMITTER_JSON,
                 "{\n"
                 "  \"schema\": \"test/1\",\n"
                 "  \"log\": {\n"
                 "    \"pid\": 4711,\n"
                 "    \"secret\": 7,\n"
                 "    \"wait_ns\": 1002003,\n"
                 "    \"when_ns\": -1500000,\n"
                 "    \"name\": null,\n"
                 "    \"whole\": true,\n"
                 "    \"messages\": [\n"
                 "      \"one\",\n"
                 "      \"two\"\n"
                 "    ]\n"
                 "  },\n"
                 "  \"types\": [\n" ROWS ("    ") "  ],\n"
                                                  "  \"hidden\": {\n"
                                                  "    \"hits\": 1,\n"
                                                  "    \"types\": [\n" ROWS (
                                                      "      ") "    ],\n"
                                                                "    \"inner\": []\n"
                                                                "  },\n"
                                                                "  \"shots\": [\n"
                                                                "    {\n"
                                                                "      \"index\": 1,\n"
                                                                "      \"objects\": 10\n"
                                                                "    },\n"
                                                                "    {\n"
                                                                "      \"index\": 2,\n"
                                                                "      \"objects\": 20\n"
                                                                "    }\n"
                                                                "  ],\n"
                                                                "  \"none\": [],\n"
                                                                "  \"empty\": []\n"
                                                                "}\n");
}

/* Numbers stand to the right, text to the left; the column of notes has none and is left out. */
TEST (test_text)
{
  expect_output (
      EMITTER_TEXT,
      "Log\n"
      "  Process              4711\n"
      "  Wait                 1.002 ms\n"
      "  When                 -1.500 ms\n"
      "  Name                 -\n"
      "  Whole                yes\n"
      "  What                 one\n"
      "                       two\n"
      "\n"
      "Types\n"
      "               Bytes     %                Change     ms                  At  Type\n"
      "18446744073709551615  99.9  -9223372036854775808  1.234  0xfedcba9876543210  A\n"
      "                   8   0.1                    +5  0.000                 0x0  L\xc3\xa4nge\n"
      "... and 3 more (--limit 0 shows all)\n"
      "\n"
      "Shot 1\n"
      "  Objects              10\n"
      "\n"
      "Shot 2\n"
      "  Objects              20\n"
      "That is all.\n");
}

/* Tables by name; one without rows is its head. */
TEST (test_csv)
{
  expect_output (
      EMITTER_CSV,
      "table,pid,secret,wait_ns,when_ns,name,whole,messages\n"
      "log,4711,7,1002003,-1500000,,true,one;two\n"
      "\n"
      "table,bytes,delta,ns,object,note,name\n"
      "types,18446744073709551615,-9223372036854775808,1234567,0xfedcba9876543210,,A\n"
      "types,8,5,999,0x0,,L\xc3\xa4nge\n"
      "\n"
      "table,hits\n"
      "hidden,1\n"
      "\n"
      "table,bytes,delta,ns,object,note,name\n"
      "hidden.types,18446744073709551615,-9223372036854775808,1234567,0xfedcba9876543210,,A\n"
      "hidden.types,8,5,999,0x0,,L\xc3\xa4nge\n"
      "\n"
      "table,index,objects\n"
      "shots,1,10\n"
      "shots,2,20\n"
      "\n"
      "table,bytes,delta,ns,object,note,name\n");
}

TEST (test_markdown)
{
  expect_output (
      EMITTER_MARKDOWN,
      "## Log\n"
      "\n"
      "- Process: 4711\n"
      "- Wait: 1.002 ms\n"
      "- When: -1.500 ms\n"
      "- Name: -\n"
      "- Whole: yes\n"
      "- What: one\n"
      "- What: two\n"
      "\n"
      "## Types\n"
      "\n"
      "| Bytes | % | Change | ms | At | Type |\n"
      "| ---: | ---: | ---: | ---: | ---: | --- |\n"
      "| 18446744073709551615 | 99.9 | -9223372036854775808 | 1.234 | 0xfedcba9876543210 | A |\n"
      "| 8 | 0.1 | +5 | 0.000 | 0x0 | L\xc3\xa4nge |\n"
      "\n"
      "... and 3 more (--limit 0 shows all)\n"
      "\n"
      "## Shot 1\n"
      "\n"
      "- Objects: 10\n"
      "\n"
      "## Shot 2\n"
      "\n"
      "- Objects: 20\n"
      "\n"
      "That is all.\n");
}

/* A list and a table in the first of two rows, in a section. */
static void
put_rows (struct emitter *e)
{
  static const struct emitter_column types[]
      = { { "bytes", "Bytes", EMIT_NUMBER }, { "name", "Type", EMIT_TEXT } };
  static const struct emitter_column parts[] = { { "size", "Size", EMIT_NUMBER },
                                                 { "id", NULL, EMIT_NUMBER },
                                                 { "name", "Part", EMIT_TEXT } };
  const union emitter_value rows[][2]
      = { { { .number = 8 }, { .text = "A" } }, { { .number = 9 }, { .text = "B,\"" } } };
  const union emitter_value part[] = { { .number = 3 }, { .number = 5 }, { .text = "x|y" } };
  GPtrArray *frames = g_ptr_array_new ();
  g_ptr_array_add (frames, (gpointer) "Main ()");
  g_ptr_array_add (frames, (gpointer) "Work ()");
  emitter_begin (e, "test/1");
  emitter_open (e, "alloc", "Alloc");
  emitter_number (e, "all", "All", 17);
  emitter_open_table (e, "types", NULL, types, 2);
  emitter_open_row (e, rows[0]);
  emitter_open_list (e, "traces", NULL);
  emitter_open (e, NULL, "2 from");
  emitter_number (e, "count", NULL, 2);
  emitter_lines (e, "frames", frames);
  emitter_close (e);
  emitter_close_list (e);
  emitter_open_table (e, "parts", NULL, parts, G_N_ELEMENTS (parts));
  put_row (e, part);
  emitter_close_table (e, 0);
  emitter_close_row (e);
  put_row (e, rows[1]);
  emitter_close_table (e, 0);
  emitter_close (e);
  emitter_end (e);
  g_ptr_array_free (frames, TRUE);
}

static void
expect_rows (enum emitter_format format, bool tables_only, const char *log, const char *expected)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (format, out);
  if (tables_only)
    emitter_set_tables_only (e);
  if (log != NULL)
    emitter_set_log (e, log);
  put_rows (e);
  emitter_free (e);
  assert_string_equal (out->str, expected);
  g_string_free (out, TRUE);
}

TEST (test_rows)
{
  expect_rows (EMITTER_TEXT, false, NULL,
               "Alloc\n"
               "  All                  17\n"
               "  Bytes  Type\n"
               "      8  A\n"
               "    2 from\n"
               "      Main ()\n"
               "      Work ()\n"
               "    Size  Part\n"
               "       3  x|y\n"
               "      9  B,\"\n");
  expect_rows (EMITTER_JSON, false, NULL,
               "{\n"
               "  \"schema\": \"test/1\",\n"
               "  \"alloc\": {\n"
               "    \"all\": 17,\n"
               "    \"types\": [\n"
               "      { \"bytes\": 8, \"name\": \"A\",\n"
               "        \"traces\": [\n"
               "          {\n"
               "            \"count\": 2,\n"
               "            \"frames\": [\n"
               "              \"Main ()\",\n"
               "              \"Work ()\"\n"
               "            ]\n"
               "          }\n"
               "        ],\n"
               "        \"parts\": [\n"
               "          { \"size\": 3, \"id\": 5, \"name\": \"x|y\" }\n"
               "        ]\n"
               "      },\n"
               "      { \"bytes\": 9, \"name\": \"B,\\\"\" }\n"
               "    ]\n"
               "  }\n"
               "}\n");
  expect_rows (EMITTER_MARKDOWN, false, NULL,
               "## Alloc\n"
               "\n"
               "- All: 17\n"
               "\n"
               "| Bytes | Type |\n"
               "| ---: | --- |\n"
               "| 8 | A |\n"
               "| 9 | B,\" |\n"
               "\n"
               "- A\n"
               "  - 2 from\n"
               "    - Main ()\n"
               "    - Work ()\n"
               "  - Size: 3, Part: x\\|y\n");
  expect_rows (EMITTER_CSV, true, "a,b.mlpd",
               "table,log,bytes,name\n"
               "alloc.types,\"a,b.mlpd\",8,A\n"
               "alloc.types,\"a,b.mlpd\",9,\"B,\"\"\"\n"
               "\n"
               "table,log,types,count,frames\n"
               "alloc.types.traces,\"a,b.mlpd\",A,2,Main ();Work ()\n"
               "\n"
               "table,log,types,size,id,name\n"
               "alloc.types.parts,\"a,b.mlpd\",A,3,5,x|y\n");
}

/* Two reports of one table, which stands alone; it is there although the list is empty. */
TEST (test_csv_alone)
{
  static const struct emitter_column types[]
      = { { "bytes", "Bytes", EMIT_NUMBER }, { "name", "Type", EMIT_TEXT } };
  for (uint64_t shots = 0; shots <= 2; shots++) {
    GString *out = g_string_new (NULL);
    struct emitter *e = emitter_new (EMITTER_CSV, out);
    emitter_set_tables_only (e);
    for (int report = 0; report < 2; report++) {
      emitter_begin (e, "test/1");
      emitter_open_list (e, "shots", NULL);
      emitter_expect_table (e, "types", "index", types, 2, NULL);
      for (uint64_t i = 1; i <= shots; i++) {
        const union emitter_value row[] = { { .number = i * 10 }, { .text = " x" } };
        emitter_open (e, NULL, NULL);
        emitter_number (e, "index", NULL, i);
        emitter_number (e, "other", NULL, 5);
        emitter_open_table (e, "types", NULL, types, 2);
        put_row (e, row);
        emitter_close_table (e, 0);
        emitter_close (e);
      }
      emitter_close_list (e);
      emitter_end (e);
    }
    emitter_free (e);
    static const char *const expected[]
        = { "index,bytes,name\n", "index,bytes,name\n1,10,\" x\"\n1,10,\" x\"\n",
            "index,bytes,name\n1,10,\" x\"\n2,20,\" x\"\n1,10,\" x\"\n2,20,\" x\"\n" };
    assert_string_equal (out->str, expected[shots]);
    g_string_free (out, TRUE);
  }
}

/* Tables of one name whose columns differ are several, in the order in which they began. */
TEST (test_csv_columns)
{
  static const struct emitter_column first[]
      = { { "id", "Id", EMIT_NUMBER }, { "runs", "Runs", EMIT_NUMBER } };
  static const struct emitter_column second[]
      = { { "id", "Id", EMIT_NUMBER }, { "pauses", "Pauses", EMIT_NUMBER } };
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (EMITTER_CSV, out);
  for (uint64_t report = 1; report <= 3; report++) {
    const bool is_second = report == 2;
    const union emitter_value row[] = { { .number = report * 10 }, { .number = report } };
    emitter_begin (e, "test/1");
    emitter_open (e, "gc", NULL);
    emitter_number (e, "count", NULL, report);
    emitter_number (e, is_second ? "parallel" : "moves", NULL, report * 100);
    emitter_open_table (e, "rows", NULL, is_second ? second : first, 2);
    put_row (e, row);
    emitter_close_table (e, 0);
    emitter_close (e);
    emitter_end (e);
  }
  emitter_free (e);
  assert_string_equal (out->str, "table,count,moves\ngc,1,100\ngc,3,300\n\n"
                                 "table,id,runs\ngc.rows,10,1\ngc.rows,30,3\n\n"
                                 "table,count,parallel\ngc,2,200\n\n"
                                 "table,id,pauses\ngc.rows,20,2\n");
  g_string_free (out, TRUE);
}

/* Each count of digits, against the C library. */
static void
check_digits (uint64_t number)
{
  g_autofree char *expected
      = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT, number,
                         number / 1000000, number % 1000000);
  GString *out = g_string_new (NULL);
  emitter_append_decimal (out, number);
  g_string_append_c (out, ' ');
  emitter_append_fixed (out, number, 6);
  assert_string_equal (out->str, expected);
  g_string_free (out, TRUE);
}

TEST (test_digits)
{
  uint64_t power = 1;
  for (int i = 0; i < 20; i++, power *= 10) {
    check_digits (power - 1);
    check_digits (power);
    check_digits (power + 1);
  }
  for (int bit = 0; bit < 64; bit++) {
    check_digits (UINT64_C (1) << bit);
    check_digits ((UINT64_C (1) << bit) - 1);
  }
}

TEST (test_numbers)
{
  static const struct {
    uint64_t number;
    unsigned decimals; /* 0: none */
    const char *text;
  } cases[] = {
    { 0, 0, "0" },
    { 9, 0, "9" },
    { 10, 0, "10" },
    { 99, 0, "99" },
    { 100, 0, "100" },
    { 1234567, 0, "1234567" },
    { UINT64_MAX, 0, "18446744073709551615" },
    { 0, 3, "0.000" },
    { 5, 6, "0.000005" },
    { 999, 3, "0.999" },
    { 1000, 3, "1.000" },
    { 12034, 3, "12.034" },
    { UINT64_MAX, 6, "18446744073709.551615" },
    { UINT64_MAX, 19, "1.8446744073709551615" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    GString *out = g_string_new (NULL);
    if (cases[i].decimals == 0)
      emitter_append_decimal (out, cases[i].number);
    else
      emitter_append_fixed (out, cases[i].number, cases[i].decimals);
    assert_string_equal (out->str, cases[i].text);
    g_string_free (out, TRUE);
  }
  GString *out = g_string_new (NULL);
  emitter_append_address (out, 0);
  emitter_append_address (out, UINT64_C (0xfedcba9876543210));
  assert_string_equal (out->str, "0x00xfedcba9876543210");
  g_string_free (out, TRUE);
}

static void
check_string (const char *text, size_t length, const char *expected)
{
  GString *out = g_string_new (NULL);
  emitter_append_json_string (out, text, length);
  assert_string_equal (out->str, expected);
  g_string_free (out, TRUE);
}

#define CHECK_STRING(text, expected) check_string (text, sizeof text - 1, expected)

TEST (test_json_strings)
{
  CHECK_STRING ("", "\"\"");
  CHECK_STRING ("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
  CHECK_STRING ("\t\n\x1b[31m\x7f", "\"\\u0009\\u000a\\u001b[31m\\u007f\"");
  CHECK_STRING ("a\0b", "\"a\\u0000b\"");
  CHECK_STRING ("\xe2\x82\xac \xf0\x9f\x8e\x89", "\"\xe2\x82\xac \xf0\x9f\x8e\x89\"");
  /* U+009B starts a sequence for terminals as ESC [ does. */
  CHECK_STRING ("\xc2\x9b", "\"\\u009b\"");
  /* U+202E reverses the text after it. */
  CHECK_STRING ("a\xe2\x80\xae"
                "b",
                "\"a\\u202eb\"");
  /* Each byte that is no UTF-8 is replaced: a stray one, one that is cut off, a surrogate, an
   * overlong form. */
  CHECK_STRING ("a\xff"
                "b",
                "\"a\\ufffdb\"");
  CHECK_STRING ("a\xe2\x82", "\"a\\ufffd\\ufffd\"");
  CHECK_STRING ("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
  CHECK_STRING ("\xc0\xaf", "\"\\ufffd\\ufffd\"");
}

/* Texts are read by several bytes at a time: each byte at each place of one. */
TEST (test_json_bytes)
{
  char text[24], alone[2] = { 0 };
  for (int byte = 1; byte < 0x100; byte++) {
    GString *one = g_string_new (NULL);
    alone[0] = (char) byte;
    emitter_append_json_string (one, alone, 1);
    g_string_erase (one, 0, 1); /* the quotes */
    g_string_truncate (one, one->len - 1);
    if (byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\')
      assert_string_equal (one->str, alone);
    else
      assert_string_not_equal (one->str, alone);
    for (size_t at = 0; at < sizeof text; at++) {
      memset (text, 'x', sizeof text);
      text[at] = (char) byte;
      g_autofree char *expected
          = g_strdup_printf ("\"%.*s%s%.*s\"", (int) at, "xxxxxxxxxxxxxxxxxxxxxxxx", one->str,
                             (int) (sizeof text - at - 1), "xxxxxxxxxxxxxxxxxxxxxxxx");
      check_string (text, sizeof text, expected);
    }
    g_string_free (one, TRUE);
  }
}

TEST (test_csv_cells)
{
  static const char *const cells[][2] = {
    { "", "" },
    { "a b;c'd", "a b;c'd" },
    { "a,b", "\"a,b\"" },
    { "a\"b", "\"a\"\"b\"" },
    { "\"", "\"\"\"\"" },
    { " a", "\" a\"" },
    { "a ", "\"a \"" },
    /* Characters that act on a terminal or break the line are escaped. */
    { "a\nb\r", "a\\u000ab\\u000d" },
    { "a\tb\x1b[31m\x7f", "a\\u0009b\\u001b[31m\\u007f" },
    { "\xc2\x9b", "\\u009b" },
    { "a\xe2\x80\xae", "a\\u202e" },
    /* A cell that a spreadsheet would compute is a text. */
    { "=1+2", "'=1+2" },
    { "=cmd|'/c calc'!A1,", "\"'=cmd|'/c calc'!A1,\"" },
    { "+x", "'+x" },
    { "-x", "'-x" },
    { "@SUM(1)", "'@SUM(1)" },
    { "-", "-" },
    { "->IO", "->IO" },
    { " =1+2", "' =1+2" },
    { "\u00a0=1+2", "'\u00a0=1+2" },
    { " \u3000\uff1d1+2", "' \u3000\uff1d1+2" },
    { "\uff20SUM(1)", "'\uff20SUM(1)" },
    { "\u00e9=1", "\u00e9=1" },
    { "\t=1+2", "'\\u0009=1+2" },
    { "  -", "\"  -\"" },
    { "x=1", "x=1" },
    { "\xff", "\xef\xbf\xbd" },
    { "\xc0\xaf,", "\"\xef\xbf\xbd\xef\xbf\xbd,\"" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cells); i++) {
    GString *out = g_string_new (NULL);
    emitter_append_csv_text (out, cells[i][0]);
    assert_string_equal (out->str, cells[i][1]);
    g_string_free (out, TRUE);
  }
}

/* All signs of direction, those that separate lines, and none of their neighbours. */
TEST (test_directions)
{
  static const gunichar signs[] = { 0x61c,  0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
                                    0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069 };
  static const gunichar others[] = { 0x61b, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a };
  for (size_t i = 0; i < G_N_ELEMENTS (signs) + G_N_ELEMENTS (others); i++) {
    const bool is_sign = i < G_N_ELEMENTS (signs);
    char text[8] = "";
    g_unichar_to_utf8 (is_sign ? signs[i] : others[i - G_N_ELEMENTS (signs)], text);
    char *printable = emitter_printable (text);
    assert_string_equal (printable, is_sign ? "?" : text);
    g_free (printable);
  }
}

/* Texts of a log cannot act on the terminal: in titles, as of processes, in notes and values. */
TEST (test_harmless_titles)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (EMITTER_TEXT, out);
  emitter_set_style (e, &(const struct emitter_style){ .folds = true });
  emitter_begin (e, "test/1");
  emitter_open (e, "first", "a\x1b[2J\xfc");
  emitter_note (e, "b\x1b[2J\xfc");
  emitter_close (e);
  emitter_open (e, "second", "c\x1b[2J");
  emitter_number (e, "pid", "Process", 7);
  emitter_close (e);
  emitter_end (e);
  emitter_free (e);
  assert_string_equal (out->str, "a?[2J\xef\xbf\xbd\n"
                                 "  b?[2J\xef\xbf\xbd\n"
                                 "\n"
                                 "c?[2J       Process 7\n");
  g_string_free (out, TRUE);
}

TEST (test_harmless_text)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (EMITTER_TEXT, out);
  emitter_begin (e, "test/1");
  emitter_text (e, "name", "Name",
                "a\x1b[2J\nb\xc2\x9b"
                "c\x7f\xff\xe2\x82\xac");
  emitter_end (e);
  emitter_free (e);
  assert_string_equal (out->str, "Name                   a?[2J?b?c?\xef\xbf\xbd\xe2\x82\xac\n");
  g_string_free (out, TRUE);
}

/* Signs that would make markup of a name, and characters that could break a line. */
TEST (test_markdown_escapes)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (EMITTER_MARKDOWN, out);
  emitter_begin (e, "test/1");
  emitter_text (e, "name", "Name", "List`1<T>.get_Item|a*b[]&c\\d\n\x1b");
  emitter_end (e);
  emitter_free (e);
  assert_string_equal (out->str, "- Name: List\\`1\\<T\\>.get\\_Item\\|a\\*b\\[\\]\\&c\\\\d??\n");
  g_string_free (out, TRUE);
}

/* Of any type; texts for people may differ from those for programs; a column that is for programs
 * only. */
TEST (test_any)
{
  static const struct emitter_column any_columns[] = { { "real", "Real", EMIT_REAL },
                                                       { "last", "Last", EMIT_ANY },
                                                       { "index", NULL, EMIT_NUMBER },
                                                       { "name", "Name", EMIT_TEXT } };
  static const struct emitter_any any[] = {
    { EMIT_NUMBER, { .number = UINT64_MAX }, NULL },
    { EMIT_CHANGE, { .change = -20000 }, "-2.000 ms" },
    { EMIT_REAL, { .real = 0.1 }, NULL },
    { EMIT_TEXT, { .text = "a,b" }, NULL },
  };
  static const double reals[] = { 0.1 + 0.2, -2.5e-7, 1e300, 3 };
  static const struct {
    enum emitter_format format;
    const char *expected;
  } cases[] = {
    { EMITTER_JSON,
      "{\n"
      "  \"schema\": \"test/1\",\n"
      "  \"c\": [\n"
      "    { \"real\": 0.30000000000000004, \"last\": 18446744073709551615, \"index\": 0, "
      "\"name\": \"x\" },\n"
      "    { \"real\": -2.5e-07, \"last\": -20000, \"index\": 1, \"name\": \"x\" },\n"
      "    { \"real\": 1e+300, \"last\": 0.1, \"index\": 2, \"name\": \"x\" },\n"
      "    { \"real\": 3, \"last\": \"a,b\", \"index\": 3, \"name\": \"x\" },\n"
      "    { \"real\": null, \"last\": null, \"index\": 4, \"name\": \"x\" }\n"
      "  ]\n"
      "}\n" },
    { EMITTER_TEXT, "               Real                  Last  Name\n"
                    "0.30000000000000004  18446744073709551615  x\n"
                    "           -2.5e-07             -2.000 ms  x\n"
                    "             1e+300                   0.1  x\n"
                    "                  3                   a,b  x\n"
                    "                  -                     -  x\n" },
    { EMITTER_CSV, "real,last,index,name\n"
                   "0.30000000000000004,18446744073709551615,0,x\n"
                   "-2.5e-07,-20000,1,x\n"
                   "1e+300,0.1,2,x\n"
                   "3,\"a,b\",3,x\n"
                   ",,4,x\n" },
    { EMITTER_MARKDOWN, "| Real | Last | Name |\n"
                        "| ---: | ---: | --- |\n"
                        "| 0.30000000000000004 | 18446744073709551615 | x |\n"
                        "| -2.5e-07 | -2.000 ms | x |\n"
                        "| 1e+300 | 0.1 | x |\n"
                        "| 3 | a,b | x |\n"
                        "| - | - | x |\n" },
  };
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    GString *out = g_string_new (NULL);
    struct emitter *e = emitter_new (cases[c].format, out);
    emitter_begin (e, "test/1");
    emitter_open_table (e, "c", NULL, any_columns, G_N_ELEMENTS (any_columns));
    for (guint i = 0; i <= G_N_ELEMENTS (any); i++) {
      const bool last = i == G_N_ELEMENTS (any);
      const union emitter_value row[] = { { .real = last ? (double) NAN : reals[i] },
                                          { .any = last ? NULL : &any[i] },
                                          { .number = i },
                                          { .text = "x" } };
      put_row (e, row);
    }
    emitter_close_table (e, 0);
    emitter_end (e);
    emitter_free (e);
    assert_string_equal (out->str, cases[c].expected);
    g_string_free (out, TRUE);
  }
}

/* Signs in cells; values in rows; expected tables and rows that never come. */
TEST (test_csv_details)
{
  static const struct emitter_column parts[] = { { "name", "Type", EMIT_TEXT } };
  static const char *const details[] = { "frames", "hits", NULL };
  for (unsigned rows = 0; rows <= 2; rows++) {
    GString *out = g_string_new (NULL);
    struct emitter *e = emitter_new (EMITTER_CSV, out);
    emitter_begin (e, "test/1");
    emitter_open_table (e, "types", NULL, parts, 1);
    emitter_expect_details (e, details);
    emitter_expect_table (e, "parts", "types", parts, 1, details);
    for (unsigned row = 0; row < rows; row++) {
      const union emitter_value name = { .text = row == 0 ? "a\n\"b\"\n" : "c" };
      GPtrArray *frames = g_ptr_array_new ();
      g_ptr_array_add (frames, (gpointer) "x\ny");
      emitter_open_row (e, &name);
      emitter_lines (e, "frames", frames);
      emitter_number (e, "hits", NULL, row);
      emitter_close_row (e);
      g_ptr_array_unref (frames);
    }
    emitter_close_table (e, 0);
    emitter_end (e);
    emitter_free (e);
    static const char *const expected[]
        = { "table,name,frames,hits\n\ntable,types,name,frames,hits\n",
            "table,name,frames,hits\ntypes,\"a\\u000a\"\"b\"\"\\u000a\",x\\u000ay,0\n\n"
            "table,types,name,frames,hits\n",
            "table,name,frames,hits\ntypes,\"a\\u000a\"\"b\"\"\\u000a\",x\\u000ay,0\n"
            "types,c,x\\u000ay,1\n\ntable,types,name,frames,hits\n" };
    assert_string_equal (out->str, expected[rows]);
    g_string_free (out, TRUE);
  }
}

/* Rounded, and without overflow. */
TEST (test_share)
{
  assert_int_equal (emitter_share (1, 3), 333);
  assert_int_equal (emitter_share (2, 3), 667);
  assert_int_equal (emitter_share (0, 0), 0);
  assert_int_equal (emitter_share (UINT64_MAX / 2, UINT64_MAX), 500);
  assert_int_equal (emitter_share (UINT64_MAX, UINT64_MAX), 1000);
}
