/* print-ghc-events.c -- prints docs/ghc-events.md: the list of GHC's events as tables for people;
 * with "json" docs/formats/ghc-eventlog.json: the same for programs. */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include "docs/json-text.h"
#include <stdio.h>
#include <string.h>

static const char *const wires[] = {
  [GHC_WIRE_U8] = "1",
  [GHC_WIRE_U16] = "2",
  [GHC_WIRE_U32] = "4",
  [GHC_WIRE_U64] = "8",
  [GHC_WIRE_STR] = "text to the end",
  [GHC_WIRE_STR_BUT_4] = "text, to 4 bytes before the end",
  [GHC_WIRE_STRZ] = "text, NUL",
  [GHC_WIRE_STRZS] = "texts to the end, each with a NUL",
  [GHC_WIRE_STACK] = "1 n, n × 4",
  [GHC_WIRE_BYTES] = "to the end",
};

static void
print_when (const struct ghc_when *when)
{
  if (when->if_left)
    printf ("if there are bytes left");
  else if (when->least != 0 && when->most == GHC_VARIABLE)
    printf ("from size %u on", when->least);
  else if (when->most != GHC_VARIABLE)
    printf ("sizes %u to %u", when->least, when->most);
}

static void
print_event (const struct ghc_description *d)
{
  printf ("## %u %s\n\n", d->tag, d->name);
  printf ("%c%s.  ", d->doc[0] >= 'a' && d->doc[0] <= 'z' ? d->doc[0] - 'a' + 'A' : d->doc[0],
          d->doc + 1);
  if (d->size == GHC_VARIABLE)
    printf ("Size varies");
  else
    printf ("Size %u", d->size);
  printf ("; since %s.\n\n", d->since);
  if (d->n_fields == 0)
    return;
  puts ("| field | bytes | unit | present | meaning |\n|---|---|---|---|---|");
  for (size_t i = 0; i < d->n_fields; i++) {
    const struct ghc_field *field = &d->fields[i];
    printf ("| %s | %s | %s | ", field->name, wires[field->wire], ghc_unit_name (field->unit));
    print_when (&field->when);
    printf (" | %s |\n", field->doc);
  }
  putchar ('\n');
}

static void
print_page (void)
{
  puts (
      "# Events of GHC's eventlog\n\n"
      "Every event of writers from 6.12 on, by its tag.  `docs/print-ghc-events` generates this\n"
      "page from `include/proflog/ghc-events.def` and `ghc-values.def`; do not edit it.\n"
      "[ghc-format.md](ghc-format.md) describes the layout of a log.  A size is the one that the\n"
      "newest writer declares for the payload, without tag and time, and without the length of\n"
      "a variable payload.  A log declares its own sizes, and those count.  Numbers are\n"
      "big-endian; `1 n, n × 4` is a byte n and n numbers of 4 bytes.  A version is that of the\n"
      "first GHC that wrote the event; Eden (a parallel GHC) and Mercury are other writers, and\n"
      "importers add the events of perf.  Units in the last table are in capitals, with `_`\n"
      "for `-`; those of STOP_STATUS_7_8_2 hold for logs of GHC 7.8.2 alone.\n");
  for (unsigned tag = 0; tag < GHC_DATA_END; tag++) {
    const enum ghc_kind kind = ghc_kind_of_tag ((uint16_t) tag);
    if (kind != GHC_UNKNOWN)
      print_event (ghc_describe (kind));
  }
  puts ("## Values with names\n\n| unit | value | name |\n|---|---|---|");
#define VALUE(unit, number, NAME, text) puts ("| " #unit " | " #number " | " text " |");
#include <proflog/ghc-values.def>
}

/* ---- for programs ---- */

static void
print_json_field (const struct ghc_field *field, const char *separator)
{
  printf ("%s\n        { \"name\": \"%s\", \"unit\": \"%s\", \"bytes\": ", separator, field->name,
          ghc_unit_name (field->unit));
  json_text_print (wires[field->wire]);
  if (field->when.if_left)
    printf (", \"if_left\": true");
  if (field->when.least != 0)
    printf (", \"size_from\": %u", field->when.least);
  if (field->when.most != GHC_VARIABLE)
    printf (", \"size_to\": %u", field->when.most);
  printf (", \"doc\": ");
  json_text_print (field->doc);
  printf (" }");
}

static void
print_json_event (const struct ghc_description *d, const char *separator)
{
  printf ("%s\n    {\n      \"name\": \"%s\", \"tag\": %u, \"size\": ", separator, d->name, d->tag);
  if (d->size == GHC_VARIABLE)
    printf ("null");
  else
    printf ("%u", d->size);
  printf (", \"since\": \"%s\", \"doc\": ", d->since);
  json_text_print (d->doc);
  printf (",\n      \"fields\": [");
  for (size_t i = 0; i < d->n_fields; i++)
    print_json_field (&d->fields[i], i == 0 ? "" : ",");
  printf ("\n      ]\n    }");
}

static void
print_json (void)
{
  const char *separator = "";
  printf ("{\n  \"format\": \"ghc-eventlog\", \"byte_order\": \"big\",\n  \"header\": "
          "\"hdrb hetb (etb\\u0000, tag 2, size 2 (65535: it varies), text length 4, text, more "
          "length 4, more, ete\\u0000)* hete hdre datb, events, ffff; a program that restarts its "
          "log writes all of it again\",\n"
          "  \"event\": \"tag 2, time 8 in ns, length of the payload 2 if it varies, payload\",\n"
          "  \"events\": [");
  for (unsigned tag = 0; tag < GHC_DATA_END; tag++) {
    const enum ghc_kind kind = ghc_kind_of_tag ((uint16_t) tag);
    if (kind == GHC_UNKNOWN)
      continue;
    print_json_event (ghc_describe (kind), separator);
    separator = ",";
  }
  printf ("\n  ],\n  \"values\": [");
  separator = "";
#define VALUE(unit, number, NAME, text)                                                            \
  json_value_print (separator, #unit, (long long) (number), text);                                 \
  separator = ",";
#include <proflog/ghc-values.def>
  puts ("\n  ]\n}");
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "json") == 0)
    print_json ();
  else
    print_page ();
  return 0;
}
