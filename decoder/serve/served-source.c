/* served-source.c -- makes frames of the figures of a source. */
#include "config.h"

#include "decoder/live/live-outputs.h"
#include "decoder/output/emitter.h"
#include "decoder/serve/served.h"
#include <string.h>

enum {
  FRAMES = 8,      /* with tables, that a slow reader may be behind */
  HISTORY = 600,   /* without, that a page begins with */
  TABLE_ROWS = 40, /* that have most in a column */
};

struct served_source *
served_source_new (uint64_t number, const char *name, long pid,
                   char *(*ask) (long pid, const char *line, GError **error))
{
  struct served_source *s = g_new (struct served_source, 1);
  *s = (struct served_source){ .users = 1,
                               .number = number,
                               .name = g_strdup (name),
                               .frames = frames_new (FRAMES),
                               .history = frames_new (HISTORY),
                               .flame = g_bytes_new_static ("null", 4),
                               .desk = pid != 0 ? control_desk_new (pid, ask) : NULL };
  s->hub = event_hub_new (s->frames);
  pthread_mutex_init (&s->lock, NULL);
  return s;
}

struct served_source *
served_source_ref (struct served_source *s)
{
  atomic_fetch_add (&s->users, 1);
  return s;
}

void
served_source_unref (struct served_source *s)
{
  if (atomic_fetch_sub (&s->users, 1) != 1)
    return;
  if (s->desk != NULL)
    control_desk_unref (s->desk);
  g_bytes_unref (s->report);
  g_bytes_unref (s->flame);
  event_hub_unref (s->hub);
  frames_free (s->history);
  pthread_mutex_destroy (&s->lock);
  g_free (s->name);
  g_free (s);
}

void
served_source_close (struct served_source *s)
{
  event_hub_close (s->hub);
  if (s->desk != NULL)
    control_desk_close (s->desk);
}

static const char *
truth (bool value)
{
  return value ? "true" : "false";
}

void
served_source_put (struct served_source *s, uint64_t interval, const struct live_figures *figures,
                   bool ended, bool is_one_of)
{
  GString *past = g_string_new (NULL), *frame = g_string_new (NULL);
  g_string_append_printf (past, "{\"id\":%" G_GUINT64_FORMAT ",\"figures\":", interval);
  live_print_json (figures, past);
  g_string_append_printf (frame, "id: %" G_GUINT64_FORMAT "\nevent: figures\ndata: %s,\"source\":",
                          frames_next (s->frames), past->str);
  emitter_append_json_string (frame, s->name, strlen (s->name));
  if (figures->program != NULL) {
    g_string_append (frame, ",\"program\":");
    emitter_append_json_string (frame, figures->program, strlen (figures->program));
  }
  g_string_append_printf (
      frame,
      ",\"ended\":%s,\"report\":%s,\"control\":%s,\"is_one_of\":%s,\"tables\":", truth (ended),
      truth (s->report != NULL), truth (s->desk != NULL), truth (is_one_of));
  live_print_tables (figures, TABLE_ROWS, frame);
  g_string_append (frame, "}\n\n");
  g_string_append_c (past, '}');
  frames_add (s->history, past);
  frames_add (s->frames, frame);
  g_string_free (past, TRUE);
  g_string_free (frame, TRUE);
  s->has_ended = ended;
  event_hub_wake (s->hub);
}

void
served_source_set_report (struct served_source *s, GBytes *page)
{
  pthread_mutex_lock (&s->lock);
  s->report = page;
  pthread_mutex_unlock (&s->lock);
  s->has_ended = false; /* one more frame states that it is there */
}

GBytes *
served_source_report (struct served_source *s)
{
  pthread_mutex_lock (&s->lock);
  GBytes *page = s->report;
  pthread_mutex_unlock (&s->lock);
  return page;
}

void
served_source_set_flame (struct served_source *s, GBytes *flame)
{
  pthread_mutex_lock (&s->lock);
  GBytes *old = s->flame;
  s->flame = flame;
  pthread_mutex_unlock (&s->lock);
  atomic_store (&s->wants_flame, false);
  g_bytes_unref (old);
}

GBytes *
served_source_take_flame (struct served_source *s)
{
  atomic_store (&s->wants_flame, true);
  pthread_mutex_lock (&s->lock);
  GBytes *flame = g_bytes_ref (s->flame);
  pthread_mutex_unlock (&s->lock);
  return flame;
}

GString *
served_source_history (struct served_source *s)
{
  GString *text = g_string_new ("[");
  uint64_t number = 0, lost;
  for (struct frame *frame; (frame = frames_pop (s->history, &number, &lost)) != NULL;) {
    if (text->len > 1)
      g_string_append_c (text, ',');
    g_string_append_len (text, frame->text, (gssize) frame->length);
    frame_unref (frame);
  }
  g_string_append (text, "]");
  return text;
}
