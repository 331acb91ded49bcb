/* test-ghc-damage.c -- real eventlogs with damage at random places: events that are read of them
 * are in the undamaged log, at the same place, and all of it but a little that is close to the
 * damage.
 *
 * What a place is comes from the undamaged log: ranges that are cut out or doubled move what is
 * after them.
 */
#include "config.h"

#include "decoder/ghc/ghc-span.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/random-test.h"
#include "tests/unit/test.h"
#include <glib.h>
#include <proflog/ghc-reader.h>
#include <string.h>

static guint64 seed = 11, count = 60;
RANDOM_TEST (seed, count)

/* Longest hole, and shortest: a shorter one in the fields of an event cannot be seen. */
enum { HOLE_MOST = 8192, HOLE_LEAST = 128 };

struct event {
  guint64 offset, end;
  guint64 time;
  guint block; /* which one it is in; 0: none */
  guint16 tag;
  guint16 cap;
  gboolean is_marker;
};

/* A log as it is read: events in order, and how many bytes are reported as lost. */
struct reading {
  GArray *events;
  GArray *damage; /* struct event, of which only the place counts */
};

static void
reading_clear (struct reading *r)
{
  g_array_unref (r->events);
  g_array_unref (r->damage);
}

static void
take_item (struct reading *r, const struct ghc_item *item, guint *block, guint64 *block_end)
{
  struct event event = { .offset = item->offset, .end = item->offset + item->size };
  if (item->type == GHC_ITEM_DAMAGE && item->damage->reason == GHC_DAMAGE_CORRUPT)
    g_array_append_val (r->damage, event);
  if (item->type != GHC_ITEM_EVENT)
    return;
  event.is_marker = item->kind == GHC_BLOCK_MARKER;
  if (event.is_marker) {
    ++*block;
    *block_end = item->offset + item->payload->block_marker.block_size;
  }
  event.time = item->time;
  event.tag = item->event_type->tag;
  event.cap = (guint16) item->cap;
  event.block = item->offset < *block_end ? *block : 0;
  g_array_append_val (r->events, event);
}

static struct reading
read_log (const GByteArray *log)
{
  struct reading r = { g_array_new (FALSE, FALSE, sizeof (struct event)),
                       g_array_new (FALSE, FALSE, sizeof (struct event)) };
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  guint64 at = 0, block_end = 0;
  guint block = 0;
  for (guint pass = 0; pass < 2; pass++) {
    if (pass == 0)
      ghc_reader_push (reader, log->data, log->len);
    else
      ghc_reader_finish (reader);
    while (ghc_reader_next (reader, &item) == PROFLOG_EVENT) {
      assert_int_equal (item->offset, at); /* nothing is left out, nothing comes twice */
      at += item->size;
      take_item (&r, item, &block, &block_end);
    }
  }
  assert_null (ghc_reader_error (reader));
  assert_int_equal (at, log->len);
  ghc_reader_free (reader);
  return r;
}

#define nth_event(reading, i) (&g_array_index ((reading)->events, struct event, i))

/* The event that begins there, or NULL. */
static const struct event *
event_at (const struct reading *r, guint64 offset)
{
  guint low = 0, high = r->events->len;
  while (low < high) {
    const guint middle = (low + high) / 2;
    if (nth_event (r, middle)->offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->events->len && nth_event (r, low)->offset == offset ? nth_event (r, low) : NULL;
}

static bool
is_wanted (const struct event *event)
{
  return event->tag == GHC_TAG_RUN_THREAD || event->tag == GHC_TAG_GC_END;
}

/* A reader that is to give some kinds gives all of these, and the same damage. */
static void
check_wanted (const GByteArray *log, const struct reading *all)
{
  static const bool wanted[GHC_KINDS + 1] = { [GHC_RUN_THREAD] = true, [GHC_GC_END] = true };
  struct reading r = { g_array_new (FALSE, FALSE, sizeof (struct event)),
                       g_array_new (FALSE, FALSE, sizeof (struct event)) };
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  guint64 block_end = 0;
  guint block = 0, n = 0;
  ghc_span_want (reader, wanted);
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    take_item (&r, item, &block, &block_end);
  ghc_reader_free (reader);
  assert_true (r.events->len <= all->events->len);
  for (guint i = 0; i < all->events->len; i++)
    n += is_wanted (nth_event (all, i));
  for (guint i = 0; i < r.events->len; i++) {
    const struct event *event = nth_event (&r, i), *same = event_at (all, event->offset);
    assert_non_null (same);
    assert_int_equal (event->time, same->time);
    assert_int_equal (event->cap, same->cap);
    assert_int_equal (event->block, same->block);
    n -= is_wanted (event);
  }
  assert_int_equal (n, 0);
  assert_int_equal (r.damage->len, all->damage->len);
  reading_clear (&r);
}

/* ---- damage ---- */

enum kind {
  KIND_ZEROS,
  KIND_RANDOM,
  KIND_FLIPS, /* of up to three bits that are close to each other */
  KIND_CUT_OUT,
  KIND_DOUBLED,
  KINDS,
};

static const char *const kind_names[] = { "zeros", "random bytes", "flips", "cut out", "doubled" };

/* Where something is wrong: in the undamaged log [from, to), after which all is moved. */
struct damage {
  enum kind kind;
  guint64 from, to;
  gint64 shift; /* bytes to add to get to the damaged log */
};

static GByteArray *
damage_log (GRand *random, const GByteArray *log, guint64 header, enum kind kind,
            struct damage *damage)
{
  GByteArray *copy = g_byte_array_new ();
  const guint64 most = MIN (HOLE_MOST, (log->len - header) / 2);
  guint64 length = (guint64) g_rand_int_range (random, HOLE_LEAST, (gint32) most + 1);
  if (kind == KIND_FLIPS)
    length = 16;
  const guint64 from
      = (guint64) g_rand_int_range (random, (gint32) header, (gint32) (log->len - length));
  *damage = (struct damage){ kind, from, from + length, 0 };
  g_byte_array_append (copy, log->data, log->len);
  guint8 *at = copy->data + from;
  switch (kind) {
  case KIND_ZEROS:
    memset (at, 0, length);
    break;
  case KIND_RANDOM:
    for (guint64 i = 0; i < length; i++)
      at[i] = (guint8) g_rand_int (random);
    break;
  case KIND_FLIPS:
    for (guint i = 0; i < 3; i++)
      at[g_rand_int_range (random, 0, 16)] ^= (guint8) (1u << g_rand_int_range (random, 0, 8));
    break;
  case KIND_CUT_OUT:
    g_byte_array_remove_range (copy, (guint) from, (guint) length);
    damage->shift = -(gint64) length;
    break;
  default: /* a copy comes after it */
    g_byte_array_set_size (copy, (guint) from);
    g_byte_array_append (copy, log->data + from, (guint) length);
    g_byte_array_append (copy, log->data + from, (guint) (log->len - from));
    damage->from = damage->to;
    damage->shift = (gint64) length;
    break;
  }
  return copy;
}

/* Is it all in an event, or in one with many bytes and the beginning of the next? */
static gboolean
hits_one_event (const struct reading *whole, const struct damage *d)
{
  for (guint i = 0; i < whole->events->len && nth_event (whole, i)->offset < d->to; i++)
    if (nth_event (whole, i)->end + GHC_EVENT_HEADER_SIZE >= d->to
        && nth_event (whole, i)->offset <= d->from)
      return TRUE;
  return FALSE;
}

/* ---- findings ---- */

struct found {
  guint rounds, skipped;
  guint invented, astray; /* events that are not in the log, or of another capability */
  guint before, behind;   /* events that are lost though they are whole */
  guint most_behind;      /* in one round */
  guint blocks;           /* rounds with losses in blocks that are whole */
  guint unreported;       /* rounds with bytes of a hole in no damage that was reported */
};

/* An event of the damaged log: is it in the other, where it should be? */
static void
check_event (struct found *f, const GByteArray *log, const GByteArray *bad,
             const struct reading *whole, const struct damage *d, const struct event *event)
{
  guint64 offset = event->offset;
  if (d->kind == KIND_DOUBLED && event->end > d->to && event->offset < d->to + (guint64) d->shift)
    return; /* of the copy */
  if (offset >= (guint64) ((gint64) d->to + d->shift))
    offset = (guint64) ((gint64) offset - d->shift);
  const struct event *true_event = event_at (whole, offset);
  const guint64 size = event->end - event->offset;
  if (true_event == NULL || true_event->end - true_event->offset != size
      || memcmp (log->data + offset, bad->data + event->offset, size) != 0)
    f->invented++;
  else if (event->cap != true_event->cap && event->cap != GHC_NO_CAP)
    f->astray++;
}

/* Does the block that an event begins, or is in, lie after the damage? */
static gboolean
is_block_behind (const GArray *begins, const struct event *event, const struct damage *d)
{
  return event->block != 0 && g_array_index (begins, guint64, event->block) >= d->to;
}

static void
check_lost (struct found *f, const struct reading *whole, const struct reading *r,
            const struct damage *d, const GArray *begins)
{
  guint behind = 0;
  gboolean block = FALSE;
  for (guint i = 0; i < whole->events->len; i++) {
    const struct event *event = nth_event (whole, i);
    const gboolean is_behind = event->offset >= d->to;
    const guint64 offset
        = is_behind ? (guint64) ((gint64) event->offset + d->shift) : event->offset;
    if ((!is_behind && event->end > d->from))
      continue;
    const struct event *found = event_at (r, offset);
    const gboolean is_lost
        = found == NULL || found->tag != event->tag || found->time != event->time;
    f->before += is_lost && !is_behind;
    behind += is_lost && is_behind;
    block
        |= is_behind && is_block_behind (begins, event, d) && (is_lost || found->cap != event->cap);
  }
  f->behind += behind;
  f->most_behind = MAX (f->most_behind, behind);
  f->blocks += block;
}

/* Is each byte of the hole in reported damage, or in an event that has it as it was? */
static void
check_reported (struct found *f, const struct reading *r, const struct damage *d)
{
  guint64 at = d->from;
  for (guint i = 0; i < r->events->len; i++) /* whose last bytes are the same */
    if (nth_event (r, i)->offset < d->from && nth_event (r, i)->end > at)
      at = nth_event (r, i)->end;
  for (guint i = 0; i < r->damage->len; i++) {
    const struct event *damage = &g_array_index (r->damage, struct event, i);
    if (damage->offset <= at && damage->end > at)
      at = damage->end;
  }
  /* A zero at the end may be the first of an event that is there. */
  f->unreported += at + 1 < d->to;
}

static void
check_round (struct found *f, GRand *random, const GByteArray *log, const struct reading *whole,
             guint64 header, const GArray *begins, enum kind kind)
{
  struct damage d;
  GByteArray *bad = damage_log (random, log, header, kind, &d);
  f->rounds++;
  if (kind != KIND_FLIPS && kind != KIND_DOUBLED && hits_one_event (whole, &d)) {
    f->skipped++;
    g_byte_array_unref (bad);
    return;
  }
  struct reading r = read_log (bad);
  check_wanted (bad, &r);
  for (guint i = 0; i < r.events->len; i++)
    check_event (f, log, bad, whole, &d, nth_event (&r, i));
  check_lost (f, whole, &r, &d, begins);
  if (kind == KIND_ZEROS || kind == KIND_RANDOM)
    check_reported (f, &r, &d);
  reading_clear (&r);
  g_byte_array_unref (bad);
}

/* ---- logs ---- */

/* Where the blocks begin, by their numbers. */
static GArray *
begins_of (const struct reading *whole)
{
  GArray *begins = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_array_set_size (begins, 1);
  for (guint i = 0; i < whole->events->len; i++)
    if (nth_event (whole, i)->is_marker)
      g_array_append_val (begins, nth_event (whole, i)->offset);
  return begins;
}

static void
check_log (const char *path, struct found *found)
{
  GByteArray *log = fixture_log (path);
  struct reading whole = read_log (log);
  GArray *begins = begins_of (&whole);
  const guint64 header = nth_event (&whole, 0)->offset;
  GRand *random = g_rand_new_with_seed ((guint32) seed);
  assert_int_equal (whole.damage->len, 0);
  for (guint64 i = 0; i < count * KINDS; i++) {
    const enum kind kind = (enum kind) (i % KINDS);
    check_round (&found[kind], random, log, &whole, header, begins, kind);
  }
  g_rand_free (random);
  g_array_unref (begins);
  reading_clear (&whole);
  g_byte_array_unref (log);
}

/* The allowed amounts, of a round or of many.  Nobody can see the effect of random bytes on the
 * event that they begin in, nor the error in a flipped number. */
static const struct {
  guint invented, before, behind, most_behind; /* in 100 rounds; the last in one */
  guint astray, blocks, unreported;
} allowed[KINDS] = {
  [KIND_ZEROS] = { .before = 10, .behind = 100, .most_behind = 60 },
  [KIND_RANDOM] = { 100, 10, 1000, 3000, .astray = 100, .blocks = 2, .unreported = 2 },
  [KIND_FLIPS] = { 150, 10, 200, 3000, .astray = 300, .blocks = 2 },
  [KIND_CUT_OUT] = { 100, 10, 1500, 3000, .astray = 800, .blocks = 2 },
  [KIND_DOUBLED] = { 5, 10, 200, 3000, .blocks = 2 },
};

static void
check_allowed (guint kind, const char *what, guint number, guint rounds, guint in_100)
{
  /* Few rounds may be unlucky. */
  const guint most = rounds < 100 ? in_100 : rounds * in_100 / 100;
  if (number > most)
    fail_msg ("%s: %s: %u, of which there may be %u", kind_names[kind], what, number, most);
}

TEST (test_damage)
{
  static const char *const logs[]
      = { "ghc-blocks-N2.eventlog.gz",         "ghc-collect-N2.eventlog.gz",
          "ghc-collect-nonmoving.eventlog.gz", "ghc-heap-hb.eventlog.gz",
          "ghc-heap-hd.eventlog.gz",           "ghc-restart-N2.eventlog.gz",
          "ghc-sparks-all.eventlog.gz",        "ghc-ticks.eventlog.gz" };
  struct found found[KINDS] = { { 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (logs); i++) {
    char *path = fixture_path ("logs", logs[i]);
    check_log (path, found);
    g_free (path);
  }
  for (guint i = 0; i < KINDS; i++) {
    const struct found *f = &found[i];
    print_message ("%s: %u rounds, %u of them in one event; %u events invented, %u of another "
                   "capability; %u lost before, %u behind, at most %u at once; %u rounds with "
                   "losses in whole blocks; %u not reported\n",
                   kind_names[i], f->rounds, f->skipped, f->invented, f->astray, f->before,
                   f->behind, f->most_behind, f->blocks, f->unreported);
    check_allowed (i, "events that are not in the log", f->invented, f->rounds,
                   allowed[i].invented);
    check_allowed (i, "events of another capability", f->astray, f->rounds, allowed[i].astray);
    check_allowed (i, "lost before", f->before, f->rounds, allowed[i].before);
    check_allowed (i, "lost behind", f->behind, f->rounds, allowed[i].behind);
    check_allowed (i, "losses in whole blocks", f->blocks, f->rounds, allowed[i].blocks);
    check_allowed (i, "bytes that are not reported", f->unreported, f->rounds,
                   allowed[i].unreported);
    assert_true (f->most_behind <= allowed[i].most_behind);
    assert_true (f->skipped < f->rounds / 2);
  }
}
