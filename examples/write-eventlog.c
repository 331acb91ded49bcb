/* write-eventlog.c -- writes the eventlog of a runtime that does not exist: two capabilities, which
 * run threads and collect garbage.
 *
 *   write-eventlog FILE
 *
 * Compile it with: cc write-eventlog.c $(pkg-config --cflags --libs proflog-eventlog) -pthread */
#include <proflog/eventlog-writer.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CAPS = 2, ROUNDS = 1000, GC_EVERY = 100, PROCESS = 0, CLOCK = 1 };

static struct eventlog_writer *writer;

/* The events that readers need first. */
static void
post_program (const char *name)
{
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  EVENTLOG_POST (writer, GHC_NO_CAP, capset_create, .capset = PROCESS,
                 .capset_type = GHC_CAPSET_TYPE_OS_PROCESS);
  EVENTLOG_POST (writer, GHC_NO_CAP, capset_create, .capset = CLOCK,
                 .capset_type = GHC_CAPSET_TYPE_CLOCK_DOMAIN);
  EVENTLOG_POST (writer, GHC_NO_CAP, osprocess_pid, .capset = PROCESS, .pid = (uint32_t) getpid ());
  EVENTLOG_POST (writer, GHC_NO_CAP, wall_clock_time, .capset = CLOCK,
                 .seconds = (uint64_t) now.tv_sec, .nanoseconds = (uint32_t) now.tv_nsec);
  EVENTLOG_POST (writer, GHC_NO_CAP, rts_identifier, .capset = PROCESS,
                 .identifier = { "example-1.0", strlen ("example-1.0") });
  EVENTLOG_POST (writer, GHC_NO_CAP, program_args, .capset = PROCESS,
                 .arguments = { name, strlen (name) + 1 });
  for (unsigned cap = 0; cap < CAPS; cap++) {
    EVENTLOG_POST (writer, GHC_NO_CAP, cap_create, .cap = cap);
    EVENTLOG_POST (writer, GHC_NO_CAP, capset_assign_cap, .capset = PROCESS, .cap = cap);
    EVENTLOG_POST (writer, GHC_NO_CAP, capset_assign_cap, .capset = CLOCK, .cap = cap);
  }
}

/* A capability runs one thread of the language, in turns. */
static void *
run_cap (void *number)
{
  const unsigned cap = *(const unsigned *) number;
  const uint32_t thread = cap + 1;
  char message[64];
  EVENTLOG_POST (writer, cap, create_thread, .thread = thread);
  const int length = snprintf (message, sizeof message, "worker %u", cap);
  EVENTLOG_POST (writer, cap, thread_label, .thread = thread,
                 .label = { message, (size_t) length });
  for (unsigned round = 1; round <= ROUNDS; round++) {
    EVENTLOG_POST (writer, cap, run_thread, .thread = thread);
    EVENTLOG_POST (writer, cap, user_marker, .marker = { "round", 5 });
    EVENTLOG_POST (writer, cap, stop_thread, .thread = thread,
                   .status = round < ROUNDS ? GHC_STOP_STATUS_YIELDING : GHC_STOP_STATUS_FINISHED);
    if (round % GC_EVERY == 0) {
      EVENTLOG_POST (writer, cap, gc_start);
      EVENTLOG_POST (writer, cap, heap_allocated, .bytes = (uint64_t) round << 10);
      EVENTLOG_POST (writer, cap, gc_end);
    }
  }
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[CAPS];
  unsigned numbers[CAPS];
  writer = eventlog_writer_new (NULL);
  if (argc != 2 || writer == NULL || eventlog_writer_set_file (writer, argv[1]) != EVENTLOG_OK)
    return 2;
  enum eventlog_result result = eventlog_writer_send_header (writer);
  if (result == EVENTLOG_OK)
    result = eventlog_writer_start (writer);
  if (result != EVENTLOG_OK) {
    fprintf (stderr, "%s: %s\n", argv[1], eventlog_result_text (result));
    return 1;
  }
  post_program (argv[0]);
  for (unsigned cap = 0; cap < CAPS; cap++) {
    numbers[cap] = cap;
    pthread_create (&threads[cap], NULL, run_cap, &numbers[cap]);
  }
  for (unsigned cap = 0; cap < CAPS; cap++)
    pthread_join (threads[cap], NULL);
  result = eventlog_writer_stop (writer);
  eventlog_writer_free (writer);
  return result == EVENTLOG_OK ? 0 : 1;
}
