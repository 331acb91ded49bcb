/* live-tables.c -- makes and compares the lines of live tables. */
#include "config.h"

#include "decoder/live/live-outputs.h"
#include <math.h>
#include <string.h>

const struct live_table_form live_table_forms[LIVE_TABLES] = {
  [LIVE_METHODS] = { "methods",
                     { { "CPU%", LIVE_VALUE_SHARE },
                       { "WAIT%", LIVE_VALUE_SHARE },
                       { "SELF%", LIVE_VALUE_SHARE },
                       { "CALLS/s", LIVE_VALUE_RATE },
                       { "CPU ms", LIVE_VALUE_MS },
                       { "WAIT ms", LIVE_VALUE_MS },
                       { "SELF ms", LIVE_VALUE_MS },
                       { "CALLS", LIVE_VALUE_COUNT } } },
  [LIVE_TYPES] = { "types",
                   { { "BYTES/s", LIVE_VALUE_BYTE_RATE },
                     { "OBJECTS/s", LIVE_VALUE_RATE },
                     { "BYTES", LIVE_VALUE_BYTES },
                     { "OBJECTS", LIVE_VALUE_COUNT } } },
  [LIVE_THREADS] = { "threads",
                     { { "EVENTS/s", LIVE_VALUE_RATE },
                       { "RUN%", LIVE_VALUE_SHARE },
                       { "ALLOC/s", LIVE_VALUE_BYTE_RATE },
                       { "EVENTS", LIVE_VALUE_COUNT } } },
  [LIVE_THROWS]
  = { "exceptions", { { "THROWN/s", LIVE_VALUE_RATE }, { "THROWN", LIVE_VALUE_COUNT } } },
  [LIVE_LOCKS] = { "locks",
                   { { "WAIT%", LIVE_VALUE_SHARE },
                     { "WAITS/s", LIVE_VALUE_RATE },
                     { "WAIT ms", LIVE_VALUE_MS },
                     { "WAITS", LIVE_VALUE_COUNT } } },
  [LIVE_BANDS] = { "bands",
                   { { "BYTES", LIVE_VALUE_BYTES },
                     { "OF ALL%", LIVE_VALUE_SHARE },
                     { "AT MOST", LIVE_VALUE_BYTES } } },
  [LIVE_FRAMES] = { "frames",
                    { { "ALL%", LIVE_VALUE_SHARE },
                      { "SELF%", LIVE_VALUE_SHARE },
                      { "ALL", LIVE_VALUE_COUNT },
                      { "SELF", LIVE_VALUE_COUNT } } },
};

double
live_share (const struct live_figures *f, uint64_t ns)
{
  return f->interval_ns == 0 ? 0 : (double) ns / (double) f->interval_ns;
}

double
live_process_share (const struct live_figures *f)
{
  return f->process_interval_ns == 0
             ? 0
             : (double) f->process_cpu_ns.now / (double) f->process_interval_ns;
}

/* A value without events in the log is not known. */
static double
known_if (bool is_known, double value)
{
  return is_known ? value : (double) NAN;
}

static void
put_method (struct live_table_line *line, const struct live_figures *f, const struct live_row *r)
{
  line->state = r->waits;
  line->values[0] = known_if (f->has_cpu, live_share (f, r->cpu_ns.now));
  line->values[1] = known_if (f->has_waits, live_share (f, r->wait_ns.now));
  line->values[2] = known_if (f->has_calls, live_share (f, r->self_ns.now));
  line->values[3] = known_if (f->has_calls, live_rate (f, r->count.now));
  line->values[4] = known_if (f->has_cpu, (double) r->cpu_ns.all / 1e6);
  line->values[5] = known_if (f->has_waits, (double) r->wait_ns.all / 1e6);
  line->values[6] = known_if (f->has_calls, (double) r->self_ns.all / 1e6);
  line->values[7] = known_if (f->has_calls, (double) r->count.all);
}

static struct live_table_line
line_of_row (enum live_table table, const struct live_figures *f, const struct live_row *r)
{
  struct live_table_line line = { .name = r->name };
  if (r->name == NULL && table == LIVE_LOCKS)
    g_strlcpy (line.id, "of unknown type", sizeof line.id);
  else if (r->name == NULL)
    g_snprintf (line.id, sizeof line.id, "0x%" G_GINT64_MODIFIER "x", r->address);
  switch (table) {
  case LIVE_METHODS:
    put_method (&line, f, r);
    break;
  case LIVE_TYPES:
    line.values[0] = live_rate (f, r->bytes.now);
    line.values[1] = live_rate (f, r->count.now);
    line.values[2] = (double) r->bytes.all;
    line.values[3] = (double) r->count.all;
    break;
  case LIVE_LOCKS:
    line.values[0] = live_share (f, r->wait_ns.now);
    line.values[1] = live_rate (f, r->count.now);
    line.values[2] = (double) r->wait_ns.all / 1e6;
    line.values[3] = (double) r->count.all;
    break;
  case LIVE_BANDS:
    line.values[0] = (double) r->bytes.now;
    line.values[1] = (double) r->bytes.now / (double) MAX (f->band_bytes, 1);
    line.values[2] = (double) r->bytes.all;
    break;
  case LIVE_FRAMES:
    line.values[0] = (double) r->count.now / (double) MAX (f->samples.now, 1);
    line.values[1] = (double) r->self.now / (double) MAX (f->samples.now, 1);
    line.values[2] = (double) r->count.all;
    line.values[3] = (double) r->self.all;
    break;
  default:
    line.values[0] = live_rate (f, r->count.now);
    line.values[1] = (double) r->count.all;
    break;
  }
  return line;
}

static struct live_table_line
line_of_thread (const struct live_figures *f, const struct live_thread *t)
{
  static const char *const states[] = {
    [LIVE_IDLE] = "idle",       [LIVE_RUNNING] = "runs",        [LIVE_WAITING] = "waits for a lock",
    [LIVE_BLOCKED] = "blocked", [LIVE_COLLECTING] = "collects", [LIVE_UNKNOWN] = "-"
  };
  struct live_table_line line = { .name = t->name, .state = states[t->state] };
  line.values[0] = live_rate (f, t->events.now);
  line.values[1]
      = f->format == LIVE_GHC || f->has_cpu ? live_share (f, t->run_ns.now) : (double) NAN;
  line.values[2] = t->has_bytes ? live_rate (f, t->bytes.now) : (double) NAN;
  line.values[3] = (double) t->events.all;
  if (t->is_cap)
    g_snprintf (line.id, sizeof line.id, "capability %u", (unsigned) t->id);
  else if (f->format == LIVE_GHC)
    g_snprintf (line.id, sizeof line.id, "%u", (unsigned) t->id);
  else
    g_snprintf (line.id, sizeof line.id, "0x%" G_GINT64_MODIFIER "x", t->id);
  return line;
}

GArray *
live_table_lines (enum live_table table, const struct live_figures *f)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (struct live_table_line));
  const GArray *rows = table == LIVE_METHODS  ? f->methods
                       : table == LIVE_TYPES  ? f->types
                       : table == LIVE_LOCKS  ? f->locks
                       : table == LIVE_BANDS  ? f->bands
                       : table == LIVE_FRAMES ? f->frames
                                              : f->throws;
  const guint n = table == LIVE_THREADS ? f->threads->len : rows->len;
  for (guint i = 0; i < n; i++) {
    const struct live_table_line line
        = table == LIVE_THREADS
              ? line_of_thread (f, &g_array_index (f->threads, struct live_thread, i))
              : line_of_row (table, f, &g_array_index (rows, struct live_row, i));
    g_array_append_val (lines, line);
  }
  return lines;
}

int
live_table_compare (const struct live_table_line *a, const struct live_table_line *b,
                    unsigned column)
{
  for (unsigned i = 0; i < LIVE_COLUMNS; i++) {
    const unsigned v = (column + i) % LIVE_COLUMNS;
    const double p = isnan (a->values[v]) ? -1 : a->values[v];
    const double q = isnan (b->values[v]) ? -1 : b->values[v];
    if (p != q)
      return p < q ? 1 : -1;
  }
  const int order = g_strcmp0 (a->name, b->name);
  return order != 0 ? order : strcmp (a->id, b->id);
}
