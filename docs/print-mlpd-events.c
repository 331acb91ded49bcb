/* print-mlpd-events.c -- prints docs/mlpd-events.md: the event list as tables for people. */
#include "config.h"
#include "decoder/formats/mlpd-describe.h"
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

static void
print_field (const struct mlpd_field *field)
{
  static const char *const wires[] = {
    [MLPD_WIRE_UVAR] = "U",
    [MLPD_WIRE_SIZE] = "U",
    [MLPD_WIRE_TIME] = "T",
    [MLPD_WIRE_PTR] = "P",
    [MLPD_WIRE_OBJ] = "O",
    [MLPD_WIRE_METHOD] = "M",
    [MLPD_WIRE_STRZ] = "Z",
    [MLPD_WIRE_MTYPE] = "B",
    [MLPD_WIRE_EXINFO] = "bits 0xf0",
    [MLPD_WIRE_EXINFO_MONITOR] = "bits 0x30",
    [MLPD_WIRE_BACKTRACE] = "U 0, U n, n × P",
    [MLPD_WIRE_OBJS] = "U n, n × O",
    [MLPD_WIRE_REFS] = "U n, n × O",
  };
  printf ("| %s | %s | %s | ", field->name, wires[field->wire], mlpd_unit_name (field->unit));
  if (field->when.mask != 0)
    printf ("if (byte & 0x%02x) == 0x%02x", field->when.mask, field->when.value);
  else if (field->when.since > 1 || field->when.until != MLPD_LATEST) {
    printf ("versions ");
    print_versions (field->when.since, field->when.until);
  }
  printf (" | %s |\n", field->doc);
}

int
main (void)
{
  puts ("# Events of the Mono profiler log\n\n"
        "Made from `include/proflog/mlpd-events.def` and `mlpd-values.def` by\n"
        "`docs/print-mlpd-events`; do not edit.  The signs are explained in\n"
        "[mlpd-format.md](mlpd-format.md).\n");
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
      print_field (&d->fields[i]);
    putchar ('\n');
  }
  puts ("## Values with names\n\n| unit | value | name |\n|---|---|---|");
#define VALUE(unit, number, NAME, text) puts ("| " #unit " | " #number " | " text " |");
#include <proflog/mlpd-values.def>
  return 0;
}
