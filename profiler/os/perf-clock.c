/* perf-clock.c -- perf_event_open (2): the event "task clock" with signals by F_SETSIG. */
#include "config.h"

#include "profiler/os/perf-clock.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

bool
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

int
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

void
perf_clock_start (int fd)
{
  ioctl (fd, PERF_EVENT_IOC_REFRESH, 1);
}

void
perf_clock_stop (int fd)
{
  ioctl (fd, PERF_EVENT_IOC_DISABLE, 0);
}

void
perf_clock_close (int fd)
{
  close (fd);
  atomic_fetch_sub (&opened, 1);
}
