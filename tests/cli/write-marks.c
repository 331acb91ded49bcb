/* write-marks.c -- write-marks: writes a log of Mono to standard output, with the marks in standard
 * input: one a line, as thread, time in ns and name. */
#include "config.h"

#include <inttypes.h>
#include <proflog/mlpd-writer.h>
#include <proflog/mlpd.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 64, LINE = 256 };

/* The number of a name, from 0. */
static uint64_t
number_of (const char *name)
{
  static char names[NAMES][LINE];
  static uint64_t n;
  uint64_t i = 0;
  while (i < n && strcmp (names[i], name) != 0)
    i++;
  if (i == n && n < NAMES)
    strcpy (names[n++], name);
  return i;
}

/* A buffer of its own, as the module writes it. */
static void
put_mark (struct mlpd_writer *writer, uint64_t thread, uint64_t time, const char *name)
{
  char text[LINE + sizeof MLPD_MARK];
  const int length = snprintf (text, sizeof text, "%s%s", MLPD_MARK, name);
  const struct mlpd_counter counter = { .section = MLPD_COUNTER_SECTION_PROFILER,
                                        .name = { text, (size_t) length },
                                        .type = MLPD_COUNTER_TYPE_ULONG,
                                        .unit = MLPD_COUNTER_UNIT_COUNT,
                                        .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
                                        .index = MLPD_MARKS_INDEX + number_of (name) };
  const struct mlpd_counter_value value
      = { .index = counter.index, .type = counter.type, .number = 1 };
  const union mlpd_payload described
      = { .sample_counters_desc = { .time = time, .counters = { &counter, 1 } } };
  const union mlpd_payload counted
      = { .sample_counters = { .time = time, .values = { &value, 1 } } };
  mlpd_writer_begin_buffer (writer, thread, time, NULL);
  mlpd_writer_event (writer, MLPD_SAMPLE_COUNTERS_DESC, &described, NULL);
  mlpd_writer_event (writer, MLPD_SAMPLE_COUNTERS, &counted, NULL);
}

int
main (void)
{
  const struct mlpd_file_header header = { .major = 3,
                                           .data_version = MLPD_VERSION_ALL_CLASSES,
                                           .pointer_size = 8,
                                           .start_ms = 1,
                                           .start_ns = 1,
                                           .pid = 1,
                                           .arguments = { "", 0 },
                                           .architecture = { "", 0 },
                                           .operating_system = { "", 0 } };
  struct mlpd_writer *writer = mlpd_writer_new ();
  uint64_t thread, time;
  char name[LINE];
  mlpd_writer_header (writer, &header, NULL);
  while (scanf ("%" SCNu64 " %" SCNu64 " %255[^\n]", &thread, &time, name) == 3)
    put_mark (writer, thread, time, name);
  mlpd_writer_end (writer, time, thread, NULL);
  size_t length;
  const uint8_t *bytes = mlpd_writer_take (writer, &length);
  const bool good = fwrite (bytes, 1, length, stdout) == length && fflush (stdout) == 0;
  mlpd_writer_free (writer);
  return good ? 0 : 2;
}
