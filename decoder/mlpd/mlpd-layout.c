/* mlpd-layout.c -- reads descriptions of classes, part by part. */
#include "config.h"

#include "decoder/mlpd/mlpd-layout.h"
#include <glib.h>
#include <string.h>

bool
mlpd_layout_of (const struct mlpd_counter *counter, uint64_t *klass, const char **parts)
{
  if (counter->index != MLPD_LAYOUT_INDEX || counter->section != MLPD_COUNTER_SECTION_PROFILER
      || counter->name.text == NULL || !g_str_has_prefix (counter->name.text, MLPD_LAYOUT))
    return false;
  const char *const digits = counter->name.text + strlen (MLPD_LAYOUT);
  char *end;
  *klass = g_ascii_strtoull (digits, &end, 16);
  *parts = end;
  return g_ascii_isxdigit (*digits) && (*end == ' ' || *end == 0);
}

/* A field without an offset, in the place after the field before. */
static bool
read_next_field (const char *text, size_t length, struct mlpd_layout_part *part)
{
  part->number += MLPD_LAYOUT_STEP;
  part->name = text + 1;
  part->length = length - 1;
  return part->length != 0 && (part->kind == MLPD_LAYOUT_FIELD || part->kind == MLPD_LAYOUT_STATIC);
}

/* A part of `length` bytes.  False if it is of no known kind. */
static bool
read_part (const char *text, size_t length, struct mlpd_layout_part *part)
{
  const bool is_base = *text == '<', is_element = *text == '[', is_static = *text == 's';
  const char *const number = text + (is_base || is_element || is_static);
  char *end;
  if (*text == ':')
    return read_next_field (text, length, part);
  if (!g_ascii_isxdigit (*number))
    return false;
  part->number = g_ascii_strtoull (number, &end, is_base ? 16 : 10);
  part->kind = is_base      ? MLPD_LAYOUT_BASE
               : is_element ? MLPD_LAYOUT_ELEMENT
               : is_static  ? MLPD_LAYOUT_STATIC
                            : MLPD_LAYOUT_FIELD;
  part->name = end + 1;
  if (is_base || is_element)
    return end == text + length;
  part->length = end < text + length ? (size_t) (text + length - part->name) : 0;
  return *end == ':' && part->length != 0;
}

bool
mlpd_layout_next (const char **parts, struct mlpd_layout_part *part)
{
  bool is_known = false;
  while (!is_known && **parts != 0) {
    const char *const text = *parts + strspn (*parts, " ");
    const size_t length = strcspn (text, " ");
    *parts = text + length;
    is_known = length != 0 && read_part (text, length, part);
  }
  return is_known;
}
