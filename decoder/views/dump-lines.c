/* dump-lines.c -- formats the common parts of all lines of a dump. */
#include "config.h"

#include "decoder/views/dump-lines.h"
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000

static void
append_name (const char *name, GString *out)
{
  emitter_append_json_string (out, name, strlen (name));
}

void
dump_lines_head (struct dump_lines *l, const char *columns, GString *out)
{
  if (l->format == EMITTER_TEXT && l->log_name != NULL && !l->begun) {
    g_string_append (out, "log ");
    append_name (l->log_name, out);
    g_string_append_c (out, '\n');
  }
  l->begun = true;
  if (l->format != EMITTER_CSV || !l->head)
    return;
  g_string_append (out, l->apart ? "\n" : "");
  g_string_append (out, l->log_name != NULL ? "log," : "");
  g_string_append (out, columns);
  l->head = false;
}

void
dump_lines_head_by_clock (bool has_names, GString *out)
{
  g_string_append (out, has_names ? "clock,log," : "clock,");
  g_string_append (out, "offset,size,thread,cap,time_ns,kind,fields\n");
}

/* "2020-09-13T12:26:40.000000005Z" */
static void
append_clock (uint64_t clock, GString *out)
{
  const time_t seconds = (time_t) (clock / NS_PER_S);
  struct tm tm;
  char date[32];
  gmtime_r (&seconds, &tm);
  g_string_append_len (out, date, (gssize) strftime (date, sizeof date, "%Y-%m-%dT%H:%M:%S.", &tm));
  for (uint64_t unit = NS_PER_S / 10; unit > 0; unit /= 10)
    g_string_append_c (out, (char) ('0' + clock / unit % 10));
  g_string_append_c (out, 'Z');
}

static void
append_json_clock (uint64_t clock, GString *out)
{
  g_string_append (out, "\"clock\":\"");
  append_clock (clock, out);
  g_string_append (out, "\",");
}

void
dump_lines_begin (const struct dump_lines *l, uint64_t clock, GString *out)
{
  switch (l->format) {
  case EMITTER_JSON:
    g_string_append_c (out, '{');
    if (l->by_clock && !l->clock_later)
      append_json_clock (clock, out);
    if (l->log_name != NULL) {
      g_string_append (out, "\"log\":");
      append_name (l->log_name, out);
      g_string_append_c (out, ',');
    }
    break;
  case EMITTER_CSV:
    if (l->by_clock && !l->clock_later) {
      append_clock (clock, out);
      g_string_append_c (out, ',');
    }
    if (l->log_name != NULL) {
      emitter_append_csv_text (out, l->log_name);
      g_string_append_c (out, ',');
    }
    break;
  default:
    if (!l->by_clock)
      break;
    if (!l->clock_later) {
      append_clock (clock, out);
      g_string_append_c (out, ' ');
    }
    if (l->log_name != NULL) {
      append_name (l->log_name, out);
      g_string_append_c (out, ' ');
    }
  }
}

void
dump_lines_add_clock (const struct dump_lines *l, uint64_t clock, const GString *line, GString *out)
{
  if (l->format == EMITTER_JSON) {
    g_string_append_c (out, '{');
    if (clock != 0)
      append_json_clock (clock, out);
    else
      g_string_append (out, "\"clock\":null,");
    g_string_append_len (out, line->str + 1, (gssize) line->len - 1);
    return;
  }
  if (clock != 0)
    append_clock (clock, out);
  else if (l->format == EMITTER_TEXT)
    g_string_append_c (out, '-');
  g_string_append_c (out, l->format == EMITTER_CSV ? ',' : ' ');
  g_string_append_len (out, line->str, (gssize) line->len);
}

void
dump_lines_damage (const struct dump_lines *l, bool truncated, const char *message, GString *out)
{
  const char *reason = truncated ? "truncated" : "corrupt";
  if (l->format == EMITTER_TEXT) {
    g_string_append_printf (out, "damage reason=%s %s\n", reason, message);
    return;
  }
  GString *members = g_string_new (NULL);
  g_string_printf (members, "\"reason\":\"%s\",\"message\":", reason);
  emitter_append_json_string (members, message, strlen (message));
  g_string_append_c (members, '}');
  dump_lines_begin (l, 0, out);
  if (l->format == EMITTER_JSON) {
    g_string_append_printf (out, "\"item\":\"damage\",%s", members->str);
  } else {
    g_string_append (out, ",,,,damage,");
    g_string_prepend_c (members, '{');
    emitter_append_csv_json (out, members);
  }
  g_string_append_c (out, '\n');
  g_string_free (members, TRUE);
}

void
dump_lines_offset (uint64_t offset, GString *out)
{
  for (uint64_t unit = NS_PER_S; unit > 1 && offset < unit; unit /= 10)
    g_string_append_c (out, ' ');
  emitter_append_decimal (out, offset);
  g_string_append_c (out, ' ');
}
