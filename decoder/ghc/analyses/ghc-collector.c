/* ghc-collector.c -- passes the events of collections to their capabilities, and matches them. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-collector.h"

static const struct ghc_times all_times = { 0, UINT64_MAX };

void
ghc_collector_init (struct ghc_collector *c, const struct ghc_collections_watch *watch,
                    guint retain, bool is_ordered)
{
  *c = (struct ghc_collector){
    .watch = *watch,
    .retain = retain,
    .is_ordered = is_ordered,
    .caps = g_ptr_array_new (),
    .stops = g_ptr_array_new (),
    .processes = g_hash_table_new (NULL, NULL),
  };
}

static void
free_all (GPtrArray *caps, GPtrArray *stops)
{
  for (guint i = 0; i < caps->len; i++)
    if (g_ptr_array_index (caps, i) != NULL)
      ghc_cap_free (g_ptr_array_index (caps, i));
  for (guint i = 0; i < stops->len; i++)
    ghc_stops_free (g_ptr_array_index (stops, i));
  g_ptr_array_unref (caps);
  g_ptr_array_unref (stops);
}

void
ghc_collector_clear (struct ghc_collector *c)
{
  free_all (c->caps, c->stops);
  g_hash_table_unref (c->processes);
}

bool
ghc_collector_handles (enum ghc_kind kind)
{
  switch (kind) {
  case GHC_GC_START:
  case GHC_GC_END:
  case GHC_GC_GLOBAL_SYNC:
  case GHC_GC_STATS_GHC:
  case GHC_REQUEST_SEQ_GC:
  case GHC_REQUEST_PAR_GC:
  case GHC_CAPSET_CREATE:
  case GHC_CAPSET_ASSIGN_CAP:
    return true;
  default:
    return false;
  }
}

static struct ghc_cap *
find_cap (struct ghc_collector *c, unsigned number)
{
  if (number == GHC_NO_CAP)
    return NULL;
  if (number >= c->caps->len)
    g_ptr_array_set_size (c->caps, (gint) number + 1);
  if (g_ptr_array_index (c->caps, number) == NULL)
    g_ptr_array_index (c->caps, number) = ghc_cap_new (number);
  return g_ptr_array_index (c->caps, number);
}

static bool
is_any_collecting (const struct ghc_collector *c)
{
  bool is = false;
  for (guint i = 0; i < c->caps->len && !is; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (c->caps, i);
    is = cap != NULL && cap->is_collecting;
  }
  return is;
}

/* All parts of the collections before are there. */
static void
settle_all (struct ghc_collector *c)
{
  for (guint i = 0; i < c->caps->len; i++)
    if (g_ptr_array_index (c->caps, i) != NULL)
      ghc_cap_settle (g_ptr_array_index (c->caps, i), &all_times);
  ghc_collections_match (c->caps, &all_times, c->stops, 0, &c->watch);
}

static void
handle (struct ghc_collector *c, struct ghc_cap *cap, const struct ghc_item *item)
{
  if (c->is_ordered && item->kind == GHC_GC_START && !is_any_collecting (c))
    settle_all (c);
  ghc_cap_event (cap, &all_times, item->kind, item->time, item->payload);
  if (cap->led.first < cap->led.all->len)
    ghc_collections_match_led (c->caps, &all_times, c->stops, &c->watch);
  else if (cap->parts.all->len - cap->parts.first > c->retain)
    ghc_collections_match (c->caps, &all_times, c->stops, c->retain, &c->watch);
}

/* Capabilities join the sets that stand for processes. */
static void
place (struct ghc_collector *c, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  if (item->kind == GHC_CAPSET_CREATE) {
    if (p->capset_create.capset_type == GHC_CAPSET_TYPE_OS_PROCESS)
      g_hash_table_add (c->processes, GUINT_TO_POINTER (p->capset_create.capset));
    return;
  }
  struct ghc_cap *cap = find_cap (c, p->capset_assign_cap.cap);
  if (cap == NULL
      || !g_hash_table_contains (c->processes, GUINT_TO_POINTER (p->capset_assign_cap.capset)))
    return;
  cap->has_process = true;
  cap->process = p->capset_assign_cap.capset;
}

void
ghc_collector_event (struct ghc_collector *c, const struct ghc_item *item)
{
  if (!ghc_collector_handles (item->kind))
    return;
  if (item->kind == GHC_CAPSET_CREATE || item->kind == GHC_CAPSET_ASSIGN_CAP) {
    place (c, item);
    return;
  }
  struct ghc_cap *cap = find_cap (c, item->cap);
  if (cap != NULL)
    handle (c, cap, item);
}

void
ghc_collector_finish (struct ghc_collector *c)
{
  settle_all (c);
}

static struct ghc_intervals
copy_intervals (const struct ghc_intervals *from)
{
  struct ghc_intervals copy = { g_array_new (FALSE, FALSE, sizeof (struct ghc_interval)), 0 };
  if (from->first < from->all->len)
    g_array_append_vals (copy.all, &g_array_index (from->all, struct ghc_interval, from->first),
                         from->all->len - from->first);
  return copy;
}

/* A copy with the members that settling needs. */
static struct ghc_cap *
copy_cap (const struct ghc_cap *cap)
{
  struct ghc_cap *copy = ghc_cap_new (cap->number);
  copy->has_process = cap->has_process;
  copy->process = cap->process;
  copy->has_leads = cap->has_leads;
  copy->has_ended = cap->has_ended;
  copy->is_main = cap->is_main;
  copy->now = cap->now;
  g_array_unref (copy->led.all);
  g_array_unref (copy->parts.all);
  copy->led = copy_intervals (&cap->led);
  copy->parts = copy_intervals (&cap->parts);
  return copy;
}

void
ghc_collector_preview (const struct ghc_collector *c, const struct ghc_collections_watch *watch)
{
  struct ghc_collector copy
      = { .watch = *watch, .caps = g_ptr_array_new (), .stops = g_ptr_array_new () };
  g_ptr_array_set_size (copy.caps, (gint) c->caps->len);
  for (guint i = 0; i < c->caps->len; i++)
    if (g_ptr_array_index (c->caps, i) != NULL)
      g_ptr_array_index (copy.caps, i) = copy_cap (g_ptr_array_index (c->caps, i));
  settle_all (&copy);
  free_all (copy.caps, copy.stops);
}

bool
ghc_collector_has_leads (const struct ghc_collector *c)
{
  bool has = false;
  for (guint i = 0; i < c->caps->len && !has; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (c->caps, i);
    has = cap != NULL && cap->has_leads;
  }
  return has;
}
