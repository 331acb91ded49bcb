/* mprof-header.c -- the log and its program. */
#include "config.h"

#include "decoder/mlpd/analyses/helpers.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/views/mprof/mprof.h"

#include <time.h>

/* The local time of the start, as C's ctime prints it.  Its year has a place in `tm_year`, whatever
 * the number of milliseconds is. */
static void
put_start (const struct mprof_report *r, uint64_t start_ms)
{
  static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
  static const char *const months[]
      = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
  const time_t seconds = (time_t) (start_ms / 1000);
  struct tm parts;
  localtime_r (&seconds, &parts);
  g_string_append_printf (r->out, "\tProgram startup: %s %s %2d %02d:%02d:%02d %d\n",
                          days[parts.tm_wday], months[parts.tm_mon], parts.tm_mday, parts.tm_hour,
                          parts.tm_min, parts.tm_sec, 1900 + parts.tm_year);
}

static void
put_header (const struct mprof_report *r)
{
  const struct log *log = &r->s->log;
  const struct mlpd_file_header *header = &log->header;
  g_string_append (r->out, "\nMono log profiler data\n");
  g_string_append_printf (r->out, "\tProfiler version: %u.%u\n\tData version: %u\n", header->major,
                          header->minor, header->data_version);
  if (header->arguments.text != NULL) {
    g_string_append_printf (r->out, "\tArguments: %s\n", header->arguments.text);
    g_string_append_printf (r->out, "\tArchitecture: %s\n", log_architecture (header));
    g_string_append_printf (r->out, "\tOperating system: %s\n", log_operating_system (header));
  }
  g_string_append_printf (r->out, "\tMean timer overhead: %u nanoseconds\n",
                          (unsigned) header->timer_overhead_ns);
  put_start (r, header->start_ms);
  if (header->pid != 0)
    g_string_append_printf (r->out, "\tProgram ID: %u\n", (unsigned) header->pid);
  if (header->port != 0)
    g_string_append_printf (r->out, "\tServer listening on: %u\n", (unsigned) header->port);
}

const struct mprof_section mprof_section_header
    = { .name = "header", .is_usual = true, .put = put_header };

static void
put_jit (const struct mprof_report *r)
{
  const struct metadata *m = SUMMARY_STATE (r->s, metadata);
  const struct helper_sum *helpers = &SUMMARY_STATE (r->s, helpers)->all;
  g_string_append (r->out, "\nJIT summary\n");
  g_string_append_printf (r->out,
                          "\tCompiled methods: %" G_GUINT64_FORMAT
                          "\n\tGenerated code size: %" G_GUINT64_FORMAT "\n",
                          m->methods, m->code_bytes);
  g_string_append_printf (r->out,
                          "\tJIT helpers: %" G_GUINT64_FORMAT
                          "\n\tJIT helpers code size: %" G_GUINT64_FORMAT "\n",
                          helpers->count, helpers->bytes);
}

const struct mprof_section mprof_section_jit = { .name = "jit", .is_usual = true, .put = put_jit };
