/* report-threads.c -- the threads of a log. */
#include "config.h"

#include "decoder/views/mlpd/report.h"

static const struct emitter_column columns[] = { { "id", "Thread", EMIT_ADDRESS },
                                                 { "start_ns", "First event ms", EMIT_TIME },
                                                 { "end_ns", "Last event ms", EMIT_TIME },
                                                 { "events", "Events", EMIT_NUMBER },
                                                 { "name", "Name", EMIT_TEXT } };
static const struct table_shape shape = { .key = "threads",
                                          .title = "Threads",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("events", "id", "start_ns") };

static void
put_threads (const struct report *r)
{
  const struct threads *threads = &r->s->threads;
  struct table *t = section_table (r, &shape);
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *thread = g_ptr_array_index (threads->all, i);
    if (thread->events != 0 || thread->announced)
      SECTION_ROW (t, { .number = thread->id }, { .change = log_when (&r->s->log, thread->start) },
                   { .change = log_when (&r->s->log, thread->end) }, { .number = thread->events },
                   { .text = thread->name });
  }
  table_write (t, r->e);
}

const struct section section_threads = {
  .key = "threads", .alias = "thread", .put = put_threads, .tables = SECTION_TABLES (&shape)
};
