/* export-speedscope.c -- the JSON of speedscope: frames by number, stacks, and their weights. */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/output/emitter-values.h"
#include <string.h>

static void
put_text (GString *bytes, const char *text)
{
  emitter_append_json_string (bytes, text, strlen (text));
}

static void
put_frames (const struct export_stacks *stacks, struct export_out *out)
{
  g_string_append (out->bytes, "\"shared\":{\"frames\":[");
  for (guint i = 0; i < stacks->frames->len && !out->failed; i++) {
    g_string_append (out->bytes, i == 0 ? "\n{\"name\":" : ",\n{\"name\":");
    put_text (out->bytes, g_ptr_array_index (stacks->frames, i));
    g_string_append_c (out->bytes, '}');
    export_flush_much (out);
  }
  g_string_append (out->bytes, "]},\n");
}

static void
put_stack (GString *bytes, const GArray *frames)
{
  for (guint i = 0; i < frames->len; i++) {
    g_string_append_c (bytes, i == 0 ? '[' : ',');
    emitter_append_decimal (bytes, g_array_index (frames, uint32_t, i));
  }
  g_string_append_c (bytes, ']');
}

/* Of the stacks that have one: their frames, or with `frames` NULL their weights. */
static void
put_each (const struct export_stacks *stacks, struct export_out *out, GArray *frames)
{
  bool is_first = true;
  for (guint i = 1; i < stacks->nodes->len && !out->failed; i++) {
    const uint64_t weight = g_array_index (stacks->nodes, struct export_node, i).weight;
    if (weight == 0)
      continue;
    g_string_append (out->bytes, is_first ? "\n" : ",\n");
    is_first = false;
    if (frames == NULL) {
      emitter_append_decimal (out->bytes, weight);
    } else {
      export_stacks_path (stacks, i, frames);
      put_stack (out->bytes, frames);
    }
    export_flush_much (out);
  }
}

/* The names that speedscope knows. */
static const char *
speedscope_unit (const struct export_stacks *stacks)
{
  const enum figure_unit unit = export_stacks_figure (stacks);
  return unit == FIGURE_NS ? "nanoseconds" : unit == FIGURE_BYTES ? "bytes" : "none";
}

/* The same of the samples of a track. */
static void
put_samples (const struct export_stacks *stacks, struct export_out *out,
             const struct export_sample *samples, guint n, GArray *frames)
{
  for (guint i = 0; i < n && !out->failed; i++) {
    g_string_append (out->bytes, i == 0 ? "\n" : ",\n");
    if (frames == NULL) {
      emitter_append_decimal (out->bytes, samples[i].weight);
    } else {
      export_stacks_path (stacks, samples[i].node, frames);
      put_stack (out->bytes, frames);
    }
    export_flush_much (out);
  }
}

static void
begin_profile (const struct export_stacks *stacks, struct export_out *out, const char *name,
               uint64_t total)
{
  g_string_append_printf (out->bytes,
                          "{\"type\":\"sampled\",\"name\":\"%s\","
                          "\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" G_GUINT64_FORMAT
                          ",\n\"samples\":[",
                          name, speedscope_unit (stacks), total);
}

/* A profile of each track, in order of time. */
static void
put_order (const struct export_stacks *stacks, struct export_out *out, GArray *frames)
{
  const struct export_sample *all
      = (const struct export_sample *) (const void *) stacks->order->data;
  guint n;
  for (guint i = 0; i < stacks->order->len && !out->failed; i += n) {
    uint64_t total = 0;
    char name[32];
    for (n = 0; i + n < stacks->order->len && all[i + n].track == all[i].track; n++)
      total += all[i + n].weight;
    g_snprintf (name, sizeof name, "Capability %u", all[i].track);
    g_string_append (out->bytes, i != 0 ? ",\n" : "");
    begin_profile (stacks, out, name, total);
    put_samples (stacks, out, all + i, n, frames);
    g_string_append (out->bytes, "],\n\"weights\":[");
    put_samples (stacks, out, all + i, n, NULL);
    g_string_append (out->bytes, "]}");
  }
}

static void
put_sums (const struct export_stacks *stacks, struct export_out *out, GArray *frames)
{
  begin_profile (stacks, out, "all threads", stacks->total);
  put_each (stacks, out, frames);
  g_string_append (out->bytes, "],\n\"weights\":[");
  put_each (stacks, out, NULL);
  g_string_append (out->bytes, "]}");
}

static void
write_speedscope (const struct export_stacks *stacks, struct export_out *out)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_string_append (out->bytes,
                   "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                   "\n\"exporter\":\"proflog@" PACKAGE_VERSION "\",\n");
  if (stacks->title != NULL) {
    g_string_append (out->bytes, "\"name\":");
    put_text (out->bytes, stacks->title);
    g_string_append (out->bytes, ",\n");
  }
  put_frames (stacks, out);
  g_string_append (out->bytes, "\"profiles\":[");
  if (stacks->order != NULL)
    put_order (stacks, out, frames);
  else
    put_sums (stacks, out, frames);
  g_string_append (out->bytes, "]}\n");
  export_flush (out);
  g_array_unref (frames);
}

const struct export_format export_speedscope
    = { "speedscope", "stacks, in JSON: speedscope", .write_stacks = write_speedscope,
        .has_order = true };
