/* mono-counters.c -- the counters of the runtime. */
#include "profiler/mono-profiler.h"
#include <mono/utils/mono-counters.h>
#include <stdlib.h>
#include <string.h>

enum {
  COUNTERS_MAX = 4096,
  TEXT_MAX = 256, /* of a counter that is a text */
};

/* A counter with its value when it was recorded last.  Its number in the log is its place + 1. */
static struct counter {
  MonoCounter *counter;
  uint64_t last;
  char text[TEXT_MAX]; /* likewise */
  bool has_text;
} * counters;
static size_t count, described;

/* Takes one that was not met before; the runtime's list is locked. */
static mono_bool
find_counter (MonoCounter *counter, void *unused)
{
  (void) unused;
  for (size_t i = 0; i < count; i++)
    if (counters[i].counter == counter)
      return 1;
  if (counters == NULL)
    counters = calloc (COUNTERS_MAX, sizeof *counters);
  if (counters == NULL || count == COUNTERS_MAX)
    return 0;
  counters[count++].counter = counter;
  return 1;
}

/* Describes those that are new. */
static void
describe (void)
{
  const size_t n = count - described;
  struct mlpd_counter *list = n != 0 ? calloc (n, sizeof *list) : NULL;
  if (list == NULL)
    return;
  for (size_t i = 0; i < n; i++) {
    MonoCounter *c = counters[described + i].counter;
    const char *const name = mono_counter_get_name (c);
    list[i] = (struct mlpd_counter){
      .section = (uint64_t) mono_counter_get_section (c),
      .name = { name, strlen (name) },
      .type = (uint64_t) mono_counter_get_type (c),
      .unit = (uint64_t) mono_counter_get_unit (c),
      .variance = (uint64_t) mono_counter_get_variance (c),
      .index = described + i + 1,
    };
  }
  struct mlpd_sample_counters_desc event = { .counters = { .items = list, .count = n } };
  RECORD (sample_counters_desc, event, 0, 0, 0);
  described = count;
  free (list);
}

/* A number as the runtime has it, in 64 bits. */
static uint64_t
number_of (int type, const void *bytes)
{
  int32_t i;
  uint32_t u;
  uint64_t wide;
  switch (type) {
  case MONO_COUNTER_INT:
    memcpy (&i, bytes, sizeof i);
    return (uint64_t) (int64_t) i;
  case MONO_COUNTER_UINT:
    memcpy (&u, bytes, sizeof u);
    return u;
  default:
    memcpy (&wide, bytes, sizeof wide);
    return wide;
  }
}

/* The value of a counter, if it changed. */
static bool
read_counter (struct counter *c, struct mlpd_counter_value *value)
{
  char bytes[TEXT_MAX] = "";
  const int type = mono_counter_get_type (c->counter);
  const int size = mono_counters_sample (c->counter, bytes, sizeof bytes - 1);
  *value = (struct mlpd_counter_value){ .type = (uint64_t) type };
  if (size <= 0)
    return false;
  if (type == MONO_COUNTER_STRING) {
    if (c->has_text && strcmp (c->text, bytes) == 0)
      return false;
    c->has_text = true;
    memcpy (c->text, bytes, sizeof bytes);
    value->text = (struct mlpd_string){ c->text, strlen (c->text) };
    return true;
  }
  const uint64_t now = number_of (type, bytes), before = c->last;
  c->last = now;
  value->number = type == MONO_COUNTER_DOUBLE ? now : now - before;
  return now != before;
}

void
counters_record (void)
{
  mono_counters_foreach (find_counter, NULL);
  describe ();
  struct mlpd_counter_value *values = count != 0 ? calloc (count, sizeof *values) : NULL;
  if (values == NULL)
    return;
  size_t n = 0;
  for (size_t i = 0; i < described; i++)
    if (read_counter (&counters[i], &values[n]))
      values[n++].index = i + 1;
  struct mlpd_sample_counters event = { .values = { .items = values, .count = n } };
  RECORD (sample_counters, event, 0, 0, 0);
  free (values);
}
