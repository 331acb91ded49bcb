/* test-ghc-roundtrip.c -- the reader reads the output of the writer of eventlogs, for random logs;
 * and its items are written back byte for byte, for these and for real logs.
 *
 * PROFLOG_TEST_SEED and PROFLOG_TEST_COUNT (random logs) override the defaults; PROFLOG_CONFORMANCE
 * is a folder with more real logs (ghc-NAMES/LOG.eventlog). */
#include "config.h"

#include "decoder/ghc/edit/ghc-rewrite.h"
#include "decoder/input/log-input.h"
#include "tests/prop/random-ghc.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/random-test.h"
#include "tests/unit/test.h"

#include <string.h>

static guint64 seed = 20090731, count = 3000;
RANDOM_TEST (seed, count)

/* ---- rewriting ---- */

struct rewritten {
  struct ghc_rewrite rewrite;
  struct ghc_reader *reader;
  GByteArray *bytes;
  gboolean damaged;
};

static void
rewritten_init (struct rewritten *r)
{
  ghc_rewrite_init (&r->rewrite);
  r->reader = ghc_reader_new ();
  r->bytes = g_byte_array_new ();
  r->damaged = FALSE;
}

static void
rewritten_clear (struct rewritten *r)
{
  ghc_rewrite_clear (&r->rewrite);
  ghc_reader_free (r->reader);
  g_byte_array_unref (r->bytes);
}

static void
take (struct rewritten *r)
{
  size_t length;
  const uint8_t *bytes = ghc_writer_take (r->rewrite.writer, &length);
  g_byte_array_append (r->bytes, bytes, (guint) length);
}

static void
pull (struct rewritten *r)
{
  const struct ghc_item *item;
  GError *error = NULL;
  while (ghc_reader_next (r->reader, &item) == PROFLOG_EVENT) {
    r->damaged |= item->type == GHC_ITEM_DAMAGE;
    if (!ghc_rewrite_item (&r->rewrite, item, &error))
      fail_msg ("%s", error->message);
  }
  take (r);
}

static void
push (struct rewritten *r, const guint8 *bytes, gsize length)
{
  ghc_reader_push (r->reader, bytes, length);
  pull (r);
}

static void
finish (struct rewritten *r)
{
  ghc_reader_finish (r->reader);
  pull (r);
  assert_true (ghc_rewrite_end (&r->rewrite, NULL));
  take (r);
}

static void
check_bytes (const GByteArray *a, const guint8 *bytes, gsize length, const char *name)
{
  guint i = 0;
  while (i < a->len && i < length && a->data[i] == bytes[i])
    i++;
  if (i < a->len || i < length)
    fail_msg ("%s: of %" G_GSIZE_FORMAT " bytes %u came back; the first other one is at %u", name,
              length, a->len, i);
}

/* ---- random logs ---- */

static void
check_lines (const struct ghc_items *items, const GPtrArray *lines)
{
  guint events = 0;
  for (guint i = 0; i < items->items->len; i++) {
    const struct ghc_noted *item = &ghc_items_nth (items, i);
    if (item->type == GHC_ITEM_DAMAGE)
      fail_msg ("%s", item->line);
    if (item->type != GHC_ITEM_EVENT || g_str_has_prefix (item->event, "block-marker"))
      continue;
    assert_true (events < lines->len);
    assert_string_equal (item->event, g_ptr_array_index (lines, events));
    events++;
  }
  assert_int_equal (events, lines->len);
  assert_int_equal (items->result, PROFLOG_END);
}

static void
check_random_log (guint32 this_seed)
{
  struct random_ghc random;
  random_ghc_init (&random, this_seed);
  GByteArray *log = g_byte_array_new ();
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  random_ghc_log (&random, log, lines);
  struct ghc_items *items
      = ghc_items_read (log->data, log->len, 0, 1 + random_ghc_up_to (&random, 300));
  ghc_items_check (items, log->len);
  check_lines (items, lines);
  struct rewritten again;
  rewritten_init (&again);
  push (&again, log->data, log->len);
  finish (&again);
  check_bytes (again.bytes, log->data, log->len, "random log");
  rewritten_clear (&again);
  ghc_items_free (items);
  g_ptr_array_unref (lines);
  g_byte_array_unref (log);
  random_ghc_clear (&random);
}

TEST (test_random_logs)
{
  for (guint64 nth = 0; nth < count; nth++)
    check_random_log ((guint32) (seed + nth));
}

/* ---- repair ---- */

static void
damage (struct random_ghc *random, GByteArray *log)
{
  for (guint n = 1 + random_ghc_up_to (random, 3); n != 0 && log->len > 1; n--) {
    const guint at = random_ghc_up_to (random, log->len - 1);
    const guint wanted = 1u << random_ghc_up_to (random, 8), length = MIN (wanted, log->len - at);
    const guint kind = random_ghc_up_to (random, 4);
    for (guint i = 0; i < length && kind < 3; i++)
      log->data[at + i] = kind == 0 ? 0 : (guint8) random_ghc_up_to (random, 255);
    if (kind == 3)
      g_byte_array_remove_range (log, at, length);
    else if (kind == 4)
      g_byte_array_set_size (log, at + 1);
  }
}

/* The events that were read, block markers by their capabilities. */
static char *
events_of (const GByteArray *log, gboolean *damaged)
{
  struct ghc_items *items = ghc_items_read (log->data, log->len, 0, 0);
  GString *text = g_string_new (NULL);
  *damaged = items->result != PROFLOG_END;
  for (guint i = 0; i < items->items->len; i++) {
    const struct ghc_noted *item = &ghc_items_nth (items, i);
    *damaged |= item->type == GHC_ITEM_DAMAGE;
    if (item->type != GHC_ITEM_EVENT)
      continue;
    /* "@OFFSET+SIZE cap=N time=N EVENT" */
    const char *line = strchr (item->line, ' ');
    const char *marker = strstr (line, "block-marker");
    if (marker != NULL)
      g_string_append_printf (text, "block%s\n", strrchr (line, ' '));
    else
      g_string_append_printf (text, "%s\n", line);
  }
  ghc_items_free (items);
  return g_string_free (text, FALSE);
}

static void
repair (const GByteArray *log, struct rewritten *to)
{
  rewritten_init (to);
  to->rewrite.completes = true;
  push (to, log->data, log->len);
  finish (to);
}

/* If bytes were left out in the middle, a message states that after all else: removes it. */
static bool
remove_message (const struct rewritten *repaired, const char *events, char *kept)
{
  const size_t length = strlen (events);
  if (!repaired->rewrite.has_hole || !repaired->rewrite.has_messages)
    return true;
  if (!g_str_has_prefix (kept, events) || strstr (kept + length, GHC_LOSSES_BY_DAMAGE) == NULL)
    return false;
  kept[length] = 0;
  return true;
}

/* A block before a header that is cut has no place in a log whose header declares no blocks. */
static void
remove_last_block (const struct rewritten *repaired, char *events)
{
  char *block = repaired->rewrite.has_blocks ? NULL : g_strrstr (events, "block cap=");
  if (block != NULL && strchr (block, '\n') == block + strlen (block) - 1)
    *block = 0;
}

/* All that can be read of a damaged log is in the repaired one, which is whole. */
static void
check_repair (guint32 this_seed)
{
  struct random_ghc random;
  gboolean damaged;
  random_ghc_init (&random, this_seed);
  GByteArray *log = g_byte_array_new ();
  random_ghc_log (&random, log, NULL);
  damage (&random, log);
  struct rewritten repaired;
  repair (log, &repaired);
  if (ghc_reader_error (repaired.reader) == NULL && repaired.rewrite.is_begun) {
    char *events = events_of (log, &damaged), *kept = events_of (repaired.bytes, &damaged);
    remove_last_block (&repaired, events);
    assert_true (remove_message (&repaired, events, kept));
    if (damaged || strcmp (events, kept) != 0)
      print_error ("repeat it with PROFLOG_TEST_SEED=%u PROFLOG_TEST_COUNT=1\n", this_seed);
    assert_false (damaged);
    assert_string_equal (events, kept);
    g_free (events);
    g_free (kept);
  }
  rewritten_clear (&repaired);
  g_byte_array_unref (log);
  random_ghc_clear (&random);
}

TEST (test_repair)
{
  for (guint64 nth = 0; nth < count; nth++)
    check_repair ((guint32) (seed + nth));
}

/* ---- parts ---- */

static bool
take_some (void *data, const struct ghc_item *item, struct ghc_event *event)
{
  const guint *n = data;
  (void) event;
  return item->kind == GHC_BLOCK_MARKER || item->offset % *n != 0;
}

/* A part of a log is a whole log, with the events that were taken and no empty block more. */
static void
check_part (guint32 this_seed)
{
  struct random_ghc random;
  random_ghc_init (&random, this_seed);
  guint n = 1 + random_ghc_up_to (&random, 5);
  GByteArray *log = g_byte_array_new ();
  random_ghc_log (&random, log, NULL);
  struct rewritten part;
  rewritten_init (&part);
  part.rewrite.completes = part.rewrite.drops_blocks = true;
  part.rewrite.change = take_some;
  part.rewrite.data = &n;
  push (&part, log->data, log->len);
  finish (&part);
  struct ghc_items *all = ghc_items_read (log->data, log->len, 0, 0);
  struct ghc_items *taken = ghc_items_read (part.bytes->data, part.bytes->len, 0, 0);
  guint k = 0;
  for (guint i = 0; i < all->items->len; i++) {
    const struct ghc_noted *item = &ghc_items_nth (all, i);
    if (item->type != GHC_ITEM_EVENT || item->offset % n == 0
        || g_str_has_prefix (item->event, "block-marker"))
      continue;
    while (k < taken->items->len
           && (ghc_items_nth (taken, k).type != GHC_ITEM_EVENT
               || g_str_has_prefix (ghc_items_nth (taken, k).event, "block-marker")))
      assert_int_not_equal (ghc_items_nth (taken, k++).type, GHC_ITEM_DAMAGE);
    assert_true (k < taken->items->len);
    assert_string_equal (strchr (ghc_items_nth (taken, k).line, ' '), strchr (item->line, ' '));
    k++;
  }
  for (; k < taken->items->len; k++)
    assert_true (ghc_items_nth (taken, k).type != GHC_ITEM_DAMAGE
                 && (ghc_items_nth (taken, k).type != GHC_ITEM_EVENT
                     || g_str_has_prefix (ghc_items_nth (taken, k).event, "block-marker")));
  ghc_items_free (all);
  ghc_items_free (taken);
  rewritten_clear (&part);
  g_byte_array_unref (log);
  random_ghc_clear (&random);
}

TEST (test_parts)
{
  for (guint64 nth = 0; nth < count; nth++)
    check_part ((guint32) (seed + nth));
}

/* ---- real logs ---- */

/* True if the log is undamaged, and so the same. */
static gboolean
check_log (const char *path)
{
  GError *error = NULL;
  struct log_input *input = log_input_open (path, &error);
  assert_non_null (input);
  struct rewritten again;
  rewritten_init (&again);
  GByteArray *log = g_byte_array_new ();
  const uint8_t *bytes;
  size_t length;
  do {
    assert_true (log_input_read (input, &bytes, &length, &error));
    g_byte_array_append (log, bytes, (guint) length);
    push (&again, bytes, length);
  } while (length != 0);
  finish (&again);
  if (!again.damaged)
    check_bytes (again.bytes, log->data, log->len, path);
  const gboolean same = !again.damaged;
  rewritten_clear (&again);
  g_byte_array_unref (log);
  log_input_close (input);
  return same;
}

static gboolean
is_eventlog (const char *name)
{
  return g_str_has_suffix (name, ".eventlog") || g_str_has_suffix (name, ".eventlog.gz");
}

/* How many logs of a folder came back as they were. */
static guint
check_folder (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint same = 0;
  assert_non_null (dir);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    char *path = g_build_filename (folder, name, NULL);
    if (is_eventlog (name))
      same += check_log (path) ? 1 : 0;
    g_free (path);
  }
  g_dir_close (dir);
  return same;
}

/* The logs of the tree, and those in the folders ghc-* of PROFLOG_CONFORMANCE. */
TEST (test_logs)
{
  g_autofree char *logs = fixture_path ("logs", NULL);
  assert_true (check_folder (logs) >= 1);
  const char *all = g_getenv ("PROFLOG_CONFORMANCE");
  if (all != NULL && *all == '\0')
    all = NULL;
  g_autoptr (GDir) dir = all != NULL ? g_dir_open (all, 0, NULL) : NULL;
  assert_true (all == NULL || dir != NULL);
  guint same = 0;
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *folder = g_build_filename (all, name, NULL);
    if (g_str_has_prefix (name, "ghc-") && g_file_test (folder, G_FILE_TEST_IS_DIR))
      same += check_folder (folder);
  }
  assert_true (all == NULL || same != 0);
}
