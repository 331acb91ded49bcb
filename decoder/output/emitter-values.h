/* emitter-values.h -- single values as text, in the spelling of each format. */
#ifndef PROFLOG_EMITTER_VALUES_H
#define PROFLOG_EMITTER_VALUES_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* g_string_append_len, for texts that are appended by the million. */
static inline void
emitter_append_bytes (GString *out, const char *bytes, size_t length)
{
  if (G_UNLIKELY (out->allocated_len - out->len <= length)) {
    g_string_append_len (out, bytes, (gssize) length);
    return;
  }
  memcpy (out->str + out->len, bytes, length);
  out->len += length;
  out->str[out->len] = 0;
}

/* Likewise g_string_append. */
static inline void
emitter_append_text (GString *out, const char *text)
{
  emitter_append_bytes (out, text, strlen (text));
}

/* Appends a number, decimal or as 0x...; for numbers that are printed by the million. */
void emitter_append_decimal (GString *out, uint64_t number);

/* The same with a point before the last `decimals` digits, 19 at most: 1234 with 3 is 1.234. */
void emitter_append_fixed (GString *out, uint64_t number, unsigned decimals);
void emitter_append_address (GString *out, uint64_t number);

/* The fewest digits that read back as the same number; NULL if it is none (transfer full). */
char *emitter_real_text (double real);

/* Text from a log may hold anything; of this nothing acts on a terminal or changes the direction of
 * text, and it is one line (transfer full). */
char *emitter_printable (const char *text);

/* Makes one line of a text at the end of `out`, of UTF-8, from a place on: of it nothing acts on a
 * terminal or changes the direction of text.  Such characters become \uXXXX, as in JSON. */
void emitter_escape_from (GString *out, size_t from);

/* Appends a bar of this height, from 0 to 1, as one character of eight. */
void emitter_append_bar (GString *out, double height);

/* Replaces characters that are not ASCII: bars by characters of like height, the rest by '?'. */
void emitter_make_ascii (GString *text);

/* Appends a cell of CSV, with quotes where it needs them.  Bytes that are no UTF-8 are replaced,
 * characters that act on a terminal or change the direction of text become \uXXXX, and text that a
 * spreadsheet would compute as a formula (= + - @ and more) gets an apostrophe before it. */
void emitter_append_csv_text (GString *out, const char *text);

/* Likewise JSON, whose bytes are UTF-8 already. */
void emitter_append_csv_json (GString *out, const GString *json);

/* Appends a JSON string with its quotes. */
void emitter_append_json_string (GString *out, const char *text, size_t length);

#endif
