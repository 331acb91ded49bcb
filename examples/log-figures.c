/* log-figures.c -- five figures of `proflog report`, from the library alone.
 *
 *   log-figures <app.mlpd
 */
#include <proflog/mlpd-item.h>
#include <stdio.h>
#include <string.h>

int
main (void)
{
  unsigned char bytes[65536];
  size_t length;
  uint64_t objects = 0, allocated = 0, collections = 0, heap = 0, throws = 0, number = 0;
  const struct mlpd_item *item;
  struct mlpd_reader *reader = mlpd_reader_new ();
  enum proflog_result result = PROFLOG_NEED_MORE;
  while (result == PROFLOG_NEED_MORE) {
    length = fread (bytes, 1, sizeof bytes, stdin);
    if (length != 0)
      mlpd_reader_push (reader, bytes, length);
    else
      mlpd_reader_finish (reader);
    while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT) {
      const char *kind = mlpd_item_kind (item);
      if (kind == NULL)
        continue;
      if (strcmp (kind, "alloc") == 0 && mlpd_item_number (item, "size", &number)) {
        objects++;
        allocated += number;
      } else if (strcmp (kind, "gc-event") == 0 && mlpd_item_number (item, "event", &number)) {
        collections += number == MLPD_GC_EVENT_START;
      } else if (strcmp (kind, "gc-resize") == 0 && mlpd_item_number (item, "size", &number)) {
        heap = number > heap ? number : heap;
      } else if (strcmp (kind, "exception-throw") == 0) {
        throws++;
      }
    }
  }
  if (result == PROFLOG_ERROR)
    fprintf (stderr, "log-figures: %s\n", mlpd_reader_error (reader)->message);
  else
    printf ("objects %llu\nbytes %llu\ncollections %llu\nheap %llu\nexceptions %llu\n",
            (unsigned long long) objects, (unsigned long long) allocated,
            (unsigned long long) collections, (unsigned long long) heap,
            (unsigned long long) throws);
  mlpd_reader_free (reader);
  return result == PROFLOG_ERROR;
}
