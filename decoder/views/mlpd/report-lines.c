/* report-lines.c -- source lines, by the samples that hit them. */
#include "config.h"

#include "decoder/mlpd/analyses/lines.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"

static const struct emitter_column columns[] = { { "hits", "Hits", EMIT_NUMBER },
                                                 { NULL, "%", EMIT_SHARE },
                                                 SECTION_INTERVAL ("hits", "", EMIT_NUMBER),
                                                 { "total", "Total", EMIT_NUMBER },
                                                 SECTION_INTERVAL_RAW ("total", "", EMIT_NUMBER),
                                                 { "file", "File", EMIT_TEXT },
                                                 { "line", "Line", EMIT_NUMBER },
                                                 { "name", "Method", EMIT_TEXT } };
static const struct table_shape lines
    = { .key = "lines",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("hits", "total", "file", "line", "name"),
        .name = "name",
        .method = "name" };

static void
put_lines (const struct report *r)
{
  const struct lines *l = SUMMARY_STATE (r->s, lines);
  section_open (r, "lines",
                l->with_lines != 0
                    ? "Lines"
                    : "Lines (samples have them with 'proflog run --lines', of 'mcs -debug')",
                l->with_lines != 0);
  result_number (r->e, LINES_HITS, l->hits);
  result_number (r->e, LINES_WITH_LINES, l->with_lines);
  struct table *t = section_table (r, &lines);
  for (guint i = 0; i < l->all->len; i++) {
    const struct line_sum *sum = &g_array_index (l->all, struct line_sum, i);
    char *name = section_frame_name (r->s, sum->method);
    const double all = (double) l->hits;
    const struct section_interval own = section_interval (sum->hits, l->hits, all),
                                  total = section_interval (sum->total, l->hits, all);
    SECTION_ROW (t, { .number = sum->hits }, { .number = emitter_share (sum->hits, l->hits) },
                 SECTION_INTERVAL_CELLS (own), { .number = sum->total }, { .number = total.low },
                 { .number = total.high }, { .text = sum->file }, { .number = sum->line },
                 { .text = name });
    g_free (name);
  }
  table_write (t, r->e);
  emitter_close (r->e);
}

const struct section section_lines
    = { .key = "lines", .put = put_lines, .extra = true, .tables = SECTION_TABLES (&lines) };
