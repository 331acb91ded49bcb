/* test-export-stacks.c -- stacks in the formats of viewers, which their documentation describes:
 * folded lines "FRAME;FRAME WEIGHT", and the JSON of speedscope. */
#include "config.h"

#include "decoder/exports/export.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"

/* Two stacks that share a frame; names that the formats would take for something else. */
static void
make_stacks (struct export_stacks *stacks)
{
  export_stacks_init (stacks);
  const uint32_t run = export_stacks_frame (stacks, "Run (int, string)");
  const uint32_t odd = export_stacks_frame (stacks, "a;b\nc \"d\"\r\t\\");
  const uint32_t empty = export_stacks_frame (stacks, "");
  const uint32_t root = export_stacks_add (stacks, EXPORT_STACKS_ROOT, run, 0);
  const uint32_t below = export_stacks_add (stacks, root, odd, 7);
  const uint32_t again = export_stacks_add (stacks, below, run, 5);
  export_stacks_add (stacks, again, empty, 1);
  assert_int_equal (export_stacks_frame (stacks, "Run (int, string)"), run);
}

static void
expect_written (const char *format, const char *expected)
{
  struct export_stacks stacks;
  GString *all = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = all };
  make_stacks (&stacks);
  export_find (format)->write_stacks (&stacks, &out);
  assert_string_equal (all->str, expected);
  export_stacks_clear (&stacks);
  g_string_free (out.bytes, TRUE);
  g_string_free (all, TRUE);
}

TEST (folded)
{
  expect_written ("folded", "Run (int, string);a:b?c \"d\"??\\ 7\n"
                            "Run (int, string);a:b?c \"d\"??\\;Run (int, string) 5\n"
                            "Run (int, string);a:b?c \"d\"??\\;Run (int, string);[unknown] 1\n");
}

TEST (speedscope)
{
  expect_written ("speedscope",
                  "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                  "\"exporter\":\"proflog@" PACKAGE_VERSION "\",\n"
                  "\"shared\":{\"frames\":[\n"
                  "{\"name\":\"Run (int, string)\"},\n"
                  "{\"name\":\"a;b\\u000ac \\\"d\\\"\\u000d\\u0009\\\\\"},\n"
                  "{\"name\":\"[unknown]\"}]},\n"
                  "\"profiles\":[{\"type\":\"sampled\",\"name\":\"all threads\",\"unit\":\"none\","
                  "\"startValue\":0,\"endValue\":13,\n"
                  "\"samples\":[\n[0,1],\n[0,1,0],\n[0,1,0,2]],\n"
                  "\"weights\":[\n7,\n5,\n1]}]}\n");
}

/* Own costs 5, 7 and 1; the call of the odd one by Run is the outermost, so it costs everything. */
TEST (callgrind)
{
  expect_written ("callgrind", "# callgrind format\n"
                               "version: 1\n"
                               "creator: proflog " PACKAGE_VERSION "\n"
                               "\n"
                               "positions: line\n"
                               "event: Hits : Samples\n"
                               "events: Hits\n"
                               "summary: 13\n"
                               "\n"
                               "fl=(1) unknown\n"
                               "fn=(1) Run (int, string)\n"
                               "0 5\n"
                               "cfn=(2) a;b?c \"d\"??\\\n"
                               "calls=1 0\n"
                               "0 13\n"
                               "cfn=(3) [unknown]\n"
                               "calls=1 0\n"
                               "0 1\n"
                               "\n"
                               "fn=(2)\n"
                               "0 7\n"
                               "cfn=(1)\n"
                               "calls=1 0\n"
                               "0 6\n"
                               "\n"
                               "fn=(3)\n"
                               "0 1\n"
                               "\n"
                               "totals: 13\n");
}
