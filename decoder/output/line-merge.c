/* line-merge.c -- runs the sources of lines in threads, and merges their queues. */
#include "config.h"

#include "decoder/output/line-merge.h"
#include <pthread.h>
#include <string.h>

enum {
  AHEAD = 2,              /* texts that a maker may have handed over */
  WRITE_BYTES = 64 << 10, /* that are written at once */
};

/* The head before each line. */
struct line_head {
  uint64_t time;
  uint64_t length;
};

struct line_queue {
  struct merge_context *merge_context;
  struct line_source *maker;
  pthread_t thread;
  GString *texts[AHEAD]; /* used in turn */
  uint64_t given, taken; /* how many */
  bool has_ended;
  /* Of the merging thread. */
  size_t at; /* in the text that was passed first */
  struct line_head head;
  bool is_open; /* there is a line, of this head */
};

struct merge_context {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_stopped;
};

size_t
line_begin (GString *lines, uint64_t time)
{
  const struct line_head head = { .time = time };
  const size_t begun = lines->len;
  g_string_append_len (lines, (const char *) &head, sizeof head);
  return begun;
}

void
line_end (GString *lines, size_t begun)
{
  const uint64_t length = lines->len - begun - sizeof (struct line_head);
  if (length == 0)
    g_string_truncate (lines, begun);
  else
    memcpy (lines->str + begun + offsetof (struct line_head, length), &length, sizeof length);
}

bool
line_queue_push (struct line_queue *q, GString *lines)
{
  struct merge_context *m = q->merge_context;
  if (lines->len == 0)
    return true;
  pthread_mutex_lock (&m->lock);
  while (q->given - q->taken == AHEAD && !m->is_stopped)
    pthread_cond_wait (&m->changed, &m->lock);
  const bool good = !m->is_stopped;
  if (good) {
    GString *slot = q->texts[q->given % AHEAD];
    const GString text = *lines;
    *lines = *slot;
    *slot = text;
    q->given++;
    pthread_cond_broadcast (&m->changed);
  }
  pthread_mutex_unlock (&m->lock);
  g_string_truncate (lines, 0);
  return good;
}

static void *
make (void *data)
{
  struct line_queue *q = data;
  q->maker->make (q->maker->data, q);
  pthread_mutex_lock (&q->merge_context->lock);
  q->has_ended = true;
  pthread_cond_broadcast (&q->merge_context->changed);
  pthread_mutex_unlock (&q->merge_context->lock);
  return NULL;
}

/* Waits for a text and goes to its first line; at the end none is open. */
static void
next_text (struct line_queue *q)
{
  struct merge_context *m = q->merge_context;
  pthread_mutex_lock (&m->lock);
  while (q->given == q->taken && !q->has_ended)
    pthread_cond_wait (&m->changed, &m->lock);
  q->is_open = q->given != q->taken;
  pthread_mutex_unlock (&m->lock);
  q->at = 0;
  if (q->is_open)
    memcpy (&q->head, q->texts[q->taken % AHEAD]->str, sizeof q->head);
}

/* Moves the open line to `out` and goes to the next. */
static void
pop_line (struct line_queue *q, GString *out)
{
  const GString *text = q->texts[q->taken % AHEAD];
  g_string_append_len (out, text->str + q->at + sizeof q->head, (gssize) q->head.length);
  q->maker->lines++;
  q->at += sizeof q->head + q->head.length;
  if (q->at < text->len) {
    memcpy (&q->head, text->str + q->at, sizeof q->head);
    return;
  }
  pthread_mutex_lock (&q->merge_context->lock);
  q->taken++;
  pthread_cond_broadcast (&q->merge_context->changed);
  pthread_mutex_unlock (&q->merge_context->lock);
  next_text (q);
}

static bool
merge (struct line_queue *queues, size_t n, bool (*write) (void *data, GString *text), void *data)
{
  GString *out = g_string_new (NULL);
  bool good = true;
  for (size_t i = 0; i < n; i++)
    next_text (&queues[i]);
  while (good) {
    struct line_queue *first = NULL;
    for (size_t i = 0; i < n; i++)
      if (queues[i].is_open && (first == NULL || queues[i].head.time < first->head.time))
        first = &queues[i];
    if (first == NULL)
      break;
    pop_line (first, out);
    if (out->len >= WRITE_BYTES)
      good = write (data, out);
  }
  good = good && write (data, out);
  g_string_free (out, TRUE);
  return good;
}

bool
line_merge (struct line_source *makers, size_t n_makers, bool (*write) (void *data, GString *text),
            void *data, GError **error)
{
  struct merge_context m = { .is_stopped = false };
  struct line_queue *queues = g_new0 (struct line_queue, n_makers);
  size_t n = 0;
  int failed = 0;
  pthread_mutex_init (&m.lock, NULL);
  pthread_cond_init (&m.changed, NULL);
  for (; n < n_makers && failed == 0; n++) {
    struct line_queue *q = &queues[n];
    *q = (struct line_queue){ .merge_context = &m, .maker = &makers[n] };
    for (unsigned i = 0; i < AHEAD; i++)
      q->texts[i] = g_string_new (NULL);
    makers[n].lines = 0;
    failed = pthread_create (&q->thread, NULL, make, q);
  }
  const size_t running = failed != 0 ? n - 1 : n;
  const bool good = failed == 0 && merge (queues, n, write, data);
  pthread_mutex_lock (&m.lock);
  m.is_stopped = true;
  pthread_cond_broadcast (&m.changed);
  pthread_mutex_unlock (&m.lock);
  for (size_t i = 0; i < running; i++)
    pthread_join (queues[i].thread, NULL);
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < AHEAD; k++)
      g_string_free (queues[i].texts[k], TRUE);
  pthread_mutex_destroy (&m.lock);
  pthread_cond_destroy (&m.changed);
  g_free (queues);
  if (failed != 0)
    g_set_error (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "cannot create a thread: %s",
                 g_strerror (failed));
  return good;
}
