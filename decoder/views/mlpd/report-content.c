/* report-content.c -- how much of what a log has, and whether it is complete. */
#include "config.h"

#include "decoder/views/mlpd/report.h"

/* Truth only if it is known. */
static void
put_completeness (struct emitter *e, const struct log *log)
{
  static const char *const words[]
      = { [LOG_UNKNOWN] = "unknown", [LOG_COMPLETE] = "yes", [LOG_INCOMPLETE] = "no" };
  const enum log_completeness completeness = log_completeness (log);
  emitter_truth (e, "complete", NULL, completeness == LOG_COMPLETE);
  emitter_text (e, "completeness", "Complete", words[completeness]);
}

static void
put_content (const struct report *r)
{
  struct emitter *e = r->e;
  const struct summary *s = r->s;
  emitter_open (e, "content", "Content");
  emitter_number (e, "threads", "Threads", threads_with_events (&s->threads));
  emitter_number (e, "heapshots", "Heap snapshots", s->heapshots.shots->len);
  emitter_number (e, "throws", "Exceptions", s->exceptions.throws);
  emitter_number (e, "classes", "Classes", g_hash_table_size (s->metadata.classes));
  emitter_number (e, "images", "Images", lifetimes_loaded (&s->loaded.images));
  emitter_number (e, "compiled_methods", "Compiled methods", s->metadata.methods);
  put_completeness (e, &s->log);
  emitter_close (e);
}

const struct section section_content = { .key = "content", .put = put_content };
