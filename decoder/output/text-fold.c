/* text-fold.c -- an object of few values as one paragraph. */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "decoder/output/text-fold.h"
#include "decoder/output/wrap.h"
#include <string.h>

enum {
  COLUMN = 12, /* where the values begin */
  WIDTH = 80,  /* of a line, where no screen says another */
  COLUMNS_MIN = 30,
  LENGTH_MAX = 190 /* of all values: three lines */
};

void
text_fold_begin (struct text_fold *f, const char *title, GString *out)
{
  text_fold_clear (f);
  f->title = f->copy = title != NULL ? emitter_printable (title) : NULL;
  f->begin = out->len;
  f->values = g_ptr_array_new_with_free_func (g_free);
}

void
text_fold_add (struct text_fold *f, const char *label, const char *value)
{
  const char *last
      = f->title != NULL && f->values->len > 0 ? f->values->pdata[f->values->len - 1] : NULL;
  if (f->title == NULL || strcmp (value, "0") == 0)
    return;
  /* The kinds of what was counted say more than their number. */
  if (last != NULL && g_str_has_prefix (last, label) && last[strlen (label)] == ' ')
    g_ptr_array_set_size (f->values, (gint) f->values->len - 1);
  g_ptr_array_add (f->values, g_strdup_printf ("%s %s", label, value));
}

static size_t
length_of (const struct text_fold *f)
{
  size_t length = 0;
  for (guint i = 0; i < f->values->len; i++)
    length += strlen (f->values->pdata[i]) + 2;
  return length;
}

/* Values are broken only if they are longer than a line.  *at is the column where the line ends. */
static void
append_value (GString *out, const char *value, bool is_first, size_t columns, size_t *at)
{
  const size_t width = (size_t) g_utf8_strlen (value, -1);
  if (!is_first && *at + 2 + MIN (width, columns - COLUMN) >= columns) {
    g_string_append_printf (out, ";\n%*s", COLUMN, "");
    *at = COLUMN;
  } else if (!is_first) {
    g_string_append (out, "; ");
    *at += 2;
  }
  *at = text_append_words (out, value, *at, COLUMN, (unsigned) columns - 1);
}

void
text_fold_end (struct text_fold *f, GString *out)
{
  const bool was_last = f->is_last;
  f->is_last = f->title != NULL && f->values->len > 0 && length_of (f) <= LENGTH_MAX;
  if (f->is_last) {
    const size_t columns = f->columns != 0 ? MAX (f->columns, COLUMNS_MIN) : WIDTH;
    size_t at = MAX (COLUMN, strlen (f->title) + 2);
    g_string_truncate (out, f->begin);
    g_string_append_printf (out, "%s%s%-*s%s", was_last || out->len == 0 ? "" : "\n",
                            f->has_color ? TEXT_BOLD : "", (int) at, f->title,
                            f->has_color ? TEXT_PLAIN : "");
    for (guint i = 0; i < f->values->len; i++)
      append_value (out, f->values->pdata[i], i == 0, columns, &at);
    g_string_append_c (out, '\n');
  }
  f->title = NULL;
}

void
text_fold_clear (struct text_fold *f)
{
  g_clear_pointer (&f->values, g_ptr_array_unref);
  g_clear_pointer (&f->copy, g_free);
  f->title = NULL;
}
