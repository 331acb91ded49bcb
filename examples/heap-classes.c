/* heap-classes.c -- the classes of the last heap snapshot of a Mono log: objects, their bytes, and
 * the bytes below those that only roots keep alive.
 */
#include <proflog/log.h>
#include <stdio.h>

struct sum {
  uint64_t objects, bytes, retained;
};

int
main (int argc, char **argv)
{
  GError *error = NULL;
  struct proflog_log *log = proflog_log_open (argc > 1 ? argv[1] : "-", &error);
  struct proflog_heap *heap = log != NULL ? proflog_log_heap (log, 0, &error) : NULL;
  if (heap == NULL) {
    fprintf (stderr, "heap-classes: %s\n", error->message);
    return 1;
  }
  uint32_t classes = 0;
  while (proflog_heap_class (heap, classes) != NULL)
    classes++;
  struct sum *sums = g_new0 (struct sum, classes);
  for (uint32_t i = 0; i < heap->objects; i++) {
    struct sum *sum = &sums[heap->classes[i]];
    sum->objects++;
    sum->bytes += heap->bytes[i];
    if (heap->dominators[i] == PROFLOG_HEAP_ROOTS)
      sum->retained += heap->retained[i];
  }
  for (uint32_t i = 0; i < classes; i++)
    printf ("%llu %llu %llu %s\n", (unsigned long long) sums[i].objects,
            (unsigned long long) sums[i].bytes, (unsigned long long) sums[i].retained,
            proflog_heap_class (heap, i));
  g_free (sums);
  proflog_heap_free (heap);
  proflog_log_close (log);
  return 0;
}
