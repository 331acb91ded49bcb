/* print-mlpd-events.c -- prints docs/mlpd-events.md: the event list as tables for people; with
 * "json" docs/formats/mlpd.json: the same, and the headers, for programs. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "docs/json-text.h"
#include <stdio.h>
#include <string.h>

static void
print_versions (uint32_t since, uint32_t until)
{
  if (until == MLPD_LATEST)
    printf ("%u and later", since);
  else if (since == until)
    printf ("%u", since);
  else
    printf ("%u to %u", since, until);
}

/* How a wire is spelled; where that changed, its spellings by the data versions in which they end.
 */
struct spelling {
  uint32_t until;
  const char *text;
};

#define SPELLINGS_MAX 5

static const struct spelling wires[][SPELLINGS_MAX] = {
  [MLPD_WIRE_U8] = { { MLPD_LATEST, "B" } },
  [MLPD_WIRE_UVAR] = { { MLPD_LATEST, "U" } },
  [MLPD_WIRE_SMALL] = { { 12, "U" }, { MLPD_LATEST, "B" } },
  [MLPD_WIRE_SIZE] = { { MLPD_LATEST, "U" } },
  [MLPD_WIRE_TIME] = { { MLPD_LATEST, "T" } },
  [MLPD_WIRE_PTR] = { { MLPD_LATEST, "P" } },
  [MLPD_WIRE_BINARY_ADDRESS] = { { 13, "S" }, { MLPD_LATEST, "P" } },
  [MLPD_WIRE_OBJ] = { { MLPD_LATEST, "O" } },
  [MLPD_WIRE_METHOD] = { { MLPD_LATEST, "M" } },
  [MLPD_WIRE_STRZ] = { { MLPD_LATEST, "Z" } },
  [MLPD_WIRE_MTYPE] = { { MLPD_LATEST, "B" } },
  [MLPD_WIRE_EXINFO] = { { MLPD_LATEST, "bits 0xf0" } },
  [MLPD_WIRE_MONITOR_EVENT] = { { 13, "bits 0x30" }, { MLPD_LATEST, "B" } },
  [MLPD_WIRE_HELPER_TYPE] = { { 12, "U + 1" }, { 13, "B + 1" }, { MLPD_LATEST, "B" } },
  [MLPD_WIRE_HELPER_NAME] = { { MLPD_LATEST, "[Z]" } },
  [MLPD_WIRE_BACKTRACE] = { { 12, "U 0, U n, n × P" }, { MLPD_LATEST, "U n, n × M" } },
  [MLPD_WIRE_PTRS] = { { MLPD_LATEST, "U n, n × P" } },
  [MLPD_WIRE_OBJS] = { { MLPD_LATEST, "U n, n × O" } },
  [MLPD_WIRE_REFS] = { { 1, "U n, n × O" }, { MLPD_LATEST, "U n, n × (D offset, O)" } },
  [MLPD_WIRE_ROOTS] = { { 12, "U n, U collections, n × (O, U type, U extra)" },
                        { 13, "U n, U collections, n × (O, B type, U extra)" },
                        { 14, "U n, U collections, n × (O, U type, U extra)" },
                        { MLPD_LATEST, "U n, n × (P address, O)" } },
  [MLPD_WIRE_FRAMES]
  = { { 12, "U n, n × (M, S IL offset, S native offset)" }, { MLPD_LATEST, "U n, n × M" } },
  [MLPD_WIRE_COUNTERS]
  = { { 12, "U n, n × (U section, [Z its name], Z name, U type, U unit, U variance, U index)" },
      { 14, "U n, n × (U section, [Z its name], Z name, B type, B unit, B variance, U index)" },
      { MLPD_LATEST,
        "U n, n × (U section, [Z its name], Z name, U type, U unit, U variance, U index)" } },
  [MLPD_WIRE_COUNTER_VALUES] = { { 12, "n × (U index, U type, value), U 0" },
                                 { 14, "n × (U index, B type, value), U 0" },
                                 { MLPD_LATEST, "n × (U index, U type, value), U 0" } },
};

/* The spellings that the data versions of the field have. */
static void
print_wire (const struct mlpd_field *field, uint32_t since, uint32_t until)
{
  const struct spelling *spelling = wires[field->wire];
  while (spelling->until < since)
    spelling++;
  printf ("%s", spelling->text);
  for (; spelling->until < until; spelling++)
    printf ("; from %u on %s", spelling->until + 1, spelling[1].text);
}

static void
print_field (const struct mlpd_description *event, const struct mlpd_field *field)
{
  const struct mlpd_when *when = &field->when;
  const uint32_t since = when->since > event->since ? when->since : event->since;
  const uint32_t until = when->until < event->until ? when->until : event->until;
  printf ("| %s | ", field->name);
  print_wire (field, since, until);
  printf (" | %s | ", mlpd_unit_name (field->unit));
  if (since != event->since || until != event->until) {
    printf ("versions ");
    print_versions (since, until);
    if (when->mask != 0)
      printf (", ");
  }
  if (when->mask != 0)
    printf ("if (byte & 0x%02x) == 0x%02x", when->mask, when->value);
  printf (" | %s |\n", field->doc);
}

static void
print_page (void)
{
  puts ("# Events of the Mono profiler log\n\n"
        "Every event of data versions 1 to 17.  `docs/print-mlpd-events` generates this page from\n"
        "`include/proflog/mlpd-events.def` and `mlpd-values.def`; do not edit it.\n"
        "[mlpd-format.md](mlpd-format.md) explains the signs.  If the bytes of a field changed, "
        "they\n"
        "stand with the first data version that had them; 17 is the last that was ever written.\n"
        "`byte` is the event byte: bits that a condition tests, or that a field has (`bits`), do\n"
        "not belong to the kind.  The last table has units in capitals, with `_` for `-`:\n"
        "values of `gc-event` are those of GC_EVENT.\n");
  for (int kind = 0; kind < MLPD_KINDS; kind++) {
    const struct mlpd_description *d = mlpd_describe ((enum mlpd_kind) kind);
    printf ("## %s\n\n", d->name);
    printf ("%c%s.  Event byte 0x%02x", d->doc[0] - 'a' + 'A', d->doc + 1,
            (unsigned) (d->type | d->exinfo));
    if (d->mtype != 0)
      printf (" with mtype %u", d->mtype);
    printf (" (type %u); data versions ", d->type);
    print_versions (d->since, d->until);
    puts (".\n\n| field | bytes | unit | present | meaning |\n|---|---|---|---|---|");
    for (size_t i = 0; i < d->n_fields; i++)
      print_field (d, &d->fields[i]);
    putchar ('\n');
  }
  puts ("## Values with names\n\n| unit | value | name |\n|---|---|---|");
#define VALUE(unit, number, NAME, text) puts ("| " #unit " | " #number " | " text " |");
#include <proflog/mlpd-values.def>
}

/* ---- for programs ---- */

/* The signs of the spellings. */
static const char *const signs[][2] = {
  { "B", "a byte" },
  { "U", "unsigned LEB128" },
  { "S", "signed LEB128" },
  { "T", "U, added to the time before in the buffer; modulo 2^64" },
  { "D", "U, added to the one before in the list, at first to 0" },
  { "P", "S, added to ptr_base of the buffer" },
  { "O", "S, added to obj_base of the buffer; the sum counts units of 8 bytes" },
  { "M", "S, added to the method before in the buffer, at first method_base" },
  { "Z", "bytes up to a NUL, which is read too" },
  { "B + 1", "a byte that is one more than the number" },
  { "U + 1", "unsigned LEB128 that is one more than the number" },
  { "bits 0xf0", "these bits of the event byte; nothing is read" },
  { "bits 0x30", "these bits of the event byte, shifted to the right; nothing is read" },
  { "U n, n × (...)", "a number, and as many groups" },
  { "n × (...), U 0", "groups up to one whose first number is 0, which ends after it" },
  { "[Z]", "if the type before it is specific-trampoline" },
  { "[Z its name]", "if the section before it is user-counters (0x8000)" },
  { "value",
    "by the type before it: S of int, word, long and time-interval; U of uint and ulong; 8 "
    "bytes of a double; of a string B, and Z unless that is 0" },
};

static void
print_header (const char *key, bool is_file)
{
  const char *separator = "";
  printf ("  \"%s\": [", key);
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  if (is_file == (strcmp (#header, "file") == 0)) {                                                \
    printf ("%s\n    { \"name\": \"" #field "\", \"bytes\": \"" #wire                              \
            "\", \"since\": %d, \"until\": "                                                       \
            "%d, \"doc\": ",                                                                       \
            separator, since, until);                                                              \
    json_text_print (doc);                                                                         \
    printf (" }");                                                                                 \
    separator = ",";                                                                               \
  }
#include <proflog/mlpd-headers.def>
  puts ("\n  ],");
}

/* Those of all data versions: the first is up to its `until`, and so on. */
static void
print_spellings (const struct mlpd_field *field)
{
  const struct spelling *spelling = wires[field->wire];
  for (bool is_last = false; !is_last; spelling++) {
    is_last = spelling->until == MLPD_LATEST;
    printf ("{ \"until\": %d, \"as\": ", is_last ? MLPD_VERSION_LAST : (int) spelling->until);
    json_text_print (spelling->text);
    printf (is_last ? " }" : " }, ");
  }
}

static int
last_version (uint32_t until)
{
  return until == MLPD_LATEST ? MLPD_VERSION_LAST : (int) until;
}

static void
print_event (const struct mlpd_description *d, const char *separator)
{
  printf ("%s\n    {\n      \"name\": \"%s\", \"type\": %u, \"exinfo\": %u, \"mask\": %u, "
          "\"mtype\": %u, \"since\": %u, \"until\": %d,\n      \"doc\": ",
          separator, d->name, d->type, d->exinfo, d->mask, d->mtype, d->since,
          last_version (d->until));
  json_text_print (d->doc);
  printf (",\n      \"fields\": [");
  for (size_t i = 0; i < d->n_fields; i++) {
    const struct mlpd_field *field = &d->fields[i];
    printf ("%s\n        { \"name\": \"%s\", \"unit\": \"%s\", \"since\": %u, \"until\": %d, "
            "\"mask\": %u, \"value\": %u,\n          \"bytes\": [",
            i == 0 ? "" : ",", field->name, mlpd_unit_name (field->unit), field->when.since,
            last_version (field->when.until), field->when.mask, field->when.value);
    print_spellings (field);
    printf ("], \"doc\": ");
    json_text_print (field->doc);
    printf (" }");
  }
  printf ("\n      ]\n    }");
}

static void
print_json (void)
{
  printf ("{\n  \"format\": \"mlpd\", \"byte_order\": \"little\", \"data_versions\": [1, %d],\n"
          "  \"file_id\": %u, \"buffer_id\": %u, \"metadata_type\": %u,\n  \"signs\": {",
          MLPD_VERSION_LAST, MLPD_FILE_ID, MLPD_BUFFER_ID, (unsigned) MLPD_TYPE_METADATA);
  for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
    printf ("%s\n    ", i == 0 ? "" : ",");
    json_text_print (signs[i][0]);
    printf (": ");
    json_text_print (signs[i][1]);
  }
  puts ("\n  },");
  print_header ("file_header", true);
  print_header ("buffer_header", false);
  printf ("  \"events\": [");
  for (int kind = 0; kind < MLPD_KINDS; kind++)
    print_event (mlpd_describe ((enum mlpd_kind) kind), kind == 0 ? "" : ",");
  printf ("\n  ],\n  \"values\": [");
  const char *separator = "";
#define VALUE(unit, number, NAME, text)                                                            \
  json_value_print (separator, #unit, (long long) (number), text);                                 \
  separator = ",";
#include <proflog/mlpd-values.def>
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
