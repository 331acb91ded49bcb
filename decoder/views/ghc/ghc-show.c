/* ghc-show.c -- expands ghc-show.def to the lines of ghc-events.
 *
 * Millions of lines are made here, so their parts are put one after the other into memory that is
 * known to suffice, and numbers are written by hand.
 */
#include "config.h"

#include "decoder/views/ghc/ghc-show.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/output/emitter-values.h"
#include <string.h>

/* The longest line without its texts: words, numbers and a stack of cost centres. */
#define ROOM_MAX 4096
/* Bytes that one of a text becomes at most. */
#define ROOM_PER_BYTE 8

/* ---- numbers ---- */

static inline char *
put (char *at, const char *text, size_t length)
{
  memcpy (at, text, length);
  return at + length;
}

/* All numbers of two digits. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

#define EIGHT_DIGITS 100000000

/* A number below EIGHT_DIGITS, with zeros in front. */
static inline char *
put_eight (char *at, uint32_t number)
{
  const uint32_t high = number / 10000, low = number % 10000;
  memcpy (at, pairs + high / 100 * 2, 2);
  memcpy (at + 2, pairs + high % 100 * 2, 2);
  memcpy (at + 4, pairs + low / 100 * 2, 2);
  memcpy (at + 6, pairs + low % 100 * 2, 2);
  return at + 8;
}

/* Up to eight digits. */
static inline char *
put_short (char *at, uint32_t number)
{
  if (number < 10) {
    *at = (char) ('0' + number);
    return at + 1;
  }
  if (number < 100) {
    memcpy (at, pairs + number * 2, 2);
    return at + 2;
  }
  char digits[8];
  put_eight (digits, number);
  const unsigned zeros = (number < 1000) + (number < 10000) + (number < 100000) + (number < 1000000)
                         + (number < 10000000);
  memcpy (at, digits + zeros, sizeof digits - zeros);
  return at + sizeof digits - zeros;
}

static char *
put_long (char *at, uint64_t number)
{
  const uint64_t high = number / EIGHT_DIGITS;
  at = high < EIGHT_DIGITS ? put_short (at, (uint32_t) high) : put_long (at, high);
  return put_eight (at, (uint32_t) (number % EIGHT_DIGITS));
}

static inline char *
put_decimal (char *at, uint64_t number)
{
  return number < EIGHT_DIGITS ? put_short (at, (uint32_t) number) : put_long (at, number);
}

static char *
put_hex (char *at, uint64_t number)
{
  unsigned digits = 1;
  while (digits < 16 && number >> (4 * digits) != 0)
    digits++;
  for (unsigned i = digits; i-- > 0;)
    *at++ = "0123456789abcdef"[number >> (4 * i) & 15];
  return at;
}

/* ---- texts ---- */

#define REPLACEMENT 0xfffd

/* Takes a character out of a text that is not empty.  A byte that begins none is one by itself:
 * false then. */
static bool
next_char (struct ghc_text *text, uint32_t *c)
{
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  const uint8_t *bytes = (const uint8_t *) text->text;
  const unsigned length = bytes[0] < 0x80         ? 1
                          : bytes[0] >> 5 == 0x06 ? 2
                          : bytes[0] >> 4 == 0x0e ? 3
                          : bytes[0] >> 3 == 0x1e ? 4
                                                  : 0;
  bool good = length != 0 && length <= text->length;
  *c = length < 2 ? bytes[0] : bytes[0] & (0x7fu >> length);
  for (unsigned i = 1; good && i < length; i++) {
    good = bytes[i] >> 6 == 2;
    *c = *c << 6 | (bytes[i] & 0x3f);
  }
  good = good && *c >= least[length] && *c <= 0x10ffff && (*c < 0xd800 || *c > 0xdfff);
  text->text += good ? length : 1;
  text->length -= good ? length : 1;
  if (!good)
    *c = REPLACEMENT;
  return good;
}

static char *
put_char (char *at, uint32_t c)
{
  return at + g_unichar_to_utf8 (c, at);
}

/* Bytes at the beginning that are ASCII. */
static size_t
count_ascii (struct ghc_text text)
{
  size_t n = 0;
  uint64_t word;
  for (; text.length - n >= sizeof word; n += sizeof word) {
    memcpy (&word, text.text + n, sizeof word);
    if ((word & UINT64_C (0x8080808080808080)) != 0)
      break;
  }
  while (n < text.length && (uint8_t) text.text[n] < 0x80)
    n++;
  return n;
}

static char *
put_utf8 (char *at, struct ghc_text text)
{
  uint32_t c;
  while (text.length != 0) {
    const size_t n = count_ascii (text);
    at = put (at, text.text, n);
    text.text += n;
    text.length -= n;
    if (text.length != 0) {
      next_char (&text, &c);
      at = put_char (at, c);
    }
  }
  return at;
}

static char *
put_latin1 (char *at, struct ghc_text text)
{
  for (size_t i = 0; i < text.length; i++)
    at = put_char (at, (uint8_t) text.text[i]);
  return at;
}

static bool
is_printable (uint32_t c)
{
  switch (g_unichar_type (c)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_FORMAT:
  case G_UNICODE_UNASSIGNED:
  case G_UNICODE_PRIVATE_USE:
  case G_UNICODE_SURROGATE:
  case G_UNICODE_LINE_SEPARATOR:
  case G_UNICODE_PARAGRAPH_SEPARATOR:
    return false;
  default:
    return true;
  }
}

static char *
put_printable (char *at, struct ghc_text bytes)
{
  uint32_t c;
  while (bytes.length != 0) {
    const bool good = next_char (&bytes, &c);
    at = put_char (at, good && is_printable (c) ? c : '.');
  }
  return at;
}

/* A character as it is written between the quotes of a literal of Haskell; `next` is the one after
 * it, 0 if there is none, which must not look like a part of it. */
static char *
put_literal (char *at, uint32_t c, uint32_t next)
{
  static const char *const controls[]
      = { "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a",   "b",   "t",   "n",
          "v",   "f",   "r",   "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4", "NAK",
          "SYN", "ETB", "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US" };
  if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
    *at = (char) c;
    return at + 1;
  }
  *at++ = '\\';
  if (c == '"' || c == '\\')
    *at++ = (char) c;
  else if (c < ' ')
    at = put (at, controls[c], strlen (controls[c]));
  else if (c == 0x7f)
    at = put (at, "DEL", 3);
  else
    at = put_decimal (at, c);
  const bool goes_on = c > 0x7f ? next >= '0' && next <= '9' : c == 0x0e && next == 'H';
  return goes_on ? put (at, "\\&", 2) : at;
}

static char *
put_quoted (char *at, struct ghc_text text)
{
  uint32_t c, next = 0;
  bool more = text.length != 0;
  *at++ = '"';
  if (more)
    next_char (&text, &c);
  while (more) {
    more = text.length != 0;
    if (more)
      next_char (&text, &next);
    else
      next = 0;
    at = put_literal (at, c, next);
    c = next;
  }
  *at++ = '"';
  return at;
}

/* NULs at the end only close the texts before them. */
static char *
put_list (char *at, struct ghc_texts texts)
{
  struct ghc_text text = { texts.text, 0 };
  while (texts.length != 0 && texts.text[texts.length - 1] == 0)
    texts.length--;
  *at++ = '[';
  do {
    const char *nul = texts.length != 0 ? memchr (texts.text, 0, texts.length) : NULL;
    text
        = (struct ghc_text){ texts.text, nul != NULL ? (size_t) (nul - texts.text) : texts.length };
    texts.text += text.length + (nul != NULL);
    texts.length -= text.length + (nul != NULL);
    at = put_quoted (at, text);
    *at++ = ',';
  } while (texts.length != 0);
  at[-1] = ']';
  return at;
}

static char *
put_stack (char *at, const struct ghc_stack *stack)
{
  for (size_t i = 0; i < stack->count; i++) {
    if (i != 0)
      at = put (at, ", ", 2);
    at = put_decimal (at, stack->items[i]);
  }
  return at;
}

static char *
put_filter (char *at, struct ghc_text text)
{
  return text.length != 0 ? put (put_utf8 (at, text), ", ", 2) : at;
}

/* ---- values with names ---- */

struct words {
  enum ghc_unit unit;
  uint64_t value;
  const char *words;
};

static const struct words all_words[] = {
#define WORDS(unit, NAME, text) { GHC_UNIT_##unit, GHC_##unit##_##NAME, text },
#include "decoder/views/ghc/ghc-show.def"
};

static const char *
find_words (enum ghc_unit unit, uint64_t value)
{
  for (size_t i = 0; i < G_N_ELEMENTS (all_words); i++)
    if (all_words[i].unit == unit && all_words[i].value == value)
      return all_words[i].words;
  return NULL;
}

static char *
put_name (char *at, enum ghc_unit unit, uint64_t value)
{
  const char *words = find_words (unit, value);
  if (words == NULL && unit == GHC_UNIT_CAPSET_TYPE)
    words = "Unknown";
  return words != NULL ? put (at, words, strlen (words)) : put_decimal (at, value);
}

/* The status as GHC 7.8.2 counts it, as all others do. */
static unsigned
other_status (unsigned status)
{
#define NEW_STOP_STATUS(number, NAME)
#define NEW_CAPSET_TYPE(number, NAME)
#define NEW_BREAKDOWN(number, NAME)
#define NEW_MESSAGE_TAG(number, NAME)
#define NEW_STOP_STATUS_7_8_2(number, NAME)                                                        \
  case number:                                                                                     \
    return GHC_STOP_STATUS_##NAME;
#define VALUE(unit, number, NAME, text) NEW_##unit (number, NAME)
  switch (status) {
#include <proflog/ghc-values.def>
  default:
    return status;
  }
}

/* Which fields each event has, in bits of `present`. */
#define EVENT(ID, id, tag, size, since, group, role, doc) enum { NONE_OF_##id = -1,
#define FIELD(id, field, wire, unit, when, doc) AT_##id##_##field,
#define END_EVENT(id)                                                                              \
  }                                                                                                \
  ;
#include <proflog/ghc-events.def>

#define HAS(e, event, field) (((e)->present >> AT_##event##_##field & 1) != 0)

unsigned
ghc_show_status (const struct ghc_item *item, uint64_t *owner)
{
  const struct ghc_stop_thread *e = &item->payload->stop_thread;
  const bool is_other = item->header != NULL && item->header->is_7_8_2;
  const unsigned status = is_other ? other_status (e->status) : e->status;
  const bool has_owner = status == GHC_STOP_STATUS_BLACK_HOLE && HAS (e, stop_thread, info);
  *owner = has_owner ? e->info : UINT64_MAX;
  return status;
}

/* The words of ghc-events 0.17 where they are others, which takes the numbers from 16 on for those
 * of GHC before 7.8.2; or NULL. */
static const char *
words_0_17 (const struct ghc_item *item)
{
  static const char *const words[]
      = { "blocked in a foreign call", "blocked in a foreign call", "blocked in throwTo",
          "thread migrating", "waiting for data to be globalised" };
  const bool is_7_8_2 = item->header != NULL && item->header->is_7_8_2;
  const unsigned status = item->payload->stop_thread.status, first = is_7_8_2 ? 15 : 14;
  if (status < first || (status == GHC_STOP_STATUS_READ_MVAR && !is_7_8_2))
    return NULL;
  return status - first < G_N_ELEMENTS (words) ? words[status - first] : "No stop thread status";
}

static char *
put_status (char *at, const struct ghc_item *item, enum ghc_show_like like)
{
  const struct ghc_stop_thread *e = &item->payload->stop_thread;
  uint64_t owner;
  const unsigned status = ghc_show_status (item, &owner);
  const bool has_info = HAS (e, stop_thread, info);
  const char *other = like == GHC_SHOW_0_17 ? words_0_17 (item) : NULL;
  if (other != NULL)
    return put (at, other, strlen (other));
  if (owner != UINT64_MAX) {
    static const char owned[] = "blocked on black hole owned by thread ";
    return put_decimal (put (at, owned, sizeof owned - 1), owner);
  }
  if (status == 0)
    at = put (at, "No stop thread status", 21);
  else if (find_words (GHC_UNIT_STOP_STATUS, status) == NULL)
    at = put_decimal (put (at, "status ", 7), status);
  else
    at = put_name (at, GHC_UNIT_STOP_STATUS, status);
  if (status == GHC_STOP_STATUS_STACK_OVERFLOW && has_info && like != GHC_SHOW_0_17)
    at = put_decimal (put (at, ", size ", 7), e->info);
  return at;
}

/* ---- events ---- */

#define TEXT(text) at = put (at, text, sizeof text - 1);
#define DEC(field) at = put_decimal (at, e->field);
#define HEX(field) at = put_hex (at, e->field);
#define UTF8(field) at = put_utf8 (at, e->field);
#define LATIN1(field) at = put_latin1 (at, e->field);
#define LIST(field) at = put_list (at, e->field);
#define STACK(field) at = put_stack (at, &e->field);
#define PRINTABLE(field) at = put_printable (at, e->field);
#define NAME(unit, field) at = put_name (at, GHC_UNIT_##unit, e->field);
#define FILTER(field) at = put_filter (at, e->field);
#define STATUS at = put_status (at, item, like);
#define DESCRIPTION at = put_utf8 (at, item->event_type->description);
#define IF(event, field, yes, no)                                                                  \
  if (HAS (e, event, field)) {                                                                     \
    yes                                                                                            \
  } else {                                                                                         \
    no                                                                                             \
  }
#define WHEN(condition, yes)                                                                       \
  if (condition) {                                                                                 \
    yes                                                                                            \
  }
#define CALCULATED(number) at = put_decimal (at, number);
#define SHOW(id, ...)                                                                              \
  static char *show_##id (char *at, const struct ghc_item *item, enum ghc_show_like like)          \
  {                                                                                                \
    const struct ghc_##id *e = &item->payload->id;                                                 \
    (void) e;                                                                                      \
    (void) like;                                                                                   \
    __VA_ARGS__ return at;                                                                         \
  }
#include "decoder/views/ghc/ghc-show.def"

static char *(*const show_events[]) (char *, const struct ghc_item *, enum ghc_show_like) = {
#define EVENT(ID, id, tag, size, since, group, role, doc) show_##id,
#include <proflog/ghc-events.def>
};

/* Where to put up to `room` bytes at the end of a string. */
static char *
reserve (GString *out, size_t room)
{
  if (out->allocated_len - out->len <= room) {
    const gsize length = out->len;
    g_string_set_size (out, length + room);
    g_string_truncate (out, length);
  }
  return out->str + out->len;
}

static void
finish_at (GString *out, char *at)
{
  *at = 0;
  out->len = (gsize) (at - out->str);
}

/* Ends the line that begins at an offset.  `raw`: it has no texts, or they stay as they are. */
static void
end_line (GString *out, size_t begin, char *at, bool raw)
{
  finish_at (out, at);
  if (!raw)
    emitter_escape_from (out, begin);
  g_string_append_c (out, '\n');
}

void
ghc_show_types (const struct ghc_header *header, enum ghc_show_like like, GString *out)
{
  g_string_append (out, "Event Types:\n");
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    const size_t begin = out->len;
    char *at = reserve (out, ROOM_MAX + ROOM_PER_BYTE * type->description.length);
    at = put (put_decimal (at, type->tag), ": ", 2);
    at = put (put_utf8 (at, type->description), " (size ", 7);
    at = type->size == GHC_VARIABLE ? put (at, "variable", 8) : put_decimal (at, type->size);
    end_line (out, begin, put (at, ")", 1), like != GHC_SHOW_SAFE);
  }
}

void
ghc_show_begin (const struct ghc_header *header, enum ghc_show_like like, GString *out)
{
  ghc_show_types (header, like, out);
  g_string_append (out, "\nEvents:\n");
}

void
ghc_show_event (const struct ghc_item *item, enum ghc_show_like like, GString *out)
{
  const size_t begin = out->len;
  const struct ghc_text description = item->event_type->description;
  const bool is_marker = item->kind == GHC_BLOCK_MARKER;
  const unsigned cap = is_marker ? item->payload->block_marker.cap : item->cap;
  if (is_marker && like == GHC_SHOW_0_17)
    return;
  char *at = reserve (out, ROOM_MAX + ROOM_PER_BYTE * (item->bytes.length + description.length));
  at = put (put_decimal (at, item->time), ": ", 2);
  if (cap != GHC_NO_CAP)
    at = put (put_decimal (put (at, "cap ", 4), cap), ": ", 2);
  at = item->kind != GHC_UNKNOWN ? show_events[item->kind](at, item, like)
                                 : put_utf8 (at, description);
  end_line (out, begin, at, like != GHC_SHOW_SAFE || is_marker); /* that has an empty line */
}

void
ghc_show_end (GString *out)
{
  g_string_append_c (out, '\n');
}
