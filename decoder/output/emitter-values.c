/* emitter-values.c -- single values as text. */
#include "config.h"

#include "decoder/output/emitter-values.h"
#include "decoder/output/emitter-private.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* More than the digits of 64 bits with a point. */
#define DIGITS_ROOM 24

/* A place for them at the end of the text. */
static char *
reserve_digits (GString *out)
{
  const size_t length = out->len;
  if (G_UNLIKELY (out->allocated_len - length <= DIGITS_ROOM)) {
    g_string_set_size (out, length + DIGITS_ROOM);
    g_string_truncate (out, length);
  }
  return out->str + length;
}

static void
end_digits (GString *out, char *end)
{
  *end = 0;
  out->len = (size_t) (end - out->str);
}

/* How many a number has. */
static unsigned
count_digits (uint64_t number)
{
  static const uint64_t powers[] = { 0,
                                     10,
                                     100,
                                     1000,
                                     10000,
                                     100000,
                                     1000000,
                                     10000000,
                                     100000000,
                                     1000000000,
                                     10000000000,
                                     100000000000,
                                     1000000000000,
                                     10000000000000,
                                     100000000000000,
                                     1000000000000000,
                                     10000000000000000,
                                     100000000000000000,
                                     1000000000000000000,
                                     10000000000000000000u };
  const unsigned bits = 64 - (unsigned) __builtin_clzll (number | 1);
  const unsigned least = bits * 1233 >> 12; /* log10 (2), about */
  return least + (number >= powers[least]);
}

/* Writes the last `n` digits of a number in front of `end`; returns the number of the other
 * digits. */
static uint64_t
write_digits (char *end, uint64_t number, unsigned n)
{
  static const char pairs[]
      = "0001020304050607080910111213141516171819202122232425262728293031323334"
        "3536373839404142434445464748495051525354555657585960616263646566676869"
        "707172737475767778798081828384858687888990919293949596979899";
  for (; n >= 2; n -= 2, number /= 100) {
    end -= 2;
    memcpy (end, pairs + 2 * (number % 100), 2);
  }
  if (n == 0)
    return number;
  end[-1] = (char) ('0' + number % 10);
  return number / 10;
}

void
emitter_append_decimal (GString *out, uint64_t number)
{
  const unsigned n = count_digits (number);
  char *const end = reserve_digits (out) + n;
  write_digits (end, number, n);
  end_digits (out, end);
}

void
emitter_append_fixed (GString *out, uint64_t number, unsigned decimals)
{
  const unsigned whole = MAX (count_digits (number), decimals + 1) - decimals;
  char *const point = reserve_digits (out) + whole, *const end = point + 1 + decimals;
  write_digits (point, write_digits (end, number, decimals), whole);
  *point = '.';
  end_digits (out, end);
}

void
emitter_append_address (GString *out, uint64_t number)
{
  char digits[2 + 16], *const end = digits + sizeof digits, *at = end;
  do
    *--at = "0123456789abcdef"[number & 15];
  while ((number >>= 4) != 0);
  *--at = 'x';
  *--at = '0';
  emitter_append_bytes (out, at, (size_t) (end - at));
}

/* Signs that are not seen and that reverse the text after them, so that it reads as another one. */
static bool
directs_text (gunichar u)
{
  return u == 0x061c || u == 0x200e || u == 0x200f || (u >= 0x202a && u <= 0x202e)
         || (u >= 0x2066 && u <= 0x2069);
}

/* Control characters, those above 0x7f too, those of directions, and those that separate lines or
 * paragraphs. */
static bool
acts_on_display (gunichar u)
{
  return u < 0x20 || (u >= 0x7f && u < 0xa0) || u == 0x2028 || u == 0x2029 || directs_text (u);
}

/* The end of the characters that JSON has as they are: ASCII without control characters, quotes and
 * backslashes.  Eight bytes at a time: the highest bit of each byte states that it may be another
 * one. */
static const char *
end_of_plain (const char *p, const char *end)
{
  static const uint64_t ones = UINT64_C (0x0101010101010101), high = ones << 7;
  for (uint64_t word; end - p >= (ptrdiff_t) sizeof word; p += sizeof word) {
    memcpy (&word, p, sizeof word);
    const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\',
                   del = word ^ ones * 0x7f;
    if (((word | (word - ones * ' ') | (quote - ones) | (backslash - ones) | (del - ones)) & high)
        != 0)
      break;
  }
  while (p < end && *p >= ' ' && *p < 0x7f && *p != '"' && *p != '\\')
    p++;
  return p;
}

void
emitter_append_json_string (GString *out, const char *text, size_t length)
{
  g_string_append_c (out, '"');
  for (const char *p = text, *end = text + length; p < end;) {
    const char *plain = p;
    p = end_of_plain (p, end);
    emitter_append_bytes (out, plain, (size_t) (p - plain));
    if (p == end)
      break;
    unsigned char c = (unsigned char) *p;
    gunichar u = g_utf8_get_char_validated (p, end - p);
    if (c == '"' || c == '\\') {
      g_string_append_c (out, '\\');
      g_string_append_c (out, (char) c);
      p++;
    } else if (u == (gunichar) -1 || u == (gunichar) -2) {
      g_string_append (out, c == 0 ? "\\u0000" : "\\ufffd");
      p++;
    } else {
      const char *next = g_utf8_next_char (p);
      if (acts_on_display (u))
        g_string_append_printf (out, "\\u%04x", u);
      else
        g_string_append_len (out, p, next - p);
      p = next;
    }
  }
  g_string_append_c (out, '"');
}

/* Most texts are. */
static bool
is_plain (const char *text)
{
  while (*text >= ' ' && *text <= '~')
    text++;
  return *text == 0;
}

char *
emitter_printable (const char *text)
{
  if (is_plain (text))
    return g_strdup (text);
  char *valid = g_utf8_make_valid (text, -1);
  GString *safe = g_string_sized_new (strlen (valid));
  for (const char *p = valid; *p != 0; p = g_utf8_next_char (p)) {
    gunichar u = g_utf8_get_char (p);
    g_string_append_unichar (safe, acts_on_display (u) ? '?' : u);
  }
  g_free (valid);
  return g_string_free (safe, FALSE);
}

void
emitter_escape_from (GString *out, size_t from)
{
  const char *const end = out->str + out->len;
  const char *p = out->str + from;
  while ((p = end_of_plain (p, end)) < end && (*p == '"' || *p == '\\'))
    p++;
  if (p == end)
    return;
  g_autofree char *rest = g_strndup (p, (gsize) (end - p));
  const char *const rest_end = rest + (end - p);
  g_string_truncate (out, (gsize) (p - out->str));
  for (const char *at = rest; at < rest_end;) {
    const gunichar u = g_utf8_get_char_validated (at, rest_end - at);
    const char *const next
        = u == 0 || u >= (gunichar) -2 ? at + 1 : g_utf8_next_char (at); /* a NUL is -2 there */
    if (*at == 0 || acts_on_display (u))
      g_string_append_printf (out, "\\u%04x", *at == 0 ? 0 : u);
    else
      g_string_append_len (out, at, next - at);
    at = next;
  }
}

void
emitter_append_bar (GString *out, double height)
{
  static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  g_string_append (out,
                   bars[MIN ((guint) (height * G_N_ELEMENTS (bars)), G_N_ELEMENTS (bars) - 1)]);
}

void
emitter_make_ascii (GString *text)
{
  static const char bars[] = ".:-=+*#@"; /* for U+2581 to U+2588 */
  GString *out = g_string_sized_new (text->len);
  for (const char *p = text->str; *p != 0; p = g_utf8_next_char (p)) {
    const gunichar u = g_utf8_get_char (p);
    const bool is_bar = u >= 0x2581 && u < 0x2581 + sizeof bars - 1;
    g_string_append_c (out, u < 0x80 ? (char) u : is_bar ? bars[u - 0x2581] : '?');
  }
  g_string_assign (text, out->str);
  g_string_free (out, TRUE);
}

void
emitter_resolve_any (enum emitter_type *type, union emitter_value *value)
{
  if (*type != EMIT_ANY)
    return;
  const struct emitter_any *any = value->any;
  *type = any != NULL ? any->type : EMIT_TEXT;
  *value = any != NULL ? any->value : (union emitter_value){ .text = NULL };
}

char *
emitter_real_text (double real)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isfinite (real))
    return NULL;
  for (int precision = 15; precision <= 17; precision++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", precision);
    g_ascii_formatd (digits, sizeof digits, format, real);
    if (memcmp (&(double){ g_ascii_strtod (digits, NULL) }, &real, sizeof real) == 0)
      break;
  }
  return g_strdup (digits);
}

bool
emitter_append_exact (GString *out, enum emitter_type type, union emitter_value value)
{
  switch (type) {
  case EMIT_NUMBER:
  case EMIT_NS:
  case EMIT_SHARE:
    emitter_append_decimal (out, value.number);
    return true;
  case EMIT_CHANGE:
  case EMIT_TIME:
  case EMIT_NS_CHANGE:
    g_string_append_printf (out, "%" G_GINT64_FORMAT, value.change);
    return true;
  case EMIT_ADDRESS:
    emitter_append_address (out, value.number);
    return true;
  case EMIT_REAL:
    break;
  case EMIT_ANY:
  case EMIT_TEXT:
    return false;
  }
  g_autofree char *real = emitter_real_text (value.real);
  g_string_append (out, real != NULL ? real : "");
  return real != NULL;
}

char *
emitter_exact_text (enum emitter_type type, union emitter_value value)
{
  GString *text = g_string_new (NULL);
  emitter_resolve_any (&type, &value);
  const bool is_exact = emitter_append_exact (text, type, value);
  return g_string_free (text, !is_exact);
}

static char *
milliseconds (const char *sign, uint64_t ns)
{
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%03u", sign, ns / 1000000,
                          (unsigned) (ns / 1000 % 1000));
}

char *
emitter_cell_text (enum emitter_type type, union emitter_value value)
{
  if (type == EMIT_ANY && value.any != NULL && value.any->shown != NULL)
    return emitter_printable (value.any->shown);
  emitter_resolve_any (&type, &value);
  switch (type) {
  case EMIT_NUMBER:
    return g_strdup_printf ("%" G_GUINT64_FORMAT, value.number);
  case EMIT_CHANGE:
    return g_strdup_printf ("%+" G_GINT64_FORMAT, value.change);
  case EMIT_ADDRESS:
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", value.number);
  case EMIT_NS:
    return milliseconds ("", value.number);
  case EMIT_TIME:
    return value.change < 0 ? milliseconds ("-", -value.number) : milliseconds ("", value.number);
  case EMIT_NS_CHANGE:
    return value.change < 0 ? milliseconds ("-", -value.number) : milliseconds ("+", value.number);
  case EMIT_SHARE:
    return g_strdup_printf ("%" G_GUINT64_FORMAT ".%u", value.number / 10,
                            (unsigned) (value.number % 10));
  case EMIT_REAL:
    return emitter_real_text (value.real);
  case EMIT_ANY:
  case EMIT_TEXT:
    break;
  }
  return value.text != NULL ? emitter_printable (value.text) : NULL;
}

/* ---- figures ---- */

/* Numbers that count nothing. */
static bool
is_identifier (const char *key)
{
  static const char *const names[] = { "pid",        "writer", "id",   "thread",
                                       "waker",      "woken",  "cap",  "os_thread",
                                       "owner",      "index",  "line", "data_version",
                                       "generation", "offset", "tag",  "timer_overhead_ns",
                                       NULL };
  return g_strv_contains (names, key);
}

static enum figure_unit
unit_of (const char *key, const char *label)
{
  if (strstr (key, "bytes") != NULL || strstr (key, "retained") != NULL
      || g_strcmp0 (label, "Bytes") == 0)
    return FIGURE_BYTES;
  return is_identifier (key) ? FIGURE_NONE : FIGURE_COUNT;
}

struct emitter_figure
emitter_figure (const char *key, const char *label, enum emitter_type type,
                union emitter_value value)
{
  const bool is_shown = type == EMIT_ANY && value.any != NULL && value.any->shown != NULL;
  emitter_resolve_any (&type, &value);
  const char sign = value.change < 0 ? '-' : 0;
  const uint64_t amount = value.change < 0 ? -value.number : value.number;
  if (is_shown)
    return (struct emitter_figure){ .unit = FIGURE_NONE };
  switch (type) {
  case EMIT_NUMBER:
    return (struct emitter_figure){ .unit = unit_of (key != NULL ? key : "", label),
                                    .figure = value.number };
  case EMIT_CHANGE:
    return (struct emitter_figure){ .unit = unit_of (key != NULL ? key : "", label),
                                    .sign = sign != 0 ? sign : '+',
                                    .figure = amount };
  case EMIT_NS:
    return (struct emitter_figure){ .unit = FIGURE_NS, .figure = value.number };
  case EMIT_TIME:
    return (struct emitter_figure){ .unit = FIGURE_NS, .sign = sign, .figure = amount };
  case EMIT_NS_CHANGE:
    return (struct emitter_figure){ .unit = FIGURE_NS,
                                    .sign = sign != 0 ? sign : '+',
                                    .figure = amount };
  default:
    return (struct emitter_figure){ .unit = FIGURE_NONE };
  }
}

char *
emitter_moment_text (const struct emitter *e, const char *key, enum emitter_type type,
                     union emitter_value value)
{
  static const char *const moments[] = { "start_ns", "end_ns", "time_ns", NULL };
  emitter_resolve_any (&type, &value);
  const bool is_moment
      = type == EMIT_TIME || (type == EMIT_NS && key != NULL && g_strv_contains (moments, key));
  if (!e->has_clock || !is_moment)
    return NULL;
  const uint64_t ms = (e->clock_zero + value.number) / 1000000;
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc ((gint64) (ms / 1000));
  g_autofree char *text = time != NULL ? g_date_time_format (time, "%H:%M:%S") : NULL;
  return text != NULL ? g_strdup_printf ("%s.%03u", text, (unsigned) (ms % 1000)) : NULL;
}

char *
emitter_value_text (const struct emitter *e, const char *key, enum emitter_type type,
                    union emitter_value value)
{
  const struct emitter_figure f = emitter_figure (key, NULL, type, value);
  char *moment = emitter_moment_text (e, key, type, value);
  if (moment != NULL)
    return moment;
  if (e->style.has_units && f.unit != FIGURE_NONE) {
    g_autofree char *figure = figure_text (f.unit, f.figure);
    return g_strconcat ((char[]){ f.sign, 0 }, figure, NULL);
  }
  g_autofree char *text = emitter_cell_text (type, value);
  return g_strconcat (emitter_shown (text), type == EMIT_NS || type == EMIT_TIME ? " ms" : "",
                      NULL);
}

char *
emitter_value_label (const struct emitter *e, const char *key, const char *label)
{
  static const char end[] = ", bytes";
  const size_t length = strlen (label);
  const bool has_unit
      = e->style.has_units && unit_of (key, label) == FIGURE_BYTES && g_str_has_suffix (label, end);
  return g_strndup (label, has_unit ? length - strlen (end) : length);
}

const char *
emitter_shown (const char *text)
{
  return text != NULL ? text : "-";
}

/* Quotes within the text are doubled. */
static void
append_quoted (GString *out, const char *text, size_t length)
{
  const size_t before = out->len;
  g_string_set_size (out, before + 2 * length + 2);
  char *at = out->str + before;
  *at++ = '"';
  for (const char *p = text; *p != 0; p++) {
    *at = '"';
    at += *p == '"';
    *at++ = *p;
  }
  *at++ = '"';
  g_string_truncate (out, (gsize) (at - out->str));
}

/* The text behind its blanks, of which Unicode has more. */
static const char *
skip_blanks (const char *text)
{
  for (;;) {
    if (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')
      text++;
    else if ((unsigned char) *text < 0x80
             || !g_unichar_isspace (g_utf8_get_char_validated (text, -1)))
      return text;
    else
      text = g_utf8_next_char (text);
  }
}

/* A spreadsheet would compute it, also behind blanks, and where its first character has the width
 * of an ideograph; "->", as types of Haskell begin, is no formula. */
static bool
is_formula (const char *text)
{
  static const char *const wide[] = { "\uff1d", "\uff0b", "\uff0d", "\uff20" }; /* = + - @ */
  text = skip_blanks (text);
  for (size_t i = 0; (unsigned char) *text >= 0x80 && i < G_N_ELEMENTS (wide); i++)
    if (g_str_has_prefix (text, wide[i]))
      return true;
  return *text != 0 && text[1] != 0 && strchr ("=+-@", *text) != NULL
         && !(text[0] == '-' && text[1] == '>');
}

/* The same text without characters that act on a display or in a spreadsheet. */
static char *
make_harmless (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *harmless = g_string_new (is_formula (valid) ? "'" : "");
  const size_t begin = harmless->len;
  g_string_append (harmless, valid);
  emitter_escape_from (harmless, begin);
  return g_string_free (harmless, FALSE);
}

void
emitter_append_csv_text (GString *out, const char *text)
{
  g_autofree char *made = is_plain (text) && !is_formula (text) ? NULL : make_harmless (text);
  const char *cell = made != NULL ? made : text;
  const size_t length = strlen (cell);
  if (cell[strcspn (cell, ",\"")] == 0 && cell[0] != ' '
      && (length == 0 || cell[length - 1] != ' '))
    emitter_append_bytes (out, cell, length);
  else
    append_quoted (out, cell, length);
}

void
emitter_append_csv_json (GString *out, const GString *json)
{
  if (memchr (json->str, '"', json->len) == NULL) /* no members */
    emitter_append_bytes (out, json->str, json->len);
  else
    append_quoted (out, json->str, json->len);
}
