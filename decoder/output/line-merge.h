/* line-merge.h -- lines that several makers make, each in order of its times, become one stream in
 * order of time.  Each maker works on a thread of its own and waits when it is far ahead, so memory
 * does not grow with the lines.
 */
#ifndef PROFLOG_LINE_MERGE_H
#define PROFLOG_LINE_MERGE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Begins a line after those that are in `lines`, and ends it: the text that was appended meanwhile
 * is the line; there is none if nothing was. */
size_t line_begin (GString *lines, uint64_t time);
void line_end (GString *lines, size_t begun);

/* Where a maker's lines go. */
struct line_queue;

/* Hands lines over, and empties `lines`.  False: no more are requested.  From one thread at a time.
 */
bool line_queue_push (struct line_queue *queue, GString *lines);

struct line_source {
  void (*make) (void *data, struct line_queue *queue); /* all lines, in order of time */
  void *data;
  uint64_t lines; /* that were merged */
};

/* Runs the makers to their ends.  `write` gets the lines, and empties the text; false stops.  Lines
 * of one time come in order of the makers; one that comes with an earlier time than its maker's
 * line before comes right after that.  False if `write` stopped it, or there is no thread
 * available: then with an error. */
bool line_merge (struct line_source *makers, size_t n_makers,
                 bool (*write) (void *data, GString *text), void *data, GError **error);

#endif
