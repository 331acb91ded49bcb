/* module-options.h -- what the module and `proflog run` both must know of the module's options. */
#ifndef PROFLOG_MODULE_OPTIONS_H
#define PROFLOG_MODULE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PROFLOG_OPTION_SIZE 4096 /* an option at most, with its end */
#define PROFLOG_MAX_FRAMES 32
#define PROFLOG_DEFAULT_FRAMES 8
#define PROFLOG_DEFAULT_CALL_DEPTH 100
#define PROFLOG_SAMPLE_HZ 100
#define PROFLOG_SAMPLE_HZ_MAX 10000
#define PROFLOG_ALLOC_SAMPLING_MAX (UINT64_C (1) << 40)

/* When heap shots are taken. */
struct proflog_heapshot_mode {
  enum proflog_heapshot_when {
    PROFLOG_HEAPSHOT_OFF,
    PROFLOG_HEAPSHOT_MAJOR, /* at each major collection */
    PROFLOG_HEAPSHOT_MS,    /* at the first collection, then when `interval` ms have passed */
    PROFLOG_HEAPSHOT_GC,    /* at every `interval`th major collection */
  } when;
  uint32_t interval;
};

/* Reads a decimal number of 32 bits.  *end is set behind its digits; false if there is none or
 * it is too large. */
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

/* Reads a number with k (or K), M or G behind it, or nothing: 1024 and its powers.  False if it is none or
 * not from `least` to `most`. */
static inline bool
proflog_parse_size (const char *text, uint64_t least, uint64_t most, uint64_t *size)
{
  static const char units[] = "kMGK";
  const char *end;
  uint32_t value;
  if (!proflog_parse_u32 (text, &end, &value))
    return false;
  const char *unit = *end != 0 ? strchr (units, *end) : NULL;
  if (*end != 0 && (unit == NULL || end[1] != 0))
    return false;
  const uint64_t bytes = (uint64_t) value << (unit != NULL ? 10 * ((unit - units) % 3 + 1) : 0);
  if (bytes < least || bytes > most)
    return false;
  *size = bytes;
  return true;
}

enum proflog_next_option {
  PROFLOG_OPTION_READ,
  PROFLOG_OPTION_TOO_LONG,
  PROFLOG_OPTION_NOT_CLOSED, /* a quote is open at the end */
};

/* Copies the option that begins at *text into `option`, of `size` bytes, without quotes and escapes,
 * and moves *text behind its comma. */
static inline enum proflog_next_option
proflog_next_option (const char **text, char *option, size_t size)
{
  const char *p = *text;
  char quote = 0;
  size_t n = 0;
  for (; *p != 0 && (quote != 0 || *p != ','); p++) {
    if (*p == quote) {
      quote = 0;
      continue;
    }
    if (quote == 0 && (*p == '\'' || *p == '"')) {
      quote = *p;
      continue;
    }
    if (*p == '\\' && p[1] != 0)
      p++;
    if (n + 1 == size)
      return PROFLOG_OPTION_TOO_LONG;
    option[n++] = *p;
  }
  option[n] = 0;
  *text = *p == ',' ? p + 1 : p;
  return quote != 0 ? PROFLOG_OPTION_NOT_CLOSED : PROFLOG_OPTION_READ;
}

/* Reads the argument of heapshot= ("100ms", "5gc", "" for each major collection).  False if it
 * is none of these or its number is 0 or does not fit 32 bits. */
static inline bool
proflog_parse_heapshot (const char *text, struct proflog_heapshot_mode *mode)
{
  *mode = (struct proflog_heapshot_mode){ .when = PROFLOG_HEAPSHOT_MAJOR, .interval = 1 };
  if (*text == 0)
    return true;
  const char *unit;
  if (!proflog_parse_u32 (text, &unit, &mode->interval) || mode->interval == 0)
    return false;
  if (strcmp (unit, "ms") == 0)
    mode->when = PROFLOG_HEAPSHOT_MS;
  else if (strcmp (unit, "gc") == 0)
    mode->when = PROFLOG_HEAPSHOT_GC;
  else
    return false;
  return true;
}

#endif
