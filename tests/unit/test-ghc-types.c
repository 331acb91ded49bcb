/* test-ghc-types.c -- headers that are equal, messages about losses, and readers that
 * have ended. */
#include "config.h"

#include "decoder/ghc/ghc-losses.h"
#include "decoder/ghc/ghc-types.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

#include <string.h>

/* ---- headers ---- */

#define TYPE(tag, size, description, more)                                                         \
  {                                                                                                \
    tag, size, 0, GHC_UNKNOWN, GHC_TEXT (description), GHC_TEXT (more)                             \
  }

/* Tags, sizes and texts count, in their order. */
TEST (test_equal_headers)
{
  static const struct ghc_event_type types[] = { TYPE (1, 4, "one", ""), TYPE (2, 8, "two", "m") };
  static const struct {
    struct ghc_event_type types[2];
    size_t n;
    bool equal;
  } cases[] = {
    { { TYPE (1, 4, "one", ""), TYPE (2, 8, "two", "m") }, 2, true },
    { { TYPE (1, 4, "one", "") }, 1, false },
    { { TYPE (2, 8, "two", "m"), TYPE (1, 4, "one", "") }, 2, false },
    { { TYPE (3, 4, "one", ""), TYPE (2, 8, "two", "m") }, 2, false },
    { { TYPE (1, 5, "one", ""), TYPE (2, 8, "two", "m") }, 2, false },
    { { TYPE (1, 4, "onE", ""), TYPE (2, 8, "two", "m") }, 2, false },
    { { TYPE (1, 4, "ones", ""), TYPE (2, 8, "two", "m") }, 2, false },
    { { TYPE (1, 4, "", ""), TYPE (2, 8, "two", "m") }, 2, false },
    { { TYPE (1, 4, "one", "m"), TYPE (2, 8, "two", "m") }, 2, false },
    { { TYPE (1, 4, "one", ""), TYPE (2, 8, "two", "n") }, 2, false },
    { { TYPE (1, 4, "one", ""), TYPE (2, 8, "two", "") }, 2, false },
  };
  const struct ghc_header header = { .types = types, .n_types = G_N_ELEMENTS (types) };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct ghc_header other = { .types = cases[i].types, .n_types = cases[i].n };
    assert_int_equal (ghc_header_equals (&header, &other), cases[i].equal);
    assert_int_equal (ghc_header_equals (&other, &header), cases[i].equal);
  }
  const struct ghc_header none = { .types = NULL };
  assert_true (ghc_header_equals (&none, &none));
  assert_false (ghc_header_equals (&header, &none));
}

/* A copy is equal, and does not need the first one. */
TEST (test_copies)
{
  static const struct ghc_event_type types[] = { TYPE (1, 4, "one", ""), TYPE (2, 8, "two", "m") };
  const struct ghc_header header = { .types = types, .n_types = G_N_ELEMENTS (types) };
  struct ghc_types *copy = ghc_types_copy (&header);
  assert_true (ghc_header_equals (&copy->header, &header));
  assert_ptr_not_equal (copy->header.types[0].description.text, types[0].description.text);
  ghc_types_pack (copy);
  ghc_types_pack (copy); /* there is nothing more to be packed */
  assert_true (ghc_header_equals (&copy->header, &header));
  ghc_types_free (copy);
  ghc_types_free (NULL);
}

/* ---- losses ---- */

TEST (test_losses)
{
  static const struct {
    const char *message;
    bool states;
    uint64_t lost;
  } cases[] = {
    { "proflog: 7 events are missing here", true, 7 },
    { "proflog: 0 events are not in the log", true, 0 },
    { "proflog: 18446744073709551615 events ", true, UINT64_MAX },
    { "proflog: 7 events", false, 0 },
    { "proflog: 7 things are missing here", false, 0 },
    { "proflog: x events are missing here", false, 0 },
    { "proflog: -7 events are missing here", false, 0 },
    { "proflog:  7 events are missing here", false, 0 },
    { "proflog 7 events are missing here", false, 0 },
    { "7 events are missing here", false, 0 },
    { "", false, 0 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct ghc_text text = { cases[i].message, strlen (cases[i].message) };
    uint64_t lost = 1;
    assert_int_equal (
        ghc_losses_of (GHC_EVENT_ITEM (0, 1, GHC_LOG_MSG, .log_msg = { .message = text }), &lost),
        cases[i].states);
    assert_int_equal (lost, cases[i].lost);
    /* The program may write any text. */
    lost = 1;
    assert_false (ghc_losses_of (
        GHC_EVENT_ITEM (0, 1, GHC_USER_MSG, .user_msg = { .message = text }), &lost));
    assert_int_equal (lost, 0);
  }
  char *long_one = g_strdup_printf ("proflog: 7 events %0238d", 0);
  uint64_t lost;
  for (size_t length = 256; length <= 257; length++)
    assert_int_equal (
        ghc_losses_of (
            GHC_EVENT_ITEM (0, 1, GHC_LOG_MSG, .log_msg = { .message = { long_one, length } }),
            &lost),
        length == 256);
  g_free (long_one);
}

/* ---- readers ---- */

/* A reader that has ended stays so, and pushing nothing changes nothing. */
TEST (test_ended_readers)
{
  static const char nonsense[] = "this is no eventlog";
  for (int is_log = 0; is_log < 2; is_log++) {
    GByteArray *log = g_byte_array_new ();
    struct ghc_reader *reader = ghc_reader_new ();
    const struct ghc_item *item;
    enum proflog_result result;
    if (is_log) {
      ghc_put_header_begin (log);
      ghc_put_header_end (log);
      ghc_put (log, GHC_DATA_END, 2);
    } else {
      g_byte_array_append (log, (const guint8 *) nonsense, sizeof nonsense);
    }
    ghc_reader_push (reader, NULL, 0);
    assert_int_equal (ghc_reader_next (reader, &item), PROFLOG_NEED_MORE);
    ghc_reader_push (reader, log->data, log->len);
    while ((result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
      assert_int_not_equal (item->type, GHC_ITEM_DAMAGE);
    if (result == PROFLOG_NEED_MORE) {
      ghc_reader_finish (reader);
      result = ghc_reader_next (reader, &item);
    }
    assert_int_equal (result, is_log ? PROFLOG_END : PROFLOG_ERROR);
    assert_int_equal (ghc_reader_error (reader) != NULL, !is_log);
    assert_int_equal (ghc_reader_next (reader, &item), result);
    ghc_reader_free (reader);
    g_byte_array_unref (log);
  }
  ghc_reader_free (NULL);
}
