/* cpu-timers.c -- the list of threads and their timers. */
#include "config.h"

#include "profiler/os/cpu-timers.h"
#include "agent/clock.h"
#include "agent/native-thread.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- perf events as clocks ---- */

enum {
  SHARE = 8,           /* of the descriptors that the process may have */
  LEAST_SIGNALS = 1024 /* that the user's processes may have waiting */
};

static _Atomic unsigned opened;

/* Of the kernel's work for the thread, too, where that is allowed. */
static int
open_event (pid_t thread, uint64_t interval_ns)
{
  struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
                                  .size = sizeof attr,
                                  .config = PERF_COUNT_SW_TASK_CLOCK,
                                  .sample_period = interval_ns,
                                  .wakeup_events = 1,
                                  .disabled = 1,
                                  .exclude_hv = 1 };
  int fd = (int) syscall (SYS_perf_event_open, &attr, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0 && (errno == EACCES || errno == EPERM)) {
    attr.exclude_kernel = 1;
    fd = (int) syscall (SYS_perf_event_open, &attr, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
  }
  return fd;
}

/* Whether this process may open such clocks: kernel.perf_event_paranoid, a sandbox or the limits
 * may forbid it.  Determined once, before there are threads. */
static bool
perf_clock_is_available (void)
{
  static int answer = -1;
  struct rlimit signals;
  if (answer >= 0)
    return answer == 1;
  /* Where a real-time signal cannot be queued, the kernel sends SIGIO in its place, and that ends a
   * program. */
  const int fd = getrlimit (RLIMIT_SIGPENDING, &signals) == 0 && signals.rlim_cur >= LEAST_SIGNALS
                     ? open_event (0, 1000000)
                     : -1;
  answer = fd >= 0;
  if (fd >= 0)
    close (fd);
  return answer == 1;
}

/* The same descriptor where the program's own do not come: they are the lowest free ones. */
static int
move_up (int fd, rlim_t limit)
{
  const int copy = fcntl (fd, F_DUPFD_CLOEXEC, (int) (limit - limit / SHARE));
  if (copy >= 0)
    close (fd);
  return copy >= 0 ? copy : fd;
}

static bool
send_signals (int fd, pid_t thread, int signal)
{
  struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = thread };
  return fcntl (fd, F_SETOWN_EX, &owner) == 0 && fcntl (fd, F_SETSIG, signal) == 0
         && fcntl (fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
}

/* A clock of the thread with the kernel's id `thread`, stopped: a descriptor, or -1 with errno.
 * Descriptors are above those that the program gets, and at most an eighth of its limit: EMFILE
 * beyond.  Its signals have the descriptor in si_fd and POLL_IN or POLL_HUP in si_code. */
static int
perf_clock_open (pid_t thread, int signal, uint64_t interval_ns)
{
  struct rlimit files;
  rlim_t limit = 1024;
  if (getrlimit (RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 1 << 20)
    limit = files.rlim_cur;
  if (atomic_fetch_add (&opened, 1) >= limit / SHARE) {
    atomic_fetch_sub (&opened, 1);
    errno = EMFILE;
    return -1;
  }
  int fd = open_event (thread, interval_ns);
  if (fd >= 0)
    fd = move_up (fd, limit);
  if (fd >= 0 && send_signals (fd, thread, signal))
    return fd;
  const int error = errno;
  if (fd >= 0)
    close (fd);
  atomic_fetch_sub (&opened, 1);
  errno = error;
  return -1;
}

/* Lets it run for one interval.  Async-signal-safe, as perf_clock_stop is. */
static void
perf_clock_start (int fd)
{
  ioctl (fd, PERF_EVENT_IOC_REFRESH, 1);
}

static void
perf_clock_stop (int fd)
{
  ioctl (fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void
perf_clock_close (int fd)
{
  close (fd);
  atomic_fetch_sub (&opened, 1);
}

/* glibc 2.36 has no name for the thread that SIGEV_THREAD_ID needs. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

struct timed_thread {
  struct timed_thread *next, *previous;
  clockid_t processor_clock;
  pid_t id;        /* the kernel's */
  uint64_t thread; /* pthread_self; 0: unknown */
  uint64_t begun;  /* in ns of clock_now, when it came into the list */
  bool is_other;   /* it never called us */
  bool has_timer;
  timer_t timer;
  /* A clock in place of the timer; -1: none.  The handler reads it in the thread itself. */
  _Atomic int clock;
  _Atomic int64_t counted_ns; /* processor time that signals stand for */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static struct timed_thread *threads;
static int signal_number; /* 0: not begun, or over */
static uint64_t interval_ns;
static bool is_fast; /* the interval is below the kernel's tick */
static bool is_enabled = true;
static uint64_t failed;
static int failure;
static _Atomic bool has_others; /* there are threads with a timer and without `own` */

/* Read in signal handlers: not to be allocated there. */
static _Thread_local struct timed_thread *own __attribute__ ((tls_model ("initial-exec")));
static const char mark;

static uint64_t
kernel_tick (void)
{
  struct timespec tick;
  if (clock_getres (CLOCK_MONOTONIC_COARSE, &tick) != 0)
    return 0;
  return (uint64_t) tick.tv_sec * 1000000000 + (uint64_t) tick.tv_nsec;
}

uint64_t
cpu_timers_shortest (void)
{
  return perf_clock_is_available () ? 1 : kernel_tick ();
}

static int64_t
clock_ns (clockid_t clock)
{
  struct timespec now;
  if (clock_gettime (clock, &now) != 0)
    return 0;
  return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t
cpu_timers_of_this_thread (void)
{
  return (uint64_t) clock_ns (CLOCK_THREAD_CPUTIME_ID);
}

/* The time of this thread since its last signal, as the number of intervals, of which the last one
 * counts if it has come so far; the rest counts for the next signal. */
static unsigned
intervals_by_clock (struct timed_thread *t, int64_t so_far)
{
  const int64_t interval = (int64_t) interval_ns;
  const int64_t end = clock_ns (CLOCK_THREAD_CPUTIME_ID) + interval - so_far;
  const int64_t counted = atomic_load_explicit (&t->counted_ns, memory_order_relaxed);
  const int64_t n = end > counted ? (end - counted) / interval : 0;
  atomic_store_explicit (&t->counted_ns, counted + n * interval, memory_order_relaxed);
  return (unsigned) n;
}

unsigned
cpu_timers_intervals (const siginfo_t *info)
{
  struct timed_thread *const t = own;
  const bool is_timer = info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark;
  if (t == NULL) {
    if (!is_timer || !atomic_load_explicit (&has_others, memory_order_relaxed))
      return 0;
    return info->si_overrun > 0 ? 1 + (unsigned) info->si_overrun : 1;
  }
  const bool is_clock = (info->si_code == POLL_IN || info->si_code == POLL_HUP)
                        && info->si_fd == atomic_load_explicit (&t->clock, memory_order_relaxed);
  if (!is_timer && !is_clock)
    return 0;
  if (is_fast)
    return intervals_by_clock (t, (int64_t) (interval_ns / 2));
  const unsigned n = info->si_overrun > 0 ? 1 + (unsigned) info->si_overrun : 1;
  atomic_fetch_add_explicit (&t->counted_ns, (int64_t) (n * interval_ns), memory_order_relaxed);
  return n;
}

unsigned
cpu_timers_left_over (uint64_t *begun)
{
  struct timed_thread *const t = own;
  *begun = t != NULL ? t->begun : 0;
  if (t == NULL || (!t->has_timer && atomic_load (&t->clock) < 0))
    return 0;
  pthread_mutex_lock (&lock);
  const bool runs = signal_number != 0 && is_enabled;
  pthread_mutex_unlock (&lock);
  return runs ? intervals_by_clock (t, (int64_t) interval_ns) : 0;
}

void
cpu_timers_continue (void)
{
  const int error = errno;
  const int clock = own != NULL ? atomic_load_explicit (&own->clock, memory_order_relaxed) : -1;
  if (clock >= 0)
    perf_clock_start (clock);
  errno = error;
}

static struct timespec
timespec_of (uint64_t ns)
{
  return (struct timespec){ .tv_sec = (time_t) (ns / 1000000000),
                            .tv_nsec = (long) (ns % 1000000000) };
}

/* In [1, interval_ns]. */
static uint64_t
random_phase (pid_t id)
{
  uint64_t x = (clock_now () ^ (uint64_t) id << 40) * UINT64_C (0x9E3779B97F4A7C15);
  x ^= x >> 29;
  return x * UINT64_C (0xBF58476D1CE4E5B9) % interval_ns + 1;
}

/* Under the lock. */
static void
set_timer (struct timed_thread *t, bool runs)
{
  const uint64_t phase = random_phase (t->id);
  const int64_t passed = (int64_t) (interval_ns - phase);
  /* As if the rest of an interval had passed before. */
  if (runs)
    atomic_store (&t->counted_ns, clock_ns (t->processor_clock) - passed);
  const int clock = atomic_load_explicit (&t->clock, memory_order_relaxed);
  if (clock >= 0 && runs)
    perf_clock_start (clock);
  else if (clock >= 0)
    perf_clock_stop (clock);
  if (!t->has_timer)
    return;
  struct itimerspec when = { .it_value = timespec_of (0) };
  if (runs) {
    when.it_value = timespec_of (phase);
    when.it_interval = timespec_of (interval_ns);
  }
  timer_settime (t->timer, 0, &when, NULL);
}

/* Under the lock. */
static void
make_timer (struct timed_thread *t)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal_number };
  int error = 0;
  event.sigev_notify_thread_id = t->id;
  event.sigev_value.sival_ptr = (void *) (uintptr_t) &mark;
  if (is_fast && !t->is_other)
    atomic_store (&t->clock, perf_clock_open (t->id, signal_number, interval_ns));
  if (atomic_load (&t->clock) < 0) {
    if (timer_create (t->processor_clock, &event, &t->timer) != 0)
      error = errno;
    t->has_timer = error == 0;
  }
  if (error != 0 && t->is_other) {
    /* It has ended since it was seen. */
  } else if (error != 0) {
    failed++;
    failure = error;
  } else if (is_enabled) {
    set_timer (t, true);
  }
}

/* Under the lock. */
static void
delete_timer (struct timed_thread *t)
{
  const int clock = atomic_exchange (&t->clock, -1);
  if (clock >= 0)
    perf_clock_close (clock);
  if (t->has_timer)
    timer_delete (t->timer);
  t->has_timer = false;
}

bool
cpu_timers_read (pid_t id, uint64_t *ns)
{
  struct timespec now;
  if (clock_gettime (native_thread_clock (id), &now) != 0)
    return false;
  *ns = (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
  return true;
}

/* Returns the thread that is in the list now; NULL: there is no memory. */
static struct timed_thread *
add_thread (pid_t id, bool is_other)
{
  struct timed_thread *t = calloc (1, sizeof *t);
  if (t == NULL) {
    pthread_mutex_lock (&lock);
    failed++;
    failure = ENOMEM;
    pthread_mutex_unlock (&lock);
    return NULL;
  }
  t->processor_clock = native_thread_clock (id);
  atomic_init (&t->clock, -1);
  t->id = id;
  t->thread = is_other ? 0 : (uint64_t) (uintptr_t) pthread_self ();
  t->begun = clock_now ();
  t->is_other = is_other;
  pthread_mutex_lock (&lock);
  t->next = threads;
  if (threads != NULL)
    threads->previous = t;
  threads = t;
  if (signal_number != 0)
    make_timer (t);
  pthread_mutex_unlock (&lock);
  return t;
}

void
cpu_timers_add_thread (void)
{
  if (own == NULL)
    own = add_thread ((pid_t) syscall (SYS_gettid), false);
}

void
cpu_timers_add_all (void)
{
  const pid_t self = (pid_t) syscall (SYS_gettid);
  DIR *dir = opendir ("/proc/self/task");
  atomic_store (&has_others, true);
  for (const struct dirent *entry; dir != NULL && (entry = readdir (dir)) != NULL;) {
    const pid_t id = (pid_t) strtol (entry->d_name, NULL, 10);
    if (id > 0 && id != self)
      add_thread (id, true);
  }
  if (dir != NULL)
    closedir (dir);
}

size_t
cpu_timers_list (struct timed_thread_id *ids, size_t size)
{
  size_t n = 0;
  pthread_mutex_lock (&lock);
  for (const struct timed_thread *t = threads; t != NULL; t = t->next, n++)
    if (n < size)
      ids[n] = (struct timed_thread_id){ t->id, t->thread, t->begun };
  pthread_mutex_unlock (&lock);
  return n;
}

void
cpu_timers_remove_thread (void)
{
  struct timed_thread *const t = own;
  if (t == NULL)
    return;
  own = NULL;
  pthread_mutex_lock (&lock);
  delete_timer (t);
  if (t->previous != NULL)
    t->previous->next = t->next;
  else
    threads = t->next;
  if (t->next != NULL)
    t->next->previous = t->previous;
  pthread_mutex_unlock (&lock);
  free (t);
}

void
cpu_timers_begin (int signal, uint64_t interval)
{
  pthread_mutex_lock (&lock);
  signal_number = signal;
  interval_ns = interval;
  is_fast = interval < kernel_tick ();
  for (struct timed_thread *t = threads; t != NULL; t = t->next)
    make_timer (t);
  pthread_mutex_unlock (&lock);
}

void
cpu_timers_enable (bool enabled)
{
  pthread_mutex_lock (&lock);
  if (enabled != is_enabled)
    for (struct timed_thread *t = threads; t != NULL; t = t->next)
      set_timer (t, enabled);
  is_enabled = enabled;
  pthread_mutex_unlock (&lock);
}

void
cpu_timers_end (void)
{
  pthread_mutex_lock (&lock);
  signal_number = 0;
  for (struct timed_thread *t = threads; t != NULL; t = t->next)
    delete_timer (t);
  pthread_mutex_unlock (&lock);
}

uint64_t
cpu_timers_failed (int *reason)
{
  pthread_mutex_lock (&lock);
  const uint64_t n = failed;
  *reason = failure;
  pthread_mutex_unlock (&lock);
  return n;
}

void
cpu_timers_after_fork (void)
{
  pthread_mutex_init (&lock, NULL); /* the thread that had it is not there */
  for (const struct timed_thread *t = threads; t != NULL; t = t->next) {
    const int clock = atomic_load (&t->clock);
    if (clock >= 0)
      perf_clock_close (clock);
  }
  threads = NULL;
  own = NULL;
  signal_number = 0;
}
