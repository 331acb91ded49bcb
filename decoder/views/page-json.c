/* page-json.c -- keys and values with the commas between them. */
#include "config.h"

#include "decoder/output/emitter-values.h"
#include "decoder/views/page.h"
#include <string.h>

static void
separate (GString *json, const char *separator)
{
  const char last = json->len != 0 ? json->str[json->len - 1] : '[';
  if (strchr ("[{:", last) == NULL)
    g_string_append (json, separator);
}

void
page_json_open (GString *json, char bracket)
{
  separate (json, ",\n");
  g_string_append_c (json, bracket);
}

void
page_json_key (GString *json, const char *key)
{
  separate (json, ",\n");
  g_string_append_printf (json, "\"%s\":", key);
}

void
page_json_number (GString *json, uint64_t number)
{
  separate (json, ",");
  emitter_append_decimal (json, number);
}

void
page_json_change (GString *json, int64_t number)
{
  separate (json, ",");
  g_string_append_printf (json, "%" G_GINT64_FORMAT, number);
}

void
page_json_text (GString *json, const char *text)
{
  separate (json, ",");
  g_autofree char *printable = emitter_printable (text);
  emitter_append_json_string (json, printable, strlen (printable));
}
