/* writer.c -- drains the queue into the sink. */
#include "config.h"

#include "profiler/writer.h"
#include "profiler/name-journal.h"
#include "profiler/warn.h"
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The system id in the file header: ELF's numbers for the operating system's ABI and for the
 * machine (docs/mlpd-format.md). */
#define SYSTEM_OS ELFOSABI_LINUX
#if defined(__x86_64__)
#define SYSTEM_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define SYSTEM_MACHINE EM_AARCH64
#elif defined(__i386__)
#define SYSTEM_MACHINE EM_386
#elif defined(__arm__)
#define SYSTEM_MACHINE EM_ARM
#elif defined(__riscv)
#define SYSTEM_MACHINE EM_RISCV
#else
#define SYSTEM_MACHINE EM_NONE
#endif

#define NAMES_PER_WAKE 256       /* names alone wake the writer that often */
#define NAMES_BUFFER (32 * 1024) /* names are written when they fill this */
#define WAIT_LIMIT_MS 2000       /* how long the end of the process waits without progress */

static struct sink *sink;
static struct queue queue;
static sem_t wake;
static pthread_t thread;
static _Atomic bool finishing, finished;
static _Atomic unsigned names_pushed;
static struct writer_limits limits;
static _Atomic uint64_t bytes_waiting;   /* of buffers that were admitted and not written yet */
static _Atomic bool stalled;             /* a thread waited in vain; nothing was written since */
static _Atomic uint64_t buffers_written; /* to see progress */
static _Atomic uint64_t bytes_written;   /* before compression */
static bool failed;                      /* the writer's: the sink takes no more */
static uint64_t log_length;              /* the writer's: bytes, before compression */

/* This thread has stopped all others: they wait for it.  (Reaching it must not allocate.) */
static _Thread_local bool has_stopped_world __attribute__ ((tls_model ("initial-exec")));

/* Announcements that wait to be written, as a buffer of the writer's own thread. */
struct names_buffer {
  struct mlpd_encoder encoder;
  uint8_t *bytes;
  size_t length, size;
  uint64_t last; /* sequence number */
};
static struct names_buffer names;

static _Atomic bool again_wanted;

/* ---- pushing ---- */

uint64_t
writer_memory (void)
{
  return limits.memory;
}

/* Counts the bytes as waiting if there is room. */
static bool
count_in (size_t bytes)
{
  if (atomic_fetch_add_explicit (&bytes_waiting, bytes, memory_order_relaxed) + bytes
      <= limits.memory)
    return true;
  atomic_fetch_sub_explicit (&bytes_waiting, bytes, memory_order_relaxed);
  return false;
}

/* Waits until the writer has caught up; false if it does not.  A sink that takes nothing at all
 * makes only the first thread wait: the program must not come to a halt because of it. */
static bool
wait_for_room (size_t bytes)
{
  const struct timespec ms = { .tv_nsec = 1000000 };
  for (unsigned i = 0; i < limits.patience_ms; i++) {
    if (atomic_load_explicit (&stalled, memory_order_relaxed) || !recorder_running ()
        || has_stopped_world)
      return false;
    nanosleep (&ms, NULL);
    if (count_in (bytes))
      return true;
  }
  atomic_store_explicit (&stalled, true, memory_order_relaxed);
  return false;
}

bool
writer_admit (size_t bytes)
{
  return count_in (bytes) || wait_for_room (bytes);
}

void
writer_push_buffer (struct buffer *b)
{
  queue_push (&queue, &b->work.item);
  sem_post (&wake);
}

void
writer_push_name (struct work *w)
{
  queue_push (&queue, &w->item);
  if (atomic_fetch_add_explicit (&names_pushed, 1, memory_order_relaxed) % NAMES_PER_WAKE
      == NAMES_PER_WAKE - 1)
    sem_post (&wake);
}

void
writer_announce_again (void)
{
  atomic_store_explicit (&again_wanted, true, memory_order_relaxed);
  sem_post (&wake);
}

uint64_t
writer_thread (void)
{
  return (uint64_t) (uintptr_t) thread;
}

void
writer_get_figures (struct writer_figures *f)
{
  f->log = sink_name (sink);
  f->bytes = atomic_load_explicit (&bytes_written, memory_order_relaxed);
  f->buffers = atomic_load_explicit (&buffers_written, memory_order_relaxed);
  f->waiting = atomic_load_explicit (&bytes_waiting, memory_order_relaxed);
}

void
writer_set_world_stopped (bool stopped)
{
  has_stopped_world = stopped;
}

/* ---- writing ---- */

static void
put (const void *bytes, size_t length)
{
  if (failed)
    return;
  int error = sink_write (sink, bytes, length);
  if (error == 0) {
    log_length += length;
    atomic_fetch_add_explicit (&bytes_written, length, memory_order_relaxed);
    return;
  }
  failed = true;
  recorder_stop ();
  warn ("cannot write the log %s: %s; recording ends here", sink_name (sink), strerror (error));
}

static void
put_events (const struct mlpd_encoder *e, uint64_t of_thread, const uint8_t *bytes, size_t length)
{
  struct mlpd_buffer_header header = mlpd_encoder_header (e, of_thread, (uint32_t) length);
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  put (raw, (size_t) (mlpd_put_buffer_header (raw, &header) - raw));
  put (bytes, length);
  if (!failed && spool_left () != NULL) {
    /* What the compression keeps back would be nowhere after the buffer was given back. */
    sink_flush (sink);
    spool_set_log_length (log_length, e->time_base);
  }
}

/* ---- names ---- */

static void
put_names (void)
{
  if (names.length == 0)
    return;
  spool_begin_names (names.last, log_length, log_length + MLPD_BUFFER_HEADER_SIZE + names.length);
  put_events (&names.encoder, writer_thread (), names.bytes, names.length);
  spool_end_names (names.last);
  names.length = 0;
}

/* Adds an announcement to those that wait; `flush` writes them first if they get too many. */
static void
add_name (struct names_buffer *b, const struct name_work *w, void (*flush) (void))
{
  union mlpd_payload event;
  enum mlpd_kind kind = name_event (w, &event);
  size_t bound = mlpd_bound_event (kind, &event);
  if (b->length > 0 && b->length + bound > NAMES_BUFFER)
    flush ();
  if (b->size < bound) {
    size_t size = bound > NAMES_BUFFER ? bound : NAMES_BUFFER;
    uint8_t *larger = realloc (b->bytes, size);
    if (larger == NULL)
      return;
    b->bytes = larger;
    b->size = size;
  }
  if (b->length == 0)
    mlpd_encoder_start (&b->encoder, 1, w->time);
  uint8_t *end = mlpd_put_event (&b->encoder, b->bytes + b->length, kind, &event);
  b->length = (size_t) (end - b->bytes);
  b->last = w->sequence;
}

static struct names_buffer again;

static void
put_again (void)
{
  if (again.length == 0)
    return;
  again.encoder.obj_base = MLPD_AGAIN_BASE;
  put_events (&again.encoder, writer_thread (), again.bytes, again.length);
  again.length = 0;
}

/* Says all names again; false if that cannot be now. */
static bool
say_again (void)
{
  struct name_again *list;
  const ssize_t count = names_list (&list);
  if (count < 0)
    return false;
  struct name_work w = { .action = MLPD_LOAD_END_LOAD, .time = clock_now () };
  for (ssize_t i = 0; i < count; i++) {
    w.sort = list[i].sort;
    w.code = list[i].code;
    w.size = list[i].size;
    w.name = list[i].name;
    add_name (&again, &w, put_again);
  }
  put_again ();
  free (list);
  return true;
}

static void
say_again_if_wanted (void)
{
  if (!atomic_load_explicit (&again_wanted, memory_order_relaxed))
    return;
  put_names ();
  if (say_again ())
    atomic_store_explicit (&again_wanted, false, memory_order_relaxed);
}

/* ---- the queue's work ---- */

static size_t
published (const struct buffer *b)
{
  return (size_t) spool_published (&b->slot);
}

/* Writes the first `length` bytes of events. */
static void
put_buffer (struct buffer *b, size_t length)
{
  if (length == 0)
    return;
  put_names ();
  say_again_if_wanted ();
  spool_begin_writing (&b->slot, log_length, length);
  put_events (&b->encoder, b->slot.header.thread, b->data, length);
  atomic_store_explicit (&stalled, false, memory_order_relaxed);
  atomic_fetch_add_explicit (&buffers_written, 1, memory_order_relaxed);
}

/* Does a piece of work, which is gone then. */
static void
do_work (struct work *w)
{
  struct buffer *b = buffer_of_work (w); /* if it is one */
  switch (w->kind) {
  case WORK_BUFFER:
    put_buffer (b, published (b));
    atomic_fetch_sub_explicit (&bytes_waiting, b->mapped, memory_order_relaxed);
    recorder_recycle (b);
    break;
  case WORK_NAME:
    add_name (&names, (struct name_work *) w, put_names);
    free (w);
    break;
  case WORK_NAMES:
    put_names ();
    spool_give (&b->slot, b->mapped);
    break;
  case WORK_FORGET:
    free ((struct name *) ((struct name_work *) w)->name);
    free (w);
    break;
  }
}

static void
drain (void)
{
  struct queue_item *item;
  while ((item = queue_pop (&queue)) != NULL)
    do_work ((struct work *) item);
  say_again_if_wanted ();
  spool_tell_trouble ();
}

/* Drains the queue, waiting for threads that are about to push, but not for ever: the runtime
 * may have suspended one. */
static void
drain_patiently (int *patience)
{
  const struct timespec ms = { .tv_nsec = 1000000 };
  drain ();
  while (queue_has_more (&queue) && (*patience)-- > 0) {
    nanosleep (&ms, NULL);
    drain ();
  }
}

/* Takes what the threads that still live have recorded. */
static void
take_living (void)
{
  int patience = WAIT_LIMIT_MS;
  for (struct recorder *r = recorder_first (); r != NULL; r = r->next) {
    bool busy;
    struct buffer *b;
    while ((b = recorder_close (r, &busy)) == NULL && busy && patience-- > 0) {
      drain (); /* it may wait for room in the queue */
      nanosleep (&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    /* The thread may go on in its buffer: what it publishes from now on does not count.  Names
     * that are missing up to here are announced when it does not hold any more. */
    size_t length = b != NULL ? published (b) : 0;
    while (recorder_holds (r) && patience-- > 0) {
      drain ();
      nanosleep (&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    drain_patiently (&patience); /* what this thread handed over before comes first */
    if (b != NULL)
      put_buffer (b, length);
  }
  drain_patiently (&patience);
}

/* The system's time in so many ns. */
static struct timespec
time_after (uint64_t ns)
{
  ns += clock_of_system ();
  return (struct timespec){ .tv_sec = (time_t) (ns / 1000000000u),
                            .tv_nsec = (long) (ns % 1000000000u) };
}

static void *
run (void *unused)
{
  (void) unused;
  struct timespec until = time_after (clock_adjust ());
  while (!atomic_load (&finishing)) {
    while (sem_clockwait (&wake, CLOCK_MONOTONIC, &until) != 0)
      if (errno == ETIMEDOUT)
        until = time_after (clock_adjust ());
    drain ();
  }
  take_living ();
  recorder_stop ();
  put_names ();
  /* An empty buffer ends a complete log. */
  struct mlpd_encoder nothing;
  mlpd_encoder_start (&nothing, 1, clock_now ());
  if (!failed)
    spool_set_log_end (log_length + MLPD_BUFFER_HEADER_SIZE);
  put_events (&nothing, writer_thread (), NULL, 0);
  return NULL;
}

/* ---- start and end ---- */

static uint32_t
measure_timer_overhead (void)
{
  enum { READS = 256 };
  uint64_t start = clock_now (), last = start;
  for (int i = 0; i < READS; i++)
    last = clock_now ();
  return (uint32_t) ((last - start) / READS);
}

static int
put_file_header (void)
{
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .major = 0,
    .minor = 4, /* as the stock profiler wrote for years with this layout; readers ignore it */
    .data_version = 1,
    .pointer_size = sizeof (void *),
    .start_ms = (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000,
    .timer_overhead_ns = measure_timer_overhead (),
    .pid = (uint32_t) getpid (),
    .system = (uint16_t) (SYSTEM_OS << 8 | SYSTEM_MACHINE),
  };
  uint8_t raw[2 * MLPD_FILE_HEADER_SIZE]; /* compilers cannot see that there are no texts */
  log_length = (size_t) (mlpd_put_file_header (raw, &header) - raw);
  atomic_store (&bytes_written, log_length);
  spool_set_log_header (raw, log_length);
  int error = sink_write (sink, raw, log_length);
  return error != 0 ? error : sink_flush (sink);
}

int
writer_start (struct sink *s, const struct writer_limits *l)
{
  sink = s;
  limits = *l;
  queue_init (&queue);
  sem_init (&wake, 0, 0);
  int error = put_file_header ();
  if (error == 0) {
    /* No signal of the program's is ever handled on this thread; what its own writes raise
     * (SIGPIPE, SIGXFSZ) becomes an error number. */
    sigset_t all, before;
    sigfillset (&all);
    pthread_sigmask (SIG_SETMASK, &all, &before);
    error = pthread_create (&thread, NULL, run, NULL);
    pthread_sigmask (SIG_SETMASK, &before, NULL);
    spool_set_writer (writer_thread ());
  }
  if (error != 0) {
    sink_free (s);
    sink = NULL;
    spool_remove ();
  }
  return error;
}

/* Waits for the thread's end as long as it gets on. */
static bool
join_thread (void)
{
  for (;;) {
    uint64_t before = atomic_load_explicit (&buffers_written, memory_order_relaxed);
    struct timespec until;
    clock_gettime (CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_LIMIT_MS / 1000;
    if (pthread_timedjoin_np (thread, NULL, &until) == 0)
      return true;
    if (atomic_load_explicit (&buffers_written, memory_order_relaxed) == before)
      return false;
  }
}

/* One line of all that was lost. */
static void
tell_losses (void)
{
  struct recorder_losses l;
  char slow[256] = "", memory[64] = "";
  recorder_get_losses (&l);
  if (l.buffers != 0)
    snprintf (slow, sizeof slow,
              "%llu bytes of events of %llu threads, the most (%llu) of thread 0x%llx, as the "
              "output was too slow",
              (unsigned long long) l.bytes, (unsigned long long) l.threads,
              (unsigned long long) l.most, (unsigned long long) l.thread);
  if (l.events != 0)
    snprintf (memory, sizeof memory, "%llu events, as there was no memory",
              (unsigned long long) l.events);
  if (slow[0] != 0 || memory[0] != 0)
    warn ("the log %s lacks %s%s%s", sink_name (sink), slow,
          slow[0] != 0 && memory[0] != 0 ? "; " : "", memory);
}

void
writer_finish (void)
{
  if (sink == NULL || atomic_exchange (&finished, true))
    return;
  atomic_store (&finishing, true);
  sem_post (&wake);
  const bool joined = join_thread ();
  tell_losses ();
  if (!joined) {
    const char *spool = spool_left ();
    warn ("the log %s is not complete: nothing was taken from us for %d ms%s%s", sink_name (sink),
          WAIT_LIMIT_MS, spool != NULL ? "; the rest is in " : "", spool != NULL ? spool : "");
    return; /* the thread and what it uses end with the process */
  }
  int error = sink_finish (sink);
  if (error != 0 && !failed)
    warn ("cannot write the log %s: %s", sink_name (sink), strerror (error));
  spool_remove ();
  sink_free (sink);
}

void
writer_after_fork (void)
{
  atomic_store (&finished, true);
}
