/* ghc-report-log.c -- an eventlog as such: header, sizes, damage, events by kind, threads. */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/views/section-parts.h"
#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/result.h"

/* When the runtime's clock began, by the first clock that was reported. */
static void
put_start (struct emitter *e, const struct ghc_capset *clock)
{
  const bool is_recorded = clock != NULL && clock->wall_clock >= clock->wall_clock_at;
  const uint64_t ns = is_recorded ? clock->wall_clock - clock->wall_clock_at : 0;
  GDateTime *start
      = is_recorded ? g_date_time_new_from_unix_utc ((gint64) (ns / 1000000000)) : NULL;
  char *text = start != NULL ? g_date_time_format (start, "%Y-%m-%d %H:%M:%S UTC") : NULL;
  result_put_known (e, LOG_START_TIME, true, is_recorded,
                    (union emitter_value){ .number = ns / 1000000 });
  result_text_if (e, LOG_START_TIME_TEXT, text != NULL, text);
  g_free (text);
  if (start != NULL)
    g_date_time_unref (start);
}

/* The process, where there is one only. */
static const struct ghc_capset *
only_process (const struct ghc_summary *s)
{
  GPtrArray *all = ghc_processes_list (&s->processes);
  const struct ghc_capset *one = all->len == 1 ? g_ptr_array_index (all, 0) : NULL;
  g_ptr_array_unref (all);
  return one;
}

static const char *
runtime_of (const struct ghc_summary *s)
{
  const char *found = NULL;
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, s->processes.capsets);
  while (g_hash_table_iter_next (&i, NULL, &value)) {
    const struct ghc_capset *c = value;
    if (c->runtime != NULL && (found == NULL || g_strcmp0 (c->runtime, found) < 0))
      found = c->runtime;
  }
  return found;
}

static void
put_log (const struct report *r)
{
  struct emitter *e = r->e;
  const struct ghc_log *log = &r->ghc->log;
  const struct ghc_capset *process = only_process (r->ghc);
  const char *runtime = runtime_of (r->ghc);
  const char *arguments = process != NULL ? process->arguments : NULL;
  const bool has_pid = process != NULL && process->has_pid;
  emitter_open (e, "log", "Log");
  result_text (e, LOG_NAME, r->log_name);
  result_text (e, LOG_FORMAT, "ghc-eventlog");
  result_text_if (e, LOG_RUNTIME, runtime != NULL, runtime);
  result_put_known (e, LOG_PID, has_pid, has_pid,
                    (union emitter_value){ .number = has_pid ? process->pid : 0 });
  put_start (e, ghc_processes_clock (&r->ghc->processes));
  result_text_if (e, LOG_ARGUMENTS, arguments != NULL, arguments);
  result_number (e, LOG_DURATION_NS, log->has_time ? log->last - log->first : 0);
  if (log->limit != NULL)
    result_text (e, LOG_LIMIT, log->limit);
  result_number (e, LOG_BYTES, log->bytes);
  result_number_if (e, LOG_HEADERS, log->headers > 1, log->headers);
  result_number (e, LOG_EVENT_TYPES, log->types);
  result_number (e, LOG_BLOCKS, log->blocks);
  result_number (e, LOG_EVENTS, log->events);
  emitter_close (e);
}

const struct section ghc_section_log = { .key = "log", .alias = "header", .put = put_log };

static void
put_damage (const struct report *r)
{
  const struct ghc_log *log = &r->ghc->log;
  section_put_damage (r, &(const struct report_damage){ log->damages, log->truncated,
                                                        log->missing_bytes, log->skipped_bytes,
                                                        log->lost_events, log->messages, NULL });
}

const struct section ghc_section_damage = { .key = "damage", .put = put_damage };

static uint64_t
events_of (const struct ghc_summary *s, enum ghc_kind kind)
{
  return s->log.tags[ghc_describe (kind)->tag].events;
}

static uint64_t
call_stacks_of (const struct ghc_time_profile *p)
{
  return p->has_call_stacks ? p->samples : p->others;
}

static void
put_content (const struct report *r)
{
  struct emitter *e = r->e;
  const struct ghc_summary *s = r->ghc;
  struct ghc_figures f;
  GPtrArray *processes = ghc_processes_list (&s->processes);
  GPtrArray *threads = ghc_thread_table_all (&s->thread_table);
  ghc_figures_init (&f, s, NULL);
  emitter_open (e, "content", "Content");
  result_number (e, CONTENT_PROCESSES, processes->len);
  result_number (e, CONTENT_CAPS, f.caps);
  result_number (e, CONTENT_THREADS, threads->len);
  result_number_if (e, CONTENT_TASKS, f.has_tasks, f.tasks);
  result_number (e, CONTENT_COLLECTIONS, f.all.collections);
  result_number (e, CONTENT_HEAP_SAMPLES,
                 events_of (s, GHC_HEAP_PROF_SAMPLE_BEGIN)
                     + events_of (s, GHC_HEAP_BIO_PROF_SAMPLE_BEGIN));
  result_number (e, CONTENT_TIME_SAMPLES,
                 events_of (s, GHC_PROF_SAMPLE_COST_CENTRE) + call_stacks_of (&s->time_profile));
  result_number (e, CONTENT_MESSAGES,
                 events_of (s, GHC_LOG_MSG) + events_of (s, GHC_USER_MSG)
                     + events_of (s, GHC_USER_MARKER));
  result_number (e, CONTENT_BINARY_MESSAGES, events_of (s, GHC_USER_BINARY_MSG));
  /* One that is still being written has neither. */
  const bool is_complete = s->log.damages == 0 && s->log.ends != 0;
  emitter_truth (e, "complete", NULL, is_complete);
  result_text (e, CONTENT_COMPLETENESS, is_complete ? "yes" : "no");
  emitter_close (e);
  ghc_figures_clear (&f);
  g_ptr_array_unref (processes);
  g_ptr_array_unref (threads);
}

const struct section ghc_section_content
    = { .key = "content",
        .put = put_content,
        .features = GHC_FEATURE_THREAD_TABLE | GHC_FEATURE_CALL_STACKS };

static const struct emitter_column kind_columns[] = {
  { "events", "Events", EMIT_NUMBER }, { "bytes", "Bytes", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },           { "tag", "Tag", EMIT_NUMBER },
  { "known", NULL, EMIT_NUMBER },      { "kind", "Kind", EMIT_TEXT },
};
static const struct table_shape kinds_shape
    = { .key = "kinds", .title = "Events", TABLE_SHAPE_COLUMNS (kind_columns), .whole = true };

static void
put_kinds (const struct report *r)
{
  const struct ghc_log *log = &r->ghc->log;
  struct table *t = section_table (r, &kinds_shape);
  for (unsigned tag = 0; tag < GHC_DATA_END; tag++)
    if (log->tags[tag].events != 0)
      SECTION_ROW (t, { .number = log->tags[tag].events }, { .number = log->tags[tag].bytes },
                   { .number = emitter_share (log->tags[tag].bytes, log->bytes) },
                   { .number = tag }, { .number = ghc_kind_of_tag ((uint16_t) tag) != GHC_UNKNOWN },
                   { .text = ghc_log_tag_name (log, tag) });
  table_write (t, r->e);
}

#define KINDS                                                                                      \
  .key = "kinds", .alias = "stats", .put = put_kinds, .tables = SECTION_TABLES (&kinds_shape)

const struct section ghc_section_kinds = { KINDS };
const struct section ghc_section_stats = { KINDS, .extra = true };

static const struct emitter_column thread_columns[] = { { "id", "Thread", EMIT_NUMBER },
                                                        { "start_ns", "First event ms", EMIT_NS },
                                                        { "end_ns", "Last event ms", EMIT_NS },
                                                        { "events", "Events", EMIT_NUMBER },
                                                        { "label", "Label", EMIT_TEXT } };
static const struct table_shape threads_shape = { .key = "threads",
                                                  .title = "Threads",
                                                  TABLE_SHAPE_COLUMNS (thread_columns),
                                                  .order = TABLE_KEYS ("events", "id"),
                                                  .name = "label" };

static void
put_threads (const struct report *r)
{
  struct table *t = section_table (r, &threads_shape);
  GPtrArray *all = ghc_thread_table_all (&r->ghc->thread_table);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_lifetime *lifetime = g_ptr_array_index (all, i);
    if (r->view->selection != NULL
        && !selection_has_thread (r->view->selection, lifetime->id, lifetime->labels))
      continue;
    SECTION_ROW (t, { .number = lifetime->id }, { .number = lifetime->start },
                 { .number = lifetime->end }, { .number = lifetime->events },
                 { .text = lifetime->label });
  }
  g_ptr_array_unref (all);
  table_write (t, r->e);
}

const struct section ghc_section_threads = { .key = "threads",
                                             .alias = "thread",
                                             .put = put_threads,
                                             .tables = SECTION_TABLES (&threads_shape),
                                             .features = GHC_FEATURE_THREAD_TABLE };
