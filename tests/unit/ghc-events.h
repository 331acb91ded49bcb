/* ghc-events.h -- events for tests of analyses, without a log around them. */
#ifndef PROFLOG_TESTS_GHC_EVENTS_H
#define PROFLOG_TESTS_GHC_EVENTS_H

#include <proflog/ghc-reader.h>

/* An event of a capability, with its payload. */
#define GHC_EVENT_ITEM(the_cap, the_time, the_kind, ...)                                           \
  (&(const struct ghc_item){ .type = GHC_ITEM_EVENT,                                               \
                             .header = &(const struct ghc_header){ 0 },                            \
                             .time = (the_time),                                                   \
                             .cap = (the_cap),                                                     \
                             .kind = (the_kind),                                                   \
                             .payload = &(const union ghc_payload){ __VA_ARGS__ } })

#define CREATE(cap, time, id)                                                                      \
  GHC_EVENT_ITEM (cap, time, GHC_CREATE_THREAD, .create_thread = { .thread = (id) })
#define RUN(cap, time, id)                                                                         \
  GHC_EVENT_ITEM (cap, time, GHC_RUN_THREAD, .run_thread = { .thread = (id) })
#define STOP(cap, time, id, why)                                                                   \
  GHC_EVENT_ITEM (cap, time, GHC_STOP_THREAD,                                                      \
                  .stop_thread = { .thread = (id), .status = GHC_STOP_STATUS_##why })
#define STOP_INFO(cap, time, id, number, more)                                                     \
  GHC_EVENT_ITEM (cap, time, GHC_STOP_THREAD,                                                      \
                  .stop_thread = { .thread = (id), .status = (number), .info = (more) })
#define WAKE(cap, time, id, where)                                                                 \
  GHC_EVENT_ITEM (cap, time, GHC_THREAD_WAKEUP,                                                    \
                  .thread_wakeup = { .thread = (id), .other_cap = (where) })
#define MIGRATE(cap, time, id, where)                                                              \
  GHC_EVENT_ITEM (cap, time, GHC_MIGRATE_THREAD,                                                   \
                  .migrate_thread = { .thread = (id), .new_cap = (where) })
#define LABEL(cap, time, id, name)                                                                 \
  GHC_EVENT_ITEM (cap, time, GHC_THREAD_LABEL,                                                     \
                  .thread_label = { .thread = (id), .label = { (name), strlen (name) } })
#define CREATE_SPARK_THREAD(cap, time, id)                                                         \
  GHC_EVENT_ITEM (cap, time, GHC_CREATE_SPARK_THREAD,                                              \
                  .create_spark_thread = { .spark_thread = (id) })
#define SPARK_RUN(cap, time) GHC_EVENT_ITEM (cap, time, GHC_SPARK_RUN, .spark_run = { 0 })
#define SPARK_STEAL(cap, time, from)                                                               \
  GHC_EVENT_ITEM (cap, time, GHC_SPARK_STEAL, .spark_steal = { .victim_cap = (from) })
#define TASK_CREATE(time, id, where, system)                                                       \
  GHC_EVENT_ITEM (GHC_NO_CAP, time, GHC_TASK_CREATE,                                               \
                  .task_create = { .task = (id), .cap = (where), .os_thread = (system) })
#define TASK_MIGRATE(time, id, from, to)                                                           \
  GHC_EVENT_ITEM (GHC_NO_CAP, time, GHC_TASK_MIGRATE,                                              \
                  .task_migrate = { .task = (id), .cap = (from), .new_cap = (to) })
#define TASK_DELETE(time, id)                                                                      \
  GHC_EVENT_ITEM (GHC_NO_CAP, time, GHC_TASK_DELETE, .task_delete = { .task = (id) })

#define GHC_TEXT(string)                                                                           \
  {                                                                                                \
    (string), sizeof (string) - 1                                                                  \
  }
#define COST_CENTRE(number, name, of_module, where, is_caf)                                        \
  GHC_EVENT_ITEM (GHC_NO_CAP, 0, GHC_HEAP_PROF_COST_CENTRE,                                        \
                  .heap_prof_cost_centre = { .cost_centre = (number),                              \
                                             .label = GHC_TEXT (name),                             \
                                             .module = GHC_TEXT (of_module),                       \
                                             .location = GHC_TEXT (where),                         \
                                             .flags = (is_caf) })
#define HEAP_BEGIN(number, by)                                                                     \
  GHC_EVENT_ITEM (GHC_NO_CAP, 0, GHC_HEAP_PROF_BEGIN,                                              \
                  .heap_prof_begin = { .profile = (number),                                        \
                                       .period = 1000,                                             \
                                       .breakdown = GHC_BREAKDOWN_##by,                            \
                                       .module = GHC_TEXT ("M"),                                   \
                                       .closure_description = GHC_TEXT (""),                       \
                                       .type_description = GHC_TEXT (""),                          \
                                       .cost_centre = GHC_TEXT (""),                               \
                                       .cost_centre_stack = GHC_TEXT (""),                         \
                                       .retainer = GHC_TEXT (""),                                  \
                                       .biography = GHC_TEXT ("") })
#define SAMPLE_BEGIN(time, number)                                                                 \
  GHC_EVENT_ITEM (GHC_NO_CAP, time, GHC_HEAP_PROF_SAMPLE_BEGIN,                                    \
                  .heap_prof_sample_begin = { .era = (number) })
#define BIO_SAMPLE_BEGIN(time, number, at)                                                         \
  GHC_EVENT_ITEM (GHC_NO_CAP, time, GHC_HEAP_BIO_PROF_SAMPLE_BEGIN,                                \
                  .heap_bio_prof_sample_begin = { .era = (number), .sampled_at = (at) })
#define SAMPLE_END(time, number)                                                                   \
  GHC_EVENT_ITEM (GHC_NO_CAP, time, GHC_HEAP_PROF_SAMPLE_END,                                      \
                  .heap_prof_sample_end = { .era = (number) })
#define SAMPLE(name, bytes)                                                                        \
  GHC_EVENT_ITEM (GHC_NO_CAP, 0, GHC_HEAP_PROF_SAMPLE_STRING,                                      \
                  .heap_prof_sample_string = { .residency = (bytes), .label = GHC_TEXT (name) })
/* The stack, innermost first. */
#define SAMPLE_STACK(bytes, ...)                                                                   \
  GHC_EVENT_ITEM (GHC_NO_CAP, 0, GHC_HEAP_PROF_SAMPLE_COST_CENTRE,                                 \
                  .heap_prof_sample_cost_centre                                                    \
                  = { .residency = (bytes),                                                        \
                      .stack = { { __VA_ARGS__ },                                                  \
                                 sizeof ((uint32_t[]){ __VA_ARGS__ }) / sizeof (uint32_t) } })
#define IPE(table, name, type, of, in, where)                                                      \
  GHC_EVENT_ITEM (GHC_NO_CAP, 0, GHC_IPE,                                                          \
                  .ipe = { .info_table = (table),                                                  \
                           .table_name = GHC_TEXT (name),                                          \
                           .closure_description = GHC_TEXT ("15"),                                 \
                           .type_description = GHC_TEXT (type),                                    \
                           .label = GHC_TEXT (of),                                                 \
                           .module = GHC_TEXT (in),                                                \
                           .location = GHC_TEXT (where) })
#define PROF_BEGIN(interval)                                                                       \
  GHC_EVENT_ITEM (GHC_NO_CAP, 0, GHC_PROF_BEGIN, .prof_begin = { .tick_interval = (interval) })
#define TICK(the_time, on_cap, ...)                                                                \
  GHC_EVENT_ITEM (GHC_NO_CAP, the_time, GHC_PROF_SAMPLE_COST_CENTRE,                               \
                  .prof_sample_cost_centre                                                         \
                  = { .cap = (on_cap),                                                             \
                      .stack = { { __VA_ARGS__ },                                                  \
                                 sizeof ((uint32_t[]){ __VA_ARGS__ }) / sizeof (uint32_t) } })

#endif
