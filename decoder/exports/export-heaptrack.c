/* export-heaptrack.c -- the text of heaptrack: allocations with their stacks, over time.
 *
 * Numbers are hexadecimal.  Strings, places and stacks count from 1, in the order of their lines;
 * the kinds of allocations, which are pairs of size and stack, from 0.
 *
 * Objects are freed at the collection that they died in.  That this one found them dead may be
 * known only later, so allocations and collections wait in a record store; strings, places and
 * stacks are written at once, and so stand before them.
 *
 * Where only some allocations are in the log, each stands for a number of objects of its size.
 * Those that n allocations of a kind stand for are rounded for all n, so no sum is off by more than
 * one object of a kind.
 */
#include "config.h"

#include "decoder/core/id-map.h"
#include "decoder/exports/export.h"
#include "decoder/exports/record-store.h"
#include "decoder/exports/trace-stacks.h"
#include "decoder/output/emitter-values.h"

#define NS_PER_MS 1000000
#define MODULE 1 /* the string that is the module of all places */

struct heaptrack {
  struct id_map places; /* name -> number of the place, less 1 */
  struct trace_stacks stacks;
  struct id_map sizes; /* bytes -> number */
  struct id_map kinds; /* stack and number of the size -> number */
  GArray *counts;      /* of struct kind_count, by kind */
  struct record_store store;
  struct record_stream lines; /* of struct line */
  GArray *deaths;             /* of struct trace_death */
  guint n_freed;              /* of these */
  uint64_t objects;
  uint64_t ms; /* of the latest line */
};

/* Of a kind: for how much of an object an allocation stands, and the counts that are written so
 * far. */
struct kind_count {
  uint64_t parts;
  uint64_t allocations, frees;
};

/* An allocation or a collection. */
struct line {
  uint64_t ms;
  uint32_t kind;
  uint32_t collection; /* 0: it is an allocation */
};

/* ---- lines ---- */

static void
put_hex (GString *to, uint64_t number)
{
  char digits[16];
  guint n = 0;
  do
    digits[n++] = "0123456789abcdef"[number & 15];
  while ((number >>= 4) != 0);
  g_string_append_c (to, ' ');
  while (n != 0)
    g_string_append_c (to, digits[--n]);
}

/* A line has one name. */
static void
put_string (GString *to, const char *text)
{
  g_autofree char *printable = emitter_printable (text);
  g_string_append_printf (to, "s %s\n", printable);
}

static void
begin (struct trace *t)
{
  struct heaptrack *h = g_new0 (struct heaptrack, 1);
  id_map_init (&h->places);
  trace_stacks_init (&h->stacks);
  id_map_init (&h->sizes);
  id_map_init (&h->kinds);
  h->counts = g_array_new (FALSE, TRUE, sizeof (struct kind_count));
  h->deaths = g_array_new (FALSE, FALSE, sizeof (struct trace_death));
  record_store_init (&h->store);
  t->data = h;
  g_string_append (t->out->bytes, "v 10400 2\nX proflog " PACKAGE_VERSION "\ns [managed]\n");
}

static void
ignore_track (struct trace *t, const struct trace_track *track)
{
  (void) t;
  (void) track;
}

/* Its line is that of the string after the module's. */
static char *
put_name (struct trace *t, const char *name)
{
  put_string (t->out->bytes, name);
  return NULL; /* its number is enough */
}

/* ---- stacks ---- */

static uint32_t
place_of (struct trace *t, guint name)
{
  struct heaptrack *h = t->data;
  const guint before = h->places.count, number = id_map_number (&h->places, name);
  if (number == before) {
    g_string_append (t->out->bytes, "i");
    put_hex (t->out->bytes, (uint64_t) name + 1); /* an address, which is not 0 */
    put_hex (t->out->bytes, MODULE);
    put_hex (t->out->bytes, (uint64_t) name + 1 + MODULE);
    g_string_append_c (t->out->bytes, '\n');
  }
  return number + 1;
}

/* Lines of the stacks that were numbered after the first `known`. */
static void
put_stacks (struct trace *t, guint known)
{
  struct heaptrack *h = t->data;
  for (guint number = known + 1; number <= h->stacks.keys->len; number++) {
    const uint32_t place = place_of (t, trace_stacks_name (&h->stacks, number));
    g_string_append (t->out->bytes, "t");
    put_hex (t->out->bytes, place);
    put_hex (t->out->bytes, trace_stacks_outer (&h->stacks, number));
    g_string_append_c (t->out->bytes, '\n');
  }
}

/* The number of an allocation's size and stack. */
static uint32_t
kind_of (struct trace *t, struct trace_objects objects, uint32_t stack)
{
  struct heaptrack *h = t->data;
  const uint64_t key = (uint64_t) stack << 32 | id_map_number (&h->sizes, objects.size);
  const guint known = h->kinds.count, number = id_map_number (&h->kinds, key);
  if (number < known)
    return number;
  g_string_append (t->out->bytes, "a");
  put_hex (t->out->bytes, objects.size);
  put_hex (t->out->bytes, stack);
  g_string_append_c (t->out->bytes, '\n');
  g_array_append_val (h->counts, ((struct kind_count){ .parts = objects.parts }));
  return number;
}

static void
store_line (struct trace *t, struct line line)
{
  struct heaptrack *h = t->data;
  if (!record_store_put (&h->store, &h->lines, &line, sizeof line))
    record_store_check (&h->store, t->out);
}

/* The type is the innermost frame. */
static void
put_allocation (struct trace *t, const struct trace_track *track, guint type,
                const struct trace_stack *stack, struct trace_objects objects, uint64_t time)
{
  struct heaptrack *h = t->data;
  const guint known = h->stacks.keys->len, outer = trace_stacks_number (&h->stacks, stack);
  const guint number = trace_stacks_inner (&h->stacks, outer, type);
  (void) track;
  put_stacks (t, known);
  const uint32_t kind = kind_of (t, objects, number);
  store_line (t, (struct line){ .ms = time / NS_PER_MS, .kind = kind });
  t->kind = kind;
  h->objects++;
  export_flush_much (t->out);
}

static void
store_collection (struct trace *t, guint number, uint64_t time)
{
  store_line (t, (struct line){ .ms = time / NS_PER_MS, .collection = number });
}

static void
store_death (struct trace *t, const struct trace_death *death)
{
  struct heaptrack *h = t->data;
  g_array_append_vals (h->deaths, death, 1);
}

/* ---- the lines in order ---- */

/* They count from the beginning of the selected times, and end with them, as the viewers divide by
 * the last one.  Times of several threads are not quite in order. */
static void
put_time (struct trace *t, uint64_t since_start)
{
  struct heaptrack *h = t->data;
  const uint64_t from = t->from_ns / NS_PER_MS, to = t->to_ns / NS_PER_MS;
  const uint64_t ms = MAX (MIN (since_start, to), from) - from;
  if (ms <= h->ms)
    return;
  h->ms = ms;
  g_string_append (t->out->bytes, "c");
  put_hex (t->out->bytes, ms);
  g_string_append_c (t->out->bytes, '\n');
}

static uint64_t
whole_objects (uint64_t allocations, uint64_t parts)
{
  return (allocations * parts + TRACE_OBJECT_PARTS / 2) / TRACE_OBJECT_PARTS;
}

/* The objects that an allocation stands for are allocated or freed; `n` is the number of such
 * changes of its kind. */
static void
put_change (struct trace *t, char change, uint32_t kind, uint64_t parts, uint64_t *n)
{
  const uint64_t before = whole_objects (*n, parts), after = whole_objects (++*n, parts);
  for (uint64_t i = before; i < after && !t->out->failed; i++) {
    g_string_append_c (t->out->bytes, change);
    put_hex (t->out->bytes, kind);
    g_string_append_c (t->out->bytes, '\n');
    export_flush_much (t->out);
  }
}

static void
put_allocated (struct trace *t, uint32_t kind)
{
  struct heaptrack *h = t->data;
  struct kind_count *count = &g_array_index (h->counts, struct kind_count, kind);
  put_change (t, '+', kind, count->parts, &count->allocations);
}

static void
put_freed (struct trace *t, uint32_t kind)
{
  struct heaptrack *h = t->data;
  struct kind_count *count = &g_array_index (h->counts, struct kind_count, kind);
  put_change (t, '-', kind, count->parts, &count->frees);
}

/* Frees those that died up to this collection. */
static void
put_deaths (struct trace *t, guint collection)
{
  struct heaptrack *h = t->data;
  for (; h->n_freed < h->deaths->len && !t->out->failed; h->n_freed++) {
    const struct trace_death *death = &g_array_index (h->deaths, struct trace_death, h->n_freed);
    if (death->collection > collection)
      return;
    for (uint64_t i = 0; i < death->objects; i++)
      put_freed (t, death->kind);
  }
}

static bool
put_line (void *data, const void *record)
{
  struct trace *t = data;
  const struct line *line = record;
  put_time (t, line->ms);
  if (line->collection != 0)
    put_deaths (t, line->collection);
  else
    put_allocated (t, line->kind);
  return !t->out->failed;
}

static int
compare_deaths (const void *a, const void *b)
{
  const struct trace_death *x = a, *y = b;
  if (x->collection != y->collection)
    return x->collection < y->collection ? -1 : 1;
  return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static void
put_lines (struct trace *t)
{
  struct heaptrack *h = t->data;
  g_array_sort (h->deaths, compare_deaths);
  record_store_each (&h->store, &h->lines, put_line, t);
  record_store_check (&h->store, t->out);
  put_deaths (t, G_MAXUINT);
  put_time (t, t->to_ns / NS_PER_MS);
}

static void
end (struct trace *t)
{
  struct heaptrack *h = t->data;
  if (h->objects == 0 && !t->out->failed) {
    t->out->failed = true;
    g_set_error (
        &t->out->error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
        "there are no allocations%s; 'proflog run --allocs' records them for programs of Mono",
        t->tracks->len != 0 ? " in the log" : "");
  }
  if (!t->out->failed)
    put_lines (t);
  record_store_clear (&h->store);
  record_stream_clear (&h->lines);
  id_map_clear (&h->places);
  trace_stacks_clear (&h->stacks);
  id_map_clear (&h->sizes);
  id_map_clear (&h->kinds);
  g_array_unref (h->counts);
  g_array_unref (h->deaths);
  g_free (h);
}

static const struct trace_format trace = {
  .begin = begin,
  .end = end,
  .track = ignore_track,
  .name = put_name,
  .allocation = put_allocation,
  .needs_stacks = true,
  .collection = store_collection,
  .death = store_death,
  .is_of_one_log = true,
};

const struct export_format export_heaptrack
    = { "heaptrack", "allocations over time with stacks: heaptrack_gui, heaptrack_print",
        .trace = &trace };
