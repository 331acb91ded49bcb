/* mono-show.c -- expands mono-show.def to lines:
 *
 * TIME THREAD ["NAME"]: WORDS        time in seconds from the first buffer
 */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include "decoder/mlpd/mlpd-contents.h"
#include "decoder/views/mlpd/dump-private.h"
#include "decoder/views/mlpd/mono-show.h"
#include <string.h>

/* No class was announced by the event before. */
#define NO_MARK UINT64_MAX

struct shown {
  struct mono_show *show;
  const struct mlpd_item *item;
  struct thread *thread; /* of the event */
  GString *out;
};

/* ---- texts ---- */

#define PUT(s, text) g_string_append_len ((s)->out, text, sizeof text - 1)

static void
put_quoted (const struct shown *s, const char *text)
{
  emitter_append_json_string (s->out, text, strlen (text));
}

/* Without quotes, but characters that could act on a terminal are escaped likewise. */
static void
put_name (const struct shown *s, const char *name)
{
  const gsize begin = s->out->len;
  put_quoted (s, name);
  g_string_truncate (s->out, s->out->len - 1);
  g_string_erase (s->out, (gssize) begin, 1);
}

static void
put_text_if (const struct shown *s, const char *before, struct mlpd_string text)
{
  if (text.text == NULL || text.length == 0)
    return;
  g_string_append (s->out, before);
  put_quoted (s, text.text);
}

/* "1 object", "2 objects" */
static void
put_count (const struct shown *s, uint64_t number, const char *thing)
{
  emitter_append_decimal (s->out, number);
  g_string_append_c (s->out, ' ');
  g_string_append (s->out, thing);
  if (number != 1)
    g_string_append_c (s->out, 's');
}

/* The name of an address, or its kind and number. */
static void
put_named (const struct shown *s, const char *what, enum mlpd_unit unit, uint64_t address)
{
  const char *name = dump_name (&s->show->dump.names, unit, address);
  if (name != NULL) {
    put_name (s, name);
    return;
  }
  g_string_append (s->out, what);
  emitter_append_address (s->out, address);
}

static void
put_type (const struct shown *s, uint64_t klass, uint64_t vtable)
{
  if (s->item->header->data_version >= MLPD_VERSION_VTABLES)
    put_named (s, "an object of vtable ", MLPD_UNIT_VTABLE, vtable);
  else
    put_named (s, "an object of class ", MLPD_UNIT_CLASS, klass);
}

/* Outermost frame first. */
static void
put_frame (const struct shown *s, struct mlpd_list backtrace)
{
  if (backtrace.count == 0)
    return;
  PUT (s, ", in ");
  put_named (s, "method ", MLPD_UNIT_METHOD, backtrace.items[backtrace.count - 1]);
  if (backtrace.count > 1)
    g_string_append_printf (s->out, " (%" G_GSIZE_FORMAT " frames)", backtrace.count);
}

static void
put_marked (const struct shown *s, uint64_t time)
{
  const struct symbols *symbols = &s->show->dump.names.symbols;
  if (s->thread->mark_time != time) {
    PUT (s, "an object");
    return;
  }
  g_autofree char *name = symbols_name (symbols, SYMBOL_CLASS, s->thread->mark_class);
  put_name (s, name);
}

static void
put_thread (const struct shown *s, const struct thread *thread)
{
  emitter_append_address (s->out, thread->id);
  if (thread->name == NULL)
    return;
  g_string_append_c (s->out, ' ');
  put_quoted (s, thread->name);
}

/* ---- values with names ---- */

/* The unit of WORDS of threads. */
enum { MLPD_UNIT_THREAD_LOAD = MLPD_UNIT_SYNC_TYPE + 1 };

#define WORDS_UNIT_GC_EVENT MLPD_UNIT_GC_EVENT
#define WORDS_UNIT_LOAD MLPD_UNIT_LOAD
#define WORDS_UNIT_THREAD MLPD_UNIT_THREAD_LOAD
#define WORDS_UNIT_MONITOR_EVENT MLPD_UNIT_MONITOR_EVENT
#define WORDS_UNIT_HANDLE_TYPE MLPD_UNIT_HANDLE_TYPE
#define WORDS_UNIT_CLAUSE_TYPE MLPD_UNIT_CLAUSE_TYPE
#define WORDS_UNIT_ROOT_SOURCE MLPD_UNIT_ROOT_SOURCE
#define WORDS_UNIT_HELPER_TYPE MLPD_UNIT_HELPER_TYPE
#define WORDS_UNIT_SYNC_TYPE MLPD_UNIT_SYNC_TYPE

#define MLPD_THREAD_NAME MLPD_LOAD_NAME
#define MLPD_THREAD_START_LOAD MLPD_LOAD_START_LOAD
#define MLPD_THREAD_END_LOAD MLPD_LOAD_END_LOAD
#define MLPD_THREAD_START_UNLOAD MLPD_LOAD_START_UNLOAD
#define MLPD_THREAD_END_UNLOAD MLPD_LOAD_END_UNLOAD
#define MLPD_THREAD_ERROR MLPD_LOAD_ERROR
#define MLPD_THREAD_END_LOAD_ERROR MLPD_LOAD_END_LOAD_ERROR

static const struct {
  int unit;
  uint64_t value;
  const char *words;
} all_words[] = {
#define WORDS(unit, NAME, text) { WORDS_UNIT_##unit, MLPD_##unit##_##NAME, text },
#include "decoder/views/mlpd/mono-show.def"
};

static void
put_value (const struct shown *s, int unit, uint64_t value)
{
  for (size_t i = 0; i < G_N_ELEMENTS (all_words); i++)
    if (all_words[i].unit == unit && all_words[i].value == value) {
      g_string_append (s->out, all_words[i].words);
      return;
    }
  const enum mlpd_unit named
      = unit == MLPD_UNIT_THREAD_LOAD ? MLPD_UNIT_LOAD : (enum mlpd_unit) unit;
  const char *name = mlpd_value_name (named, value);
  if (name != NULL)
    g_string_append (s->out, name);
  else
    emitter_append_decimal (s->out, value);
}

/* ---- samples, counters ---- */

static void
put_hit (const struct shown *s, const struct mlpd_sample_hit *hit)
{
  if (s->item->header->data_version >= MLPD_VERSION_SAMPLED_THREADS) {
    PUT (s, "thread ");
    put_thread (s, threads_get (&s->show->dump.threads, hit->thread));
    PUT (s, " in ");
  } else {
    PUT (s, "in ");
  }
  if (hit->frames.count != 0)
    put_named (s, "method ", MLPD_UNIT_METHOD, hit->frames.items[0].method);
  else
    PUT (s, "native code");
  if (hit->ips.count != 0) {
    PUT (s, ", at ");
    emitter_append_address (s->out, hit->ips.items[0]);
  }
  if (hit->frames.count > 1)
    g_string_append_printf (s->out, " (%" G_GSIZE_FORMAT " frames)", hit->frames.count);
}

static void
put_counter_name (const struct shown *s, uint64_t index)
{
  const struct counter *c = g_hash_table_lookup (s->show->counters.current, &index);
  if (c != NULL && c->name != NULL)
    put_quoted (s, c->name);
  else
    g_string_append_printf (s->out, "number %" G_GUINT64_FORMAT, index);
}

static void
put_counters (const struct shown *s, struct mlpd_counters counters)
{
  put_count (s, counters.count, "counter");
  for (size_t i = 0; i < counters.count; i++) {
    g_string_append (s->out, i == 0 ? ": " : ", ");
    put_quoted (s, counters.items[i].name.text);
  }
}

static void
put_whole (const struct shown *s, const struct counter *c, union counter_value value)
{
  const uint64_t ns = counter_ns (c), scale = ns != 0 ? ns : 1;
  const bool is_negative = counter_kind_of (c) == COUNTER_SIGNED && value.change < 0;
  if (is_negative)
    g_string_append_c (s->out, '-');
  emitter_append_decimal (s->out, scale * (is_negative ? -value.number : value.number));
  if (ns != 0)
    PUT (s, " ns");
  else if (c->unit == MLPD_COUNTER_UNIT_BYTES)
    PUT (s, " bytes");
}

/* The value that the counter has now. */
static void
put_counter_value (const struct shown *s, const struct counter *c)
{
  const union counter_value value = c->last.value;
  char *real;
  switch (counter_kind_of (c)) {
  case COUNTER_DOUBLE:
    real = emitter_real_text (value.real);
    g_string_append (s->out, real != NULL ? real : "no number");
    g_free (real);
    break;
  case COUNTER_TEXT:
    put_quoted (s, value.text != NULL ? value.text : "");
    break;
  default:
    put_whole (s, c, value);
    break;
  }
}

static bool
put_mark (const struct shown *s, const struct counter *c)
{
  if (c->section != MLPD_COUNTER_SECTION_PROFILER || c->name == NULL
      || !g_str_has_prefix (c->name, MLPD_MARK))
    return false;
  PUT (s, "mark ");
  put_quoted (s, c->name + strlen (MLPD_MARK));
  return true;
}

static void
put_usage (const struct shown *s, const struct mlpd_sample_usage *usage)
{
  g_string_append_printf (s->out,
                          "sampled thread ran %" G_GUINT64_FORMAT " ns of %" G_GUINT64_FORMAT " ns",
                          usage->cpu_ns, usage->elapsed_ns);
  put_text_if (s, ", lines ", usage->lines);
}

/* Contents of strings and collections; there are many. */
static void
put_contents (const struct shown *s, const struct mlpd_counter_values *values)
{
  uint64_t objects = 0;
  for (size_t i = 0; i < values->count; i++)
    objects += values->items[i].index == MLPD_CONTENTS_INDEX;
  PUT (s, "contents of ");
  put_count (s, objects, "object");
}

static void
put_values (const struct shown *s, const struct mlpd_sample_counters *event)
{
  struct mlpd_sample_usage usage;
  if (mlpd_sample_usage_of (s->item->kind, s->item->payload, &usage)) {
    put_usage (s, &usage);
    return;
  }
  if (mlpd_are_contents (&event->values)) {
    put_contents (s, &event->values);
    return;
  }
  if (event->values.count == 0)
    PUT (s, "no counter changed");
  for (size_t i = 0; i < event->values.count; i++) {
    const uint64_t index = event->values.items[i].index;
    const struct counter *c = g_hash_table_lookup (s->show->counters.current, &index);
    g_string_append (s->out, i == 0 ? "" : ", ");
    if (c != NULL && put_mark (s, c))
      continue;
    PUT (s, "counter ");
    put_counter_name (s, index);
    if (c != NULL) {
      PUT (s, " is ");
      put_counter_value (s, c);
    }
  }
}

/* ---- events ---- */

#define TEXT(text) PUT (s, text);
#define NUMBER(field) emitter_append_decimal (s->out, e->field);
#define COUNT(number, thing) put_count (s, number, thing);
#define ADDRESS(field) emitter_append_address (s->out, e->field);
#define QUOTED(field) put_quoted (s, e->field.text);
#define TEXT_IF(before, field) put_text_if (s, before, e->field);
#define METHOD(field) put_named (s, "method ", MLPD_UNIT_METHOD, e->field);
#define CLASS(field) put_named (s, "", MLPD_UNIT_CLASS, e->field);
#define IMAGE(field) put_named (s, "", MLPD_UNIT_IMAGE, e->field);
#define TYPE(klass, vtable) put_type (s, e->klass, e->vtable);
#define VALUE(unit, field) put_value (s, WORDS_UNIT_##unit, e->field);
#define FRAME(backtrace) put_frame (s, e->backtrace);
#define MARKED(time) put_marked (s, time);
#define HIT put_hit (s, e);
#define COUNTERS put_counters (s, e->counters);
#define VALUES put_values (s, e);
#define WHEN(condition, yes, no)                                                                   \
  if (condition) {                                                                                 \
    yes                                                                                            \
  } else {                                                                                         \
    no                                                                                             \
  }
#define SHOW(id, ...)                                                                              \
  static void show_##id (const struct shown *s)                                                    \
  {                                                                                                \
    const struct mlpd_##id *e = &s->item->payload->id;                                             \
    (void) e;                                                                                      \
    __VA_ARGS__                                                                                    \
  }
#include "decoder/views/mlpd/mono-show.def"

static void (*const show_events[]) (const struct shown *s) = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) show_##id,
#include <proflog/mlpd-events.def>
};

void
mono_show_init (struct mono_show *show, const struct selection *selection,
                const struct symbols *names)
{
  dump_init (&show->dump, EMITTER_TEXT, selection);
  show->dump.names.later = names;
  counters_init (&show->counters);
}

void
mono_show_clear (struct mono_show *show)
{
  dump_clear (&show->dump);
  counters_clear (&show->counters);
}

/* Counters have the event's values when its line is written, and a thread its name after it. */
static void
update_counters (struct mono_show *show, const struct mlpd_item *item, uint64_t time)
{
  struct mlpd_sample_usage usage;
  if (item->kind == MLPD_SAMPLE_COUNTERS_DESC)
    counters_describe (&show->counters, &item->payload->sample_counters_desc);
  else if (item->kind == MLPD_SAMPLE_COUNTERS
           && !mlpd_sample_usage_of (item->kind, item->payload, &usage))
    counters_update (&show->counters, &item->payload->sample_counters, time);
}

static void
update_names (struct mono_show *show, struct thread *thread, const struct mlpd_item *item)
{
  struct dump *d = &show->dump;
  const union mlpd_payload *p = item->payload;
  dump_store_name (&d->names, item);
  thread->mark_time = NO_MARK;
  if (item->kind == MLPD_METADATA_CLASS) {
    thread->mark_time = p->metadata_class.time;
    thread->mark_class = symbols_use (&d->names.symbols, SYMBOL_CLASS, p->metadata_class.klass);
  } else if (item->kind == MLPD_METADATA_THREAD) {
    threads_name (&d->threads, &p->metadata_thread, p->metadata_thread.thread == thread->id);
  }
}

void
mono_show_event (struct mono_show *show, const struct mlpd_item *item, uint64_t time, GString *out)
{
  struct dump *d = &show->dump;
  struct thread *thread = threads_get (&d->threads, item->buffer->thread);
  const struct shown s = { show, item, thread, out };
  if (thread->events++ == 0)
    thread->mark_time = NO_MARK;
  const bool counts = !mlpd_is_context (item->buffer);
  d->time = time;
  d->events += counts;
  update_counters (show, item, time);
  if (counts && dump_accepts (d, item)) {
    d->taken++;
    dump_append_time (d, out);
    g_string_append_c (out, ' ');
    put_thread (&s, thread);
    PUT (&s, ": ");
    show_events[item->kind](&s);
    g_string_append_c (out, '\n');
  }
  update_names (show, thread, item);
}
