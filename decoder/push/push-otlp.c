/* push-otlp.c -- profiles and metrics to collectors of OpenTelemetry. */
#include "config.h"

#include "decoder/exports/otlp-trace.h"
#include "decoder/push/push.h"
#include "decoder/trace/log-trace.h"
#include <string.h>

#define PROFILES_PATH "v1development/profiles"
#define METRICS_PATH "v1/metrics"

/* ---- the resource ---- */

/* The attributes of labels of the command line; others have their own names. */
static const char *
attribute_of_label (const char *label)
{
  return strcmp (label, "program") == 0   ? "service.name"
         : strcmp (label, "version") == 0 ? "service.version"
                                          : label;
}

/* The attributes of the log, then of the environment, then of the command line. */
static void
set_resource (struct otlp_resource *r, const struct push_profile *p, const struct push_otel *otel)
{
  otlp_resource_set (r, "service.name", p->program);
  if (*p->host != 0)
    otlp_resource_set (r, "host.name", p->host);
  otlp_resource_set (r, "process.runtime.name", p->runtime);
  for (guint i = 0; i < otel->attributes->len; i += 2)
    otlp_resource_set (r, otel->attributes->pdata[i], otel->attributes->pdata[i + 1]);
  for (guint i = 0; i < p->labels->len; i += 2)
    otlp_resource_set (r, attribute_of_label (p->labels->pdata[i]), p->labels->pdata[i + 1]);
  r->pid = p->pid;
}

/* ---- requests ---- */

/* Where a collector at this URL takes them (transfer full). */
static char *
place_at (const char *url, const char *path)
{
  gsize length = strlen (url);
  while (length != 0 && url[length - 1] == '/')
    length--;
  return g_strdup_printf ("%.*s/%s", (int) length, url, path);
}

char *
push_otlp_profiles_place (const char *url)
{
  return place_at (url, PROFILES_PATH);
}

char *
push_otlp_metrics_place (const char *url)
{
  return place_at (url, METRICS_PATH);
}

static bool
post (const char *place, const GPtrArray *headers, const GString *bytes, struct push_http *http,
      GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GString) answer = g_string_new (NULL);
  g_ptr_array_add (all, (gpointer) "Content-Type: application/x-protobuf");
  for (guint i = 0; i < headers->len; i++)
    g_ptr_array_add (all, headers->pdata[i]);
  g_ptr_array_add (all, NULL);
  const struct push_request request = { .url = place,
                                        .headers = (const char *const *) all->pdata,
                                        .bytes = bytes->str,
                                        .length = bytes->len,
                                        .compress = true };
  return push_http_repeat (http, &request, answer, error);
}

/* To each server of the command line, or to those of the variables. */
static bool
send_message (const struct push_values *values, const struct push_signal *signal, const char *path,
              const GString *bytes, struct push_http *http, GError **error)
{
  bool good = true;
  if (values->urls == NULL)
    return signal->url == NULL || post (signal->url, signal->headers, bytes, http, error);
  for (guint i = 0; good && i < values->urls->len; i++) {
    g_autofree char *place = place_at (values->urls->pdata[i], path);
    good = post (place, signal->headers, bytes, http, error);
  }
  return good;
}

static bool
send_profiles (struct otlp_profiles *profiles, const struct push_values *values,
               struct push_http *http, GError **error)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  otlp_profiles_put (profiles, bytes);
  return send_message (values, &values->otel.profiles, PROFILES_PATH, bytes, http, error);
}

/* ---- stacks with their sums ---- */

/* The stacks have the numbers of their nodes. */
static void
add_stacks (struct otlp_profiles *to, const struct export_stacks *s)
{
  for (guint i = 0; i < s->frames->len; i++)
    otlp_profiles_frame (to, s->frames->pdata[i], export_stacks_type (s, i));
  for (guint i = EXPORT_STACKS_ROOT + 1; i < s->nodes->len; i++) {
    const struct export_node *node = &g_array_index (s->nodes, struct export_node, i);
    otlp_profiles_stack (to, node->parent, node->frame + 1);
  }
}

static void
add_profile (struct otlp_program *program, const struct export_stacks *s, bool is_weight)
{
  const struct otlp_profile *profile
      = is_weight ? otlp_program_profile (program, s->weighed, export_stacks_unit_name (s))
                  : otlp_program_profile (program, s->counted, "count");
  for (guint i = EXPORT_STACKS_ROOT + 1; i < s->nodes->len; i++) {
    const struct export_node *node = &g_array_index (s->nodes, struct export_node, i);
    const struct otlp_sample sample
        = { .stack = i, .value = is_weight ? node->weight : node->count };
    if (sample.value != 0)
      g_array_append_val (profile->samples, sample);
  }
}

bool
push_otlp_send_stacks (const struct push_profile *p, const struct push_values *values,
                       struct push_http *http, GError **error)
{
  struct otlp_profiles profiles;
  otlp_profiles_init (&profiles);
  struct otlp_program *program = otlp_profiles_program (&profiles);
  set_resource (&program->resource, p, &values->otel);
  add_stacks (&profiles, p->stacks);
  add_profile (program, p->stacks, false);
  if (p->stacks->weighed != NULL)
    add_profile (program, p->stacks, true);
  profiles.start_ns = p->stacks->start_ns;
  profiles.duration_ns = p->stacks->duration_ns;
  const bool good = send_profiles (&profiles, values, http, error);
  otlp_profiles_clear (&profiles);
  return good;
}

/* ---- running programs ---- */

static GArray *
new_point (uint64_t time, uint64_t value, bool is_known)
{
  const struct otlp_point point = { time, value };
  GArray *points = g_array_new (FALSE, FALSE, sizeof point);
  if (is_known)
    g_array_append_val (points, point);
  return points;
}

static uint64_t
collections_of (const struct live_figures *f, guint generation)
{
  const guint end = generation + 1 < OTLP_GENERATIONS ? generation + 1 : LIVE_GENERATIONS;
  uint64_t sum = 0;
  for (guint i = generation; i < end; i++)
    sum += f->collections[i].all;
  return sum;
}

bool
push_otlp_send_figures (const struct push_profile *p, const struct live_figures *f,
                        uint64_t start_ns, const struct push_values *values, struct push_http *http,
                        GError **error)
{
  const uint64_t now = (uint64_t) g_get_real_time () * 1000;
  const bool is_ghc = f->format == LIVE_GHC;
  g_autoptr (GArray) heap = new_point (now, f->heap_bytes, f->heap_bytes != 0);
  g_autoptr (GArray) paused = new_point (now, f->pause_ns.all, true);
  g_autoptr (GArray) threads = new_point (now, f->living, !is_ghc);
  g_autoptr (GPtrArray) collections
      = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  struct otlp_runtime runtime = { is_ghc, start_ns, heap, paused, threads, { NULL } };
  for (guint i = 0; i < OTLP_GENERATIONS; i++) {
    const uint64_t count = collections_of (f, i);
    g_ptr_array_add (collections, new_point (now, count, count != 0));
    runtime.collections[i] = collections->pdata[i];
  }
  g_ptr_array_add (collections, new_point (now, 0, false));
  runtime.collections[OTLP_GENERATIONS] = collections->pdata[OTLP_GENERATIONS];
  struct otlp_resource resource;
  g_autoptr (GString) bytes = g_string_new (NULL);
  otlp_resource_init (&resource);
  set_resource (&resource, p, &values->otel);
  otlp_runtime_put (&resource, &runtime, bytes);
  otlp_resource_clear (&resource);
  return values->otel.has_no_metrics
         || send_message (values, &values->otel.metrics, METRICS_PATH, bytes, http, error);
}

/* ---- logs, with the times of samples ---- */

/* Reads one log of the command. */
static void
read_trace (struct log_command *c, const char *path, struct otlp_trace *trace)
{
  char **const logs = c->logs;
  char *one[] = { (char *) path, NULL };
  c->logs = one;
  log_trace_read_all (c, &otlp_trace_format, trace);
  c->logs = logs;
}

bool
push_otlp_send_log (struct log_command *c, const char *path, const struct push_profile *p,
                    const struct push_values *values, struct push_http *http, uint64_t *samples,
                    GError **error)
{
  struct otlp_trace trace;
  g_autoptr (GString) metrics = g_string_new (NULL);
  otlp_trace_init (&trace);
  read_trace (c, path, &trace);
  for (guint i = 0; i < trace.profiles.programs->len; i++)
    set_resource (&((struct otlp_program *) trace.profiles.programs->pdata[i])->resource, p,
                  &values->otel);
  *samples = trace.samples;
  otlp_trace_put_metrics (&trace, metrics);
  bool good = trace.samples == 0 || send_profiles (&trace.profiles, values, http, error);
  if (good && metrics->len != 0 && !values->otel.has_no_metrics)
    good = send_message (values, &values->otel.metrics, METRICS_PATH, metrics, http, error);
  otlp_trace_clear (&trace);
  return good;
}
