/* test-push-queue.c -- which logs wait in a folder, and which are dropped from it. */
#include "config.h"

#include "decoder/push/push.h"
#include "tests/unit/test.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <proflog/spool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folders {
  char *top;
  struct push_queue queue;
};

static void
open_folders (struct folders *f, uint64_t bytes_max)
{
  GError *error = NULL;
  f->top = g_dir_make_tmp ("proflog-queue-XXXXXX", &error);
  assert_null (error);
  g_autofree char *folder = g_build_filename (f->top, "queue", NULL);
  assert_true (push_queue_open (&f->queue, folder, bytes_max, &error));
}

static void
close_folders (struct folders *f)
{
  GArray *list = push_queue_list (&f->queue);
  for (guint i = 0; i < list->len; i++)
    push_queue_remove (&g_array_index (list, struct push_waiting, i));
  g_array_unref (list);
  assert_int_equal (g_rmdir (f->queue.folder), 0);
  assert_int_equal (g_rmdir (f->top), 0);
  push_queue_close (&f->queue);
  g_free (f->top);
}

static char *
write_log (const struct folders *f, const char *name, size_t bytes)
{
  char *path = g_build_filename (f->top, name, NULL), *text = g_strnfill (bytes, 'x');
  assert_true (g_file_set_contents (path, text, (gssize) bytes, NULL));
  g_free (text);
  return path;
}

/* Adds a log of this size and time, and removes the original. */
static guint
add_log (struct folders *f, const char *name, size_t bytes, time_t time)
{
  const struct timespec times[2] = { { .tv_sec = time }, { .tv_sec = time } };
  g_autofree char *path = write_log (f, "log", bytes);
  guint dropped = 0;
  GError *error = NULL;
  assert_int_equal (utimensat (AT_FDCWD, path, times, 0), 0);
  assert_true (push_queue_add (&f->queue, path, name, &dropped, &error));
  assert_int_equal (g_unlink (path), 0);
  return dropped;
}

/* "NAME BYTES ..." of all that wait. */
static void
check_waiting (const struct folders *f, const char *expected)
{
  GArray *list = push_queue_list (&f->queue);
  GString *found = g_string_new (NULL);
  for (guint i = 0; i < list->len; i++) {
    const struct push_waiting *waiting = &g_array_index (list, struct push_waiting, i);
    g_string_append_printf (found, "%s %" G_GUINT64_FORMAT ";", waiting->name, waiting->bytes);
  }
  assert_string_equal (found->str, expected);
  g_string_free (found, TRUE);
  g_array_unref (list);
}

TEST (test_the_oldest_first)
{
  struct folders f;
  open_folders (&f, 1000);
  assert_int_equal (add_log (&f, "/logs/b.mlpd", 20, 2000), 0);
  assert_int_equal (add_log (&f, "/logs/a b%.mlpd", 30, 10000), 0);
  assert_int_equal (add_log (&f, "c.mlpd", 10, 999), 0);
  check_waiting (&f, "c.mlpd 10;/logs/b.mlpd 20;/logs/a b%.mlpd 30;");
  close_folders (&f);
}

TEST (test_beyond_the_bound)
{
  struct folders f;
  open_folders (&f, 100);
  assert_int_equal (add_log (&f, "a", 60, 1), 0);
  assert_int_equal (add_log (&f, "b", 40, 2), 0);
  assert_int_equal (add_log (&f, "c", 1, 3), 1);
  check_waiting (&f, "b 40;c 1;");
  /* A log that is larger than the queue drops all, and itself. */
  assert_int_equal (add_log (&f, "d", 101, 4), 3);
  check_waiting (&f, "");
  close_folders (&f);
}

TEST (test_spools)
{
  struct folders f;
  open_folders (&f, 1000);
  g_autofree char *spool = write_log (&f, "log" PROFLOG_SPOOL_SUFFIX, 5);
  assert_int_equal (add_log (&f, "a", 10, 1), 0);
  assert_int_equal (g_unlink (spool), 0);
  GArray *list = push_queue_list (&f.queue);
  assert_int_equal (list->len, 1);
  g_autofree char *kept
      = g_strconcat (g_array_index (list, struct push_waiting, 0).path, PROFLOG_SPOOL_SUFFIX, NULL);
  assert_int_equal (g_access (kept, F_OK), 0);
  g_array_unref (list);
  close_folders (&f); /* fails if the spool is left */
}

TEST (test_refused)
{
  struct folders f;
  guint dropped = 1;
  GError *error = NULL;
  open_folders (&f, 1000);
  g_autofree char *path = g_build_filename (f.top, "gone.mlpd", NULL);
  assert_false (push_queue_add (&f.queue, path, "gone.mlpd", &dropped, &error));
  assert_int_equal (dropped, 0);
  assert_true (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT));
  assert_true (g_str_has_suffix (error->message, "gone.mlpd: No such file or directory"));
  g_clear_error (&error);
  check_waiting (&f, "");
  close_folders (&f);
}
