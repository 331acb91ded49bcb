/* mono-late-samples.c -- samples of a program that ran before the module came.
 *
 * The runtime has no handler for samples then, and no longer installs one.  A handler of our own
 * cannot mark the thread's context as asynchronous, so that a walk of the stack may take locks of
 * the runtime and of malloc.  The interrupted thread holds none of these where it is in managed
 * code, in memory that the runtime's compiler writes or in an image that was compiled ahead of
 * time, and the walk takes none where mono-late-stacks.c knows all of the stack; everywhere else
 * the sample has the instruction pointer alone.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The ticker may run before the samples are set up. */
static _Atomic bool is_late;

void
late_samples_set (void)
{
  is_late = true;
}

bool
late_samples_are_set (void)
{
  return is_late;
}

/* The kernel's name of a thread, which the runtime gives it, too, cut to 15 bytes; "" if it is that
 * of the whole program.  The process's first thread has that, and is Main, as the runtime calls
 * it. */
static void
read_name (int tid, char *name, size_t size)
{
  char path[64], program[32] = "";
  name[0] = 0;
  if (tid == getpid ()) {
    snprintf (name, size, "Main");
    return;
  }
  snprintf (path, sizeof path, "/proc/self/task/%d/comm", tid);
  FILE *file = fopen (path, "re");
  if (file == NULL)
    return;
  if (fgets (name, (int) size, file) != NULL)
    name[strcspn (name, "\n")] = 0;
  fclose (file);
  file = fopen ("/proc/self/comm", "re");
  if (file == NULL)
    return;
  if (fgets (program, sizeof program, file) != NULL)
    program[strcspn (program, "\n")] = 0;
  fclose (file);
  if (strcmp (name, program) == 0)
    name[0] = 0;
}

void
late_samples_name_thread (uint64_t thread, int tid)
{
  static struct address_set named;
  char known[256], name[32];
  if (address_set_has (&named, thread) || !address_set_add (&named, thread))
    return;
  names_copy_thread (thread, known, sizeof known);
  if (known[0] != 0)
    return;
  read_name (tid, name, sizeof name);
  if (name[0] == 0)
    return;
  names_set_thread (thread, name);
  state_record_thread (thread, MLPD_LOAD_NAME, name);
}
