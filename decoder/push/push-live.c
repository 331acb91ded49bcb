/* push-live.c -- reads programs as `proflog top` does, and sends what came in each interval.
 *
 * A profile that cannot be sent is not lost: its samples are in the next one that is sent.
 */
#include "config.h"

#include "decoder/push/push-live.h"
#include "decoder/command/cli.h"
#include "decoder/live/live-readings.h"
#include "decoder/command/message.h"
#include "decoder/stacks/mono-stacks.h"
#include "decoder/live/live-model.h"

struct live_push {
  struct push_session *session;
  struct live_readings readings;
  struct live_model **models;
  struct export_stacks *sent; /* of each: what the server has */
  uint64_t *since;            /* of each: when that was, ns since 1970 */
  bool *has_base;             /* of each: what passed before is read */
  bool is_down;               /* that there is no server was reported */
};

static uint64_t
now_ns (void)
{
  return (uint64_t) g_get_real_time () * 1000;
}

static char *
program_of (const struct live_reading *r)
{
  char *name = r->program != NULL ? g_strdup (r->program) : g_path_get_basename (r->name);
  if (*name != 0)
    return name;
  g_free (name);
  return g_strdup (r->name);
}

/* False, with a message the first time, if there is no server. */
static bool
send_profile (struct live_push *p, const struct live_reading *r, const struct export_stacks *stacks)
{
  g_autofree char *program = program_of (r);
  GError *error = NULL;
  const bool good = push_session_send_stacks (p->session, stacks, "cpu", program, &error);
  if (!good && !p->is_down)
    cli_message ("proflog push: %s: %s", r->name, error->message);
  p->is_down = !good;
  g_clear_error (&error);
  return good;
}

static void
read_stacks (const struct live_model *model, struct export_stacks *stacks)
{
  export_stacks_init (stacks);
  mono_stacks_add_live (stacks, live_model_stacks (model), live_model_symbols (model));
}

/* What came since the last profile. */
static void
send_source (struct live_push *p, guint i)
{
  const struct live_reading *const r = &p->readings.all[i];
  const uint64_t now = now_ns ();
  struct export_stacks all, part;
  if (!r->is_over)
    live_feed_flush (r->feed);
  read_stacks (p->models[i], &all);
  read_stacks (p->models[i], &part);
  export_stacks_subtract (&part, &p->sent[i]);
  part.start_ns = p->since[i];
  part.duration_ns = now - p->since[i];
  if (part.total == 0 || send_profile (p, r, &part)) {
    export_stacks_clear (&p->sent[i]);
    p->sent[i] = all;
    p->since[i] = now;
  } else
    export_stacks_clear (&all);
  export_stacks_clear (&part);
}

/* What passed before this program came is in no profile. */
static void
store_bases (struct live_push *p)
{
  const unsigned start = p->session->values->live.start;
  for (guint i = 0; i < p->readings.count; i++) {
    struct live_reading *const r = &p->readings.all[i];
    if (p->has_base[i] || live_reading_is_past (r))
      continue;
    p->has_base[i] = true;
    if (start == LIVE_START_BEGINNING || (start == LIVE_START_DEFAULT && r->pid == 0))
      continue;
    live_feed_flush (r->feed);
    export_stacks_clear (&p->sent[i]);
    read_stacks (p->models[i], &p->sent[i]);
    p->since[i] = now_ns ();
  }
}

static void
send_all (struct live_push *p)
{
  store_bases (p);
  for (guint i = 0; i < p->readings.count; i++)
    if (p->has_base[i] && !p->readings.all[i].failed)
      send_source (p, i);
}

static void
follow (struct live_push *p, uint64_t interval)
{
  enum live_news news = LIVE_QUIET;
  uint64_t last = live_reading_now ();
  while (news != LIVE_END && !live_readings_stopped ()) {
    news = live_readings_step (
        &p->readings, live_readings_patience (last + interval, live_reading_now ()), -1, -1);
    store_bases (p);
    if (live_reading_now () - last < interval)
      continue;
    send_all (p);
    last = live_reading_now ();
  }
  send_all (p);
}

int
push_live (struct push_session *session)
{
  struct push_values *const v = session->values;
  const guint n = g_strv_length (v->query.log.logs);
  g_autofree struct live_handler *handlers = g_new0 (struct live_handler, n);
  struct live_push p = { .session = session,
                         .models = g_new0 (struct live_model *, n),
                         .sent = g_new0 (struct export_stacks, n),
                         .since = g_new0 (uint64_t, n),
                         .has_base = g_new0 (bool, n) };
  int status;
  for (guint i = 0; i < n; i++) {
    p.models[i] = live_model_new ();
    p.since[i] = now_ns ();
    export_stacks_init (&p.sent[i]);
    handlers[i] = (struct live_handler){ .mono = live_model_mono,
                                         .ghc = live_model_ghc,
                                         .buffers = live_model_buffers,
                                         .data = p.models[i] };
  }
  live_readings_init (&p.readings, &v->query.log);
  if (live_readings_open (&p.readings, &v->live, handlers, &status)) {
    follow (&p, v->every.value);
    status = live_readings_status (&p.readings);
  }
  live_readings_close (&p.readings);
  for (guint i = 0; i < n; i++) {
    live_model_free (p.models[i]);
    export_stacks_clear (&p.sent[i]);
  }
  g_free (p.models);
  g_free (p.sent);
  g_free (p.since);
  g_free (p.has_base);
  return p.is_down ? CLI_INPUT : status;
}
