/* mono-ticker.c -- a thread for work without a callback: reads counters, writes samples.
 *
 * The runtime knows it as a tool of its own: it may request names, and is never stopped for a
 * collection.
 */
#include "config.h"

#include "agent/native-thread.h"
#include "agent/warn.h"
#include "profiler/mono/mono-locks.h"
#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-samples.h"
#include "profiler/mono/mono-waits.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- the counters of the runtime, and of the memory ---- */

enum {
  COUNTERS_MAX = 4096,
  TEXT_MAX = 256, /* of a counter that is a text */
};

/* A counter; NULL: a part of the memory.  Its number in the log is its place + 1. */
static struct counter {
  MonoCounter *counter;
  uint64_t now, logged; /* the value now, and when last logged */
  char text[TEXT_MAX];  /* the value of a text */
  bool is_new;          /* the text is not in the log yet */
} * counters;
static struct mlpd_counter *descriptions; /* of the same, in turn */
static size_t count, described;           /* those that were found, and that the log has */

/* Adds a counter that is new.  False if there is no room. */
static bool
add_counter (MonoCounter *counter, struct mlpd_counter description)
{
  if (counters == NULL)
    counters = calloc (COUNTERS_MAX, sizeof *counters);
  if (descriptions == NULL)
    descriptions = calloc (COUNTERS_MAX, sizeof *descriptions);
  char *const name = strdup (description.name.text);
  if (counters == NULL || descriptions == NULL || name == NULL || count == COUNTERS_MAX) {
    free (name);
    return false;
  }
  counters[count].counter = counter;
  descriptions[count] = description;
  descriptions[count].name.text = name;
  descriptions[count].name.length = strlen (name);
  descriptions[count].index = count + 1;
  count++;
  return true;
}

/* The runtime's list is locked. */
static mono_bool
find_counter (MonoCounter *counter, void *unused)
{
  (void) unused;
  for (size_t i = 0; i < count; i++)
    if (counters[i].counter == counter)
      return 1;
  return add_counter (counter, (struct mlpd_counter){
                                   .section = (uint64_t) mono_counter_get_section (counter),
                                   .name = { .text = mono_counter_get_name (counter) },
                                   .type = (uint64_t) mono_counter_get_type (counter),
                                   .unit = (uint64_t) mono_counter_get_unit (counter),
                                   .variance = (uint64_t) mono_counter_get_variance (counter),
                               });
}

/* Reads a counter's value. */
static void
read_counter (struct counter *c)
{
  char bytes[TEXT_MAX] = "";
  const int type = mono_counter_get_type (c->counter);
  if (mono_counters_sample (c->counter, bytes, sizeof bytes - 1) <= 0)
    return;
  if (type != MONO_COUNTER_STRING) {
    c->now = counter_number (type, bytes);
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
counter_change (size_t i)
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

/* The values of all counters, with texts of its own. */
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
    *value = counter_change (i);
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

/* Adds all parts of the memory; none of them if there is no room for all. */
static bool
add_memory (void)
{
  static const char *const names[] = {
#define MEMORY_PART_NAME(ID, name) MLPD_MEMORY name,
    MEMORY_PARTS (MEMORY_PART_NAME)
#undef MEMORY_PART_NAME
  };
  const size_t before = count;
  for (size_t i = 0; i < MEMORY_PART_COUNT; i++) {
    if (add_counter (NULL, (struct mlpd_counter){ .section = MLPD_COUNTER_SECTION_PROFILER,
                                                  .name = { .text = names[i] },
                                                  .type = MLPD_COUNTER_TYPE_ULONG,
                                                  .unit = MLPD_COUNTER_UNIT_BYTES,
                                                  .variance = MLPD_COUNTER_VARIANCE_VARIABLE }))
      continue;
    while (count != before)
      free ((char *) descriptions[--count].name.text);
    return false;
  }
  return true;
}

/* The parts of the memory are the first counters, if they can be read. */
static void
read_memory (void)
{
  uint64_t bytes[MEMORY_PART_COUNT];
  static size_t first;
  static bool are_added;
  if (!memory_read (bytes))
    return;
  if (!are_added) {
    first = count;
    are_added = add_memory ();
  }
  for (size_t i = 0; i < MEMORY_PART_COUNT && are_added; i++)
    counters[first + i].now = bytes[i];
}

/* On the ticker's thread: reads and writes the counters; `of_runtime`: not only those of the
 * memory. */
static void
counters_record (bool of_runtime)
{
  read_memory ();
  if (of_runtime)
    mono_counters_foreach (find_counter, NULL);
  struct mlpd_counter_value *values = count != 0 ? calloc (count, sizeof *values) : NULL;
  if (values == NULL) {
    recorder_add_lost (count != 0);
    return;
  }
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (of_runtime && counters[i].counter != NULL)
      read_counter (&counters[i]);
    if (is_text (i) ? counters[i].is_new : counters[i].now != counters[i].logged)
      values[n++] = counter_change (i);
  }
  struct mlpd_sample_counters_desc descs
      = { .counters = { .items = &descriptions[described], .count = count - described } };
  struct mlpd_sample_counters changes = { .values = { .items = values, .count = n } };
  struct counter_state *const state = n != 0 || of_runtime ? make_state () : NULL;
  if (state != NULL && record (&descs, &changes, state))
    note_logged ();
  free (values);
}

enum {
  SAMPLES_MS = 20,           /* how long a sample waits at most */
  WALL_SHARE = 100,          /* of the processor, for looking at threads: 1/100 */
  WALL_CREDIT_NS = 10000000, /* the same at first: programs that begin take longer */
  FEW_SAMPLES_MS = 50,       /* how long, where samples are few */
  FEW_HZ = 200,
  STACKS_MS = 5,       /* while stacks are waited for */
  COUNTERS_MS = 1000,  /* between two readings of the counters, and of the memory */
  END_LIMIT_MS = 1000, /* how long the end of the program waits for the last of both */
};

static pthread_t thread;
static sem_t wake, done;
static bool started;
static _Atomic bool ending;

/* Waking the thread costs as much as a sample. */
static unsigned
interval (void)
{
  const struct options *const o = &profiler.options;
  if (!is_armed (CLASS_SAMPLE))
    return o->native ? FEW_SAMPLES_MS : COUNTERS_MS;
  if (o->sample_real)
    return o->sample_hz < COUNTERS_MS ? COUNTERS_MS / o->sample_hz : 1;
  return o->sample_hz > FEW_HZ ? SAMPLES_MS : FEW_SAMPLES_MS;
}

static void
record_samples (bool is_last)
{
  samples_record (is_last, waits_note_sample);
}

/* The ms after which there is time to look at the threads again, if that used `used` ns of the
 * processor. */
static unsigned
pause_after (uint64_t used)
{
  static uint64_t last;
  static int64_t credit = WALL_CREDIT_NS; /* ns of the processor */
  const uint64_t now = clock_of_system ();
  const int64_t earned = credit + (int64_t) ((last != 0 ? now - last : 0) / WALL_SHARE);
  credit = (earned < WALL_CREDIT_NS ? earned : WALL_CREDIT_NS) - (int64_t) used;
  last = now;
  return credit < 0 ? (unsigned) (-credit * WALL_SHARE / 1000000) : 0;
}

/* With a wall clock, or for stacks that are waited for, after the samples.  Returns the ms after
 * which the threads are inspected again. */
static unsigned
record_waits (bool is_last)
{
  if (!profiler.options.sample_real && !waits_are_wanted ())
    return 0;
  if (is_last)
    waits_finish ();
  else if (is_recorded (CLASS_SAMPLE) && sample_clock_is_running ())
    return pause_after (waits_check ());
  else
    waits_pause ();
  return 0;
}

static void *
tick (void *unused)
{
  (void) unused;
  state_attach_thread ();
  locks_probe (); /* of an attached program, of which no thread calls us at the start */
  if (late_samples_are_set ()) {
    contents_learn ();
    heap_shots_learn ();
  }
  const uint64_t self = (uint64_t) (uintptr_t) pthread_self ();
  const bool is_named = recorder_version >= MLPD_VERSION_ALL_CLASSES; /* as all threads are there */
  if (is_named) {
    state_record_thread (self, MLPD_LOAD_END_LOAD, NULL);
    state_record_thread (self, MLPD_LOAD_NAME, PROFLOG_MODULE_NAME);
  }
  code_files_add_old_code ();
  const unsigned least = interval ();
  unsigned every = least, since_counters = COUNTERS_MS;
  uint64_t next = 0;
  for (bool is_last = false; !is_last;) {
    if (clock_of_system () >= next)
      next = clock_of_system () + UINT64_C (1000000) * every;
    native_thread_wait (&wake, next);
    is_last = atomic_load (&ending);
    const bool wants_waits = waits_are_wanted () && !profiler.options.sample_real;
    if (!is_last && clock_of_system () < next && !wants_waits) { /* woken, for a sample */
      record_samples (false);
      waits_answer ();
      layouts_write ();
      continue;
    }
    since_counters += every;
    if ((is_recorded (CLASS_COUNTER) || is_recorded (CLASS_SAMPLE))
        && (is_last || since_counters >= COUNTERS_MS)) {
      counters_record (is_recorded (CLASS_COUNTER));
      since_counters = 0;
    }
    native_memory_check ();
    record_samples (is_last);
    const unsigned pause = record_waits (is_last);
    waits_answer ();
    every = waits_are_wanted () ? STACKS_MS : pause > least ? pause : least;
    sample_clock_check ();
    if (!is_last)
      heap_shots_check ();
  }
  native_memory_stop ();
  if (is_named)
    state_record_thread (self, MLPD_LOAD_END_UNLOAD, NULL);
  sem_post (&done);
  return NULL;
}

/* In a signal handler, too. */
static void
wake_up (void)
{
  sem_post (&wake);
}

void
ticker_start (void)
{
  const struct options *const o = &profiler.options;
  if (!is_armed (CLASS_SAMPLE) && !is_armed (CLASS_COUNTER)
      && o->heapshot.when == PROFLOG_HEAPSHOT_OFF && !o->heapshot_on_shutdown
      && !code_files_want_old_code () && !o->native)
    return;
  sem_init (&wake, 0, 0);
  sem_init (&done, 0, 0);
  samples_set_waker (wake_up);
  const int error = native_thread_start (&thread, 0, tick);
  started = error == 0;
  layouts_set_waker (started ? wake_up : NULL);
  if (error != 0)
    proflog_warn ("samples and counters are not recorded: %s", strerror (error));
}

/* At the end of the process the runtime may have stopped the world for ever.  The thread has done
 * its work then, but cannot leave the runtime. */
void
ticker_finish (bool process_ends)
{
  if (!started)
    return;
  started = false;
  layouts_set_waker (NULL);
  sample_clock_finish ();
  atomic_store (&ending, true);
  sem_post (&wake);
  if (process_ends)
    native_thread_wait (&done, clock_of_system () + END_LIMIT_MS * UINT64_C (1000000));
  else
    native_thread_join (thread, END_LIMIT_MS);
}

void
ticker_after_fork (void)
{
  started = false;
  layouts_set_waker (NULL);
}
