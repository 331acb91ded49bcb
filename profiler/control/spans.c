/* spans.c -- records spans of the program (proflog/program.h) as values of counters.
 *
 * A name is a number in events, which is announced as other names are: so a begin writes no text.
 */
#include "config.h"

#include "profiler/control/spans.h"
#include "profiler/names/names.h"
#include "profiler/options/event-classes.h"
#include "profiler/record/recorder.h"
#include <proflog/program.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
  NAMES_MAX = 4096, /* different ones */
  NAME_MAX_BYTES = 200,
};

#define EXPORT __attribute__ ((visibility ("default")))

/* With its number: texts of announcements, which stay.  One is set before it is counted: a thread
 * that sees the count sees the text. */
static char *texts[NAMES_MAX];
static _Atomic unsigned count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool
is_name (const char *name)
{
  if (name == NULL || name[0] == 0 || strlen (name) > NAME_MAX_BYTES)
    return false;
  for (const char *p = name; *p != 0; p++)
    if ((unsigned char) *p < 0x20 || *p == 0x7f)
      return false;
  return true;
}

/* Under the lock.  0: there is no room. */
static unsigned
find_number (const char *name)
{
  const unsigned n = atomic_load_explicit (&count, memory_order_relaxed);
  for (unsigned i = 0; i < n; i++)
    if (strcmp (strchr (texts[i] + strlen (MLPD_SPAN), ' ') + 1, name) == 0)
      return i + 1;
  char text[sizeof MLPD_SPAN + NAME_MAX_BYTES + 16];
  snprintf (text, sizeof text, MLPD_SPAN "%u %s", n + 1, name);
  if (n == NAMES_MAX || (texts[n] = strdup (text)) == NULL)
    return 0;
  atomic_store_explicit (&count, n + 1, memory_order_release);
  return n + 1;
}

EXPORT unsigned
proflog_span_name (const char *name)
{
  if (!is_name (name))
    return 0;
  pthread_mutex_lock (&lock);
  const unsigned number = find_number (name);
  pthread_mutex_unlock (&lock);
  return number;
}

static _Atomic bool are_callable; /* set before the first managed call */

void
spans_set_callable (void)
{
  atomic_store_explicit (&are_callable, true, memory_order_release);
}

EXPORT int
proflog_span_calls (void)
{
  return atomic_load_explicit (&are_callable, memory_order_acquire);
}

/* PROFLOG_DONE: events of spans can be recorded now. */
static int
check_recording (void)
{
  if (!recorder_running () || atomic_load_explicit (&event_recording_paused, memory_order_relaxed))
    return PROFLOG_NOT_RECORDED;
  return recorder_is_eventlog || recorder_version < MLPD_VERSION_ALL_CLASSES ? PROFLOG_REFUSED
                                                                             : PROFLOG_DONE;
}

static int
put_values (const struct mlpd_counter_value *values, size_t n)
{
  struct mlpd_sample_counters event = { .values = { values, n } };
  struct recorder *r = recorder_begin (mlpd_bound_sample_counters (&event), 0, 0, 0);
  if (r == NULL)
    return PROFLOG_NOT_RECORDED;
  RECORD_IN (r, sample_counters, event);
  return PROFLOG_DONE;
}

static int
put_edge (uint64_t index, uint64_t id)
{
  const struct mlpd_counter_value value
      = { .index = index, .type = MLPD_COUNTER_TYPE_ULONG, .number = id };
  const int result = check_recording ();
  return result == PROFLOG_DONE ? put_values (&value, 1) : result;
}

/* `n`: with the number of the trace, or without. */
static int
begin_span (unsigned name, const struct mlpd_counter_value *values, size_t n)
{
  const int result = check_recording ();
  if (result != PROFLOG_DONE)
    return result;
  if (name == 0 || name > atomic_load_explicit (&count, memory_order_acquire))
    return PROFLOG_REFUSED;
  /* No later than its first use in the file; where there was no memory it is tried again. */
  if (names_find (NAME_SPAN, names_key (name)) == NULL)
    names_add (NAME_SPAN, names_key (name), 0, texts[name - 1], 0, NO_DOMAIN);
  return put_values (values, n);
}

EXPORT int
proflog_span_begin (unsigned name, uint64_t id)
{
  const struct mlpd_counter_value values[]
      = { { .index = MLPD_SPAN_BEGIN_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = id },
          { .index = MLPD_SPAN_NAME_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = name } };
  return begin_span (name, values, 2);
}

EXPORT int
proflog_span_begin_in (unsigned name, uint64_t id, uint64_t trace_high, uint64_t trace_low)
{
  const struct mlpd_counter_value values[] = {
    { .index = MLPD_SPAN_BEGIN_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = id },
    { .index = MLPD_SPAN_NAME_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = name },
    { .index = MLPD_SPAN_TRACE_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = trace_high },
    { .index = MLPD_SPAN_TRACE_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = trace_low }
  };
  return begin_span (name, values, 4);
}

EXPORT int
proflog_span_end (uint64_t id)
{
  return put_edge (MLPD_SPAN_END_INDEX, id);
}

EXPORT int
proflog_span_leave (uint64_t id)
{
  return put_edge (MLPD_SPAN_LEAVE_INDEX, id);
}

EXPORT int
proflog_span_enter (uint64_t id)
{
  return put_edge (MLPD_SPAN_ENTER_INDEX, id);
}
