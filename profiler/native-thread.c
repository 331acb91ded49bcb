/* native-thread.c -- see native-thread.h. */
#include "profiler/native-thread.h"
#include <signal.h>

int
native_thread_start (pthread_t *thread, size_t stack, void *(*run) (void *) )
{
  pthread_attr_t attributes;
  sigset_t all, before;
  int error = pthread_attr_init (&attributes);
  if (error != 0)
    return error;
  if (stack != 0)
    pthread_attr_setstacksize (&attributes, stack);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  error = pthread_create (thread, &attributes, run, NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  pthread_attr_destroy (&attributes);
  return error;
}
