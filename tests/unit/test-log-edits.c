/* test-log-edits.c -- events that the editors of Mono logs retain, and those that they refuse. */
#include "config.h"

#include "decoder/convert/convert-version.h"
#include "decoder/mlpd/edit/mlpd-anonymizer.h"
#include "decoder/mlpd/edit/mlpd-cut.h"
#include "decoder/mlpd/edit/mlpd-merge.h"
#include "tests/unit/test.h"

#include <string.h>

/* An editor at work; of the others nothing is used. */
struct editing {
  struct mlpd_writer *writer;
  struct buffer_filter filter;
  struct mlpd_cut cut;
  struct mlpd_merge merge;
  struct secrets secrets;
  struct mlpd_anonymizer anonymizer;
  struct symbols names;
  struct convert_version convert;
};

/* `to`: the data version of the log, and of the result. */
struct editor {
  const char *name;
  void (*begin) (struct editing *e, unsigned to);
  bool (*item) (struct editing *e, const struct mlpd_item *item, GError **error);
  void (*end) (struct editing *e);
  void (*clear) (struct editing *e);
};

/* ---- cut, of which everything is selected ---- */

static void
begin_cut (struct editing *e, unsigned to)
{
  (void) to;
  buffer_filter_init (&e->filter, NULL, NULL);
  mlpd_cut_init (&e->cut, &e->filter);
  e->writer = e->cut.part.writer;
}

static bool
cut_item (struct editing *e, const struct mlpd_item *item, GError **error)
{
  return mlpd_cut_item (&e->cut, item, error);
}

static void
end_cut (struct editing *e)
{
  mlpd_cut_end (&e->cut);
}

static void
clear_cut (struct editing *e)
{
  mlpd_cut_clear (&e->cut);
  buffer_filter_clear (&e->filter);
}

/* ---- merge, of one log ---- */

static void
begin_merge (struct editing *e, unsigned to)
{
  (void) to;
  mlpd_merge_init (&e->merge, 1);
  e->writer = e->merge.part.writer;
}

static bool
merge_item (struct editing *e, const struct mlpd_item *item, GError **error)
{
  size_t nth;
  return mlpd_merge_offer (&e->merge, 0, item, error)
         && (mlpd_merge_is_over (&e->merge) || mlpd_merge_step (&e->merge, &nth, error));
}

static void
end_merge (struct editing *e)
{
  assert_true (mlpd_merge_end (&e->merge, NULL));
}

static void
clear_merge (struct editing *e)
{
  mlpd_merge_clear (&e->merge);
}

/* ---- the anonymizer ---- */

static void
begin_anonymizer (struct editing *e, unsigned to)
{
  (void) to;
  secrets_init (&e->secrets, "k");
  mlpd_anonymizer_init (&e->anonymizer, &e->secrets);
  e->writer = e->anonymizer.writer;
}

static bool
anonymizer_item (struct editing *e, const struct mlpd_item *item, GError **error)
{
  return mlpd_anonymizer_item (&e->anonymizer, item, error);
}

static void
end_anonymizer (struct editing *e)
{
  mlpd_writer_end_buffer (e->writer);
}

static void
clear_anonymizer (struct editing *e)
{
  mlpd_anonymizer_clear (&e->anonymizer);
  secrets_clear (&e->secrets);
}

/* ---- conversion, to the same version ---- */

static void
begin_convert (struct editing *e, unsigned to)
{
  symbols_init (&e->names);
  convert_version_init (&e->convert, to, &e->names);
  e->writer = e->convert.writer;
}

static bool
convert_item (struct editing *e, const struct mlpd_item *item, GError **error)
{
  return convert_version_item (&e->convert, item, error);
}

static void
end_convert (struct editing *e)
{
  convert_version_end (&e->convert);
}

static void
clear_convert (struct editing *e)
{
  convert_version_clear (&e->convert);
  symbols_clear (&e->names);
}

static const struct editor editors[] = {
  { "cut", begin_cut, cut_item, end_cut, clear_cut },
  { "merge", begin_merge, merge_item, end_merge, clear_merge },
  { "anonymize", begin_anonymizer, anonymizer_item, end_anonymizer, clear_anonymizer },
  { "convert", begin_convert, convert_item, end_convert, clear_convert },
};

/* ---- retained events ---- */

static void
put (struct mlpd_writer *w, enum mlpd_kind kind, union mlpd_payload payload)
{
  assert_true (mlpd_writer_event (w, kind, &payload, NULL));
}

static void
put_thread_name (struct mlpd_writer *w, uint64_t thread, uint64_t time, const char *name)
{
  put (w, MLPD_METADATA_THREAD,
       (union mlpd_payload){ .metadata_thread = { .action = MLPD_LOAD_NAME,
                                                  .time = time,
                                                  .thread = thread,
                                                  .name = { name, strlen (name) } } });
}

static void
put_call (struct mlpd_writer *w, uint64_t time)
{
  put (w, MLPD_METHOD_ENTER, (union mlpd_payload){ .method_enter = { time, 0x40 } });
  put (w, MLPD_METHOD_LEAVE, (union mlpd_payload){ .method_leave = { time + 1, 0x40 } });
}

/* A writer of a log that has the header of an old one. */
static struct mlpd_writer *
begin_log (void)
{
  const struct mlpd_file_header header = { .minor = 4,
                                           .data_version = 1,
                                           .pointer_size = 8,
                                           .start_ms = 1278000000000,
                                           .pid = 4711,
                                           .system = 3 << 8 | 62 };
  struct mlpd_writer *w = mlpd_writer_new ();
  assert_true (mlpd_writer_header (w, &header, NULL));
  return w;
}

/* The log, whole (transfer full). */
static GByteArray *
end_log (struct mlpd_writer *w)
{
  size_t length;
  mlpd_writer_end_buffer (w);
  const uint8_t *bytes = mlpd_writer_take (w, &length);
  GByteArray *log = g_byte_array_append (g_byte_array_new (), bytes, (guint) length);
  mlpd_writer_free (w);
  return log;
}

/* Events, names that are announced again, context, and marks of losses and of the end. */
static GByteArray *
write_log (void)
{
  struct mlpd_writer *w = begin_log ();
  assert_true (mlpd_writer_begin_buffer (w, 7, 1000, NULL));
  put_call (w, 1010);
  assert_true (mlpd_writer_begin_buffer (w, 7, 1020, NULL));
  mlpd_writer_mark_reannounced (w);
  put_thread_name (w, 7, 1021, "Main");
  assert_true (mlpd_writer_begin_buffer (w, 7, 1030, NULL));
  mlpd_writer_mark_context (w);
  put_thread_name (w, 8, 1031, "Finalizer");
  assert_true (mlpd_writer_loss (w, 1040, 0, 5, 0, NULL));
  assert_true (mlpd_writer_begin_buffer (w, 8, 1050, NULL));
  put_call (w, 1060);
  assert_true (mlpd_writer_loss (w, 1070, 0, 6, 28, NULL));
  assert_true (mlpd_writer_end (w, 1080, 7, NULL));
  return end_log (w);
}

/* Where there is nothing to change, the log stays as it is, byte by byte. */
TEST (what_stays)
{
  GByteArray *log = write_log ();
  for (size_t i = 0; i < G_N_ELEMENTS (editors); i++) {
    struct editing e;
    const struct mlpd_item *item;
    size_t length;
    struct mlpd_reader *reader = mlpd_reader_new ();
    editors[i].begin (&e, 1);
    mlpd_reader_push (reader, log->data, log->len);
    mlpd_reader_finish (reader);
    while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
      assert_true (editors[i].item (&e, item, NULL));
    editors[i].end (&e);
    const uint8_t *bytes = mlpd_writer_take (e.writer, &length);
    if (length != log->len || memcmp (bytes, log->data, length) != 0)
      fail_msg ("%s changes the log, which has %u bytes, then %zu", editors[i].name, log->len,
                length);
    editors[i].clear (&e);
    mlpd_reader_free (reader);
  }
  g_byte_array_unref (log);
}

/* ---- refused logs ---- */

static const struct mlpd_file_header header = { .major = 3,
                                                .data_version = 14,
                                                .pointer_size = 8,
                                                .arguments = { "", 0 },
                                                .architecture = { "", 0 },
                                                .operating_system = { "", 0 } };
static const struct mlpd_buffer_header buffer = { .thread = 7, .time_base = 1, .length = 1 };

static bool
edit_header (const struct editor *editor, struct editing *e, const struct mlpd_file_header *h,
             GError **error)
{
  const struct mlpd_item item = { .type = MLPD_ITEM_FILE_HEADER, .header = h };
  return editor->item (e, &item, error);
}

static bool
edit_event (const struct editor *editor, struct editing *e, const struct mlpd_buffer_header *in,
            enum mlpd_kind kind, const union mlpd_payload *payload, GError **error)
{
  const struct mlpd_item begin = { .type = MLPD_ITEM_BUFFER, .header = &header, .buffer = in };
  const struct mlpd_item item = {
    .type = MLPD_ITEM_EVENT, .header = &header, .buffer = in, .kind = kind, .payload = payload
  };
  return editor->item (e, &begin, error) && editor->item (e, &item, error);
}

static void
expect_error (const struct editor *editor, bool good, GError *error, enum mlpd_writer_error code)
{
  if (good)
    fail_msg ("%s writes what cannot be written", editor->name);
  assert_true (g_error_matches (error, MLPD_WRITER_ERROR, (gint) code));
  g_error_free (error);
}

TEST (refused_headers)
{
  struct mlpd_file_header odd = header;
  odd.pointer_size = 5;
  for (size_t i = 0; i < G_N_ELEMENTS (editors); i++) {
    struct editing e;
    GError *error = NULL;
    editors[i].begin (&e, header.data_version);
    const bool good = edit_header (&editors[i], &e, &odd, &error);
    expect_error (&editors[i], good, error, MLPD_WRITER_ERROR_HEADER);
    editors[i].clear (&e);
  }
}

/* An event of more objects than a log may have; nothing of it is read before that is known. */
TEST (refused_events)
{
  const union mlpd_payload moves
      = { .gc_move = { .time = 2, .objects = { NULL, MLPD_WRITER_EVENT_MAX + 1 } } };
  for (size_t i = 0; i < G_N_ELEMENTS (editors); i++) {
    struct editing e;
    GError *error = NULL;
    editors[i].begin (&e, header.data_version);
    assert_true (edit_header (&editors[i], &e, &header, NULL));
    const bool good = edit_event (&editors[i], &e, &buffer, MLPD_GC_MOVE, &moves, &error);
    expect_error (&editors[i], good, error, MLPD_WRITER_ERROR_TOO_LONG);
    editors[i].clear (&e);
  }
}

/* A counter 0 ends the list of values.  Converters list such an event among their losses. */
TEST (refused_values)
{
  static const struct mlpd_counter_value zero = { .index = 0 };
  const union mlpd_payload values = { .sample_counters = { .time = 2, .values = { &zero, 1 } } };
  for (size_t i = 0; i < G_N_ELEMENTS (editors); i++) {
    struct editing e;
    GError *error = NULL;
    editors[i].begin (&e, header.data_version);
    assert_true (edit_header (&editors[i], &e, &header, NULL));
    const bool good = edit_event (&editors[i], &e, &buffer, MLPD_SAMPLE_COUNTERS, &values, &error);
    if (editors[i].begin == begin_convert) {
      assert_true (good);
      assert_int_equal (e.convert.losses.names->len, 1);
      assert_string_equal (e.convert.losses.names->pdata[0], "sample-counters");
    } else {
      expect_error (&editors[i], good, error, MLPD_WRITER_ERROR_VALUE);
    }
    editors[i].clear (&e);
  }
}

/* The description of a counter, which stands in context, is written with its first value. */
TEST (refused_descriptions)
{
  const struct mlpd_counter counter = { .section = MLPD_COUNTER_SECTION_RUNTIME,
                                        .name = { "c", 1 },
                                        .type = MLPD_COUNTER_TYPE_LONG,
                                        .unit = 256, /* version 14 has a byte for it */
                                        .index = 1 };
  const struct mlpd_counter_value value = { .index = 1, .type = MLPD_COUNTER_TYPE_LONG };
  const union mlpd_payload described
      = { .sample_counters_desc = { .time = 2, .counters = { &counter, 1 } } };
  const union mlpd_payload values = { .sample_counters = { .time = 2, .values = { &value, 1 } } };
  struct mlpd_buffer_header context = buffer;
  context.obj_base = MLPD_CONTEXT_BASE;
  for (size_t i = 0; i < 2; i++) { /* cut and merge */
    struct editing e;
    GError *error = NULL;
    editors[i].begin (&e, header.data_version);
    assert_true (edit_header (&editors[i], &e, &header, NULL));
    assert_true (
        edit_event (&editors[i], &e, &context, MLPD_SAMPLE_COUNTERS_DESC, &described, NULL));
    const bool good = edit_event (&editors[i], &e, &buffer, MLPD_SAMPLE_COUNTERS, &values, &error);
    expect_error (&editors[i], good, error, MLPD_WRITER_ERROR_VALUE);
    editors[i].clear (&e);
  }
}
