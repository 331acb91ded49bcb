/* mprof-stats.c -- buffers, and events by kind. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mprof/mprof.h"

#define BUFFER_HEADER 48

static void
put_stats (const struct mprof_report *r)
{
  const struct log *log = &r->s->log;
  g_string_append_printf (r->out,
                          "\nMlpd statistics\n\tBuffer count %" G_GUINT64_FORMAT
                          "\toverhead %" G_GUINT64_FORMAT " (%d bytes per header)\n",
                          log->blocks, log->blocks * BUFFER_HEADER, BUFFER_HEADER);
  g_string_append (r->out, "\nEvent details:\n");
  for (int kind = 0; kind < MLPD_KINDS; kind++)
    if (log->kind_events[kind] != 0)
      g_string_append_printf (r->out,
                              "\t%26s\tcount %6" G_GUINT64_FORMAT "\tmin %3" G_GUINT64_FORMAT
                              "\tmax %6" G_GUINT64_FORMAT "\tbytes %" G_GUINT64_FORMAT "\n",
                              mlpd_describe ((enum mlpd_kind) kind)->name, log->kind_events[kind],
                              log->kind_min[kind], log->kind_max[kind], log->kind_bytes[kind]);
}

const struct mprof_section mprof_section_stats = { .name = "stats", .put = put_stats };
