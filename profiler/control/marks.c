/* marks.c -- records marks, as markers or as counters.
 *
 * Eventlogs have markers.  Data version 17 has no event for that, but counters: each mark describes
 * its counter anew, as it may be the first one in a file, and readers ignore repeated descriptions.
 */
#include "config.h"

#include "profiler/control/marks.h"
#include "profiler/options/event-classes.h"
#include "profiler/record/eventlog.h"
#include "profiler/record/recorder.h"
#include <stdio.h>
#include <string.h>

enum {
  MARKS_MAX = 4096, /* different ones */
  NAME_MAX_BYTES = 200,
};

static char *names[MARKS_MAX]; /* of the counters */
static size_t count;

/* Sets *place to the mark's place in the list, to which it is added if it is not there.  NULL, or
 * why that is impossible. */
static const char *
find_place (const char *name, size_t *place)
{
  char counter[sizeof MLPD_MARK + NAME_MAX_BYTES];
  snprintf (counter, sizeof counter, MLPD_MARK "%s", name);
  size_t i = 0;
  while (i < count && strcmp (names[i], counter) != 0)
    i++;
  *place = i;
  if (i < count)
    return NULL;
  if (count == MARKS_MAX)
    return "there are 4096 different marks already";
  names[count] = strdup (counter);
  if (names[count] == NULL)
    return "there is no memory for its name";
  count++;
  return NULL;
}

static bool
is_printable (const char *name)
{
  for (const char *p = name; *p != 0; p++)
    if ((unsigned char) *p < 0x20 || *p == 0x7f)
      return false;
  return true;
}

/* NULL if a mark of this name can be set, in a log that has marks. */
static const char *
objection (const char *name)
{
  if (atomic_load (&event_recording_paused))
    return "recording is stopped; 'start' it first";
  if (name[0] == 0 || strlen (name) > NAME_MAX_BYTES || !is_printable (name))
    return "the name of a mark has 1 to 200 bytes, and no control characters";
  return NULL;
}

/* The counter goes up by one.  False if nothing can be recorded. */
static bool
count_mark (size_t place)
{
  const struct mlpd_counter counter = { .section = MLPD_COUNTER_SECTION_PROFILER,
                                        .name = { names[place], strlen (names[place]) },
                                        .type = MLPD_COUNTER_TYPE_ULONG,
                                        .unit = MLPD_COUNTER_UNIT_COUNT,
                                        .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
                                        .index = MLPD_MARKS_INDEX + place };
  const struct mlpd_counter_value value
      = { .index = counter.index, .type = counter.type, .number = 1 };
  struct mlpd_sample_counters_desc described = { .counters = { &counter, 1 } };
  struct mlpd_sample_counters values = { .values = { &value, 1 } };
  /* Both in one buffer, and so in one file. */
  struct recorder *r = recorder_begin (
      mlpd_bound_sample_counters_desc (&described) + mlpd_bound_sample_counters (&values), 0, 0, 0);
  if (r == NULL)
    return false;
  RECORD_IN (r, sample_counters_desc, described);
  RECORD_IN (r, sample_counters, values);
  return true;
}

bool
marks_add (const char *name, char *why, size_t size)
{
  if (recorder_version < MLPD_VERSION_VTABLES) {
    snprintf (
        why, size,
        "marks cannot be recorded in the log's data version; start the program with the option "
        "format=%d",
        MLPD_VERSION_ALL_CLASSES);
    return false;
  }
  size_t place = 0;
  const char *no = objection (name);
  if (no == NULL && !recorder_is_eventlog)
    no = find_place (name, &place);
  if (no != NULL) {
    snprintf (why, size, "%s", no);
    return false;
  }
  if (recorder_is_eventlog) {
    const struct ghc_user_marker event = { .marker = { name, strlen (name) } };
    EVENTLOG_RECORD (user_marker, event);
  } else if (!count_mark (place)) {
    snprintf (why, size, "the log can no longer be written");
    return false;
  }
  return true;
}
