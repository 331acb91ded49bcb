/* report-content.c -- the contents of a log, and whether it is complete. */
#include "config.h"

#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/views/recording-cost.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

/* Truth only if it is known. */
static void
put_completeness (struct emitter *e, const struct log *log)
{
  static const char *const words[]
      = { [LOG_UNKNOWN] = "unknown", [LOG_COMPLETE] = "yes", [LOG_INCOMPLETE] = "no" };
  const enum log_completeness completeness = log_completeness (log);
  emitter_truth (e, "complete", NULL, completeness == LOG_COMPLETE);
  result_text (e, CONTENT_COMPLETENESS, words[completeness]);
}

/* As the section cpu of the report states it; without samples it is not known. */
static void
put_recording (const struct report *r)
{
  const bool is_known = recording_cost_is_known (r->s);
  g_autofree char *text = recording_cost_text (r->s);
  const struct emitter_any shown = { .type = EMIT_NS,
                                     .value.number = SUMMARY_STATE (r->s, samples)->recording_ns,
                                     .shown = text };
  result_put_known (r->e, CONTENT_RECORDING_NS, is_known, is_known,
                    (union emitter_value){ .any = &shown });
}

static void
put_content (const struct report *r)
{
  struct emitter *e = r->e;
  const struct summary *s = r->s;
  const struct metadata *metadata = SUMMARY_STATE (s, metadata);
  emitter_open (e, "content", "Content");
  result_number (e, CONTENT_THREADS, threads_with_events (&s->threads));
  result_number (e, CONTENT_HEAPSHOTS, SUMMARY_STATE (s, heapshots)->shots->len);
  result_number (e, CONTENT_THROWS, SUMMARY_STATE (s, exceptions)->throws);
  result_number (e, CONTENT_CLASSES, g_hash_table_size (metadata->classes));
  result_number (e, CONTENT_IMAGES, lifetimes_loaded (&SUMMARY_STATE (s, loaded)->images));
  result_number (e, CONTENT_COMPILED_METHODS, metadata->methods);
  put_recording (r);
  put_completeness (e, &s->log);
  emitter_close (e);
}

const struct section section_content = { .key = "content", .put = put_content };
