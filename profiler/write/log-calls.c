/* log-calls.c -- writes what is known at the end only of calls that are not recorded. */
#include "config.h"

#include "profiler/write/log-calls.h"
#include "agent/clock.h"
#include "profiler/names/names.h"
#include "profiler/record/late-calls.h"
#include "profiler/record/left-out.h"
#include "profiler/write/log-file.h"
#include <stdlib.h>
#include <string.h>

/* At the time of the thread's last event. */
void
log_put_skipped_calls (const struct recorder *r, const struct buffer *b, size_t length)
{
  enum { ROOM = 512 };
  uint8_t bytes[ROOM];
  struct mlpd_buffer_header rest;
  uint64_t events;
  const uint64_t skipped = pending_calls_unstated (&r->calls);
  if (skipped == 0 || late_calls_bound () > sizeof bytes
      || !buffer_count (b, length, &events, &rest))
    return;
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, recorder_version, rest.time_base);
  const uint8_t *end = late_calls_put (&e, bytes, skipped, rest.time_base);
  log_put_events (&log_current, mlpd_encoder_header (&e, rest.thread, 0), bytes,
                  (size_t) (end - bytes));
}

/* ---- by method ---- */

enum {
  METHOD_COUNTERS = 2, /* for each method */
  COUNTERS_MAX = 1 + METHOD_COUNTERS * LEFT_OUT_METHODS,
};

/* The names of what is described are of malloc. */
struct counters {
  struct mlpd_counter *described;
  struct counter_state *state; /* of these */
};

static void
add_counter (const struct counters *c, char *name, uint64_t index, uint64_t number)
{
  if (name == NULL)
    return;
  c->described[c->state->count]
      = (struct mlpd_counter){ .section = MLPD_COUNTER_SECTION_PROFILER,
                               .name = { name, strlen (name) },
                               .type = MLPD_COUNTER_TYPE_ULONG,
                               .unit = MLPD_COUNTER_UNIT_COUNT,
                               .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
                               .index = index };
  c->state->values[c->state->count++] = (struct mlpd_counter_value){
    .index = index, .type = MLPD_COUNTER_TYPE_ULONG, .number = number
  };
}

static char *
join (const char *text, const char *name)
{
  const size_t length = strlen (text) + strlen (name);
  char *joined = malloc (length + 1);
  if (joined != NULL)
    strcat (strcpy (joined, text), name);
  return joined;
}

static void
add_untimed (const struct counters *c)
{
  struct untimed_calls *list = malloc (LEFT_OUT_METHODS * sizeof *list);
  const size_t n = list != NULL ? left_out_list_untimed (list) : 0;
  for (size_t i = 0; i < n; i++) {
    const struct name *name = names_find (NAME_METHOD, list[i].method);
    const uint64_t missed = list[i].periods * LEFT_OUT_LONG_CALLS;
    if (name == NULL)
      continue;
    add_counter (c, join (MLPD_UNTIMED_CALLS, name->text), MLPD_UNTIMED_CALLS_INDEX + i,
                 list[i].calls);
    add_counter (c, join (MLPD_MISSED_CALLS, name->text), MLPD_MISSED_CALLS_INDEX + i,
                 missed < list[i].calls ? missed : list[i].calls);
  }
  free (list);
}

void
log_put_left_out_calls (void)
{
  if (left_out_methods () == 0 && left_out_untimed_methods () == 0)
    return;
  const struct counters c
      = { .described = calloc (COUNTERS_MAX, sizeof *c.described),
          .state = calloc (1, sizeof *c.state + COUNTERS_MAX * sizeof *c.state->values) };
  if (c.described != NULL && c.state != NULL && log_format->put_counters != NULL) {
    c.state->described = c.described;
    if (left_out_methods () != 0)
      add_counter (&c, join (MLPD_LEFT_OUT_METHODS, ""), MLPD_LEFT_OUT_METHODS_INDEX,
                   left_out_methods ());
    add_untimed (&c);
    if (c.state->count != 0)
      log_format->put_counters (&log_current, c.state, clock_now ());
    for (size_t i = 0; i < c.state->count; i++)
      free ((char *) c.described[i].name.text);
  }
  free (c.described);
  free (c.state);
}
