/* callers.c -- a library for collectors.cs whose threads call a function. */
#include <pthread.h>

enum { THREADS_MAX = 64 };

static int (*function) (int);
static int calls;

static void *
call (void *unused)
{
  for (int i = 0; i < calls; i++)
    function (i);
  return unused;
}

void
call_from_threads (int threads, int times, int (*callback) (int))
{
  pthread_t ids[THREADS_MAX];
  function = callback;
  calls = times;
  for (int i = 0; i < threads && i < THREADS_MAX; i++)
    pthread_create (&ids[i], NULL, call, NULL);
  for (int i = 0; i < threads && i < THREADS_MAX; i++)
    pthread_join (ids[i], NULL);
}
