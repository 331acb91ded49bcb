/* test-ghc-collector.c -- collections of small eventlogs, in whatever order their events come. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-collector.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#define GC(cap, time, kind) GHC_EVENT_ITEM (cap, time, GHC_##kind, .gc_start = { 0 })
#define STATS(cap, time, of)                                                                       \
  GHC_EVENT_ITEM (cap, time, GHC_GC_STATS_GHC, .gc_stats_ghc = { .generation = (of) })

/* The collections so far: "2: 100-140 (1)" is that of capability 2 and generation 1, "?" one whose
 * leader no event states. */
static void
note (void *data, const struct ghc_cap *leader, const struct ghc_interval *main, bool is_stated)
{
  g_string_append_printf (data, "%s%u: %u-%u (%d)%s", ((GString *) data)->len != 0 ? ", " : "",
                          leader->number, (unsigned) main->start, (unsigned) main->end,
                          main->generation, is_stated ? "" : "?");
}

static void
expect (const struct ghc_item *const *items, size_t n, bool is_ordered, const char *previewed,
        const char *expected)
{
  GString *got = g_string_new (NULL);
  const struct ghc_collections_watch watch = { note, got };
  struct ghc_collector c;
  ghc_collector_init (&c, &watch, 100, is_ordered);
  for (size_t i = 0; i < n; i++)
    ghc_collector_event (&c, items[i]);
  if (previewed != NULL) {
    GString *preview = g_string_new (NULL);
    ghc_collector_preview (&c, &(const struct ghc_collections_watch){ note, preview });
    assert_string_equal (preview->str, previewed);
    g_string_free (preview, TRUE);
  }
  ghc_collector_finish (&c);
  assert_string_equal (got->str, expected);
  ghc_collector_clear (&c);
  g_string_free (got, TRUE);
}
#define EXPECT(is_ordered, previewed, expected, ...)                                               \
  do {                                                                                             \
    const struct ghc_item *const items[] = { __VA_ARGS__ };                                        \
    expect (items, G_N_ELEMENTS (items), is_ordered, previewed, expected);                         \
  } while (0)

/* The events of the collections that the first test describes, of each capability. */
#define CAP_0 GC (0, 100, GC_START), GC (0, 140, GC_END), GC (0, 200, GC_START), GC (0, 210, GC_END)
#define CAP_1                                                                                      \
  GC (1, 90, REQUEST_PAR_GC), GC (1, 110, GC_START), GC (1, 150, GC_END), GC (1, 300, GC_START),   \
      GC (1, 320, GC_END)
#define UNSTATED "1: 110-150 (-1)?, 0: 200-210 (-1)?, 1: 300-320 (-1)?"

/* Capability 1 leads the first, which it requested, 0 the second, 1 the third: alone. */
TEST (test_unstated)
{
  EXPECT (false, UNSTATED, UNSTATED, CAP_0, CAP_1);
  EXPECT (false, UNSTATED, UNSTATED, CAP_1, CAP_0);
  EXPECT (true, "1: 300-320 (-1)?", UNSTATED, GC (1, 90, REQUEST_PAR_GC), GC (0, 100, GC_START),
          GC (1, 110, GC_START), GC (0, 140, GC_END), GC (1, 150, GC_END), GC (0, 200, GC_START),
          GC (0, 210, GC_END), GC (1, 300, GC_START), GC (1, 320, GC_END));
}

/* A part that began has no end yet; an end has no start. */
TEST (test_unfinished)
{
  EXPECT (false, "0: 100-140 (-1)?", "0: 100-140 (-1)?", GC (0, 50, GC_END), GC (0, 60, GC_START),
          GC (0, 100, GC_START), GC (0, 140, GC_END), GC (0, 200, GC_START));
}

/* Figures or the stop of all state who leads, before the end or after; then the other parts are of
 * these collections, or of lost ones. */
TEST (test_stated)
{
  EXPECT (false, "", "0: 100-140 (1), 1: 200-230 (-1), 1: 300-310 (0)", GC (0, 100, GC_START),
          STATS (0, 145, 1), GC (0, 140, GC_END), GC (0, 205, GC_START), GC (0, 240, GC_END),
          GC (0, 500, GC_START), GC (0, 510, GC_END), GC (1, 110, GC_START), GC (1, 120, GC_END),
          GC (1, 200, GC_START), GC (1, 235, GC_GLOBAL_SYNC), GC (1, 230, GC_END),
          GC (1, 300, GC_START), GC (1, 310, GC_END), STATS (1, 311, 0));
}

TEST (test_processes)
{
  EXPECT (
      false, NULL, "0: 100-140 (1), 1: 100-150 (-1)?",
      GHC_EVENT_ITEM (GHC_NO_CAP, 1, GHC_CAPSET_CREATE,
                      .capset_create = { .capset = 7, .capset_type = GHC_CAPSET_TYPE_OS_PROCESS }),
      GHC_EVENT_ITEM (GHC_NO_CAP, 1, GHC_CAPSET_ASSIGN_CAP,
                      .capset_assign_cap = { .capset = 7, .cap = 1 }),
      GC (1, 100, GC_START), GC (1, 150, GC_END), GC (0, 100, GC_START), STATS (0, 145, 1),
      GC (0, 140, GC_END));
}
