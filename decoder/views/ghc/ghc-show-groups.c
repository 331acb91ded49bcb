/* ghc-show-groups.c -- finds the thread of each event, and collects lines by thread or capability.
 */
#include "config.h"

#include "decoder/views/ghc/ghc-show-groups.h"
#include "decoder/core/text-groups.h"
#include <string.h>

/* Lines in memory. */
#define MEMORY_BYTES ((size_t) 64 << 20)
/* Text that is written at once. */
#define PIECE_BYTES ((size_t) 64 << 10)

/* Of the group without a thread or capability; that of number n has n + 1. */
#define NO_GROUP 0

/* The head of an event on its way: its line follows. */
struct record {
  uint32_t thread; /* of `place` */
  uint16_t cap;
  uint8_t place;
  uint8_t step;
  uint32_t length; /* of the line; 0: it is not shown */
};

enum place {
  OF_CAP,    /* the thread that the capability runs */
  OF_THREAD, /* this one */
  OF_NONE,
};

enum step { STAYS, RUNS, STOPS };

struct ghc_show_groups {
  enum ghc_show_by by;
  struct text_groups *texts;
  GHashTable *caps;    /* capability -> thread that it runs */
  GHashTable *threads; /* such a thread -> its capability */
};

struct ghc_show_groups *
ghc_show_groups_new (enum ghc_show_by by)
{
  struct ghc_show_groups *g = g_new0 (struct ghc_show_groups, 1);
  g->by = by;
  g->texts = text_groups_new (MEMORY_BYTES);
  g->caps = g_hash_table_new (NULL, NULL);
  g->threads = g_hash_table_new (NULL, NULL);
  return g;
}

void
ghc_show_groups_free (struct ghc_show_groups *g)
{
  text_groups_free (g->texts);
  g_hash_table_unref (g->caps);
  g_hash_table_unref (g->threads);
  g_free (g);
}

void
ghc_show_groups_begin (const struct ghc_header *header, enum ghc_show_by by,
                       enum ghc_show_like like, GString *out)
{
  ghc_show_types (header, like, out);
  g_string_append (out, by == GHC_SHOW_BY_THREAD ? "\nThread Indexed Events:\n"
                                                 : "\nCap Indexed Events:\n");
}

/* ---- events, on any thread ---- */

static void
of_thread (struct record *record, uint32_t thread, enum step step)
{
  record->place = OF_THREAD;
  record->thread = thread;
  record->step = step;
}

static void
find_thread (struct record *record, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  switch (item->kind) {
  case GHC_CREATE_THREAD:
    of_thread (record, p->create_thread.thread, STAYS);
    break;
  case GHC_RUN_THREAD:
    of_thread (record, p->run_thread.thread, RUNS);
    break;
  case GHC_STOP_THREAD:
    of_thread (record, p->stop_thread.thread, STOPS);
    break;
  case GHC_THREAD_RUNNABLE:
    of_thread (record, p->thread_runnable.thread, STAYS);
    break;
  case GHC_MIGRATE_THREAD:
    of_thread (record, p->migrate_thread.thread, STAYS);
    break;
  case GHC_CREATE_SPARK_THREAD:
    of_thread (record, p->create_spark_thread.spark_thread, STAYS);
    break;
  case GHC_THREAD_WAKEUP:
    if (item->cap != GHC_NO_CAP && p->thread_wakeup.other_cap == item->cap)
      of_thread (record, p->thread_wakeup.thread, STAYS);
    else
      record->place = OF_NONE;
    break;
  default:
    break;
  }
}

void
ghc_show_groups_put (const struct ghc_item *item, bool is_shown, enum ghc_show_like like,
                     GString *text)
{
  struct record record = { .cap = (uint16_t) item->cap };
  const gsize begun = text->len;
  if (item->kind == GHC_BLOCK_MARKER)
    return;
  find_thread (&record, item);
  if (!is_shown && record.step == STAYS)
    return;
  g_string_append_len (text, (const char *) &record, sizeof record);
  if (is_shown) {
    g_string_append (text, "  ");
    ghc_show_event (item, like, text);
    record.length = (uint32_t) (text->len - begun - sizeof record);
  }
  memcpy (text->str + begun, &record, sizeof record);
}

/* ---- in order ---- */

static void
stop (struct ghc_show_groups *g, uint32_t thread)
{
  gpointer cap;
  if (!g_hash_table_lookup_extended (g->threads, GUINT_TO_POINTER (thread), NULL, &cap))
    return;
  g_hash_table_remove (g->caps, cap);
  g_hash_table_remove (g->threads, GUINT_TO_POINTER (thread));
}

/* A thread, or one of its capability, that is running does so no more. */
static void
run (struct ghc_show_groups *g, uint32_t thread, unsigned cap)
{
  gpointer before;
  if (cap == GHC_NO_CAP)
    return;
  if (g_hash_table_lookup_extended (g->caps, GUINT_TO_POINTER (cap), NULL, &before))
    g_hash_table_remove (g->threads, before);
  stop (g, thread);
  g_hash_table_insert (g->caps, GUINT_TO_POINTER (cap), GUINT_TO_POINTER (thread));
  g_hash_table_insert (g->threads, GUINT_TO_POINTER (thread), GUINT_TO_POINTER (cap));
}

static uint64_t
find_group (const struct ghc_show_groups *g, const struct record *record)
{
  gpointer thread;
  if (g->by == GHC_SHOW_BY_CAP)
    return record->cap != GHC_NO_CAP ? (uint64_t) record->cap + 1 : NO_GROUP;
  if (record->place == OF_THREAD)
    return (uint64_t) record->thread + 1;
  if (record->place == OF_CAP
      && g_hash_table_lookup_extended (g->caps, GUINT_TO_POINTER (record->cap), NULL, &thread))
    return (uint64_t) GPOINTER_TO_UINT (thread) + 1;
  return NO_GROUP;
}

bool
ghc_show_groups_add (struct ghc_show_groups *g, const GString *text)
{
  bool good = true;
  for (const char *at = text->str, *end = at + text->len; good && at < end;) {
    struct record record;
    memcpy (&record, at, sizeof record);
    at += sizeof record;
    if (record.length != 0)
      good = text_groups_add (g->texts, find_group (g, &record), at, record.length);
    at += record.length;
    if (record.step == RUNS)
      run (g, record.thread, record.cap);
    else if (record.step == STOPS)
      stop (g, record.thread);
  }
  return good;
}

/* ---- the output ---- */

struct writing {
  bool (*write) (void *data, GString *text);
  void *data;
  GString *text;
};

static void
begin_group (void *data, uint64_t group)
{
  struct writing *w = data;
  if (group == NO_GROUP)
    g_string_append (w->text, "Nothing\n");
  else
    g_string_append_printf (w->text, "Just %" G_GUINT64_FORMAT "\n", group - 1);
}

static bool
put_lines (void *data, const char *lines, size_t length)
{
  struct writing *w = data;
  g_string_append_len (w->text, lines, (gssize) length);
  return w->text->len < PIECE_BYTES || w->write (w->data, w->text);
}

bool
ghc_show_groups_write (struct ghc_show_groups *g, bool (*write) (void *data, GString *text),
                       void *data, GError **error)
{
  struct writing w = { .write = write, .data = data, .text = g_string_new (NULL) };
  const bool good = text_groups_each (g->texts, begin_group, put_lines, &w, error);
  ghc_show_end (w.text);
  if (good)
    write (data, w.text);
  g_string_free (w.text, TRUE);
  return good;
}
