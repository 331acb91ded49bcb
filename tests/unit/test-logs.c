/* test-logs.c -- every log of tests/logs/, whole, split at every byte and cut at every byte. */
#include "config.h"

#include "decoder/input/log-input.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/log-items.h"
#include "tests/unit/test.h"

#include <string.h>

struct log {
  char *name;
  char *path;
  char *bytes;
  gsize length;
};

/* Sanitizers take ten times as long. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define STEP 7
#else
#define STEP 1
#endif

static void
test_splits (void **state)
{
  const struct log *log = *state;
  const guint8 *bytes = (const guint8 *) log->bytes;
  struct log_items *whole = log_items_read (bytes, log->length, 0, 0);
  log_items_check (whole, log->length);
  assert_int_equal (whole->result, PROFLOG_END);
  for (guint i = 0; i < whole->items->len; i++)
    assert_int_not_equal (log_items_nth (whole, i).type, MLPD_ITEM_DAMAGE);
  for (gsize split = 1; split < log->length; split += STEP) {
    struct log_items *items = log_items_read (bytes, log->length, split, 0);
    log_items_check_equal (whole, items);
    log_items_free (items);
  }
  for (gsize piece = 1; piece < 80; piece += STEP) {
    struct log_items *items = log_items_read (bytes, log->length, 0, piece);
    log_items_check_equal (whole, items);
    log_items_free (items);
  }
  log_items_free (whole);
}

/* Where the unit ends that a log cut at `cut` lacks the rest of: the header, or the buffer. */
static gsize
end_of_unit (const struct log_items *whole, gsize cut)
{
  gsize end = 0;
  for (guint i = 0; i < whole->items->len; i++) {
    const struct log_item *item = &log_items_nth (whole, i);
    if (item->offset >= cut && item->type != MLPD_ITEM_EVENT)
      break;
    end = (gsize) (item->offset + item->size);
    if (item->type == MLPD_ITEM_BUFFER && end > cut)
      break;
  }
  return end;
}

/* Where the file header of a log of an older major version has the system, which our writer alone
 * states. */
static gboolean
has_end_mark (const struct log *log)
{
  return log->bytes[4] == 0 && (log->bytes[30] != 0 || log->bytes[31] != 0);
}

/* Whether a log cut there lacks buffers, if anything. */
static gboolean
is_end_of_unit (const struct log_items *whole, gsize cut)
{
  return end_of_unit (whole, cut) == cut;
}

/* The number of missing bytes is right: the bytes that are missing for sure, where in a file header
 * the texts may be of any length, at least a byte. */
static void
check_missing (const struct log_items *whole, gsize cut, guint64 missing)
{
  const guint64 size = log_items_nth (whole, 0).size;
  if (cut >= size || size == MLPD_FILE_HEADER_SIZE)
    assert_int_equal (missing, end_of_unit (whole, cut) - cut);
  else
    assert_true (missing > 0 && missing <= size - cut);
}

static void
check_cut (const struct log *log, const struct log_items *whole, gsize cut)
{
  struct log_items *items = log_items_read ((const guint8 *) log->bytes, cut, 0, 0);
  log_items_check (items, cut);
  /* All that was whole before the cut comes out as before, then a damage. */
  guint n = 0;
  guint64 end = 0;
  for (; n < whole->items->len; n++) {
    const struct log_item *item = &log_items_nth (whole, n);
    if (item->offset + item->size > cut)
      break;
    assert_true (n < items->items->len);
    assert_string_equal (item->line, log_items_nth (items, n).line);
    end = item->offset + item->size;
  }
  /* One damage states the missing bytes.  Our writer's logs have an end mark, which the cut took
   * away, so there is always one; else nothing is missing at the end of a buffer. */
  if (!has_end_mark (log) && is_end_of_unit (whole, cut)) {
    assert_int_equal (items->items->len, n);
    assert_int_equal (items->result, PROFLOG_END);
    log_items_free (items);
    return;
  }
  assert_int_equal (items->items->len, n + 1);
  const struct log_item *last = &log_items_nth (items, n);
  assert_int_equal (last->type, MLPD_ITEM_DAMAGE);
  assert_int_equal (last->reason, MLPD_DAMAGE_TRUNCATED);
  assert_int_equal (last->offset, end);
  assert_int_equal (last->offset + last->size, cut);
  check_missing (whole, cut, last->missing);
  log_items_free (items);
}

static void
test_cuts (void **state)
{
  const struct log *log = *state;
  struct log_items *whole = log_items_read ((const guint8 *) log->bytes, log->length, 0, 0);
  for (gsize cut = 4; cut < log->length; cut += STEP)
    check_cut (log, whole, cut);
  for (gsize cut = 0; cut < 4; cut++) {
    struct log_items *items = log_items_read ((const guint8 *) log->bytes, cut, 0, 0);
    assert_int_equal (items->result, PROFLOG_ERROR);
    assert_int_equal (items->error->code, PROFLOG_READ_ERROR_NOT_A_LOG);
    log_items_free (items);
  }
  log_items_free (whole);
}

/* Kinds that the list has earlier than any writer wrote them. */
static gboolean
is_written (const struct mlpd_description *kind, unsigned version)
{
  switch (kind->kind) {
  case MLPD_METADATA_ASSEMBLY:
  case MLPD_METADATA_DOMAIN:
    return version >= 11;
  case MLPD_METADATA_THREAD:
    return version >= 4;
  default:
    return version >= kind->since && version <= kind->until;
  }
}

/* all-vNN.mlpd has every event of data version NN. */
static void
test_kinds (void **state)
{
  const struct log *log = *state;
  const unsigned version = (unsigned) g_ascii_strtoull (log->name + strlen ("all-v"), NULL, 10);
  struct log_items *items = log_items_read ((const guint8 *) log->bytes, log->length, 0, 0);
  assert_int_equal ((guint8) log->bytes[6], version);
  for (unsigned kind = 0; kind < MLPD_KINDS; kind++) {
    const struct mlpd_description *description = mlpd_describe (kind);
    char *word = g_strdup_printf (" %s ", description->name);
    guint found = 0;
    for (guint i = 0; i < items->items->len; i++)
      found += strstr (log_items_nth (items, i).line, word) != NULL;
    if ((found != 0) != is_written (description, version))
      fail_msg ("%s: %u events %s", log->name, found, description->name);
    g_free (word);
  }
  log_items_free (items);
}

/* A packed log gives the same bytes. */
static void
test_packed (void **state)
{
  const struct log *log = *state;
  char *plain = g_strndup (log->path, strlen (log->path) - strlen (".gz"));
  char *expected;
  gsize length, at = 0;
  assert_true (g_file_get_contents (plain, &expected, &length, NULL));
  struct log_input *input = log_input_open (log->path, NULL);
  assert_non_null (input);
  const uint8_t *bytes;
  size_t n;
  while (log_input_read (input, &bytes, &n, NULL) && n != 0) {
    assert_true (at + n <= length);
    assert_memory_equal (bytes, expected + at, n);
    at += n;
  }
  assert_int_equal (at, length);
  assert_null (log_input_damage (input));
  log_input_close (input);
  g_free (expected);
  g_free (plain);
}

static void
free_log (gpointer data)
{
  struct log *log = data;
  g_free (log->name);
  g_free (log->path);
  g_free (log->bytes);
  g_free (log);
}

static struct log *
read_log (const char *path)
{
  struct log *log = g_new0 (struct log, 1);
  log->name = g_path_get_basename (path);
  log->path = g_strdup (path);
  if (!g_file_get_contents (log->path, &log->bytes, &log->length, NULL))
    g_error ("%s cannot be read", log->path);
  return log;
}

static void
add_logs (GPtrArray *logs, const char *prefix, const char *suffix)
{
  GPtrArray *paths = fixture_paths ("logs", suffix, 1);
  for (guint i = 0; i < paths->len; i++) {
    struct log *log = read_log (g_ptr_array_index (paths, i));
    if (g_str_has_prefix (log->name, prefix))
      g_ptr_array_add (logs, log);
    else
      free_log (log);
  }
  g_ptr_array_unref (paths);
}

static void
add_test (GArray *tests, GPtrArray *names, struct log *log, const char *what,
          CMUnitTestFunction run)
{
  const struct CMUnitTest test
      = { g_strconcat (log->name, ": ", what, NULL), run, NULL, NULL, log };
  g_ptr_array_add (names, (gpointer) test.name);
  g_array_append_val (tests, test);
}

int
main (void)
{
  GPtrArray *logs = g_ptr_array_new_with_free_func (free_log);
  add_logs (logs, "", ".mlpd");
  add_logs (logs, "all-", ".mlpd.gz");
  GArray *tests = g_array_new (FALSE, FALSE, sizeof (struct CMUnitTest));
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < logs->len; i++) {
    struct log *log = g_ptr_array_index (logs, i);
    if (g_str_has_suffix (log->name, ".gz")) {
      add_test (tests, names, log, "packed", test_packed);
      continue;
    }
    add_test (tests, names, log, "splits", test_splits);
    add_test (tests, names, log, "cuts", test_cuts);
    if (g_str_has_prefix (log->name, "all-"))
      add_test (tests, names, log, "kinds", test_kinds);
  }
  const int failed = _cmocka_run_group_tests ("logs", (const struct CMUnitTest *) tests->data,
                                              tests->len, NULL, NULL);
  g_ptr_array_unref (names);
  g_array_unref (tests);
  g_ptr_array_unref (logs);
  return failed != 0;
}
