/* test-mlpd-merge.c -- which logs are parts of one: their names and marks are the same. */
#include "config.h"

#include "decoder/mlpd/edit/mlpd-merge.h"
#include "tests/unit/test.h"

#include <string.h>

/* The steps of all parts, after a header: up to a 0. */
enum step {
  END,
  LOSS,
  OTHER_LOSS,
  LOSS_BY_ERROR,
  NAME,
  OTHER_NAME,
  NAME_ELSEWHERE,
  METHOD,
  DAMAGE
};

static void
put_name (struct mlpd_writer *w, uint64_t thread, const char *name)
{
  const union mlpd_payload p
      = { .metadata_thread
          = { .action = MLPD_LOAD_NAME, .time = 2, .thread = 9, .name = { name, strlen (name) } } };
  assert_true (mlpd_writer_begin_buffer (w, thread, 2, NULL));
  assert_true (mlpd_writer_event (w, MLPD_METADATA_THREAD, &p, NULL));
}

static void
put_step (struct mlpd_writer *w, enum step step)
{
  const union mlpd_payload jit
      = { .method_jit = { .time = 2, .method = 64, .code = 8, .size = 1, .name = { "m", 1 } } };
  switch (step) {
  case LOSS:
    mlpd_writer_loss (w, 2, 0, 5, 0, NULL);
    break;
  case OTHER_LOSS:
    mlpd_writer_loss (w, 2, 0, 6, 0, NULL);
    break;
  case LOSS_BY_ERROR:
    mlpd_writer_loss (w, 2, 0, 5, 28, NULL);
    break;
  case METHOD:
    assert_true (mlpd_writer_begin_buffer (w, 7, 2, NULL));
    assert_true (mlpd_writer_event (w, MLPD_METHOD_JIT, &jit, NULL));
    break;
  default:
    put_name (w, step == NAME_ELSEWHERE ? 8 : 7, step == OTHER_NAME ? "b" : "a");
    break;
  }
}

/* A log that ends with half a buffer if it is damaged. */
static GByteArray *
write_log (const enum step *steps)
{
  const struct mlpd_file_header header = { .minor = 4, .data_version = 1, .pointer_size = 8 };
  struct mlpd_writer *w = mlpd_writer_new ();
  size_t length;
  assert_true (mlpd_writer_header (w, &header, NULL));
  for (; *steps != END && *steps != DAMAGE; steps++)
    put_step (w, *steps);
  if (*steps == DAMAGE)
    put_step (w, METHOD);
  mlpd_writer_end_buffer (w);
  const uint8_t *bytes = mlpd_writer_take (w, &length);
  GByteArray *log
      = g_byte_array_append (g_byte_array_new (), bytes, (guint) length - (*steps == DAMAGE));
  mlpd_writer_free (w);
  return log;
}

/* Two logs on their way into one. */
struct job {
  struct mlpd_merge merge;
  struct mlpd_reader *readers[2];
};

/* Offers items of a log until it has one or is at its end. */
static bool
advance (struct job *job, size_t nth, GError **error)
{
  const struct mlpd_item *item;
  bool good = true;
  while (good && job->merge.logs[nth].item == NULL
         && mlpd_reader_next (job->readers[nth], &item) == PROFLOG_EVENT)
    good = mlpd_merge_offer (&job->merge, nth, item, error);
  return good;
}

static bool
merge_all (struct job *job, GError **error)
{
  size_t nth;
  bool good = advance (job, 0, error) && advance (job, 1, error);
  while (good && !mlpd_merge_is_over (&job->merge))
    good = mlpd_merge_step (&job->merge, &nth, error) && advance (job, 0, error)
           && advance (job, 1, error);
  return good && mlpd_merge_end (&job->merge, error);
}

/* The message that merging them ends with; NULL if they are parts of one log (transfer full). */
static char *
merge_two (const enum step *one, const enum step *other, size_t *length)
{
  GByteArray *logs[2] = { write_log (one), write_log (other) };
  struct job job;
  GError *error = NULL;
  char *message = NULL;
  mlpd_merge_init (&job.merge, 2);
  for (size_t i = 0; i < 2; i++) {
    job.readers[i] = mlpd_reader_new ();
    mlpd_reader_push (job.readers[i], logs[i]->data, logs[i]->len);
    mlpd_reader_finish (job.readers[i]);
  }
  if (!merge_all (&job, &error)) {
    assert_true (error->domain == MLPD_MERGE_ERROR);
    message = g_strdup (error->message);
    g_error_free (error);
  }
  mlpd_writer_take (job.merge.part.writer, length);
  for (size_t i = 0; i < 2; i++) {
    mlpd_reader_free (job.readers[i]);
    g_byte_array_unref (logs[i]);
  }
  mlpd_merge_clear (&job.merge);
  return message;
}

/* Common events are in the result once: that is one of the logs again. */
TEST (parts_of_one_log)
{
  static const enum step logs[][4] = {
    { END }, { LOSS }, { LOSS_BY_ERROR }, { NAME }, { NAME, LOSS, METHOD }, { LOSS, LOSS },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (logs); i++) {
    size_t length;
    GByteArray *log = write_log (logs[i]);
    assert_null (merge_two (logs[i], logs[i], &length));
    assert_int_equal (length, log->len);
    g_byte_array_unref (log);
  }
}

TEST (parts_of_others)
{
  static const struct {
    enum step one[4], other[4];
    const char *message;
  } cases[] = {
    { { LOSS }, { OTHER_LOSS }, "loss mark at offset" },
    { { LOSS }, { LOSS_BY_ERROR }, "loss mark at offset" },
    { { LOSS }, { NAME }, "the other another event, a metadata-thread at offset" },
    { { NAME }, { LOSS }, "the other another event, a loss mark at offset" },
    { { NAME }, { OTHER_NAME }, "the other another event, a metadata-thread at offset" },
    { { NAME }, { NAME_ELSEWHERE }, "the other another event, a metadata-thread at offset" },
    { { NAME }, { METHOD }, "the other another event, a method-jit at offset" },
    { { NAME, LOSS }, { NAME }, "and the other ends before it" },
    { { LOSS }, { END }, "the one has a loss mark" },
    { { END }, { METHOD }, "the one has a method-jit" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    size_t length;
    g_autofree char *message = merge_two (cases[i].one, cases[i].other, &length);
    if (message == NULL || strstr (message, cases[i].message) == NULL
        || !g_str_has_prefix (message, "are not parts of one log: "))
      fail_msg ("case %zu: %s", i, message != NULL ? message : "no error");
  }
}

/* A damaged log may lack events that the other one has. */
TEST (damaged_parts)
{
  static const enum step damaged[] = { NAME, DAMAGE }, whole[] = { NAME, LOSS, METHOD, END };
  size_t length;
  GByteArray *log = write_log (whole);
  assert_null (merge_two (damaged, whole, &length));
  assert_int_equal (length, log->len);
  assert_null (merge_two (whole, damaged, &length));
  assert_int_equal (length, log->len);
  g_byte_array_unref (log);
}
