/* log-script.c -- writes Mono logs into memory, event by event. */
#include "config.h"

#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

void
script_begin (struct script *s)
{
  script_begin_version (s, 1);
}

/* From about data version 11 on headers have texts, here mostly empty ones, from 17 on another
 * time. */
static void
begin_later (struct script *s, const char *arguments)
{
  const struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .major = (uint8_t) (s->version >= 17 ? 3 : 2),
    .data_version = (uint8_t) s->version,
    .pointer_size = 8,
    .start_ms = 1278000000000,
    .arguments = { arguments, strlen (arguments) },
    .architecture.text = "",
    .operating_system.text = "",
  };
  guint8 bytes[256];
  const guint8 *end = mlpd_put_file_header (bytes, &header);
  g_byte_array_append (s->log, bytes, (guint) (end - bytes));
}

void
script_begin_version (struct script *s, unsigned version)
{
  *s = (struct script){ .log = g_byte_array_new (), .version = version };
  if (version > 12) {
    begin_later (s, "");
    return;
  }
  /* Linux on x86-64: ELFOSABI_LINUX is 3, EM_X86_64 is 62. */
  const struct mlpd_file_header header = {
    .id = MLPD_FILE_ID,
    .minor = 4,
    .data_version = (uint8_t) version,
    .pointer_size = 8,
    .start_ms = 1278000000000,
    .timer_overhead_ns = 25,
    .pid = 4711,
    .system = 3 << 8 | 62,
  };
  guint8 bytes[2 * MLPD_FILE_HEADER_SIZE]; /* compilers cannot see that there are no texts */
  mlpd_put_file_header (bytes, &header);
  g_byte_array_append (s->log, bytes, MLPD_FILE_HEADER_SIZE);
}

void
script_begin_with (struct script *s, unsigned version, const char *arguments)
{
  *s = (struct script){ .log = g_byte_array_new (), .version = version };
  begin_later (s, arguments);
}

static void
end_buffer (struct script *s)
{
  if (s->events == NULL)
    return;
  const struct mlpd_buffer_header header
      = mlpd_encoder_header (&s->encoder, s->thread, s->events->len);
  guint8 bytes[MLPD_BUFFER_HEADER_SIZE];
  mlpd_put_buffer_header (bytes, &header);
  g_byte_array_append (s->log, bytes, sizeof bytes);
  g_byte_array_append (s->log, s->events->data, s->events->len);
  g_byte_array_unref (s->events);
  s->events = NULL;
}

void
script_buffer (struct script *s, uint64_t thread, uint64_t time)
{
  end_buffer (s);
  s->thread = thread;
  s->events = g_byte_array_new ();
  mlpd_encoder_start (&s->encoder, s->version, time);
}

void
script_bytes (struct script *s, const void *bytes, guint length)
{
  g_byte_array_append (s->events, bytes, length);
}

void
script_event (struct script *s, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  guint8 *bytes = g_malloc (mlpd_bound_event (kind, payload));
  const guint8 *end = mlpd_put_event (&s->encoder, bytes, kind, payload);
  script_bytes (s, bytes, (guint) (end - bytes));
  g_free (bytes);
}

static struct mlpd_string
text (const char *t)
{
  return (struct mlpd_string){ t, strlen (t) };
}

#define EVENT(KIND, id, ...) script_event (s, KIND, &(union mlpd_payload){ .id = { __VA_ARGS__ } })

void
script_enter (struct script *s, uint64_t time, uint64_t method)
{
  EVENT (MLPD_METHOD_ENTER, method_enter, .time = time, .method = method);
}

void
script_leave (struct script *s, uint64_t time, uint64_t method)
{
  EVENT (MLPD_METHOD_LEAVE, method_leave, .time = time, .method = method);
}

void
script_exc_leave (struct script *s, uint64_t time, uint64_t method)
{
  EVENT (MLPD_METHOD_EXC_LEAVE, method_exc_leave, .time = time, .method = method);
}

void
script_jit (struct script *s, uint64_t time, uint64_t method, uint64_t code, uint64_t size,
            const char *name)
{
  EVENT (MLPD_METHOD_JIT, method_jit, .time = time, .method = method, .code = code, .size = size,
         .name = text (name));
}

void
script_class (struct script *s, uint64_t time, uint64_t klass, const char *name)
{
  EVENT (MLPD_METADATA_CLASS, metadata_class, .action = MLPD_LOAD_END_LOAD, .time = time,
         .klass = klass, .image = 0x1000, .name = text (name));
}

void
script_alloc (struct script *s, uint64_t time, uint64_t klass, uint64_t object, uint64_t size)
{
  EVENT (MLPD_ALLOC, alloc, .time = time, .klass = klass, .object = object, .size = size);
}

void
script_gc (struct script *s, uint64_t time, uint64_t event, uint64_t generation)
{
  EVENT (MLPD_GC_EVENT, gc_event, .time = time, .event = event, .generation = generation);
}

void
script_move (struct script *s, uint64_t time, uint64_t from, uint64_t to)
{
  const uint64_t objects[] = { from, to };
  EVENT (MLPD_GC_MOVE, gc_move, .time = time, .objects = { objects, 2 });
}

void
script_throw (struct script *s, uint64_t time, uint64_t object)
{
  EVENT (MLPD_EXCEPTION_THROW, exception_throw, .time = time, .object = object);
}

void
script_clause (struct script *s, uint64_t time, uint64_t type, uint64_t method)
{
  EVENT (MLPD_EXCEPTION_CLAUSE, exception_clause, .time = time, .clause_type = type,
         .method = method);
}

void
script_monitor (struct script *s, uint64_t time, uint64_t event, uint64_t object)
{
  EVENT (MLPD_MONITOR, monitor, .event = event, .time = time, .object = object);
}

void
script_hit (struct script *s, uint64_t time, uint64_t thread, uint64_t ip, const uint64_t *methods,
            size_t n)
{
  struct mlpd_frame frames[8] = { 0 };
  assert_true (n <= G_N_ELEMENTS (frames));
  for (size_t i = 0; i < n; i++)
    frames[i].method = methods[i];
  EVENT (MLPD_SAMPLE_HIT, sample_hit, .time = time, .thread = thread, .ips = { &ip, 1 },
         .frames = { frames, n });
}

void
script_usage (struct script *s, uint64_t time, uint64_t elapsed_ns, uint64_t cpu_ns)
{
  const struct mlpd_counter_value values[]
      = { { MLPD_SAMPLE_ELAPSED_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = elapsed_ns },
          { MLPD_SAMPLE_CPU_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = cpu_ns } };
  EVENT (MLPD_SAMPLE_COUNTERS, sample_counters, .time = time, .values = { values, 2 });
}

void
script_shot_start (struct script *s, uint64_t time)
{
  EVENT (MLPD_HEAP_START, heap_start, .time = time);
}

void
script_shot_end (struct script *s, uint64_t time)
{
  EVENT (MLPD_HEAP_END, heap_end, .time = time);
}

void
script_shot_object (struct script *s, uint64_t object, uint64_t klass, uint64_t size,
                    const uint64_t *references, size_t n_references)
{
  EVENT (MLPD_HEAP_OBJECT, heap_object, .object = object, .klass = klass, .size = size,
         .references = { .items = references,
                         .offsets = references, /* any will do */
                         .count = n_references });
}

GByteArray *
script_end (struct script *s)
{
  script_buffer (s, 0, 0); /* the end mark */
  end_buffer (s);
  return s->log;
}

static void
summarize (const guint8 *bytes, gsize length, struct summary *summary,
           const struct scan_options *options)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  enum proflog_result result;
  summary_init (summary, options);
  mlpd_reader_push (reader, bytes, length);
  while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT)
    summary_item (summary, item);
  assert_int_equal (result, PROFLOG_NEED_MORE);
  mlpd_reader_finish (reader);
  while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT)
    summary_item (summary, item);
  assert_int_equal (result, PROFLOG_END);
  mlpd_reader_free (reader);
  summary_finish (summary);
}

void
summarize_bytes (const guint8 *bytes, gsize length, struct summary *summary)
{
  summarize (bytes, length, summary, NULL);
}

void
script_summarize_with (struct script *s, struct summary *summary,
                       const struct scan_options *options)
{
  GByteArray *log = script_end (s);
  summarize (log->data, log->len, summary, options);
  g_byte_array_unref (log);
}

void
script_summarize (struct script *s, struct summary *summary)
{
  script_summarize_with (s, summary, NULL);
}

guint
symbol_of (const struct summary *summary, enum symbol_kind kind, uint64_t address)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (summary->symbols.current[kind], &address));
  assert_int_not_equal (found, 0);
  return found - 1;
}

uint64_t
hits_of_thread (const struct samples *samples, uint64_t number)
{
  const uint64_t *hits = g_hash_table_lookup (samples->threads, &number);
  return hits != NULL ? *hits : 0;
}
