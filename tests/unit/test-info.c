/* test-info.c -- the contents of a log. */
#include "config.h"

#include "decoder/views/mlpd/report.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

static char *
info (const GByteArray *log, gsize length, enum emitter_format format, guint limit)
{
  struct summary s;
  summarize_bytes (log->data, length, &s);
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (format, out);
  const struct view view = { .limit = limit };
  sections_write (e, INFO_SCHEMA, "a.mlpd", &s, &view, info_sections);
  emitter_free (e);
  summary_clear (&s);
  return g_string_free (out, FALSE);
}

/* 32 + 48 + 2 * 5 bytes of allocations + 3 of a leave, + 48 + 3 + 48 = 192.  10 of them are 5.2 %,
 * 6 are 3.1 %. */
static GByteArray *
small_log (void)
{
  struct script log;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_alloc (&log, 1010, 0x100, 0x200, 8);
  script_alloc (&log, 1020, 0x100, 0x200, 8);
  script_leave (&log, 1030, 0x300);
  script_buffer (&log, 2, 1000);
  script_leave (&log, 1010, 0x300);
  return script_end (&log);
}

TEST (test_text)
{
  GByteArray *log = small_log ();
  assert_int_equal (log->len, 192);
  char *text = info (log, log->len, EMITTER_TEXT, 1);
  const char *content = strstr (text, "  Bytes  ");
  assert_non_null (content);
  assert_string_equal (content, "  Bytes                192\n"
                                "  Buffers              3\n"
                                "  Events               4\n"
                                "\n"
                                "Content\n"
                                "  Threads              2\n"
                                "  Heap snapshots       0\n"
                                "  Exceptions           0\n"
                                "  Classes              0\n"
                                "  Images               0\n"
                                "  Compiled methods     0\n"
                                "  Complete             yes\n"
                                "\n"
                                "Events\n"
                                "Events  Bytes    %  Kind\n"
                                "     2     10  5.2  alloc\n"
                                "     2      6  3.1  method-leave\n"
                                "\n"
                                "Threads\n"
                                "Thread  First event ms  Last event ms  Events\n"
                                "   0x1           0.000          0.000       3\n"
                                "... and 1 more (--limit 0 shows all)\n");
  g_free (text);
  g_byte_array_unref (log);
}

TEST (test_json)
{
  GByteArray *log = small_log ();
  char *text = info (log, log->len - 1, EMITTER_JSON, 0);
  assert_true (g_str_has_prefix (text, "{\n  \"schema\": \"proflog.info/1\",\n  \"log\": {\n"));
  assert_non_null (strstr (text, "    \"complete\": false,\n    \"completeness\": \"no\"\n"));
  assert_non_null (strstr (text, "    \"truncated\": true,\n"));
  assert_non_null (strstr (text, "  \"kinds\": [\n"
                                 "    { \"events\": 2, \"bytes\": 10, \"kind\": \"alloc\" },\n"
                                 "    { \"events\": 2, \"bytes\": 6, \"kind\": \"method-leave\" }\n"
                                 "  ],\n"
                                 "  \"threads\": [\n"
                                 "    { \"id\": \"0x1\", \"start_ns\": 10, \"end_ns\": 30, "
                                 "\"events\": 3, \"name\": null },\n"));
  g_free (text);
  g_byte_array_unref (log);
}
