/* stand-in.c -- a program that looks like one of Mono to `proflog attach`, and modules that it
 * cannot use, for tests.
 *
 * stand-in MODE: `wait` waits in system calls; `spin` never does; `map FILE` waits, with a file
 * mapped.  Prints a line when it is ready.
 *
 * As a module, with -DMODULE=N: 0 is of another version; the thread of 1 cannot be started; with 2
 * the program ends while the module starts; 3 refuses; with 4 the program ends while the module is
 * loaded; 5 starts, and has a note; 6 never has started.
 */
#define _GNU_SOURCE
#include "agent/attach-request.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))

#ifdef MODULE

EXPORT struct attach_request proflog_attach_request
    = { .size = sizeof proflog_attach_request - (MODULE == 0) };

EXPORT int proflog_attach_start (void);

EXPORT int
proflog_attach_start (void)
{
  switch (MODULE) {
  case 1:
    return EAGAIN;
  case 2:
    proflog_attach_request.state = ATTACH_RUNNING;
    alarm (1);
    return 0;
  case 6:
    proflog_attach_request.state = ATTACH_RUNNING;
    return 0;
  case 5:
    strcpy (proflog_attach_request.text, "the stand-in has a note");
    proflog_attach_request.state = ATTACH_DONE;
    return 0;
  default:
    strcpy (proflog_attach_request.text, "the stand-in refuses");
    proflog_attach_request.state = ATTACH_REFUSED;
    return 0;
  }
}

#if MODULE == 4
__attribute__ ((constructor)) static void
end (void)
{
  _exit (0);
}
#endif

#else

/* By this, Mono's programs are recognised. */
EXPORT void mono_profiler_create (void);

EXPORT void
mono_profiler_create (void)
{
}

int
main (int argc, char **argv)
{
  const int fd = argc > 2 ? open (argv[2], O_RDONLY) : -1;
  if (fd >= 0 && mmap (NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED)
    return 1;
  puts ("ready");
  fflush (stdout);
  if (strcmp (argv[1], "spin") == 0)
    for (volatile unsigned n = 0;; n++)
      ;
  for (;;)
    sleep (1000);
}

#endif
