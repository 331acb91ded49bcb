/* ghc-records.c -- packs events, and unpacks them in order. */
#include "config.h"

#include "decoder/ghc/ghc-records.h"
#include <string.h>

struct record {
  uint64_t time, offset;
  uint32_t size; /* of the event in the log */
  uint16_t cap, kind;
};

/* Bytes of the payload of each kind; 0: it may not be put down. */
#define SIZE(ID, id) [GHC_##ID] = sizeof (struct ghc_##id)
static const uint16_t sizes[GHC_KINDS] = {
  SIZE (CREATE_THREAD, create_thread),
  SIZE (RUN_THREAD, run_thread),
  SIZE (STOP_THREAD, stop_thread),
  SIZE (THREAD_WAKEUP, thread_wakeup),
  SIZE (MIGRATE_THREAD, migrate_thread),
  SIZE (THREAD_LABEL, thread_label),
  SIZE (CREATE_SPARK_THREAD, create_spark_thread),
  SIZE (RUN_SPARK, run_spark),
  SIZE (STEAL_SPARK, steal_spark),
  SIZE (SPARK_RUN, spark_run),
  SIZE (SPARK_STEAL, spark_steal),
  SIZE (TASK_CREATE, task_create),
  SIZE (TASK_MIGRATE, task_migrate),
  SIZE (TASK_DELETE, task_delete),
};

bool
ghc_records_can_hold (enum ghc_kind kind)
{
  return kind < GHC_KINDS && sizes[kind] != 0;
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
  append (records, &record, sizeof record);
  append (records, item->payload, sizes[item->kind]);
  if (item->kind == GHC_THREAD_LABEL)
    append (records, item->payload->thread_label.label.text,
            item->payload->thread_label.label.length);
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
    memcpy (&payload, at, sizes[record.kind]);
    at += padded (sizes[record.kind]);
    if (record.kind == GHC_THREAD_LABEL) {
      payload.thread_label.label.text = at;
      at += padded (payload.thread_label.label.length);
    }
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
