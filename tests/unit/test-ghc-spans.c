/* test-ghc-spans.c -- messages of the package opentelemetry, and the spans that they are about. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-spans.h"
#include "tests/unit/test.h"

#include <string.h>

static struct ghc_text
text_of (const char *bytes, size_t length)
{
  return (struct ghc_text){ bytes, length };
}

#define MESSAGE(bytes) text_of (bytes, sizeof (bytes) - 1)

TEST (test_messages)
{
  struct ghc_otel otel;
  const struct ghc_text begin = MESSAGE ("OT\3\1\2\1\0\0\0\0\0\0name");
  const struct ghc_text end = MESSAGE ("OT\3\2\2\1\0\0\0\0\0\0");
  const struct ghc_text id = MESSAGE ("OT\3\7\2\1\0\0\0\0\0\0\7\0\0\0\0\0\0\x80");
  assert_true (ghc_otel_of (&begin, &otel));
  assert_int_equal (otel.kind, GHC_OTEL_BEGIN);
  assert_int_equal (otel.number, 0x102);
  assert_memory_equal (otel.text.text, "name", 4);
  assert_true (ghc_otel_of (&end, &otel));
  assert_null (otel.text.text);
  assert_true (ghc_otel_span_of (&end, &otel));
  assert_true (ghc_otel_of (&id, &otel));
  assert_true (otel.span == UINT64_C (0x8000000000000007));
  assert_false (ghc_otel_span_of (&id, &otel));
}

/* Other magic numbers and versions, unknown kinds, and those that are too short. */
TEST (test_other_messages)
{
  struct ghc_otel otel;
  const struct ghc_text others[] = {
    MESSAGE (""),
    MESSAGE ("OT\3\1\2\1\0\0\0\0\0"),
    MESSAGE ("OX\3\1\2\1\0\0\0\0\0\0name"),
    MESSAGE ("OT\2\1\2\1\0\0\0\0\0\0name"),
    MESSAGE ("OT\3\0\2\1\0\0\0\0\0\0name"),
    MESSAGE ("OT\3\x08\2\1\0\0\0\0\0\0name"),
    MESSAGE ("OT\3\5\2\1\0\0\0\0\0\0\7\0\0\0\0\0\0"),
  };
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    assert_false (ghc_otel_of (&others[i], &otel));
}

static void
add (struct ghc_spans *spans, enum ghc_otel_kind kind, uint64_t number, const char *text,
     size_t length, uint64_t time, uint64_t thread)
{
  const struct ghc_otel otel = { .kind = kind, .number = number, .text = { text, length } };
  const struct mark_time at = { time, thread, true };
  ghc_spans_add (spans, &otel, &at);
}

/* A tag without a value, one before its span begins, a number that comes again. */
TEST (test_odd_order)
{
  struct ghc_spans spans;
  ghc_spans_init (&spans);
  add (&spans, GHC_OTEL_TAG, 5, "early", 5, 10, 1);
  add (&spans, GHC_OTEL_BEGIN, 5, "first", 5, 20, 1);
  add (&spans, GHC_OTEL_TAG, 5, "a\0b", 3, 25, 1);
  add (&spans, GHC_OTEL_END, 5, NULL, 0, 30, 1);
  add (&spans, GHC_OTEL_BEGIN, 5, "second", 6, 40, 1);
  add (&spans, GHC_OTEL_BEGIN, 6, "inner", 5, 45, 1);
  add (&spans, GHC_OTEL_BEGIN, 7, "other thread", 12, 46, 2);
  ghc_spans_finish (&spans);
  assert_int_equal (spans.all->len, 4);
  const struct ghc_otel_one *first = g_ptr_array_index (spans.all, 0);
  const struct ghc_otel_one *second = g_ptr_array_index (spans.all, 1);
  const struct ghc_otel_one *inner = g_ptr_array_index (spans.all, 2);
  const struct ghc_otel_one *other = g_ptr_array_index (spans.all, 3);
  assert_string_equal (first->tags->str, "early=, a=b");
  assert_int_equal (first->end.time, 30);
  assert_string_equal (second->name, "second");
  assert_null (second->tags);
  assert_false (second->has_end);
  assert_null (second->parent);
  assert_ptr_equal (inner->parent, second);
  assert_null (other->parent);
  ghc_spans_clear (&spans);
}
