/* export-perf-map.c -- a line for each method that was compiled: address and size of its code in
 * hexadecimal digits, and its name, as perf reads /tmp/perf-PID.map (tools/perf/Documentation,
 * jit-interface.txt). */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/output/emitter-values.h"

static void
write_code (const struct export_code *code, guint count, struct export_out *out)
{
  for (guint i = 0; i < count && !out->failed; i++) {
    g_autofree char *name = emitter_printable (code[i].name);
    g_string_append_printf (out->bytes, "%" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %s\n",
                            code[i].start, code[i].size, name);
    export_flush_much (out);
  }
  export_flush (out);
}

const struct export_format export_perf_map
    = { "perf-map", "names of compiled methods: perf, samply, Parca, bpftrace",
        .write_code = write_code };
