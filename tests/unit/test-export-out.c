/* test-export-out.c -- exports to an output that fails: nothing more is written to it. */
#include "config.h"

#include "decoder/exports/export.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

#include <string.h>

/* An output that fails when bytes come, and how often they came. */
static bool
count_puts (void *data, const GString *bytes)
{
  unsigned *puts = data;
  (void) bytes;
  ++*puts;
  return false;
}

typedef void write_export (const struct export_format *format, struct export_out *out);

/* Bytes come once, and not at all if the output has failed before. */
static void
check_writes (const struct export_format *format, write_export *write)
{
  for (int has_failed = 0; has_failed < 2; has_failed++) {
    unsigned puts = 0;
    struct export_out out = {
      .bytes = g_string_new (NULL), .put = count_puts, .data = &puts, .failed = has_failed != 0
    };
    write (format, &out);
    assert_true (out.failed);
    assert_null (out.error);
    if (puts != (has_failed ? 0 : 1))
      fail_msg ("%s: %u writes to an output that %s", format->name, puts,
                has_failed ? "has failed" : "fails");
    g_string_free (out.bytes, TRUE);
  }
}

/* Names that fill the buffer of the output, each by itself (transfer full). */
static char *
long_name (char letter)
{
  enum { LENGTH = 1 << 17 };
  char *name = g_malloc (LENGTH + 1);
  memset (name, letter, LENGTH);
  name[LENGTH] = 0;
  return name;
}

static void
write_stacks (const struct export_format *format, struct export_out *out)
{
  struct export_stacks stacks;
  uint32_t node = EXPORT_STACKS_ROOT;
  export_stacks_init (&stacks);
  for (const char *letter = "abcd"; *letter != 0; letter++) {
    g_autofree char *name = long_name (*letter);
    node = export_stacks_add (&stacks, node, export_stacks_frame (&stacks, name), 1);
  }
  format->write_stacks (&stacks, out);
  export_stacks_clear (&stacks);
}

/* All that a format has a use for. */
static void
fill_trace (struct trace *t, struct trace_track *process, struct trace_track *thread)
{
  const struct trace_format *format = t->format;
  struct trace_track *lane = trace_add (t, TRACE_LANE, thread, "waits", TRACE_COUNT);
  struct trace_track *heap = trace_add (t, TRACE_COUNTER, process, "Heap", TRACE_BYTES);
  g_autofree char *one = long_name ('a'), *other = long_name ('b');
  const guint frames[] = { trace_name (t, one), trace_name (t, other) };
  const struct trace_stack outer = { frames, 1, NULL }, inner = { frames, 2, NULL };
  const struct trace_objects objects = { 3 * TRACE_OBJECT_PARTS, 72, 24 };
  trace_slice (t, thread, frames[0], 1000);
  trace_slice (t, lane, frames[1], 1500);
  trace_slice_end (t, thread, 2000);
  trace_slice_end (t, lane, 2000);
  trace_instant (t, thread, "throw", 3000);
  trace_counter (t, heap, (struct trace_value){ .whole = 8 }, 3000);
  trace_counter (t, heap, (struct trace_value){ .whole = 16 }, 4000);
  if (format->sample != NULL) {
    trace_sample (t, thread, &outer, 4000);
    trace_sample (t, thread, &inner, 5000);
  }
  if (format->allocation != NULL) {
    trace_allocation (t, thread, frames[0], format->needs_stacks ? &inner : &outer, objects, 6000);
    trace_allocation (t, thread, frames[0], format->needs_stacks ? &outer : &inner, objects, 6000);
  }
  if (format->collection != NULL) {
    const struct trace_death death = { .collection = 1, .kind = t->kind, .objects = 1 };
    format->collection (t, 1, 7000);
    format->death (t, &death);
  }
}

static void
write_trace (const struct export_format *format, struct export_out *out)
{
  struct trace t;
  trace_begin (&t, format->trace, out);
  struct trace_track *process = trace_add_process (&t, 7, "process");
  fill_trace (&t, process, trace_add (&t, TRACE_THREAD, process, "Main", TRACE_COUNT));
  trace_end (&t);
}

/* Two objects of classes of their own, one of which refers to the other. */
static void
write_code (const struct export_format *format, struct export_out *out)
{
  g_autofree char *one = long_name ('a'), *other = long_name ('b');
  const struct export_code code[] = { { 0x1000, 16, one }, { 0x2000, 16, other } };
  format->write_code (code, G_N_ELEMENTS (code), out);
}

static void
write_shot (const struct export_format *format, struct export_out *out)
{
  static const uint32_t first[] = { 0, 1, 1 }, targets[] = { 1 }, classes[] = { 0, 1 };
  static const uint32_t offsets[] = { 16 };
  static const uint64_t bytes[] = { 24, 24 };
  static const struct heap_root root = { .object = 0, .kind = "static" };
  g_autofree char *one = long_name ('a'), *other = long_name ('b');
  const char *const names[] = { one, other };
  const struct graph_arrays arrays = { .n_objects = 2,
                                       .bytes = bytes,
                                       .classes = classes,
                                       .first = first,
                                       .targets = targets,
                                       .offsets = offsets,
                                       .class_names = names,
                                       .n_classes = 2,
                                       .roots = &root,
                                       .n_roots = 1 };
  struct heap_graph *graph = graph_from_arrays (&arrays);
  struct heap_dominators *dominators = heap_dominators_new (graph);
  const struct export_shot shot = { .graph = graph, .dominators = dominators };
  format->write_shot (&shot, out);
  heap_dominators_free (dominators);
  heap_graph_free (graph);
}

TEST (failing_output)
{
  for (const struct export_format *const *format = export_formats; *format != NULL; format++) {
    if ((*format)->write_stacks != NULL)
      check_writes (*format, write_stacks);
    if ((*format)->trace != NULL)
      check_writes (*format, write_trace);
    if ((*format)->write_shot != NULL)
      check_writes (*format, write_shot);
    if ((*format)->write_code != NULL)
      check_writes (*format, write_code);
    assert_true ((*format)->is_tables || (*format)->write_code != NULL
                 || (*format)->write_stacks != NULL || (*format)->trace != NULL
                 || (*format)->write_shot != NULL);
  }
}

/* The sums of heaptrack are those of allocations: without any there is nothing to write. */
TEST (no_allocations)
{
  for (int has_tracks = 0; has_tracks < 2; has_tracks++) {
    unsigned puts = 0;
    struct export_out out
        = { .bytes = g_string_new (NULL), .put = count_puts, .data = &puts, .failed = false };
    struct trace t;
    trace_begin (&t, export_find ("heaptrack")->trace, &out);
    if (has_tracks)
      trace_add_process (&t, 7, "process");
    trace_end (&t);
    assert_true (out.failed);
    assert_non_null (out.error);
    assert_true (g_str_has_prefix (out.error->message, has_tracks
                                                           ? "there are no allocations in the log;"
                                                           : "there are no allocations;"));
    assert_int_equal (puts, 0);
    g_error_free (out.error);
    g_string_free (out.bytes, TRUE);
  }
}
