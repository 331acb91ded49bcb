/* scan-defer.c -- copies events, with their strings and lists, into memory of the scan. */
#include "config.h"

#include "decoder/mlpd/scan/scan-defer.h"

#include "decoder/mlpd/mlpd-describe.h"

#include <string.h>

static void *
retain_bytes (struct scan *s, const void *bytes, size_t length)
{
  const size_t wanted = (length + 7) & ~(size_t) 7;
  if (length == 0)
    return NULL;
  s->retained += wanted;
  if (wanted > SCAN_ARENA_BLOCK) {
    void *own = g_memdup2 (bytes, length);
    g_ptr_array_add (s->large, own);
    return own;
  }
  if (s->arena_used + wanted > SCAN_ARENA_BLOCK) {
    if (s->arena_blocks == s->arena->len)
      g_ptr_array_add (s->arena, g_malloc (SCAN_ARENA_BLOCK));
    s->arena_blocks++;
    s->arena_used = 0;
  }
  char *retained = (char *) g_ptr_array_index (s->arena, s->arena_blocks - 1) + s->arena_used;
  s->arena_used += wanted;
  return memcpy (retained, bytes, length);
}

void
scan_defer_string (struct scan *s, struct mlpd_string *string)
{
  if (string->text != NULL)
    string->text = retain_bytes (s, string->text, string->length + 1);
}

static void
retain_counters (struct scan *s, struct mlpd_counters *counters)
{
  struct mlpd_counter *items
      = retain_bytes (s, counters->items, counters->count * sizeof *counters->items);
  for (size_t i = 0; i < counters->count; i++) {
    scan_defer_string (s, &items[i].section_name);
    scan_defer_string (s, &items[i].name);
  }
  counters->items = items;
}

static void
retain_counter_values (struct scan *s, struct mlpd_counter_values *values)
{
  struct mlpd_counter_value *items
      = retain_bytes (s, values->items, values->count * sizeof *values->items);
  for (size_t i = 0; i < values->count; i++)
    scan_defer_string (s, &items[i].text);
  values->items = items;
}

static void
retain_references (struct scan *s, struct mlpd_references *r)
{
  r->items = retain_bytes (s, r->items, r->count * sizeof *r->items);
  if (r->offsets != NULL)
    r->offsets = retain_bytes (s, r->offsets, r->count * sizeof *r->offsets);
}

/* The lists and texts of a payload become the scan's. */
static void
retain_lists (struct scan *s, enum mlpd_kind kind, union mlpd_payload *payload)
{
  const struct mlpd_description *description = mlpd_describe (kind);
  for (size_t i = 0; i < description->n_fields; i++) {
    void *value = (char *) payload + description->fields[i].offset;
    switch (description->fields[i].wire) {
    case MLPD_WIRE_STRZ:
    case MLPD_WIRE_HELPER_NAME:
      scan_defer_string (s, value);
      break;
    case MLPD_WIRE_BACKTRACE:
    case MLPD_WIRE_PTRS:
    case MLPD_WIRE_OBJS: {
      struct mlpd_list *list = value;
      list->items = retain_bytes (s, list->items, list->count * sizeof *list->items);
      break;
    }
    case MLPD_WIRE_REFS:
      retain_references (s, value);
      break;
    case MLPD_WIRE_ROOTS: {
      struct mlpd_roots *roots = value;
      roots->items = retain_bytes (s, roots->items, roots->count * sizeof *roots->items);
      break;
    }
    case MLPD_WIRE_FRAMES: {
      struct mlpd_frames *frames = value;
      frames->items = retain_bytes (s, frames->items, frames->count * sizeof *frames->items);
      break;
    }
    case MLPD_WIRE_COUNTERS:
      retain_counters (s, value);
      break;
    case MLPD_WIRE_COUNTER_VALUES:
      retain_counter_values (s, value);
      break;
    default:
      break;
    }
  }
}

struct scan_event *
scan_defer_event (struct scan *s, enum mlpd_kind kind, const union mlpd_payload *payload,
                  uint64_t offset)
{
  const struct scan_event event = { .kind = kind,
                                    .thread = s->thread,
                                    .follows_class = s->after_class,
                                    .offset = offset,
                                    .time = s->decoder.bases.time,
                                    .payload = *payload };
  g_array_append_val (s->events, event);
  s->retained += sizeof event;
  struct scan_event *retained = &g_array_index (s->events, struct scan_event, s->events->len - 1);
  retain_lists (s, kind, &retained->payload);
  return retained;
}

/* ---- calls ---- */

static void
retain (struct scan *s, struct scan_thread *t, struct scan_call call)
{
  if (t->calls == NULL)
    t->calls = g_array_new (FALSE, FALSE, sizeof (struct scan_call));
  g_array_append_val (t->calls, call);
  s->retained += sizeof call;
  t->retains_calls = true;
}

void
scan_defer_call (struct scan *s, guint method, bool enter, uint64_t time)
{
  retain (s, scan_current_thread (s),
          (struct scan_call){
              .method = method, .type = enter ? SCAN_CALL_ENTER : SCAN_CALL_LEAVE, .time = time });
}

void
scan_defer_pass (struct scan *s, struct scan_thread *t, uint64_t time)
{
  retain (s, t, (struct scan_call){ .type = SCAN_CALL_PASS, .time = time });
}
