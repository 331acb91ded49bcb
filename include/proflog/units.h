/* units.h -- parses sizes and times: a number, followed by the name of a unit.
 *
 * Nothing here allocates, depends on the locale or has state: any threads may call it at a time.
 * Each parser sets its result only where it returns success.
 */
#ifndef PROFLOG_UNITS_H
#define PROFLOG_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum proflog_parsed {
  PROFLOG_PARSED,
  PROFLOG_NO_QUANTITY, /* not a number with one of the units */
  PROFLOG_TOO_LARGE,   /* 2^64 or more */
};

struct proflog_unit {
  const char *name; /* "": no unit follows the number */
  uint64_t factor;
  bool is_whole; /* the number has no fraction other than 0 */
};

/* The units of one kind of quantity. */
struct proflog_units {
  const struct proflog_unit *list;
  size_t count;
  bool has_fractions; /* a point and digits may follow the number */
  bool ignores_case;  /* of the unit's name */
};

/* Parses a decimal number of 32 bits.  *end is set after its digits; false if there are none or the
 * number is too large. */
static inline bool
proflog_parse_u32 (const char *text, const char **end, uint32_t *value)
{
  uint64_t v = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9'; p++) {
    v = v * 10 + (uint64_t) (*p - '0');
    if (v > UINT32_MAX)
      return false;
  }
  *end = p;
  *value = (uint32_t) v;
  return p != text;
}

/* Parses digits, and a fraction if `has_fraction`; *end is set after them.  The fraction has the
 * precision of a double.  False if there are no digits or the number does not fit 64 bits. */
static inline bool
proflog_parse_decimal (const char *text, bool has_fraction, const char **end, uint64_t *whole,
                       double *fraction)
{
  const char *p = text;
  bool has_digits = false;
  *whole = 0;
  *fraction = 0;
  for (; *p >= '0' && *p <= '9'; p++, has_digits = true)
    if (__builtin_mul_overflow (*whole, (uint64_t) 10, whole)
        || __builtin_add_overflow (*whole, (uint64_t) (*p - '0'), whole))
      return false;
  if (has_fraction && *p == '.') {
    double place = 0.1;
    for (p++; *p >= '0' && *p <= '9'; p++, has_digits = true, place /= 10)
      *fraction += place * (*p - '0');
  }
  *end = p;
  return has_digits;
}

/* A letter of ASCII in lower case, else the character. */
static inline char
proflog_lower_case (char c)
{
  return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

/* Is the text the name of the unit, all of it? */
static inline bool
proflog_is_unit (const char *text, const char *name, bool ignores_case)
{
  for (; *text != 0 && *name != 0; text++, name++)
    if (ignores_case ? proflog_lower_case (*text) != proflog_lower_case (*name) : *text != *name)
      return false;
  return *text == *name;
}

/* Parses a number and the unit after it, which is the rest of the text. */
static inline enum proflog_parsed
proflog_parse_quantity (const char *text, const struct proflog_units *units, uint64_t *value)
{
  uint64_t whole, result;
  double fraction;
  const char *name;
  if (!proflog_parse_decimal (text, units->has_fractions, &name, &whole, &fraction))
    return PROFLOG_NO_QUANTITY;
  const struct proflog_unit *unit = units->list, *const end = units->list + units->count;
  while (unit < end && !proflog_is_unit (name, unit->name, units->ignores_case))
    unit++;
  if (unit == end || (unit->is_whole && fraction > 0))
    return PROFLOG_NO_QUANTITY;
  if (__builtin_mul_overflow (whole, unit->factor, &result)
      || __builtin_add_overflow (result, (uint64_t) (fraction * (double) unit->factor + 0.5),
                                 &result))
    return PROFLOG_TOO_LARGE;
  *value = result;
  return PROFLOG_PARSED;
}

/* ---- times and sizes: the same everywhere ---- */

/* A time, in ns: a number with its unit, or, where `has_seconds`, without one: seconds. */
static inline enum proflog_parsed
proflog_parse_any_time (const char *text, bool has_seconds, uint64_t *ns)
{
  static const struct proflog_unit list[] = {
    { "", UINT64_C (1000000000), false },
    { "ns", 1, false },
    { "us", 1000, false },
    { "ms", 1000000, false },
    { "s", UINT64_C (1000000000), false },
    { "m", UINT64_C (60000000000), false },
    { "min", UINT64_C (60000000000), false },
    { "h", UINT64_C (3600000000000), false },
  };
  const size_t first = has_seconds ? 0 : 1;
  const struct proflog_units units
      = { list + first, sizeof list / sizeof *list - first, true, false };
  return proflog_parse_quantity (text, &units, ns);
}

/* A size, in bytes: K, M and G, also as KB or KiB, are powers of 1024. */
static inline enum proflog_parsed
proflog_parse_bytes (const char *text, uint64_t *bytes)
{
  static const struct proflog_unit list[] = {
    { "", 1, true },          { "B", 1, true },          { "K", 1 << 10, false },
    { "KB", 1 << 10, false }, { "KiB", 1 << 10, false }, { "M", 1 << 20, false },
    { "MB", 1 << 20, false }, { "MiB", 1 << 20, false }, { "G", 1 << 30, false },
    { "GB", 1 << 30, false }, { "GiB", 1 << 30, false },
  };
  static const struct proflog_units units = { list, sizeof list / sizeof *list, true, true };
  return proflog_parse_quantity (text, &units, bytes);
}

/* ---- the quantities of commands ---- */

/* A time, in ns; a number without a unit is one of seconds. */
static inline enum proflog_parsed
proflog_parse_time_ns (const char *text, uint64_t *ns)
{
  return proflog_parse_any_time (text, true, ns);
}

/* ---- the quantities of the module's options, from `least` to `most` ---- */

/* A size, in bytes; false if it is none, or out of bounds. */
static inline bool
proflog_parse_size (const char *text, uint64_t least, uint64_t most, uint64_t *size)
{
  uint64_t result;
  if (proflog_parse_bytes (text, &result) != PROFLOG_PARSED || result < least || result > most)
    return false;
  *size = result;
  return true;
}

/* The time of a call with its unit, in ns. */
static inline bool
proflog_parse_call_time_ns (const char *text, uint64_t least, uint64_t most, uint64_t *ns)
{
  uint64_t result;
  if (proflog_parse_any_time (text, false, &result) != PROFLOG_PARSED || result < least
      || result > most)
    return false;
  *ns = result;
  return true;
}

/* A time with its unit, in ms; a part of one counts as one. */
static inline bool
proflog_parse_time_ms (const char *text, uint64_t least, uint64_t most, uint64_t *ms)
{
  uint64_t ns;
  if (proflog_parse_any_time (text, false, &ns) != PROFLOG_PARSED)
    return false;
  const uint64_t result = ns / 1000000 + (ns % 1000000 != 0);
  if (result < least || result > most)
    return false;
  *ms = result;
  return true;
}

#ifdef __cplusplus
}
#endif

#endif
