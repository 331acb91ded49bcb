/* fuzz-ghc-report.c -- any bytes through all analyses of eventlogs and all sections of their
 * report, in one of its formats, which depends on the bytes. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include "tests/fuzz/fuzz.h"

static const enum emitter_format formats[]
    = { EMITTER_TEXT, EMITTER_JSON, EMITTER_CSV, EMITTER_MARKDOWN, EMITTER_HTML };

typedef void take_item (struct ghc_summary *summary, const struct ghc_item *item);

static void
read_log (const uint8_t *data, size_t size, struct ghc_summary *summary, take_item *take)
{
  const struct ghc_item *item;
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, data, size);
  ghc_reader_finish (reader);
  while (ghc_reader_next (reader, &item) == PROFLOG_EVENT)
    take (summary, item);
  ghc_reader_free (reader);
}

static void
take_ordered (struct ghc_summary *summary, const struct ghc_item *item)
{
  if (item->type == GHC_ITEM_EVENT || item->type == GHC_ITEM_HEADER)
    ghc_summary_ordered (summary, item);
}

static GPtrArray *
all_sections (void)
{
  GPtrArray *sections = g_ptr_array_new ();
  for (const struct section *const *s = ghc_report_sections; *s != NULL; s++)
    if (strcmp ((*s)->key, "timeline") != 0 && strcmp ((*s)->key, "series") != 0)
      g_ptr_array_add (sections, (gpointer) *s);
  return sections;
}

const unsigned fuzz_weight = 7;

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const struct ghc_times times = { 0, UINT64_MAX };
  static GPtrArray *sections;
  static GString *out;
  const uint64_t chosen = fuzz_mix_bytes (1, data, size);
  const bool is_exact = (chosen & 1) != 0;
  if (sections == NULL) {
    sections = all_sections ();
    out = g_string_new (NULL);
  }
  const struct view view = { .limit = is_exact ? 0 : 3,
                             .verbose = is_exact,
                             .is_raw = is_exact,
                             .has_clock = (chosen & 2) != 0,
                             .sections = sections };
  struct ghc_summary summary;
  ghc_summary_init (&summary, &times, sections_features (&view, ghc_report_sections));
  read_log (data, size, &summary, ghc_summary_item);
  read_log (data, size, &summary, take_ordered);
  ghc_summary_finish (&summary);
  struct emitter *e = emitter_new (formats[(chosen >> 32) % G_N_ELEMENTS (formats)], out);
  sections_write_eventlog (e, REPORT_SCHEMA, "a.eventlog", &summary, &view, ghc_report_sections);
  emitter_free (e);
  ghc_summary_clear (&summary);
  if (!g_utf8_validate (out->str, (gssize) out->len, NULL))
    g_error ("the report is not UTF-8");
  g_string_truncate (out, 0);
  return 0;
}
