/* serve-sources.c -- adds and removes processes while they are served. */
#include "config.h"

#include "decoder/serve/serve-sources.h"
#include "decoder/system/process-files.h"
#include "decoder/live/process-usage.h"

/* After the end of a process, until no more of its log is waited for. */
#define REST_NS UINT64_C (2000000000)

/* Intervals for which a process that has ended is shown. */
enum { ENDED_INTERVALS = 60 };

struct shown *
serve_shown (const struct serve *s, guint i)
{
  return g_ptr_array_index (s->shown, i);
}

struct shown *
shown_new (char *name)
{
  struct shown *shown = g_new0 (struct shown, 1);
  shown->name = name;
  shown->since = live_reading_now ();
  shown->model = live_model_new ();
  shown->handler = (struct live_handler){ .mono = live_model_mono,
                                          .ghc = live_model_ghc,
                                          .buffers = live_model_buffers,
                                          .data = shown->model };
  return shown;
}

void
shown_free (struct shown *shown)
{
  live_model_free (shown->model);
  g_free (shown->name);
  g_free (shown);
}

/* A zombie does not run. */
static bool
runs (long pid)
{
  struct process_usage usage;
  return process_usage_read (pid, &usage);
}

static void
remove_source (struct serve *s, guint i)
{
  http_server_remove (s->server, i);
  live_readings_remove (&s->readings, i);
  g_ptr_array_remove_index (s->shown, i);
}

static void
add_process (struct serve *s, long pid)
{
  struct shown *shown = shown_new (process_name (pid));
  live_model_set_process (shown->model, pid);
  if (!live_readings_add (&s->readings, pid, &s->values->live, &shown->handler)) {
    live_readings_remove (&s->readings, s->readings.count - 1);
    shown_free (shown);
    g_array_append_val (s->unreadable, pid);
    return;
  }
  g_ptr_array_add (s->shown, shown);
  http_server_add (s->server, &(struct http_server_source){
                                  .number = (uint64_t) pid, .name = shown->name, .pid = pid });
}

/* Whether the process is served, or cannot be.  Another one may have had its number. */
static bool
is_known (struct serve *s, long pid)
{
  for (guint i = 0; i < s->readings.count; i++) {
    if (s->readings.all[i].pid != pid)
      continue;
    if (serve_shown (s, i)->gone == 0 || !runs (pid))
      return true;
    remove_source (s, i);
    return false;
  }
  return process_list_has (s->unreadable, pid);
}

void
serve_add_processes (struct serve *s, const GArray *pids)
{
  for (guint i = 0; i < pids->len; i++) {
    const long pid = g_array_index (pids, long, i);
    if (!is_known (s, pid) && runs (pid))
      add_process (s, pid);
  }
}

/* What a process that was killed has left in its spool is read by the reading itself. */
static void
inspect_process (struct serve *s, guint i, uint64_t now)
{
  struct shown *const shown = serve_shown (s, i);
  if (shown->gone == 0 && !runs (s->readings.all[i].pid))
    shown->gone = now;
  if (shown->gone != 0 && now - shown->gone >= REST_NS)
    live_readings_end (&s->readings, i);
}

void
serve_remove_processes (struct serve *s, uint64_t now)
{
  for (guint i = s->readings.count; i-- > 0;) {
    const struct shown *const shown = serve_shown (s, i);
    inspect_process (s, i, now);
    if (shown->gone != 0 && now - shown->gone >= REST_NS + ENDED_INTERVALS * s->interval_ns)
      remove_source (s, i);
  }
  for (guint i = s->unreadable->len; i-- > 0;)
    if (!runs (g_array_index (s->unreadable, long, i)))
      g_array_remove_index_fast (s->unreadable, i);
}
