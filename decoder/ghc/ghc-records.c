/* ghc-records.c -- packs events, and unpacks them in order. */
#include "config.h"

#include "decoder/ghc/ghc-records.h"
#include <stddef.h>
#include <string.h>

struct record {
  uint64_t time, offset;
  uint32_t size; /* of the event in the log */
  uint16_t cap, kind;
};

enum use {
  FOR_THREADS = 1,
  FOR_TRACES = 2,
  FOR_BOTH = 3,
  FOR_COLLECTIONS = 4, /* which need others, too */
};

#define TEXTS_MAX 3

/* Of each kind: uses (0: it may not be put down), bytes of the payload, places of its texts in
 * that; 0: there are no more. */
struct form {
  uint16_t uses, size, texts[TEXTS_MAX];
};
#define FORM(ID, id, uses) [GHC_##ID] = { uses, sizeof (struct ghc_##id), { 0 } }
#define TEXT_FORM(ID, id, field, uses)                                                             \
  [GHC_##ID] = { uses, sizeof (struct ghc_##id), { offsetof (struct ghc_##id, field) } }
static const struct form forms[GHC_KINDS] = {
  FORM (CREATE_THREAD, create_thread, FOR_BOTH),
  FORM (RUN_THREAD, run_thread, FOR_BOTH),
  FORM (STOP_THREAD, stop_thread, FOR_BOTH),
  FORM (THREAD_WAKEUP, thread_wakeup, FOR_THREADS),
  FORM (MIGRATE_THREAD, migrate_thread, FOR_THREADS),
  TEXT_FORM (THREAD_LABEL, thread_label, label, FOR_BOTH),
  FORM (CREATE_SPARK_THREAD, create_spark_thread, FOR_THREADS),
  FORM (RUN_SPARK, run_spark, FOR_THREADS),
  FORM (STEAL_SPARK, steal_spark, FOR_THREADS),
  FORM (SPARK_RUN, spark_run, FOR_THREADS),
  FORM (SPARK_STEAL, spark_steal, FOR_THREADS),
  FORM (TASK_CREATE, task_create, FOR_THREADS),
  FORM (TASK_MIGRATE, task_migrate, FOR_THREADS),
  FORM (TASK_DELETE, task_delete, FOR_THREADS),
  FORM (GC_START, gc_start, FOR_TRACES),
  FORM (GC_END, gc_end, FOR_TRACES),
  FORM (GC_GLOBAL_SYNC, gc_global_sync, FOR_TRACES),
  FORM (GC_STATS_GHC, gc_stats_ghc, FOR_COLLECTIONS),
  FORM (REQUEST_SEQ_GC, request_seq_gc, FOR_COLLECTIONS),
  FORM (REQUEST_PAR_GC, request_par_gc, FOR_COLLECTIONS),
  FORM (CAPSET_CREATE, capset_create, FOR_COLLECTIONS),
  FORM (CAPSET_ASSIGN_CAP, capset_assign_cap, FOR_COLLECTIONS),
  FORM (HEAP_ALLOCATED, heap_allocated, FOR_TRACES),
  FORM (HEAP_SIZE, heap_size, FOR_TRACES),
  FORM (HEAP_LIVE, heap_live, FOR_TRACES),
  FORM (SPARK_COUNTERS, spark_counters, FOR_TRACES),
  TEXT_FORM (LOG_MSG, log_msg, message, FOR_TRACES),
  TEXT_FORM (USER_MSG, user_msg, message, FOR_TRACES),
  TEXT_FORM (USER_MARKER, user_marker, marker, FOR_TRACES),
  [GHC_HEAP_PROF_COST_CENTRE] = { FOR_TRACES,
                                  sizeof (struct ghc_heap_prof_cost_centre),
                                  { offsetof (struct ghc_heap_prof_cost_centre, label),
                                    offsetof (struct ghc_heap_prof_cost_centre, module),
                                    offsetof (struct ghc_heap_prof_cost_centre, location) } },
  FORM (PROF_SAMPLE_COST_CENTRE, prof_sample_cost_centre, FOR_TRACES),
};

bool
ghc_records_can_hold (enum ghc_kind kind)
{
  return kind < GHC_KINDS && (forms[kind].uses & FOR_THREADS) != 0;
}

bool
ghc_records_can_trace (enum ghc_kind kind)
{
  return kind < GHC_KINDS && (forms[kind].uses & FOR_TRACES) != 0;
}

/* Records begin at multiples of this. */
static size_t
padded (size_t size)
{
  return (size + sizeof (uint64_t) - 1) / sizeof (uint64_t) * sizeof (uint64_t);
}

static void
append (GString *records, const void *bytes, size_t size)
{
  static const char zeros[sizeof (uint64_t)] = { 0 };
  g_string_append_len (records, bytes, (gssize) size);
  g_string_append_len (records, zeros, (gssize) (padded (size) - size));
}

void
ghc_records_put (GString *records, const struct ghc_item *item)
{
  const struct record record = { .time = item->time,
                                 .offset = item->offset,
                                 .size = (uint32_t) item->size,
                                 .cap = (uint16_t) item->cap,
                                 .kind = (uint16_t) item->kind };
  const struct form *form = &forms[item->kind];
  append (records, &record, sizeof record);
  append (records, item->payload, form->size);
  for (size_t i = 0; i < TEXTS_MAX && form->texts[i] != 0; i++) {
    struct ghc_text text;
    memcpy (&text, (const char *) item->payload + form->texts[i], sizeof text);
    append (records, text.text, text.length);
  }
}

/* Lets the payload refer to what follows it; returns the end of that. */
static const char *
restore_texts (union ghc_payload *payload, const struct form *form, const char *at)
{
  for (size_t i = 0; i < TEXTS_MAX && form->texts[i] != 0; i++) {
    struct ghc_text *text = (struct ghc_text *) (void *) ((char *) payload + form->texts[i]);
    text->text = at;
    at += padded (text->length);
  }
  return at;
}

bool
ghc_records_each (const GString *records, const struct ghc_header *header,
                  bool (*take) (void *data, const struct ghc_item *item), void *data)
{
  union ghc_payload payload;
  struct ghc_item item = { .type = GHC_ITEM_EVENT, .header = header, .payload = &payload };
  for (const char *at = records->str, *end = at + records->len; at < end;) {
    struct record record;
    memcpy (&record, at, sizeof record);
    at += padded (sizeof record);
    const struct form *form = &forms[record.kind];
    memcpy (&payload, at, form->size);
    at += padded (form->size);
    at = restore_texts (&payload, form, at);
    item.time = record.time;
    item.offset = record.offset;
    item.size = record.size;
    item.cap = record.cap;
    item.kind = record.kind;
    if (!take (data, &item))
      return false;
  }
  return true;
}
