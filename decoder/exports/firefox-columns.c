/* firefox-columns.c -- the texts of columns. */
#include "config.h"

#include "decoder/exports/firefox-columns.h"
#include "decoder/output/emitter-values.h"

void
firefox_append_ms (GString *to, uint64_t ns)
{
  emitter_append_fixed (to, ns, 6);
}

static void
put_stack (GString *to, const void *record)
{
  const struct firefox_sample *s = record;
  if (s->stack == 0)
    g_string_append (to, "null");
  else
    emitter_append_decimal (to, s->stack - 1);
}

static void
put_time (GString *to, const void *record)
{
  firefox_append_ms (to, *(const uint64_t *) record); /* each record begins with it */
}

static void
put_weight (GString *to, const void *record)
{
  emitter_append_decimal (to, ((const struct firefox_sample *) record)->weight);
}

static void
put_cpu (GString *to, const void *record)
{
  if (((const struct firefox_sample *) record)->weight == FIREFOX_UNKNOWN_TIME)
    g_string_append (to, "null");
  else
    put_weight (to, record);
}

static void
put_one (GString *to, const void *record)
{
  (void) record;
  g_string_append_c (to, '1');
}

static void
put_weight_ms (GString *to, const void *record)
{
  firefox_append_ms (to, ((const struct firefox_sample *) record)->weight);
}

static void
put_end (GString *to, const void *record)
{
  const struct firefox_marker *m = record;
  if (m->phase == FIREFOX_PHASE_INTERVAL)
    firefox_append_ms (to, m->end);
  else
    g_string_append (to, "null");
}

static void
put_phase (GString *to, const void *record)
{
  emitter_append_decimal (to, ((const struct firefox_marker *) record)->phase);
}

static void
put_name (GString *to, const void *record)
{
  emitter_append_decimal (to, ((const struct firefox_marker *) record)->name);
}

static void
put_zero (GString *to, const void *record)
{
  (void) record;
  g_string_append_c (to, '0');
}

static void
put_text (GString *to, const void *record)
{
  g_string_append (to, "{\"type\":\"proflog\",\"text\":");
  emitter_append_decimal (to, ((const struct firefox_marker *) record)->text);
  g_string_append_c (to, '}');
}

static void
put_change (GString *to, const void *record)
{
  g_autofree char *text = emitter_real_text (((const struct firefox_value *) record)->change);
  g_string_append (to, text != NULL ? text : "0");
}

#define SAMPLE(member) RECORD_WORD (struct firefox_sample, member)
#define MARKER(member) RECORD_WORD (struct firefox_marker, member)
#define VALUE(member) RECORD_WORD (struct firefox_value, member)

const struct firefox_column firefox_hit_columns[] = { { "stack", { put_stack, SAMPLE (stack) } },
                                                      { "time", { put_time, SAMPLE (time) } },
                                                      { "weight", { put_one, 0 } },
                                                      { .name = NULL } };

const struct firefox_column firefox_timed_hit_columns[]
    = { { "stack", { put_stack, SAMPLE (stack) } },
        { "time", { put_time, SAMPLE (time) } },
        { "weight", { put_one, 0 } },
        { "threadCPUDelta", { put_cpu, SAMPLE (weight) } },
        { .name = NULL } };

const struct firefox_column firefox_allocation_columns[]
    = { { "stack", { put_stack, SAMPLE (stack) } },
        { "time", { put_time, SAMPLE (time) } },
        { "weight", { put_weight, SAMPLE (weight) } },
        { .name = NULL } };

const struct firefox_column firefox_call_columns[]
    = { { "stack", { put_stack, SAMPLE (stack) } },
        { "time", { put_time, SAMPLE (time) } },
        { "weight", { put_weight_ms, SAMPLE (weight) } },
        { .name = NULL } };

const struct firefox_column firefox_marker_columns[]
    = { { "data", { put_text, MARKER (text) } },
        { "name", { put_name, MARKER (name) } },
        { "startTime", { put_time, MARKER (begin) } },
        { "endTime", { put_end, MARKER (end) | MARKER (phase) } },
        { "phase", { put_phase, MARKER (phase) } },
        { "category", { put_zero, 0 } },
        { .name = NULL } };

const struct firefox_column firefox_value_columns[] = { { "time", { put_time, VALUE (time) } },
                                                        { "count", { put_change, VALUE (change) } },
                                                        { .name = NULL } };
