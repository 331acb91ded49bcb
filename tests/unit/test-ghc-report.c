/* test-ghc-report.c -- reports of eventlogs that lack events that others have. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/page.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

#define SECOND UINT64_C (1000000000)

/* The next event; its tag is that of its kind. */
static void
take (struct ghc_summary *s, const struct ghc_item *item)
{
  const struct ghc_event_type type = { .tag = ghc_describe (item->kind)->tag };
  struct ghc_item whole = *item;
  whole.event_type = &type;
  ghc_summary_item (s, &whole);
  ghc_summary_ordered (s, &whole);
}

/* The report of these events. */
static char *
report (enum emitter_format format, const struct section *const *sections,
        const struct ghc_item *const *items)
{
  static const struct view view = { .limit = 0 };
  struct ghc_summary s;
  GString *out = g_string_new (NULL);
  ghc_summary_init (&s, &(struct ghc_times){ 0, UINT64_MAX },
                    sections_features (&view, ghc_report_sections));
  for (; *items != NULL; items++)
    take (&s, *items);
  ghc_summary_finish (&s);
  struct emitter *e = emitter_new (format, out);
  sections_write_eventlog (e, "test/1", "a.eventlog", &s, &view, sections);
  emitter_free (e);
  ghc_summary_clear (&s);
  return g_string_free (out, FALSE);
}

static void
check_words (enum emitter_format format, const struct section *const *sections,
             const struct ghc_item *const *items, const char *const *words)
{
  char *text = report (format, sections, items);
  for (; *words != NULL; words++)
    if (strstr (text, *words) == NULL)
      fail_msg ("there is no '%s' in %s", *words, text);
  g_free (text);
}

#define ITEMS(...)                                                                                 \
  (const struct ghc_item *[])                                                                      \
  {                                                                                                \
    __VA_ARGS__, NULL                                                                              \
  }
#define WORDS(...)                                                                                 \
  (const char *const[])                                                                            \
  {                                                                                                \
    __VA_ARGS__, NULL                                                                              \
  }
#define MESSAGE(time)                                                                              \
  GHC_EVENT_ITEM (0, time, GHC_USER_MSG, .user_msg = { .message = GHC_TEXT ("x") })

/* ---- events that were not recorded ---- */

/* Each event that states something of time or memory is enough; a log of 2 s that has none says so.
 */
TEST (test_unrecorded)
{
  const struct {
    const struct ghc_item *items[3];
    bool is_recorded;
  } cases[] = {
    { { NULL }, false },
    { { MESSAGE (5) }, false },
    { { CREATE (0, 5, 1) }, false },
    { { RUN (0, 5, 1), STOP (0, 9, 1, FINISHED) }, true },
    { { GHC_EVENT_ITEM (0, 5, GHC_HEAP_ALLOCATED, .heap_allocated = { .bytes = 1 }) }, true },
    { { GHC_EVENT_ITEM (0, 5, GHC_SPARK_COUNTERS, .spark_counters = { .created = 1 }) }, true },
    { { SPARK_RUN (0, 5) }, true },
    { { HEAP_BEGIN (0, CLOSURE_DESCRIPTION) }, true },
    { { PROF_BEGIN (1000), TICK (5, 0, 1) }, true },
    { { PROF_BEGIN (1000) }, false },
    { { GHC_EVENT_ITEM (0, 5, GHC_GC_START, .gc_start = { 0 }),
        GHC_EVENT_ITEM (0, 9, GHC_GC_END, .gc_end = { 0 }) },
      true },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    for (uint64_t last = 2 * SECOND; last >= 2 * SECOND - 1; last--) {
      const struct ghc_item *items[6] = { MESSAGE (0) };
      size_t n = 1;
      for (; n < 4 && cases[i].items[n - 1] != NULL; n++)
        items[n] = cases[i].items[n - 1];
      items[n] = last == 2 * SECOND ? MESSAGE (2 * SECOND) : MESSAGE (2 * SECOND - 1);
      char *text = report (EMITTER_JSON, ghc_report_sections, items);
      assert_int_equal (strstr (text, "\"nothing-of-time-and-memory\"") != NULL,
                        !cases[i].is_recorded && last == 2 * SECOND);
      g_free (text);
    }
}

/* ---- heap profiles ---- */

/* Samples whose kind is not known, and a part that never has a byte. */
TEST (test_profile_without_beginning)
{
  const struct ghc_item *const *items
      = ITEMS (SAMPLE_BEGIN (10, 1), SAMPLE ("a", 300), SAMPLE ("b", 0), SAMPLE_END (11, 1),
               SAMPLE_BEGIN (20, 2), SAMPLE ("a", 500), SAMPLE_END (21, 2));
  check_words (EMITTER_TEXT, ghc_report_sections, items,
               WORDS ("Heap profile by parts", "Bytes at the peak"));
  check_words (EMITTER_JSON, ghc_report_sections, items,
               WORDS ("\"breakdown\": null", "\"period_ns\": 0", "\"sample_count\": 2",
                      "\"peak_bytes\": 500"));
  char *text = report (EMITTER_JSON, ghc_report_sections, items);
  assert_non_null (strstr (text, "\"name\": \"a\""));
  assert_null (strstr (text, "\"name\": \"b\""));
  g_free (text);
}

/* One that has begun and has no sample. */
TEST (test_profile_without_samples)
{
  check_words (EMITTER_TEXT, ghc_report_sections,
               ITEMS (HEAP_BEGIN (0, CLOSURE_DESCRIPTION), MESSAGE (5)),
               WORDS ("Heap profile by closure-description", "Only of modules"));
}

/* Names of info tables by address, by number, and a text that is neither; one that is not known. */
TEST (test_info_tables)
{
  check_words (EMITTER_JSON, ghc_report_sections,
               ITEMS (HEAP_BEGIN (0, INFO_TABLE), IPE (0x40, "t_info", "T", "label", "M", "M.hs:1"),
                      IPE (65, "u_info", "", "other", "N", "N.hs:1"), SAMPLE_BEGIN (10, 1),
                      SAMPLE ("0x40", 300), SAMPLE ("65", 200), SAMPLE ("0x99", 100),
                      SAMPLE ("12x", 50), SAMPLE ("", 40), SAMPLE_END (11, 1)),
               WORDS ("\"name\": \"label: T\"", "\"name\": \"other: u_info\"", "\"name\": \"0x99\"",
                      "\"name\": \"12x\"", "\"name\": \"\""));
}

/* Of 30 parts the page draws the largest ten, of the others the six that grow most, and their sum.
 */
TEST (test_page)
{
  enum { PARTS = 30, SAMPLES = 8 };
  struct ghc_summary s;
  static const struct view view = { .limit = 0 };
  GString *out = g_string_new (NULL);
  ghc_summary_init (&s, &(struct ghc_times){ 0, UINT64_MAX },
                    sections_features (&view, ghc_report_sections));
  take (&s, HEAP_BEGIN (0, CLOSURE_DESCRIPTION));
  for (uint64_t sample = 1; sample <= SAMPLES; sample++) {
    take (&s, SAMPLE_BEGIN (1000 * sample, sample));
    for (uint64_t i = 0; i < PARTS; i++) {
      char name[16];
      g_snprintf (name, sizeof name, "part%02u", (guint) i);
      /* The first ten are large and stay so; of the rest the later ones grow more, the last four
       * not. */
      const uint64_t bytes = i < 10 ? 1000000 - i : i < 26 ? 1500 * sample * i : 500;
      take (&s, GHC_EVENT_ITEM (GHC_NO_CAP, 1000 * sample, GHC_HEAP_PROF_SAMPLE_STRING,
                                .heap_prof_sample_string
                                = { .residency = bytes, .label = { name, 6 } }));
    }
    take (&s, SAMPLE_END (1000 * sample + 1, sample));
  }
  /* One without samples is not drawn. */
  take (&s, HEAP_BEGIN (1, CLOSURE_DESCRIPTION));
  ghc_summary_finish (&s);
  page_heap_put (out, &(struct report){ .ghc = &s, .view = &view });
  ghc_summary_clear (&s);
  static const char title[] = "\"title\":\"Heap profile by closure-description\"";
  const char *plot = strstr (out->str, title);
  assert_non_null (plot);
  assert_null (strstr (plot + 1, title));
  for (unsigned i = 0; i < PARTS; i++) {
    char name[32];
    g_snprintf (name, sizeof name, "{\"name\":\"part%02u\",", i);
    assert_int_equal (strstr (plot, name) != NULL, i < 10 || (i >= 20 && i < 26));
  }
  assert_non_null (strstr (plot, "{\"name\":\"14 others\",\n\"isRest\":true"));
  g_string_free (out, TRUE);
}

/* A band without a name there. */
TEST (test_page_without_beginning)
{
  struct ghc_summary s;
  static const struct view view = { .limit = 0 };
  GString *out = g_string_new (NULL);
  ghc_summary_init (&s, &(struct ghc_times){ 0, UINT64_MAX },
                    sections_features (&view, ghc_report_sections));
  take (&s, SAMPLE_BEGIN (10, 1));
  take (&s, SAMPLE ("a", 300));
  take (&s, SAMPLE ("b", 0));
  take (&s, SAMPLE_END (11, 1));
  ghc_summary_finish (&s);
  page_heap_put (out, &(struct report){ .ghc = &s, .view = &view });
  ghc_summary_clear (&s);
  assert_non_null (strstr (out->str, "\"title\":\"Heap profile by parts\""));
  assert_non_null (strstr (out->str, "{\"name\":\"a\",\n\"values\":[300]}"));
  assert_null (strstr (out->str, "\"name\":\"b\""));
  g_string_free (out, TRUE);
}

/* ---- processes ---- */

/* Two processes: one states all of itself, the other one nothing but that it is one. */
TEST (test_processes)
{
  const struct ghc_item *const *items = ITEMS (
      GHC_EVENT_ITEM (GHC_NO_CAP, 1, GHC_CAPSET_CREATE,
                      .capset_create = { .capset = 1, .capset_type = GHC_CAPSET_TYPE_OS_PROCESS }),
      GHC_EVENT_ITEM (GHC_NO_CAP, 1, GHC_CAPSET_CREATE,
                      .capset_create = { .capset = 2, .capset_type = GHC_CAPSET_TYPE_OS_PROCESS }),
      GHC_EVENT_ITEM (GHC_NO_CAP, 2, GHC_CAPSET_ASSIGN_CAP,
                      .capset_assign_cap = { .capset = 1, .cap = 0 }),
      GHC_EVENT_ITEM (GHC_NO_CAP, 2, GHC_CAPSET_ASSIGN_CAP,
                      .capset_assign_cap = { .capset = 2, .cap = 1 }),
      GHC_EVENT_ITEM (GHC_NO_CAP, 3, GHC_RTS_IDENTIFIER,
                      .rts_identifier
                      = { .capset = 1, .identifier = GHC_TEXT ("GHC-9.4 rts_thr") }),
      GHC_EVENT_ITEM (GHC_NO_CAP, 3, GHC_OSPROCESS_PID,
                      .osprocess_pid = { .capset = 1, .pid = 4711 }),
      TASK_CREATE (4, 0xa, 0, 100), RUN (0, 5, 1), STOP (0, 6, 1, FINISHED), RUN (1, 5, 2),
      STOP (1, 7, 2, FINISHED));
  check_words (EMITTER_JSON, ghc_report_sections, items,
               WORDS ("\"pid\": 4711", "\"runtime\": \"GHC-9.4 rts_thr\"", "\"pid\": null",
                      "\"runtime\": null", "\"capset\": 2"));
  check_words (EMITTER_TEXT, ghc_report_sections, items,
               WORDS ("capability set 2", "GHC-9.4 rts_thr"));
}
