/* ghc-spans.c -- collects the messages of each span. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-spans.h"
#include "decoder/core/marks.h"
#include <string.h>

static void
free_one (gpointer data)
{
  struct ghc_otel_one *one = data;
  g_free (one->name);
  if (one->tags != NULL)
    g_string_free (one->tags, TRUE);
  g_free (one);
}

void
ghc_spans_init (struct ghc_spans *spans)
{
  *spans = (struct ghc_spans){
    .all = g_ptr_array_new_with_free_func (free_one),
    .by_number = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
  };
}

void
ghc_spans_clear (struct ghc_spans *spans)
{
  g_hash_table_unref (spans->by_number);
  g_ptr_array_unref (spans->all);
}

/* Does the message begin another span of the number, as of a program that was started again? */
static bool
is_new (const struct ghc_otel_one *one, enum ghc_otel_kind kind)
{
  return one == NULL || (kind == GHC_OTEL_BEGIN && one->name != NULL)
         || (kind == GHC_OTEL_END && one->has_end);
}

/* NULL: there is no room. */
static struct ghc_otel_one *
find_one (struct ghc_spans *spans, const struct ghc_otel *otel)
{
  struct ghc_otel_one *one = g_hash_table_lookup (spans->by_number, &otel->number);
  if (!is_new (one, otel->kind))
    return one;
  if (spans->all->len >= GHC_SPANS_MAX)
    return NULL;
  one = g_new0 (struct ghc_otel_one, 1);
  g_ptr_array_add (spans->all, one);
  g_hash_table_replace (spans->by_number, g_memdup2 (&otel->number, sizeof otel->number), one);
  return one;
}

/* The key and the value, which a byte of 0 separates. */
static void
add_tag (struct ghc_otel_one *one, struct ghc_text text)
{
  const char *zero = memchr (text.text, 0, text.length);
  const size_t key_length = zero != NULL ? (size_t) (zero - text.text) : text.length;
  g_autofree char *key = marks_text (text.text, key_length);
  g_autofree char *value
      = zero != NULL ? marks_text (zero + 1, text.length - key_length - 1) : g_strdup ("");
  if (one->tags == NULL)
    one->tags = g_string_new (NULL);
  g_string_append_printf (one->tags, "%s%s=%s", one->tags->len != 0 ? ", " : "", key, value);
}

void
ghc_spans_add (struct ghc_spans *spans, const struct ghc_otel *otel, const struct mark_time *at)
{
  struct ghc_otel_one *one = find_one (spans, otel);
  if (one == NULL || spans->bytes + otel->text.length > GHC_SPANS_BYTES_MAX) {
    spans->left_out++;
    return;
  }
  spans->bytes += otel->text.length;
  switch (otel->kind) {
  case GHC_OTEL_BEGIN:
    one->name = marks_text (otel->text.text, otel->text.length);
    one->begin = *at;
    break;
  case GHC_OTEL_END:
    one->has_end = true;
    one->end = *at;
    break;
  case GHC_OTEL_TAG:
    add_tag (one, otel->text);
    break;
  case GHC_OTEL_EVENT:
    one->events++;
    break;
  case GHC_OTEL_PARENT:
    one->has_parent = true;
    one->parent_span = otel->span;
    break;
  case GHC_OTEL_SPAN:
    one->has_span = true;
    one->span = otel->span;
    break;
  case GHC_OTEL_TRACE:
    break;
  }
}

/* ---- parents ---- */

/* By thread, then by time; of those that begin together the longest first. */
static gint
compare_begins (gconstpointer a, gconstpointer b)
{
  const struct ghc_otel_one *x = *(const struct ghc_otel_one *const *) a;
  const struct ghc_otel_one *y = *(const struct ghc_otel_one *const *) b;
  if (x->begin.thread != y->begin.thread)
    return x->begin.thread < y->begin.thread ? -1 : 1;
  if (x->begin.time != y->begin.time)
    return x->begin.time < y->begin.time ? -1 : 1;
  return x->end.time > y->end.time ? -1 : x->end.time < y->end.time;
}

/* The span that was open where another one began, the latest of several.  Spans that go to another
 * thread count, too: there they are open as well. */
static void
find_open (GPtrArray *open, struct ghc_otel_one *one)
{
  const struct ghc_otel_one *last = NULL;
  while (open->len != 0) {
    last = g_ptr_array_index (open, open->len - 1);
    if (last->begin.thread == one->begin.thread
        && (!last->has_end || last->end.time > one->begin.time))
      break;
    g_ptr_array_set_size (open, (gint) open->len - 1);
  }
  if (open->len != 0 && !one->has_parent)
    one->parent = last;
  g_ptr_array_add (open, one);
}

void
ghc_spans_finish (struct ghc_spans *spans)
{
  g_autoptr (GHashTable) by_span = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GPtrArray) begun = g_ptr_array_new (), open = g_ptr_array_new ();
  for (guint i = 0; i < spans->all->len; i++) {
    struct ghc_otel_one *one = g_ptr_array_index (spans->all, i);
    if (one->has_span)
      g_hash_table_insert (by_span, &one->span, one);
    if (one->name != NULL)
      g_ptr_array_add (begun, one);
  }
  g_ptr_array_sort (begun, compare_begins);
  for (guint i = 0; i < begun->len; i++) {
    struct ghc_otel_one *one = g_ptr_array_index (begun, i);
    if (one->has_parent)
      one->parent = g_hash_table_lookup (by_span, &one->parent_span);
    find_open (open, one);
  }
}
