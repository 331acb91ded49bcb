/* figure.c -- figures as people read them. */
#include "config.h"

#include "decoder/output/figure.h"
#include <string.h>

static const struct figure_scale byte_scales[] = {
  { "kB", 1000 },
  { "MB", 1000000 },
  { "GB", 1000000000 },
  { "TB", UINT64_C (1000000000000) },
  { "PB", UINT64_C (1000000000000000) },
  { "EB", UINT64_C (1000000000000000000) },
};
static const struct figure_scale count_scales[] = {
  { "M", 1000000 },
  { "G", 1000000000 },
  { "T", UINT64_C (1000000000000) },
};
static const struct figure_scale time_scales[] = {
  { "us", 1000 },
  { "ms", 1000000 },
  { "s", 1000000000 },
};

/* The largest scale that a figure has at least one of; NULL: none. */
static const struct figure_scale *
find_scale (const struct figure_scale *scales, size_t n, uint64_t figure)
{
  while (n > 0 && figure < scales[n - 1].factor)
    n--;
  return n > 0 ? &scales[n - 1] : NULL;
}

/* Three digits, and all of those before the point. */
static char *
three_digits (uint64_t figure, const struct figure_scale *scale)
{
  const double value = (double) figure / (double) scale->factor;
  const int digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return g_strdup_printf ("%.*f %s", digits, value, scale->name);
}

/* A figure that would be rounded up to a thousand of a unit, from this many on, has the next
 * one. */
static const struct figure_scale *
round_scale (const struct figure_scale *scales, size_t n, uint64_t figure, double most)
{
  const struct figure_scale *scale = find_scale (scales, n, figure);
  if (scale != NULL && scale + 1 < scales + n && (double) figure / (double) scale->factor >= most)
    scale++;
  return scale;
}

/* One digit after the point. */
static char *
bytes_text (uint64_t bytes)
{
  const struct figure_scale *scale
      = round_scale (byte_scales, G_N_ELEMENTS (byte_scales), bytes, 999.95);
  return scale != NULL
             ? g_strdup_printf ("%.1f %s", (double) bytes / (double) scale->factor, scale->name)
             : g_strdup_printf ("%u B", (unsigned) bytes);
}

char *
figure_bytes_text (uint64_t bytes)
{
  return bytes < 1000 ? g_strdup_printf ("%u byte%s", (unsigned) bytes, bytes == 1 ? "" : "s")
                      : bytes_text (bytes);
}

static char *
count_text (uint64_t count)
{
  const struct figure_scale *scale
      = round_scale (count_scales, G_N_ELEMENTS (count_scales), count, 999.5);
  return scale != NULL ? three_digits (count, scale)
                       : g_strdup_printf ("%" G_GUINT64_FORMAT, count);
}

/* Two units from a minute on. */
static char *
time_text (uint64_t ns)
{
  const struct figure_scale *scale
      = round_scale (time_scales, G_N_ELEMENTS (time_scales), ns, 999.5);
  const uint64_t s = ns / 1000000000 + (ns % 1000000000 >= 500000000);
  if (scale == NULL)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " ns", ns);
  if (s < 60)
    return three_digits (ns, scale);
  if (s < 3600)
    return g_strdup_printf ("%u min %u s", (unsigned) (s / 60), (unsigned) (s % 60));
  const uint64_t minutes = s / 60 + (s % 60 >= 30);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " h %u min", minutes / 60,
                          (unsigned) (minutes % 60));
}

char *
figure_text (enum figure_unit unit, uint64_t figure)
{
  switch (unit) {
  case FIGURE_COUNT:
    return count_text (figure);
  case FIGURE_BYTES:
    return bytes_text (figure);
  case FIGURE_NS:
    return time_text (figure);
  case FIGURE_NONE:
    break;
  }
  return g_strdup_printf ("%" G_GUINT64_FORMAT, figure);
}

/* ---- columns ---- */

/* Up to this many, counts and bytes are exact, and times are in ms.  A few calls beside millions
 * are not 0.000 M. */
#define COUNT_MAX UINT64_C (9999999999)
#define BYTES_MAX 999999
#define MS_MAX_NS UINT64_C (9999999999)

struct figure_scale
figure_choose_scale (enum figure_unit unit, uint64_t largest)
{
  if (unit == FIGURE_NS)
    return time_scales[largest > MS_MAX_NS ? 2 : 1];
  if (unit == FIGURE_BYTES && largest > BYTES_MAX)
    return *find_scale (byte_scales, G_N_ELEMENTS (byte_scales), largest);
  if (unit == FIGURE_COUNT && largest > COUNT_MAX)
    return *find_scale (count_scales, G_N_ELEMENTS (count_scales), largest);
  return (struct figure_scale){ "", 1 };
}

char *
figure_scaled_text (enum figure_unit unit, const struct figure_scale *scale, uint64_t figure)
{
  if (figure != 0 && figure < scale->factor / 1000)
    return figure_text (unit, figure);
  if (scale->factor == 1)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, figure);
  return g_strdup_printf ("%" G_GUINT64_FORMAT ".%03u", figure / scale->factor,
                          (unsigned) (figure % scale->factor / (scale->factor / 1000)));
}

char *
figure_head (enum figure_unit unit, const struct figure_scale *scale, const char *label)
{
  static const char *const words[]
      = { [FIGURE_NONE] = "", [FIGURE_COUNT] = "", [FIGURE_BYTES] = "bytes", [FIGURE_NS] = "ms" };
  const char *const word = words[unit];
  const size_t length = strlen (label), end = strlen (word);
  const bool has_word
      = end != 0 && length >= end && g_ascii_strcasecmp (label + length - end, word) == 0;
  if (scale->name[0] == 0)
    return g_strdup (label);
  if (unit == FIGURE_COUNT)
    return g_strdup_printf ("%s, %s", label, scale->name);
  if (has_word)
    return g_strdup_printf ("%.*s%s", (int) (length - end), label, scale->name);
  return g_strdup_printf ("%s%s%s", label, label[0] != 0 ? " " : "", scale->name);
}
