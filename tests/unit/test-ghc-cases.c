/* test-ghc-cases.c -- the hand-written events of tests/ghc-cases/ give the text beside them,
 * however the reader is fed, and every event of the list is among them. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/views/ghc/ghc-show.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#define TIME 1000000

struct event_case {
  char *line; /* as it is in the file */
  guint tag, size;
  guint excess; /* bytes that its length counts and that are not there */
  GByteArray *payload;
  char *expected;
  GString *shown; /* NULL: it is damage */
};

static void G_GNUC_NORETURN
bad_case (const char *line)
{
  g_printerr ("tests/ghc-cases: '%s' makes no sense\n", line);
  exit (99);
}

/* Bytes in hex, "text". */
static GByteArray *
read_bytes (const char *text, const char *line)
{
  GByteArray *bytes = g_byte_array_new ();
  while (*text != 0) {
    const char *end = *text == '"' ? strchr (text + 1, '"') : NULL;
    if (*text == ' ') {
      text++;
    } else if (end != NULL) {
      g_byte_array_append (bytes, (const guint8 *) text + 1, (guint) (end - text - 1));
      text = end + 1;
    } else {
      const int high = g_ascii_xdigit_value (text[0]);
      const int low = high < 0 ? -1 : g_ascii_xdigit_value (text[1]);
      if (low < 0)
        bad_case (line);
      ghc_put (bytes, (guint64) (high << 4 | low), 1);
      text += 2;
    }
  }
  return bytes;
}

/* A text with escapes as in C. */
static GString *
read_text (const char *text)
{
  GString *plain = g_string_new (NULL);
  for (const char *p = text; *p != 0; p++) {
    if (*p == '\\' && g_ascii_isdigit (p[1])) {
      g_string_append_c (plain, (char) strtoul ((char[]){ p[1], p[2], p[3], 0 }, NULL, 8));
      p += 3;
    } else if (*p == '\\') {
      g_string_append_c (plain, *++p == 'n' ? '\n' : *p);
    } else {
      g_string_append_c (plain, *p);
    }
  }
  return plain;
}

static struct event_case *
read_case (const char *line)
{
  struct event_case *c = g_new0 (struct event_case, 1);
  char **halves = g_strsplit (line, "> ", 2);
  char **words = g_strsplit (halves[0], " ", 3);
  if (halves[1] == NULL || g_strv_length (words) != 3)
    bad_case (line);
  c->line = g_strdup (line);
  c->tag = (guint) g_ascii_strtoull (words[0], NULL, 10);
  c->size = *words[1] == 'v' ? GHC_VARIABLE : (guint) g_ascii_strtoull (words[1], NULL, 10);
  c->excess = g_str_equal (words[1], "v+1");
  c->payload = read_bytes (words[2], line);
  const char *text = strstr (halves[1], " | ");
  c->expected
      = text != NULL ? g_strndup (halves[1], (gsize) (text - halves[1])) : g_strdup (halves[1]);
  c->shown = text != NULL ? read_text (text + strlen (" | ")) : NULL;
  if ((text == NULL) != (strcmp (c->expected, "damage") == 0))
    bad_case (line);
  if (c->size != GHC_VARIABLE && c->size != c->payload->len)
    bad_case (line);
  g_strfreev (words);
  g_strfreev (halves);
  return c;
}

static void
free_case (gpointer data)
{
  struct event_case *c = data;
  g_free (c->line);
  g_byte_array_unref (c->payload);
  g_free (c->expected);
  if (c->shown != NULL)
    g_string_free (c->shown, TRUE);
  g_free (c);
}

static GPtrArray *
read_cases (void)
{
  char *path = fixture_path ("ghc-cases", "events.case");
  char *text;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    bad_case (path);
  char **lines = g_strsplit (text, "\n", -1);
  GPtrArray *cases = g_ptr_array_new_with_free_func (free_case);
  for (char **line = lines; *line != NULL; line++)
    if (**line != 0 && **line != '#')
      g_ptr_array_add (cases, read_case (*line));
  g_strfreev (lines);
  g_free (text);
  g_free (path);
  return cases;
}

/* The event in a block of capability 3, with one after it. */
static GByteArray *
log_of (const struct event_case *c)
{
  GByteArray *log = g_byte_array_new ();
  const guint length = c->size == GHC_VARIABLE ? 2 : 0;
  ghc_put_header_begin (log);
  ghc_put_type (log, 18, 14, "Block marker");
  ghc_put_type (log, c->tag, c->size, "The event");
  if (c->tag != 54)
    ghc_put_type (log, 54, 0, "Synchronise stop-the-world GC");
  if (c->tag != 59)
    ghc_put_type (log, 59, 0, "Later than 7.8.2");
  ghc_put_header_end (log);
  ghc_put_block (log, 24 + 10 + length + c->payload->len + 10, TIME, TIME + 9, 3);
  ghc_put_event (log, c->tag, TIME + 1);
  ghc_put (log, c->payload->len + c->excess, length);
  g_byte_array_append (log, c->payload->data, c->payload->len);
  ghc_put_event (log, 54, TIME + 2);
  ghc_put (log, GHC_DATA_END, 2);
  return log;
}

/* The shown second event: the first is the block's marker. */
static void
check_shown (const struct event_case *c, const GByteArray *log)
{
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  GString *shown = g_string_new (NULL), *expected = g_string_new (NULL);
  ghc_reader_push (reader, log->data, log->len);
  ghc_reader_finish (reader);
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal (ghc_reader_next (reader, &item), PROFLOG_EVENT);
  ghc_show_event (item, GHC_SHOW_0_22, shown);
  g_string_printf (expected, "%d: cap 3: ", TIME + 1);
  g_string_append_len (expected, c->shown->str, (gssize) c->shown->len);
  g_string_append_c (expected, '\n');
  assert_string_equal (shown->str, expected->str);
  assert_int_equal (shown->len, expected->len);
  assert_memory_equal (shown->str, expected->str, expected->len);
  g_string_free (shown, TRUE);
  g_string_free (expected, TRUE);
  ghc_reader_free (reader);
}

static void
test_case (void **state)
{
  const struct event_case *c = *state;
  GByteArray *log = log_of (c);
  struct ghc_items *items = ghc_items_read (log->data, log->len, 0, 0);
  assert_int_equal (items->items->len, 5);
  const struct ghc_noted *item = &ghc_items_nth (items, 2);
  if (strcmp (c->expected, "damage") == 0) {
    assert_int_equal (item->type, GHC_ITEM_DAMAGE);
    assert_int_equal (item->reason, GHC_DAMAGE_CORRUPT);
  } else {
    assert_int_equal (item->type, GHC_ITEM_EVENT);
    assert_string_equal (item->event, c->expected);
    char *where = g_strdup_printf ("@%u+%u cap=3 time=%d ", (guint) item->offset,
                                   (guint) item->size, TIME + 1);
    assert_true (g_str_has_prefix (item->line, where));
    g_free (where);
    check_shown (c, log);
  }
  assert_string_equal (ghc_items_nth (items, 3).event, "gc-global-sync");
  assert_int_equal (ghc_items_nth (items, 4).type, GHC_ITEM_END);
  ghc_items_free (items);
  ghc_items_check_splits (log->data, log->len, TRUE);
  ghc_items_check_cuts (log->data, log->len, TRUE);
  g_byte_array_unref (log);
}

/* All kinds have a case, but markers of blocks, which all cases have. */
static void
test_all (void **state)
{
  const GPtrArray *cases = *state;
  for (unsigned kind = 0; kind < GHC_KINDS; kind++) {
    const struct ghc_description *description = ghc_describe (kind);
    guint found = description->kind == GHC_BLOCK_MARKER;
    for (guint i = 0; i < cases->len; i++) {
      const struct event_case *c = g_ptr_array_index (cases, i);
      char **words = g_strsplit (c->expected, " ", 2);
      found += strcmp (words[0], description->name) == 0 && c->tag == description->tag
               && c->size == description->size;
      g_strfreev (words);
    }
    if (found == 0)
      fail_msg ("%s (%u) has no case of its newest size", description->name, description->tag);
  }
}

int
main (void)
{
  GPtrArray *cases = read_cases ();
  struct CMUnitTest *tests = g_new0 (struct CMUnitTest, cases->len + 1);
  for (guint i = 0; i < cases->len; i++) {
    struct event_case *c = g_ptr_array_index (cases, i);
    tests[i] = (struct CMUnitTest){ .name = c->line, .test_func = test_case, .initial_state = c };
  }
  tests[cases->len]
      = (struct CMUnitTest){ .name = "all", .test_func = test_all, .initial_state = cases };
  const int failed = _cmocka_run_group_tests ("ghc-cases", tests, cases->len + 1, NULL, NULL);
  g_free (tests);
  g_ptr_array_unref (cases);
  return failed != 0;
}
