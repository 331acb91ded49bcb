/* fuzz-mlpd-report.c -- any bytes through all analyses of Mono logs and all sections of their
 * report, in one of its formats.  The options and the format depend on the bytes. */
#include "config.h"

#include "decoder/views/mlpd/report.h"
#include "tests/fuzz/fuzz-summary.h"
#include "tests/fuzz/fuzz.h"

static const enum emitter_format formats[]
    = { EMITTER_TEXT, EMITTER_JSON, EMITTER_CSV, EMITTER_MARKDOWN, EMITTER_HTML };

/* Every section that needs nothing but the summary. */
static GPtrArray *
all_sections (void)
{
  GPtrArray *sections = g_ptr_array_new ();
  for (const struct section *const *s = report_sections; *s != NULL; s++)
    if (strcmp ((*s)->key, "timeline") != 0 && strcmp ((*s)->key, "series") != 0)
      g_ptr_array_add (sections, (gpointer) *s);
  return sections;
}

const unsigned fuzz_weight = 13;

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static GPtrArray *sections;
  static GString *out;
  const uint64_t chosen = fuzz_mix_bytes (1, data, size);
  const bool is_exact = (chosen & 1) != 0;
  const struct scan_options options = { .traces = (chosen & 2) != 0,
                                        .alloc_groups = (chosen & 4) != 0,
                                        .callers = (chosen & 8) != 0,
                                        .call_times = (chosen & 16) != 0,
                                        .replay_calls = (chosen & 32) != 0,
                                        .types = (chosen & 64) != 0 };
  if (sections == NULL) {
    sections = all_sections ();
    out = g_string_new (NULL);
  }
  const struct view view = { .limit = is_exact ? 0 : 3,
                             .traces = options.traces,
                             .verbose = is_exact,
                             .is_raw = is_exact,
                             .has_clock = (chosen & 128) != 0,
                             .sections = sections };
  struct summary summary;
  summary_init (&summary, &options);
  fuzz_summarize (data, size, &summary);
  struct emitter *e = emitter_new (formats[(chosen >> 32) % G_N_ELEMENTS (formats)], out);
  sections_write (e, REPORT_SCHEMA, "a.mlpd", &summary, &view, report_sections);
  emitter_free (e);
  summary_clear (&summary);
  if (!g_utf8_validate (out->str, (gssize) out->len, NULL))
    g_error ("the report is not UTF-8");
  g_string_truncate (out, 0);
  return 0;
}
