/* test-mlpd-part-writer.c -- the context of a part of a log, besides its events: descriptions and
 * values of counters, and times. */
#include "config.h"

#include "decoder/mlpd/edit/mlpd-part-writer.h"
#include "tests/unit/test.h"

#include <string.h>

enum { INDEX = 3, FIRST_TIME = 100 };

static void
begin_part (struct mlpd_part_writer *w, unsigned version)
{
  const struct mlpd_file_header header = { .major = 3,
                                           .data_version = (uint8_t) version,
                                           .pointer_size = 8,
                                           .arguments = { "", 0 },
                                           .architecture = { "", 0 },
                                           .operating_system = { "", 0 } };
  mlpd_part_writer_init (w);
  w->first_time = FIRST_TIME;
  assert_true (mlpd_part_writer_header (w, &header, NULL));
}

/* The counts of the part up to now. */
struct written {
  unsigned descriptions, values, times;
  uint64_t sum; /* of the values */
};

static struct written
end_part (struct mlpd_part_writer *w)
{
  struct written written = { 0 };
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  size_t length;
  mlpd_part_writer_end_buffer (w);
  const uint8_t *bytes = mlpd_writer_take (w->writer, &length);
  mlpd_reader_push (reader, bytes, length);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT) {
    assert_int_not_equal (item->type, MLPD_ITEM_DAMAGE);
    if (item->type != MLPD_ITEM_EVENT)
      continue;
    written.descriptions += item->kind == MLPD_SAMPLE_COUNTERS_DESC;
    written.values += item->kind == MLPD_SAMPLE_COUNTERS;
    written.times += item->kind == MLPD_META_SYNC_POINT;
    if (item->kind == MLPD_SAMPLE_COUNTERS)
      written.sum += item->payload->sample_counters.values.items[0].number;
  }
  mlpd_reader_free (reader);
  mlpd_part_writer_clear (w);
  return written;
}

static void
describe (struct counters *counters, const struct mlpd_counter *counter)
{
  const struct mlpd_sample_counters_desc event = { .time = FIRST_TIME, .counters = { counter, 1 } };
  counters_describe (counters, &event);
}

static struct mlpd_sample_counters
value_event (const struct mlpd_counter_value *value)
{
  return (struct mlpd_sample_counters){ .time = FIRST_TIME, .values = { value, 1 } };
}

static void
write_value (struct mlpd_part_writer *w, const struct counters *counters, uint64_t type)
{
  const struct mlpd_counter_value value = { .index = INDEX, .type = type, .number = 1 };
  const struct mlpd_sample_counters event = value_event (&value);
  const struct mlpd_part_place place = { MLPD_PART_EVENTS, 7, FIRST_TIME };
  assert_true (mlpd_part_writer_values (w, place, counters, &event, NULL));
}

static const struct mlpd_counter usual = { .section = MLPD_COUNTER_SECTION_RUNTIME,
                                           .name = { "a", 1 },
                                           .type = MLPD_COUNTER_TYPE_LONG,
                                           .unit = MLPD_COUNTER_UNIT_BYTES,
                                           .variance = MLPD_COUNTER_VARIANCE_VARIABLE,
                                           .index = INDEX };

/* A counter is described anew if anything of its description differs from the one before. */
TEST (descriptions)
{
  struct mlpd_counter variants[7];
  for (size_t i = 0; i < G_N_ELEMENTS (variants); i++)
    variants[i] = usual;
  variants[1].section = MLPD_COUNTER_SECTION_GC;
  variants[2].unit = MLPD_COUNTER_UNIT_COUNT;
  variants[3].variance = MLPD_COUNTER_VARIANCE_MONOTONIC;
  variants[4].name.text = "b";
  variants[5].section = variants[6].section = MLPD_COUNTER_SECTION_USER;
  variants[5].section_name = (struct mlpd_string){ "s", 1 };
  variants[6].section_name = (struct mlpd_string){ "t", 1 };
  for (size_t i = 0; i < G_N_ELEMENTS (variants); i++)
    for (size_t k = 0; k < G_N_ELEMENTS (variants); k++) {
      struct counters counters;
      struct mlpd_part_writer w;
      begin_part (&w, 17);
      counters_init (&counters);
      describe (&counters, &variants[i]);
      write_value (&w, &counters, MLPD_COUNTER_TYPE_LONG);
      counters_clear (&counters);
      counters_init (&counters);
      describe (&counters, &variants[k]);
      write_value (&w, &counters, MLPD_COUNTER_TYPE_LONG);
      counters_clear (&counters);
      const struct written written = end_part (&w);
      assert_int_equal (written.descriptions, i == k ? 1 : 2);
    }
}

TEST (no_description)
{
  struct counters counters;
  struct mlpd_part_writer w;
  begin_part (&w, 17);
  counters_init (&counters);
  write_value (&w, &counters, MLPD_COUNTER_TYPE_LONG); /* of a counter that the log does not have */
  counters_clear (&counters);
  const struct written written = end_part (&w);
  assert_int_equal (written.descriptions, 0);
  assert_int_equal (written.values, 1);
}

/* The log had the value 41 before the part: a value that is a difference from it needs it, in an
 * event of its own. */
TEST (values_before)
{
  static const struct {
    uint64_t section, type; /* of the counter */
    uint64_t type_of_value;
    unsigned values;
  } cases[] = {
    { MLPD_COUNTER_SECTION_GC, MLPD_COUNTER_TYPE_LONG, MLPD_COUNTER_TYPE_LONG, 2 },
    { MLPD_COUNTER_SECTION_GC, MLPD_COUNTER_TYPE_ULONG, MLPD_COUNTER_TYPE_ULONG, 2 },
    { MLPD_COUNTER_SECTION_GC, MLPD_COUNTER_TYPE_LONG, MLPD_COUNTER_TYPE_DOUBLE, 1 },
    { MLPD_COUNTER_SECTION_GC, MLPD_COUNTER_TYPE_DOUBLE, MLPD_COUNTER_TYPE_DOUBLE, 1 },
    { MLPD_COUNTER_SECTION_GC, MLPD_COUNTER_TYPE_STRING, MLPD_COUNTER_TYPE_STRING, 1 },
    { MLPD_COUNTER_SECTION_USER, MLPD_COUNTER_TYPE_LONG, MLPD_COUNTER_TYPE_LONG, 1 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct mlpd_counter_value before
        = { .index = INDEX, .type = cases[i].type, .number = 41, .text = { "", 0 } };
    struct mlpd_counter counter = usual;
    const struct mlpd_sample_counters event = value_event (&before);
    struct counters counters;
    struct mlpd_part_writer w;
    begin_part (&w, 17);
    counters_init (&counters);
    counter.section = cases[i].section;
    counter.type = cases[i].type;
    describe (&counters, &counter);
    counters_skip (&counters, &event);
    write_value (&w, &counters, cases[i].type_of_value);
    counters_clear (&counters);
    const struct written written = end_part (&w);
    if (written.values != cases[i].values)
      fail_msg ("case %zu: %u values", i, written.values);
    if (cases[i].values == 2)
      assert_int_equal (written.sum, 42);
  }
}

/* A part without events states when the log began and ended, in versions that have an event for a
 * time. */
TEST (last_times)
{
  static const struct {
    unsigned version;
    uint64_t time;
    unsigned times;
  } cases[] = {
    { 17, FIRST_TIME + 1, 2 },
    { 17, FIRST_TIME, 1 },
    { 1, FIRST_TIME + 1, 0 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct mlpd_part_writer w;
    begin_part (&w, cases[i].version);
    mlpd_part_writer_last_time (&w, 7, cases[i].time);
    assert_int_equal (end_part (&w).times, cases[i].times);
  }
}
