/* push-queue.h -- a folder of logs that could not be sent yet.
 *
 * They are links to the logs, where that is possible, and stay when a program deletes its old
 * files.
 */
#ifndef PROFLOG_PUSH_QUEUE_H
#define PROFLOG_PUSH_QUEUE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct push_queue {
  char *folder;
  uint64_t bytes_max;
};

struct push_waiting {
  char *path; /* in the queue */
  char *name; /* of the log */
  uint64_t bytes;
};

/* False with an error if there can be no such folder. */
bool push_queue_open (struct push_queue *queue, const char *folder, uint64_t bytes_max,
                      GError **error);
void push_queue_close (struct push_queue *queue);

/* Keeps a log of this name.  Drops the oldest ones beyond the bound: *dropped is how many, this one
 * included if it is larger than all of the queue.  False with an error. */
bool push_queue_add (struct push_queue *queue, const char *path, const char *name, guint *dropped,
                     GError **error);

/* All that wait, the oldest first (of struct push_waiting; g_array_unref). */
GArray *push_queue_list (const struct push_queue *queue);

void push_queue_remove (const struct push_waiting *waiting);

#endif
