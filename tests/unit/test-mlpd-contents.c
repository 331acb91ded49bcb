/* test-mlpd-contents.c -- contents of strings and collections, of which each value may be anything.
 */
#include "config.h"

#include "decoder/mlpd/mlpd-contents.h"
#include "tests/unit/test.h"
#include <glib.h>

#define NUMBER(of, value)                                                                          \
  {                                                                                                \
    .index = MLPD_CONTENTS_##of, .type = MLPD_COUNTER_TYPE_ULONG, .number = (uint64_t) (value)     \
  }
#define TEXT(value)                                                                                \
  {                                                                                                \
    .index = MLPD_CONTENTS_TEXT_INDEX, .type = MLPD_COUNTER_TYPE_STRING,                           \
    .text                                                                                          \
        = { value,                                                                                 \
            sizeof (value) - 1 }                                                                   \
  }

static struct mlpd_contents c;

static void
expect (const struct mlpd_counter_values *values, enum mlpd_contents_kind kind)
{
  assert_true (mlpd_contents_next (values, &c));
  assert_int_equal (c.kind, kind);
}

TEST (test_statements)
{
  static const struct mlpd_counter_value items[]
      = { NUMBER (INDEX, 0x1000 / 8),   NUMBER (TEXT_ID_INDEX, 7),
          NUMBER (LENGTH_INDEX, 3),     TEXT ("abc"),
          NUMBER (INDEX, -0x10 / 8),    NUMBER (TEXT_ID_INDEX, 7),
          NUMBER (COUNT_INDEX, 5),      NUMBER (ELEMENT_INDEX, 4),
          NUMBER (CAPACITY_INDEX, 9),   NUMBER (INDEX, 1),
          NUMBER (CAPACITY_INDEX, 6),   NUMBER (INDEX, 1),
          NUMBER (STATE_INDEX, -1),     NUMBER (STRINGS_INDEX, 20),
          NUMBER (TEXTS_INDEX, 10),     NUMBER (UNREAD_INDEX, 1),
          NUMBER (COLLECTIONS_INDEX, 2) };
  const struct mlpd_counter_values values = { items, G_N_ELEMENTS (items) };
  c = (struct mlpd_contents){ 0 };
  assert_true (mlpd_are_contents (&values));
  expect (&values, MLPD_CONTENTS_STRING);
  assert_int_equal (c.object, 0x1000);
  assert_int_equal (c.id, 7);
  expect (&values, MLPD_CONTENTS_TEXT);
  assert_int_equal (c.number, 3);
  assert_string_equal (c.text.text, "abc");
  expect (&values, MLPD_CONTENTS_STRING);
  assert_int_equal (c.object, 0xff0);
  expect (&values, MLPD_CONTENTS_COLLECTION);
  assert_int_equal (c.count, 5);
  assert_int_equal (c.element, 4);
  assert_int_equal (c.number, 9);
  expect (&values, MLPD_CONTENTS_COLLECTION);
  assert_int_equal (c.object, 0xff8);
  assert_int_equal (c.count, 0);
  expect (&values, MLPD_CONTENTS_STATE);
  assert_int_equal (c.object, 0x1000);
  assert_int_equal (c.number, -1);
  expect (&values, MLPD_CONTENTS_STRINGS);
  expect (&values, MLPD_CONTENTS_TEXTS);
  expect (&values, MLPD_CONTENTS_UNREAD);
  expect (&values, MLPD_CONTENTS_COLLECTIONS);
  assert_false (mlpd_contents_next (&values, &c));
}

/* Values of other counters, and a text that is none. */
TEST (test_other_values)
{
  static const struct mlpd_counter_value items[]
      = { { .index = 3, .number = 5 },
          { .index = MLPD_CONTENTS_TEXT_INDEX, .number = 5 },
          { .index = MLPD_CONTENTS_COLLECTIONS_INDEX + 1 },
          NUMBER (TEXTS_INDEX, 4) };
  const struct mlpd_counter_values values = { items, G_N_ELEMENTS (items) };
  const struct mlpd_counter_values none = { items, 0 };
  c = (struct mlpd_contents){ 0 };
  assert_false (mlpd_are_contents (&values));
  assert_false (mlpd_are_contents (&none));
  assert_false (mlpd_contents_next (&none, &c));
  expect (&values, MLPD_CONTENTS_TEXTS);
  assert_int_equal (c.number, 4);
  assert_false (mlpd_contents_next (&values, &c));
}
