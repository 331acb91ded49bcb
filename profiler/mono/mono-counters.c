/* mono-counters.c -- the counters of the runtime. */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <mono/utils/mono-counters.h>
#include <stdlib.h>
#include <string.h>

enum {
  COUNTERS_MAX = 4096,
  TEXT_MAX = 256, /* of a counter that is a text */
};

/* A counter.  Its number in the log is its place + 1. */
static struct counter {
  MonoCounter *counter;
  uint64_t now, logged; /* what it is, and was when the log took it last */
  char text[TEXT_MAX];  /* of one that is a text: what it is */
  bool is_new;          /* what the text is, the log does not know */
} * counters;
static struct mlpd_counter *descriptions; /* of the same, in turn */
static size_t count, described;           /* those that were found, and that the log has */

/* Adds a counter that is new; the runtime's list is locked. */
static mono_bool
find_counter (MonoCounter *counter, void *unused)
{
  (void) unused;
  for (size_t i = 0; i < count; i++)
    if (counters[i].counter == counter)
      return 1;
  if (counters == NULL)
    counters = calloc (COUNTERS_MAX, sizeof *counters);
  if (descriptions == NULL)
    descriptions = calloc (COUNTERS_MAX, sizeof *descriptions);
  char *const name = strdup (mono_counter_get_name (counter));
  if (counters == NULL || descriptions == NULL || name == NULL || count == COUNTERS_MAX) {
    free (name);
    return 0;
  }
  counters[count].counter = counter;
  descriptions[count] = (struct mlpd_counter){
    .section = (uint64_t) mono_counter_get_section (counter),
    .name = { name, strlen (name) },
    .type = (uint64_t) mono_counter_get_type (counter),
    .unit = (uint64_t) mono_counter_get_unit (counter),
    .variance = (uint64_t) mono_counter_get_variance (counter),
    .index = count + 1,
  };
  count++;
  return 1;
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

/* Finds out what a counter is. */
static void
read_counter (struct counter *c)
{
  char bytes[TEXT_MAX] = "";
  const int type = mono_counter_get_type (c->counter);
  if (mono_counters_sample (c->counter, bytes, sizeof bytes - 1) <= 0)
    return;
  if (type != MONO_COUNTER_STRING) {
    c->now = number_of (type, bytes);
  } else if (strcmp (c->text, bytes) != 0) {
    memcpy (c->text, bytes, sizeof bytes);
    c->is_new = true;
  }
}

static bool
is_text (size_t i)
{
  return descriptions[i].type == MONO_COUNTER_STRING;
}

/* How it has changed; numbers change by differences. */
static struct mlpd_counter_value
change_of (size_t i)
{
  const struct counter *const c = &counters[i];
  const uint64_t type = descriptions[i].type;
  return (struct mlpd_counter_value){
    .index = i + 1,
    .type = type,
    .number = type == MONO_COUNTER_DOUBLE ? c->now : c->now - c->logged,
    .text = { is_text (i) ? c->text : NULL, is_text (i) ? strlen (c->text) : 0 },
  };
}

/* What all of them are, with texts of its own. */
static struct counter_state *
make_state (void)
{
  const size_t fixed = sizeof (struct counter_state) + count * sizeof (struct mlpd_counter_value);
  size_t texts = 0;
  for (size_t i = 0; i < count; i++)
    texts += is_text (i) ? strlen (counters[i].text) + 1 : 0;
  struct counter_state *state = malloc (fixed + texts);
  if (state == NULL)
    return NULL;
  char *text = (char *) state + fixed;
  state->count = count;
  state->described = descriptions;
  for (size_t i = 0; i < count; i++) {
    struct mlpd_counter_value *const value = &state->values[i];
    *value = change_of (i);
    value->number = counters[i].now;
    if (is_text (i)) {
      value->text.text = strcpy (text, counters[i].text);
      text += value->text.length + 1;
    }
  }
  return state;
}

/* The log has the current values. */
static void
note_logged (void)
{
  described = count;
  for (size_t i = 0; i < count; i++) {
    counters[i].logged = counters[i].now;
    counters[i].is_new = false;
  }
}

/* Both in one buffer, which is in the log as a whole or not at all. */
static bool
record (struct mlpd_sample_counters_desc *descs, struct mlpd_sample_counters *values,
        struct counter_state *state)
{
  struct recorder *r = recorder_begin (
      mlpd_bound_sample_counters_desc (descs) + mlpd_bound_sample_counters (values), 0, 0, 0);
  if (r == NULL) {
    free (state);
    return false;
  }
  recorder_hold (r);
  if (descs->counters.count != 0)
    RECORD_IN (r, sample_counters_desc, *descs);
  RECORD_IN (r, sample_counters, *values);
  const bool is_taken = recorder_hand_over_counters (r, state);
  recorder_release (r);
  return is_taken;
}

void
counters_record (void)
{
  mono_counters_foreach (find_counter, NULL);
  struct mlpd_counter_value *values = count != 0 ? calloc (count, sizeof *values) : NULL;
  if (values == NULL) {
    recorder_add_lost (count != 0);
    return;
  }
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    read_counter (&counters[i]);
    if (is_text (i) ? counters[i].is_new : counters[i].now != counters[i].logged)
      values[n++] = change_of (i);
  }
  struct mlpd_sample_counters_desc descs
      = { .counters = { .items = &descriptions[described], .count = count - described } };
  struct mlpd_sample_counters changes = { .values = { .items = values, .count = n } };
  struct counter_state *const state = make_state ();
  if (state != NULL && record (&descs, &changes, state))
    note_logged ();
  free (values);
}
