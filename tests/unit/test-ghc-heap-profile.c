/* test-ghc-heap-profile.c -- samples of the heap, and its bands over time. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-heap-profile.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

static void
parse_all (struct ghc_heap_profiles *p, const struct ghc_item *const *items)
{
  for (; *items != NULL; items++)
    ghc_heap_profiles_item (p, *items);
}

#define TAKE(p, ...) parse_all (p, (const struct ghc_item *[]){ __VA_ARGS__, NULL })

static const struct ghc_heap_profile *
profile (const struct ghc_heap_profiles *p, guint place)
{
  assert_true (place < p->all->len);
  return g_ptr_array_index (p->all, place);
}

static void
expect_sample (const struct ghc_heap_profile *profile, guint place, uint64_t era, uint64_t time,
               uint64_t bytes, uint32_t bands)
{
  assert_true (place < profile->samples->len);
  const struct ghc_heap_sample *s
      = &g_array_index (profile->samples, struct ghc_heap_sample, place);
  assert_int_equal (s->era, era);
  assert_int_equal (s->time, time);
  assert_int_equal (s->bytes, bytes);
  assert_int_equal (s->bands, bands);
}

static const struct ghc_band *
band (const struct ghc_heap_profiles *p, guint profile_place, const char *name)
{
  const GPtrArray *bands = profile (p, profile_place)->bands;
  for (guint i = 0; i < bands->len; i++) {
    char *other = ghc_band_name (p, g_ptr_array_index (bands, i));
    const bool same = strcmp (other, name) == 0;
    g_free (other);
    if (same)
      return g_ptr_array_index (bands, i);
  }
  fail_msg ("there is no band %s", name);
  return NULL;
}

static void
expect_steps (const struct ghc_band *b, uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3,
              uint64_t s4, bool grows)
{
  const uint64_t steps[] = { s0, s1, s2, s3, s4 };
  for (size_t i = 0; i < GHC_BAND_STEPS; i++)
    assert_int_equal (b->steps[i], steps[i]);
  assert_int_equal (b->grows, grows);
}

/* A band grows all the time, one is there at first, one stays; after the largest sample all is
 * gone but one. */
TEST (test_bands)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, HEAP_BEGIN (0, MODULE), SAMPLE_BEGIN (10, 0), SAMPLE_END (11, 0), /* empty */
        SAMPLE_BEGIN (20, 1), SAMPLE ("grows", 1), SAMPLE ("first", 50), SAMPLE ("stays", 7),
        SAMPLE_END (21, 1), SAMPLE_BEGIN (30, 2), SAMPLE ("grows", 2), SAMPLE ("stays", 7),
        SAMPLE_END (31, 2), SAMPLE_BEGIN (40, 3), SAMPLE ("grows", 30), SAMPLE ("stays", 7),
        SAMPLE_END (41, 3), SAMPLE_BEGIN (50, 4), SAMPLE ("grows", 40), SAMPLE ("stays", 3),
        SAMPLE ("stays", 4), SAMPLE_END (51, 4), SAMPLE_BEGIN (60, 5), SAMPLE ("grows", 100),
        SAMPLE ("stays", 7), SAMPLE_END (61, 5), SAMPLE_BEGIN (70, 6), SAMPLE ("stays", 7),
        SAMPLE ("nothing", 0), SAMPLE_END (71, 6), SAMPLE_BEGIN (80, 7), SAMPLE_END (81, 7));
  ghc_heap_profiles_finish (&p);
  assert_int_equal (p.all->len, 1);
  const struct ghc_heap_profile *one = profile (&p, 0);
  assert_int_equal (one->samples->len, 8);
  expect_sample (one, 0, 0, 10, 0, 0);
  expect_sample (one, 1, 1, 20, 58, 3);
  expect_sample (one, 4, 4, 50, 47, 2);
  expect_sample (one, 5, 5, 60, 107, 2);
  expect_sample (one, 6, 6, 70, 7, 1);
  expect_sample (one, 7, 7, 80, 0, 0);
  assert_int_equal (one->first, 1);
  assert_int_equal (one->largest, 5);
  assert_int_equal (one->last, 6);
  assert_string_equal (one->filters[0], "M");
  expect_steps (band (&p, 0, "grows"), 1, 2, 30, 40, 100, true);
  expect_steps (band (&p, 0, "first"), 50, 0, 0, 0, 0, false);
  expect_steps (band (&p, 0, "stays"), 7, 7, 7, 7, 7, false);
  assert_int_equal (band (&p, 0, "grows")->max_bytes, 100);
  assert_int_equal (band (&p, 0, "grows")->last_bytes, 0);
  assert_int_equal (band (&p, 0, "stays")->last_bytes, 7);
  assert_int_equal (band (&p, 0, "first")->max_bytes, 50);
  assert_int_equal (band (&p, 0, "nothing")->max_bytes, 0);
  assert_null (ghc_band_location (&p, band (&p, 0, "stays")));
  ghc_heap_profiles_clear (&p);
}

/* Of a log that goes on for ever the last sample stays, with its bands; later ones follow it. */
TEST (test_forget)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, HEAP_BEGIN (0, MODULE), SAMPLE_BEGIN (10, 0), SAMPLE ("gone", 9), SAMPLE ("stays", 7),
        SAMPLE_END (11, 0), SAMPLE_BEGIN (20, 1), SAMPLE ("stays", 5), SAMPLE_END (21, 1));
  ghc_heap_profiles_forget (&p);
  assert_int_equal (profile (&p, 0)->samples->len, 1);
  expect_sample (profile (&p, 0), 0, 1, 20, 5, 1);
  assert_int_equal (profile (&p, 0)->bands->len, 1);
  assert_int_equal (band (&p, 0, "stays")->last_bytes, 5);
  assert_int_equal (band (&p, 0, "stays")->sample, 0);
  TAKE (&p, SAMPLE_BEGIN (30, 2), SAMPLE ("gone", 3), SAMPLE ("stays", 4));
  ghc_heap_profiles_forget (&p); /* within a sample nothing happens */
  TAKE (&p, SAMPLE_END (31, 2));
  assert_int_equal (profile (&p, 0)->samples->len, 2);
  assert_int_equal (band (&p, 0, "gone")->last_bytes, 3);
  assert_int_equal (band (&p, 0, "gone")->sample, 1);
  assert_int_equal (band (&p, 0, "stays")->last_bytes, 4);
  ghc_heap_profiles_clear (&p);
}

/* Early writers do not state where a sample ends. */
TEST (test_no_ends)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 15, 35);
  TAKE (&p, SAMPLE ("before", 1), HEAP_BEGIN (0, CLOSURE_TYPE), SAMPLE_BEGIN (10, 1),
        SAMPLE ("a", 1), SAMPLE_BEGIN (20, 2), SAMPLE ("a", 2), SAMPLE_BEGIN (30, 3),
        SAMPLE ("a", 3), SAMPLE_BEGIN (40, 4), SAMPLE ("a", 4));
  ghc_heap_profiles_finish (&p);
  assert_int_equal (profile (&p, 0)->samples->len, 2);
  expect_sample (profile (&p, 0), 0, 2, 20, 2, 1);
  expect_sample (profile (&p, 0), 1, 3, 30, 3, 1);
  ghc_heap_profiles_clear (&p);
}

TEST (test_stacks)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, COST_CENTRE (5, "inner", "M", "M.hs:1", 0), COST_CENTRE (6, "outer", "M", "M.hs:2", 0),
        COST_CENTRE (7, "CAF", "N", "<entire-module>", 1), HEAP_BEGIN (0, COST_CENTRE),
        SAMPLE_BEGIN (10, 1), SAMPLE_STACK (100, 5, 6), SAMPLE_STACK (20, 7),
        SAMPLE_STACK (3, 8, 7), SAMPLE_END (11, 1));
  ghc_heap_profiles_finish (&p);
  expect_sample (profile (&p, 0), 0, 1, 10, 123, 3);
  const struct ghc_band *inner = band (&p, 0, "inner/outer");
  char *location = ghc_band_location (&p, inner);
  assert_string_equal (location, "M M.hs:1");
  g_free (location);
  assert_int_equal (inner->max_bytes, 100);
  assert_int_equal (band (&p, 0, "N.CAF")->max_bytes, 20);
  assert_int_equal (band (&p, 0, "#8/N.CAF")->max_bytes, 3);
  assert_null (ghc_band_location (&p, band (&p, 0, "#8/N.CAF")));
  ghc_heap_profiles_clear (&p);
}

/* Samples by biography state when they were taken, and come all at once. */
TEST (test_biography)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 0, 300);
  TAKE (&p, HEAP_BEGIN (0, BIOGRAPHY), BIO_SAMPLE_BEGIN (900, 1, 100), SAMPLE ("LAG", 5),
        BIO_SAMPLE_BEGIN (900, 2, 200), SAMPLE ("DRAG", 6), BIO_SAMPLE_BEGIN (900, 3, 300),
        SAMPLE ("VOID", 7));
  ghc_heap_profiles_finish (&p);
  assert_int_equal (profile (&p, 0)->samples->len, 2);
  expect_sample (profile (&p, 0), 1, 2, 200, 6, 1);
  ghc_heap_profiles_clear (&p);
}

/* Info tables are reported by their address, or their number, and may be named before or after. */
TEST (test_info_tables)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, IPE (0x4a10, "Main_Pair_con_info", "Pair", "growing", "Main", "Main.hs:3:1-9"),
        HEAP_BEGIN (0, INFO_TABLE), SAMPLE_BEGIN (10, 1), SAMPLE ("0x4a10", 30),
        SAMPLE ("0x9999", 2), SAMPLE ("77", 4), SAMPLE_END (11, 1),
        IPE (77, "sat_info", "", "steady", "Other", "Other.hs:1"));
  ghc_heap_profiles_finish (&p);
  assert_int_equal (band (&p, 0, "growing: Pair")->max_bytes, 30);
  assert_int_equal (band (&p, 0, "steady: sat_info")->max_bytes, 4);
  assert_int_equal (band (&p, 0, "0x9999")->max_bytes, 2);
  char *location = ghc_band_location (&p, band (&p, 0, "growing: Pair"));
  assert_string_equal (location, "Main Main.hs:3:1-9");
  g_free (location);
  ghc_heap_profiles_clear (&p);
}

/* Two programs in one log, one after the other. */
TEST (test_two)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, HEAP_BEGIN (0, MODULE), SAMPLE_BEGIN (10, 1), SAMPLE ("a", 1), SAMPLE_END (11, 1),
        HEAP_BEGIN (0, TYPE_DESCRIPTION), SAMPLE_BEGIN (5, 1), SAMPLE ("a", 2), SAMPLE_END (6, 1));
  ghc_heap_profiles_finish (&p);
  assert_int_equal (p.all->len, 2);
  expect_sample (profile (&p, 0), 0, 1, 10, 1, 1);
  expect_sample (profile (&p, 1), 0, 1, 5, 2, 1);
  ghc_heap_profiles_clear (&p);
}

static void
sample_small (struct ghc_heap_profiles *p, guint first, guint n)
{
  for (guint i = first; i < first + n; i++) {
    g_autofree char *name = g_strdup_printf ("small %u", i);
    const union ghc_payload payload
        = { .heap_prof_sample_string = { .residency = 8, .label = { name, strlen (name) } } };
    ghc_heap_profiles_item (p, &(const struct ghc_item){ .type = GHC_ITEM_EVENT,
                                                         .kind = GHC_HEAP_PROF_SAMPLE_STRING,
                                                         .payload = &payload });
  }
}

/* More bands than have names, of 8 bytes each, twice; then one of 1,000, and one that was first. */
TEST (test_late_band)
{
  struct ghc_heap_profiles p;
  const guint n = GHC_BANDS_MAX + 1000;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, HEAP_BEGIN (0, MODULE));
  TAKE (&p, SAMPLE_BEGIN (10, 0), SAMPLE ("early", 500));
  sample_small (&p, 0, n);
  TAKE (&p, SAMPLE_END (10, 0), SAMPLE_BEGIN (20, 1));
  sample_small (&p, n, n);
  TAKE (&p, SAMPLE_END (20, 1), SAMPLE_BEGIN (30, 2), SAMPLE ("late", 1000), SAMPLE ("early", 600),
        SAMPLE_END (30, 2));
  ghc_heap_profiles_finish (&p);
  const struct ghc_heap_profile *own = profile (&p, 0);
  assert_int_equal (band (&p, 0, "late")->max_bytes, 1000);
  assert_int_equal (band (&p, 0, "early")->max_bytes, 600);
  assert_int_equal (ghc_band_bytes (band (&p, 0, "early"), 0), 500);
  assert_true (own->bands->len <= GHC_BANDS_MAX + 1);
  uint64_t sums[3] = { 0 };
  for (guint i = 0; i < own->bands->len; i++)
    for (guint sample = 0; sample < 3; sample++)
      sums[sample] += ghc_band_bytes (g_ptr_array_index (own->bands, i), sample);
  assert_int_equal (sums[0], 500 + n * 8);
  assert_int_equal (sums[1], n * 8);
  assert_int_equal (sums[2], 1600);
  ghc_heap_profiles_clear (&p);
}

/* Of a long profile all samples are retained, and some points of the bands. */
TEST (test_long)
{
  struct ghc_heap_profiles p;
  const guint n = 4 * GHC_BAND_POINTS_MAX;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, HEAP_BEGIN (0, MODULE));
  for (guint i = 0; i < n; i++)
    TAKE (&p, SAMPLE_BEGIN (10 + i, i), SAMPLE ("a", 1000 + i), SAMPLE_END (10 + i, i));
  ghc_heap_profiles_finish (&p);
  const struct ghc_band *a = band (&p, 0, "a");
  assert_int_equal (profile (&p, 0)->samples->len, n);
  assert_int_equal (profile (&p, 0)->stride, 4);
  assert_int_equal (a->points->len, n / 4);
  assert_int_equal (a->max_bytes, 1000 + n - 1);
  assert_true (a->grows);
  assert_int_equal (a->steps[2], 1000 + (n - 1) / 2 / 4 * 4);
  ghc_heap_profiles_clear (&p);
}

/* ---- growth ---- */

/* A profile whose band "a" has these bytes, in samples 0, 1 ... */
static struct ghc_heap_profiles
profile_of (const uint64_t *bytes, guint n)
{
  struct ghc_heap_profiles p;
  ghc_heap_profiles_init (&p, 0, UINT64_MAX);
  TAKE (&p, HEAP_BEGIN (0, MODULE));
  for (guint i = 0; i < n; i++)
    TAKE (&p, SAMPLE_BEGIN (10 + i, i), SAMPLE ("a", bytes[i]), SAMPLE_END (10 + i, i));
  ghc_heap_profiles_finish (&p);
  return p;
}

static void
expect_growth (const uint64_t *bytes, guint n, uint32_t end, bool grows)
{
  struct ghc_heap_profiles p = profile_of (bytes, n);
  assert_int_equal (profile (&p, 0)->end, end);
  assert_true (profile (&p, 0)->is_judged);
  assert_int_equal (profile (&p, 0)->grows, grows);
  assert_int_equal (band (&p, 0, "a")->grows, grows);
  ghc_heap_profiles_clear (&p);
}

#define EXPECT_GROWTH(end, grows, ...)                                                             \
  expect_growth ((const uint64_t[]){ __VA_ARGS__ },                                                \
                 sizeof ((const uint64_t[]){ __VA_ARGS__ }) / sizeof (uint64_t), end, grows)

/* Bytes that rise to the peak at half of the run, and fall. */
TEST (test_rise_and_fall)
{
  EXPECT_GROWTH (9, false, 100, 200, 300, 400, 500, 400, 300, 200, 100, 1);
}

/* A cache that is full has grown, and grows no more. */
TEST (test_plateau)
{
  EXPECT_GROWTH (9, false, 100, 200, 300, 400, 500, 500, 500, 500, 500, 500);
  EXPECT_GROWTH (9, false, 100, 200, 300, 400, 500, 600, 700, 800, 801, 801);
  EXPECT_GROWTH (3, false, 100, 200, 300, 300);
}

/* The data that a program needs are there after a while. */
TEST (test_warm_up)
{
  EXPECT_GROWTH (9, false, 100, 500, 800, 900, 950, 960, 970, 980, 990, 1000);
}

TEST (test_steady)
{
  EXPECT_GROWTH (2, true, 100, 200, 300);
  EXPECT_GROWTH (9, true, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000);
  /* once it shrinks */
  EXPECT_GROWTH (9, true, 100, 200, 300, 400, 390, 600, 700, 800, 900, 1000);
}

/* After the largest, a sample or two of a program that ends do not count; more do. */
TEST (test_end_of_program)
{
  EXPECT_GROWTH (3, true, 100, 200, 300, 400, 10);
  EXPECT_GROWTH (3, true, 100, 200, 300, 400, 20, 10);
  EXPECT_GROWTH (6, false, 100, 200, 300, 400, 30, 20, 10);
  EXPECT_GROWTH (4, false, 100, 200, 300, 400, 250);
}

TEST (test_too_few)
{
  static const uint64_t bytes[] = { 100, 200, 0, 0, 0 };
  for (guint n = 1; n <= 2; n++) {
    struct ghc_heap_profiles p = profile_of (bytes, n);
    assert_false (profile (&p, 0)->is_judged);
    assert_false (band (&p, 0, "a")->grows);
    ghc_heap_profiles_clear (&p);
  }
  struct ghc_heap_profiles p = profile_of (bytes + 2, 3); /* of nothing */
  assert_false (profile (&p, 0)->is_judged);
  ghc_heap_profiles_clear (&p);
}
