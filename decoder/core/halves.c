/* halves.c -- runs the second half of some work in a thread. */
#include "config.h"

#include "decoder/core/halves.h"
#include <pthread.h>

void
run_halves (void *(*work) (void *half), void *first, void *second, bool is_large)
{
  pthread_t helper;
  const bool is_helped = is_large && pthread_create (&helper, NULL, work, second) == 0;
  work (first);
  if (is_helped)
    pthread_join (helper, NULL);
  else
    work (second);
}
