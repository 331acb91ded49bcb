/* test-logs.c -- every log of tests/logs/, whole, split at every byte and cut at every byte. */
#include "tests/unit/log-items.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct log {
  char *name;
  char *bytes;
  gsize length;
};

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
  for (gsize split = 1; split < log->length; split++) {
    struct log_items *items = log_items_read (bytes, log->length, split, 0);
    log_items_check_equal (whole, items);
    log_items_free (items);
  }
  for (gsize piece = 1; piece < 80; piece++) {
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

static void
check_cut (const struct log *log, const struct log_items *whole, gsize cut)
{
  struct log_items *items = log_items_read ((const guint8 *) log->bytes, cut, 0, 0);
  log_items_check (items, cut);
  /* All that was whole before the cut comes out as before ... */
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
  /* ... and then one damage says what is missing.  Our writer's logs have an end mark, which the
   * cut took away, so there is always one. */
  assert_int_equal (items->items->len, n + 1);
  const struct log_item *last = &log_items_nth (items, n);
  assert_int_equal (last->type, MLPD_ITEM_DAMAGE);
  assert_int_equal (last->reason, MLPD_DAMAGE_TRUNCATED);
  assert_int_equal (last->offset, end);
  assert_int_equal (last->offset + last->size, cut);
  assert_int_equal (last->missing, end_of_unit (whole, cut) - cut);
  log_items_free (items);
}

static void
test_cuts (void **state)
{
  const struct log *log = *state;
  struct log_items *whole = log_items_read ((const guint8 *) log->bytes, log->length, 0, 0);
  for (gsize cut = 4; cut < log->length; cut++)
    check_cut (log, whole, cut);
  for (gsize cut = 0; cut < 4; cut++) {
    struct log_items *items = log_items_read ((const guint8 *) log->bytes, cut, 0, 0);
    assert_int_equal (items->result, PROFLOG_ERROR);
    assert_int_equal (items->error->code, PROFLOG_READ_ERROR_NOT_A_LOG);
    log_items_free (items);
  }
  log_items_free (whole);
}

static void
free_log (gpointer data)
{
  struct log *log = data;
  g_free (log->name);
  g_free (log->bytes);
  g_free (log);
}

static GPtrArray *
read_logs (void)
{
  const char *srcdir = g_getenv ("srcdir");
  char *folder = g_build_filename (srcdir != NULL ? srcdir : ".", "tests", "logs", NULL);
  GPtrArray *logs = g_ptr_array_new_with_free_func (free_log);
  GDir *dir = g_dir_open (folder, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".mlpd")) {
      char *path = g_build_filename (folder, name, NULL);
      struct log *log = g_new0 (struct log, 1);
      log->name = g_strdup (name);
      if (!g_file_get_contents (path, &log->bytes, &log->length, NULL))
        g_error ("%s cannot be read", path);
      g_ptr_array_add (logs, log);
      g_free (path);
    }
  if (logs->len == 0)
    g_error ("there are no logs in %s", folder);
  g_clear_pointer (&dir, g_dir_close);
  g_free (folder);
  return logs;
}

int
main (void)
{
  GPtrArray *logs = read_logs ();
  GArray *tests = g_array_new (FALSE, FALSE, sizeof (struct CMUnitTest));
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < logs->len; i++) {
    struct log *log = g_ptr_array_index (logs, i);
    const struct CMUnitTest two[] = {
      { g_strconcat (log->name, ": splits", NULL), test_splits, NULL, NULL, log },
      { g_strconcat (log->name, ": cuts", NULL), test_cuts, NULL, NULL, log },
    };
    g_ptr_array_add (names, (gpointer) two[0].name);
    g_ptr_array_add (names, (gpointer) two[1].name);
    g_array_append_vals (tests, two, 2);
  }
  const int failed = _cmocka_run_group_tests ("logs", (const struct CMUnitTest *) tests->data,
                                              tests->len, NULL, NULL);
  g_ptr_array_unref (names);
  g_array_unref (tests);
  g_ptr_array_unref (logs);
  return failed != 0;
}
