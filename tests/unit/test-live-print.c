/* test-live-print.c -- figures as JSON. */
#include "config.h"

#include "decoder/live/live-outputs.h"
#include "tests/unit/test.h"

#include <string.h>

static bool
has (const GString *text, const char *part)
{
  return strstr (text->str, part) != NULL;
}

TEST (test_json)
{
  struct live_figures f;
  GString *out = g_string_new (NULL);
  live_figures_init (&f);
  f.format = LIVE_GHC;
  f.events = (struct live_count){ .now = 3, .all = 10 };
  f.pause_ns = (struct live_count){ .now = 7, .all = UINT64_MAX };
  f.heap_bytes = 4096;
  f.living = 2;
  f.collections[1] = (struct live_count){ .now = 1, .all = 5 };
  g_ptr_array_add (f.mark_names, (void *) "a\"b");
  live_print_json (&f, out);
  assert_true (g_str_has_prefix (out->str, "{\"format\":\"ghc\",\"events\":3,\"events_all\":10,"));
  assert_true (has (out, ",\"pause_ns\":7,\"pause_ns_all\":18446744073709551615,"));
  assert_true (has (out, ",\"heap_bytes\":4096,"));
  assert_true (has (out, ",\"threads\":2,"));
  assert_true (g_str_has_suffix (out->str,
                                 ",\"mark_names\":[\"a\\\"b\"],\"collections\":[0,1,0,0,0,0,0,0],"
                                 "\"collections_all\":[0,5,0,0,0,0,0,0]}"));
  g_string_free (out, TRUE);
  live_figures_clear (&f);
}

static void
add_type (struct live_figures *f, const char *name, uint64_t address, uint64_t objects,
          uint64_t bytes)
{
  const struct live_row row = { .name = name,
                                .address = address,
                                .count = { .now = objects, .all = objects },
                                .bytes = { .now = bytes, .all = bytes } };
  g_array_append_val (f->types, row);
}

/* When a thread of Mono ran is not known, nor its allocations if these are not recorded. */
TEST (test_unknown)
{
  const struct live_thread thread
      = { .id = 0xabc, .state = LIVE_UNKNOWN, .events = { .now = 3, .all = 9 } };
  const struct live_thread other
      = { .id = 0xdef, .state = LIVE_RUNNING, .events = { .now = 3, .all = 9 }, .has_bytes = true };
  struct live_figures f;
  GString *out = g_string_new (NULL);
  live_figures_init (&f);
  f.format = LIVE_MONO;
  f.interval_ns = UINT64_C (1000000000);
  g_array_append_val (f.threads, thread);
  g_array_append_val (f.threads, other);
  live_print_tables (&f, 10, out);
  /* An unknown value comes after a 0 that is known. */
  assert_true (
      has (out, "\"rows\":["
                "{\"id\":\"0xdef\",\"name\":\"\",\"state\":\"runs\",\"values\":[3,null,0,9]},"
                "{\"id\":\"0xabc\",\"name\":\"\",\"state\":\"-\",\"values\":[3,null,null,9]}]"));
  g_array_index (f.threads, struct live_thread, 0).run_ns.now = 250000000;
  f.format = LIVE_GHC;
  g_string_truncate (out, 0);
  live_print_tables (&f, 10, out);
  assert_true (has (out, "\"values\":[3,0.25,null,9]}"));
  g_string_free (out, TRUE);
  live_figures_clear (&f);
}

/* Of many rows come those that have most of anything; names are as they are, and not too long. */
TEST (test_tables)
{
  struct live_figures f;
  GString *out = g_string_new (NULL), *name = g_string_new (NULL);
  live_figures_init (&f);
  f.interval_ns = UINT64_C (2000000000);
  for (int i = 0; i < 399; i++)
    g_string_append_c (name, 'n');
  g_string_append (name, "\xc3\xa4 and more"); /* byte 400 is within the letter */
  add_type (&f, "few", 0, 1, 1);
  add_type (&f, "large", 0, 2, 1000);
  add_type (&f, "many \"<script>\"\n", 0, 500, 10);
  add_type (&f, NULL, 0xabc, 3, 900);
  add_type (&f, name->str, 0, 400, 20);
  live_print_tables (&f, 2, out);
  /* By bytes 1000 and 900, by objects 500 and 400: four of the five. */
  assert_true (has (
      out, "{\"name\":\"types\",\"columns\":[{\"title\":\"BYTES/s\",\"value\":\"byte_rate\"},"));
  assert_true (has (out,
                    "\"left_out\":1,\"rows\":["
                    "{\"id\":\"\",\"name\":\"large\",\"state\":\"\",\"values\":[500,1,1000,2]},"
                    "{\"id\":\"0xabc\",\"name\":\"\",\"state\":\"\",\"values\":[450,1.5,900,3]},"));
  assert_true (has (
      out, "\"name\":\"many \\\"<script>\\\"\\u000a\",\"state\":\"\",\"values\":[5,250,10,500]}"));
  g_string_truncate (name, 399);
  g_string_prepend (name, "\"name\":\"");
  g_string_append (name, "\",");
  assert_true (has (out, name->str));
  assert_false (has (out, "few"));
  g_string_free (out, TRUE);
  g_string_free (name, TRUE);
  live_figures_clear (&f);
}
