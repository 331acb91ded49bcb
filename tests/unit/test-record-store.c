/* test-record-store.c -- records of several streams, against copies of them in memory. */
#include "config.h"

#include "decoder/exports/record-store.h"
#include "tests/unit/random-test.h"
#include "tests/unit/test.h"
#include <fcntl.h>
#include <glib/gstdio.h>

static guint64 seed = 1, count = 60000;
RANDOM_TEST (seed, count)

enum { STREAMS = RECORD_WORDS_MAX };

/* The record of stream I has I + 1 words. */
struct streams {
  struct record_store store;
  struct record_stream streams[STREAMS];
  GArray *expected[STREAMS]; /* of uint64_t: the words */
};

static guint
words_of (guint stream)
{
  return stream + 1;
}

/* Near the one before, or anything. */
static uint64_t
word_after (GRand *random, uint64_t last)
{
  const uint64_t any = (uint64_t) g_rand_int (random) << 32 | g_rand_int (random);
  switch (g_rand_int_range (random, 0, 8)) {
  case 0:
    return 0;
  case 1:
    return UINT64_MAX;
  case 2:
    return UINT64_C (1) << g_rand_int_range (random, 0, 64);
  case 3:
    return any;
  default:
    return last + (any >> g_rand_int_range (random, 40, 64)) - 100;
  }
}

static void
begin (struct streams *s)
{
  *s = (struct streams){ .store = { .fd = -1 } };
  record_store_init (&s->store);
  for (guint i = 0; i < STREAMS; i++)
    s->expected[i] = g_array_new (FALSE, FALSE, sizeof (uint64_t));
}

static void
end (struct streams *s)
{
  record_store_clear (&s->store);
  for (guint i = 0; i < STREAMS; i++) {
    record_stream_clear (&s->streams[i]);
    g_array_unref (s->expected[i]);
  }
}

static bool
put (struct streams *s, guint i, GRand *random)
{
  GArray *expected = s->expected[i];
  const guint n = words_of (i), before = expected->len;
  for (guint w = 0; w < n; w++) {
    const uint64_t last = before != 0 ? g_array_index (expected, uint64_t, before - n + w) : 0;
    const uint64_t word = word_after (random, last);
    g_array_append_val (expected, word);
  }
  return record_store_put (&s->store, &s->streams[i], &g_array_index (expected, uint64_t, before),
                           n * RECORD_WORD_BYTES);
}

/* ---- whole records ---- */

struct each {
  GArray *words;
  guint n;    /* of a record */
  guint most; /* records */
};

static bool
take (void *data, const void *record)
{
  struct each *e = data;
  g_array_append_vals (e->words, record, e->n);
  return e->words->len < e->most * e->n;
}

static void
check_records (struct streams *s, guint i, guint most)
{
  const guint n = words_of (i);
  struct each e = { .words = g_array_new (FALSE, FALSE, sizeof (uint64_t)), .n = n, .most = most };
  record_store_each (&s->store, &s->streams[i], take, &e);
  assert_int_equal (e.words->len, MIN (s->expected[i]->len, most * n));
  if (e.words->len != 0)
    assert_memory_equal (e.words->data, s->expected[i]->data, e.words->len * sizeof (uint64_t));
  g_array_unref (e.words);
}

/* ---- columns ---- */

static void
append_word (GString *text, const void *record)
{
  g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", *(const uint64_t *) record);
}

static void
append_first_and_last (GString *text, const void *record)
{
  const uint64_t *words = record;
  g_string_append_printf (text, "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, words[0],
                          words[STREAMS - 1]);
}

static void
append_nothing (GString *text, const void *record)
{
  (void) text, (void) record;
}

/* The parts come to `all`. */
struct listing {
  GString *part, *all;
  size_t most; /* bytes, more or less */
};

static bool
flush (void *data)
{
  struct listing *l = data;
  g_string_append_len (l->all, l->part->str, (gssize) l->part->len);
  g_string_truncate (l->part, 0);
  return l->all->len < l->most;
}

static GString *
list (struct streams *s, guint i, const struct record_column *column, size_t most)
{
  struct listing l = { .part = g_string_new ("["), .all = g_string_new (NULL), .most = most };
  record_store_list (&s->store, &s->streams[i], column, l.part, flush, &l);
  g_string_append (l.part, "]");
  flush (&l);
  g_string_free (l.part, TRUE);
  return l.all;
}

static void
check_column (struct streams *s, guint i, const struct record_column *column)
{
  const guint n = words_of (i);
  GString *expected = g_string_new ("["), *texts = list (s, i, column, SIZE_MAX);
  for (guint at = 0; at < s->expected[i]->len; at += n) {
    if (at != 0)
      g_string_append_c (expected, ',');
    column->append (expected, &g_array_index (s->expected[i], uint64_t, at));
  }
  g_string_append (expected, "]");
  assert_string_equal (texts->str, expected->str);
  g_string_free (expected, TRUE);
  g_string_free (texts, TRUE);
}

/* ---- tests ---- */

static const struct record_column first = { append_word, 1 };

TEST (test_random)
{
  static const struct record_column ends = { append_first_and_last, 1u | 1u << (STREAMS - 1) };
  static const struct record_column nothing = { append_nothing, 0 };
  GRand *random = g_rand_new_with_seed ((guint32) seed);
  struct streams s;
  begin (&s);
  for (guint64 n = 0; n < count; n++)
    assert_true (put (&s, (guint) g_rand_int_range (random, 0, STREAMS), random));
  assert_null (record_store_take_error (&s.store));
  for (guint i = 0; i < STREAMS; i++) {
    assert_int_equal (s.streams[i].count, s.expected[i]->len / words_of (i));
    check_records (&s, i, G_MAXUINT / STREAMS);
    check_column (&s, i, &first);
    check_column (&s, i, &nothing);
  }
  check_column (&s, STREAMS - 1, &ends);
  /* Once more, after more. */
  for (guint n = 0; n < 20000; n++)
    assert_true (put (&s, 1, random));
  check_records (&s, 1, G_MAXUINT / STREAMS);
  check_column (&s, 1, &first);
  assert_null (record_store_take_error (&s.store));
  end (&s);
  g_rand_free (random);
}

/* Records that are in memory only, exactly one chunk, one more, and a part of several chunks. */
TEST (test_counts)
{
  static const guint chunk = RECORD_STREAM_WAITING / RECORD_WORD_BYTES;
  const guint counts[]
      = { 0, 1, 2, chunk - 1, chunk, chunk + 1, 4 * chunk, 4 * chunk + 1, 9 * chunk + 7 };
  GRand *random = g_rand_new_with_seed ((guint32) seed);
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++) {
    struct streams s;
    begin (&s);
    for (guint n = 0; n < counts[c]; n++)
      assert_true (put (&s, 0, random));
    check_records (&s, 0, G_MAXUINT / STREAMS);
    check_column (&s, 0, &first);
    end (&s);
  }
  g_rand_free (random);
}

TEST (test_stop)
{
  GRand *random = g_rand_new_with_seed ((guint32) seed);
  struct streams s;
  begin (&s);
  for (guint n = 0; n < 100000; n++)
    assert_true (put (&s, 2, random));
  check_records (&s, 2, 1);
  check_records (&s, 2, 30000);
  GString *texts = list (&s, 2, &first, 1), *all = list (&s, 2, &first, SIZE_MAX);
  assert_true (texts->len > 1 && texts->len < all->len / 2);
  assert_memory_equal (texts->str, all->str, texts->len - 1);
  assert_null (record_store_take_error (&s.store));
  g_string_free (texts, TRUE);
  g_string_free (all, TRUE);
  end (&s);
  g_rand_free (random);
}

/* The store's file can be written only, or read only. */
static void
check_failure (const char *path, int flags, const char *problem)
{
  GRand *random = g_rand_new_with_seed ((guint32) seed);
  struct streams s;
  begin (&s);
  s.store.fd = g_open (path, flags, 0);
  assert_true (s.store.fd >= 0);
  for (guint n = 0; n < 100000; n++)
    put (&s, 2, random);
  GString *all = list (&s, 2, &first, SIZE_MAX);
  assert_string_equal (all->str, "[]");
  GError *error = record_store_take_error (&s.store);
  assert_non_null (error);
  assert_non_null (strstr (error->message, problem));
  g_error_free (error);
  g_string_free (all, TRUE);
  end (&s);
  g_rand_free (random);
}

TEST (test_failures)
{
  check_failure ("/dev/null", O_WRONLY, "cannot be read: ");
  check_failure ("/dev/null", O_RDONLY, "cannot be written: ");
}
