/* reply.c -- builds a reply, as JSON or as text. */
#include "config.h"

#include "agent/requests.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
append (struct reply *r, const char *text, size_t length)
{
  if (r->has_no_memory)
    return;
  if (r->length + length + 1 > r->size) {
    const size_t size = 2 * (r->length + length) + 256;
    char *larger = realloc (r->text, size);
    if (larger == NULL) { /* no reply is better than one with a gap */
      free (r->text);
      r->text = NULL;
      r->length = r->size = 0;
      r->has_no_memory = true;
      return;
    }
    r->text = larger;
    r->size = size;
  }
  memcpy (r->text + r->length, text, length);
  r->length += length;
  r->text[r->length] = 0;
}

static void
put (struct reply *r, const char *text)
{
  append (r, text, strlen (text));
}

static void __attribute__ ((format (printf, 2, 3)))
put_format (struct reply *r, const char *format, ...)
{
  char text[32];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  put (r, text);
}

/* Writes a JSON string.  Bytes that are no UTF-8 are not changed. */
static void
put_json_text (struct reply *r, const char *text)
{
  put (r, "\"");
  for (; *text != 0; text++)
    if (*text == '"' || *text == '\\') {
      append (r, "\\", 1);
      append (r, text, 1);
    } else if ((unsigned char) *text < 0x20 || *text == 0x7f) {
      put_format (r, "\\u%04x", (unsigned char) *text);
    } else {
      append (r, text, 1);
    }
  put (r, "\"");
}

/* Writes the text before the first figure. */
static void
begin (struct reply *r)
{
  if (r->length != 0)
    return;
  put (r, r->json ? "{\"ok\":true" : "ok\n");
  r->comma = true;
}

static void
put_key (struct reply *r, const char *key)
{
  begin (r);
  if (r->json) {
    put (r, r->comma ? "," : "");
    put_json_text (r, key);
    put (r, ":");
  } else {
    put (r, r->in_row && r->comma ? ", " : "");
    for (; *key != 0; key++)
      append (r, *key == '_' ? " " : key, 1);
    put (r, r->in_row ? " " : ": ");
  }
  r->comma = true;
}

static void
end_value (struct reply *r)
{
  if (!r->json && !r->in_row)
    put (r, "\n");
}

void
reply_number (struct reply *r, const char *key, uint64_t number)
{
  put_key (r, key);
  put_format (r, "%llu", (unsigned long long) number);
  end_value (r);
}

void
reply_id (struct reply *r, const char *key, uint64_t id)
{
  put_key (r, key);
  put_format (r, r->json ? "\"0x%llx\"" : "0x%llx", (unsigned long long) id);
  end_value (r);
}

void
reply_text (struct reply *r, const char *key, const char *text)
{
  put_key (r, key);
  if (r->json)
    put_json_text (r, text);
  else
    put (r, text);
  end_value (r);
}

void
reply_bool (struct reply *r, const char *key, bool value)
{
  put_key (r, key);
  if (r->json)
    put (r, value ? "true" : "false");
  else
    put (r, value ? "yes" : "no");
  end_value (r);
}

void
reply_names (struct reply *r, const char *key, const char *const *names, unsigned which)
{
  bool any = false;
  put_key (r, key);
  put (r, r->json ? "[" : "");
  for (; *names != NULL; names++, which >>= 1)
    if ((which & 1) != 0) {
      if (any)
        put (r, r->json ? "," : " ");
      any = true;
      if (r->json)
        put_json_text (r, *names);
      else
        put (r, *names);
    }
  put (r, r->json ? "]" : any ? "" : "none");
  end_value (r);
}

void
reply_list (struct reply *r, const char *key)
{
  put_key (r, key);
  put (r, r->json ? "[" : "\n");
  r->comma = false;
}

void
reply_row (struct reply *r)
{
  if (r->json)
    put (r, r->comma ? ",{" : "{");
  else
    put (r, "  ");
  r->in_row = true;
  r->comma = false;
}

void
reply_end_row (struct reply *r)
{
  put (r, r->json ? "}" : "\n");
  r->in_row = false;
  r->comma = true;
}

void
reply_end_list (struct reply *r)
{
  put (r, r->json ? "]" : "");
  r->comma = true;
}

void
reply_error (struct reply *r, const char *kind, const char *format, ...)
{
  char message[1024];
  va_list args;
  if (r->failed)
    return;
  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);
  r->failed = true;
  r->length = 0;
  put (r, r->json ? "{\"ok\":false,\"error\":\"" : "error ");
  put (r, kind);
  put (r, r->json ? "\",\"message\":" : "\n");
  if (r->json)
    put_json_text (r, message);
  else
    put (r, message);
  put (r, r->json ? "" : "\n");
}

void
reply_finish (struct reply *r)
{
  begin (r);
  put (r, r->json ? "}\n" : "");
}

void
reply_clear (struct reply *r)
{
  free (r->text);
  *r = (struct reply){ 0 };
}
