/* print-mlpd-events.c -- prints docs/mlpd-events.md: the event list as tables for people. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include <stdio.h>

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
  [MLPD_WIRE_HELPER_NAME] = { { MLPD_LATEST, "Z" } },
  [MLPD_WIRE_BACKTRACE] = { { 12, "U 0, U n, n × P" }, { MLPD_LATEST, "U n, n × M" } },
  [MLPD_WIRE_PTRS] = { { MLPD_LATEST, "U n, n × P" } },
  [MLPD_WIRE_OBJS] = { { MLPD_LATEST, "U n, n × O" } },
  [MLPD_WIRE_REFS] = { { 1, "U n, n × O" }, { MLPD_LATEST, "U n, n × (U offset, O)" } },
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

int
main (void)
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
  return 0;
}
