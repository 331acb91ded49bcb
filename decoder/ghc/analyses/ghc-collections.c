/* ghc-collections.c -- matches the parts of collections across capabilities. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-collections.h"
#include "decoder/core/whole-number.h"

/* A collection, and the parts of its capabilities. */
struct collection {
  struct ghc_interval main;
  uint64_t sum_ns, longest_ns; /* of all parts */
  unsigned parts;
  uint64_t start, end; /* of the first, of the last */
};

struct ghc_stops *
ghc_stops_of (GPtrArray *all, const struct ghc_cap *cap)
{
  for (guint i = 0; i < all->len; i++) {
    struct ghc_stops *s = g_ptr_array_index (all, i);
    if (s->has_process == cap->has_process && s->process == cap->process)
      return s;
  }
  struct ghc_stops *s = g_new0 (struct ghc_stops, 1);
  s->process = cap->process;
  s->has_process = cap->has_process;
  utilisation_init (&s->main);
  utilisation_init (&s->span);
  g_ptr_array_add (all, s);
  return s;
}

void
ghc_stops_free (struct ghc_stops *s)
{
  utilisation_clear (&s->main);
  utilisation_clear (&s->span);
  g_free (s);
}

static guint
count_waiting (const struct ghc_intervals *intervals)
{
  return intervals->all->len - intervals->first;
}

guint
ghc_collections_waiting (const GPtrArray *caps)
{
  guint n = 0;
  for (guint i = 0; i < caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (caps, i);
    n += cap != NULL ? count_waiting (&cap->led) + count_waiting (&cap->parts) : 0;
  }
  return n;
}

/* The first that waits, or NULL. */
static const struct ghc_interval *
first_waiting (const struct ghc_intervals *i)
{
  return count_waiting (i) != 0 ? &g_array_index (i->all, struct ghc_interval, i->first) : NULL;
}

static struct ghc_interval
pop_first (struct ghc_intervals *i)
{
  const struct ghc_interval first = *first_waiting (i);
  i->first++;
  if (i->first > i->all->len / 2) {
    g_array_remove_range (i->all, 0, i->first);
    i->first = 0;
  }
  return first;
}

/* A part counts for its capability; `generation` is the collection's, `idle_ns` for how long it
 * waited for others. */
static void
add_part (struct ghc_cap *cap, const struct ghc_interval *part, int generation, uint64_t idle_ns)
{
  struct ghc_generation *g = ghc_cap_generation (cap, generation);
  g->taken_part++;
  ghc_pause_add (&g->own, part->end - part->start);
  g->idle_ns += idle_ns;
}

static void
join (struct collection *c, const struct ghc_interval *part)
{
  const uint64_t ns = part->end - part->start;
  c->sum_ns += ns;
  c->longest_ns = MAX (c->longest_ns, ns);
  c->parts++;
  c->start = MIN (c->start, part->start);
  c->end = MAX (c->end, part->end);
}

/* The first part of a capability is in no collection that is known. */
static void
drop_part (struct ghc_cap *cap, const struct ghc_times *times)
{
  const struct ghc_interval part = pop_first (&cap->parts);
  if (!ghc_times_have (times, part.start))
    return;
  add_part (cap, &part, -1, part.idle_ns + part.standby_ns);
  cap->unmatched++;
}

/* Takes the part of one capability in a collection, if it has one; `counts`: the collection does.
 */
static void
match_cap (struct collection *c, struct ghc_cap *cap, const struct ghc_times *times, bool counts)
{
  const struct ghc_interval *first;
  while ((first = first_waiting (&cap->parts)) != NULL && first->end < c->main.start)
    drop_part (cap, times);
  if (first == NULL || first->start > c->main.end)
    return;
  const struct ghc_interval part = pop_first (&cap->parts);
  if (counts) {
    add_part (cap, &part, c->main.generation, part.idle_ns + part.standby_ns);
    join (c, &part);
  }
}

/* The data of the functions below. */
struct match {
  GPtrArray *caps;
  const struct ghc_times *times;
  GPtrArray *stops;
  const struct ghc_collections_watch *watch; /* may be NULL */
};

static void
add_collection (struct ghc_cap *cap, const struct collection *c, GPtrArray *stops)
{
  struct ghc_generation *g = ghc_cap_generation (cap, c->main.generation);
  const uint64_t pauses[GHC_PAUSES] = {
    [GHC_PAUSE_MAIN] = c->main.end - c->main.start,
    [GHC_PAUSE_AVERAGE] = c->sum_ns / c->parts,
    [GHC_PAUSE_LONGEST] = c->longest_ns,
    [GHC_PAUSE_SPAN] = c->end - c->start,
  };
  g->timed++;
  for (unsigned i = 0; i < GHC_PAUSES; i++)
    ghc_pause_add (&g->pauses[i], pauses[i]);
  ghc_pause_durations_add (cap->durations, c->main.generation, pauses);
  if (!cap->is_selected)
    return;
  struct ghc_stops *s = ghc_stops_of (stops, cap);
  utilisation_add (&s->main, c->main.start, c->main.end);
  utilisation_add (&s->span, c->start, c->end);
}

/* The heap that a collection found and left.  The size that it found is the one that the collection
 * before it left. */
static void
add_heap (struct ghc_cap *cap, const struct ghc_interval *main, GPtrArray *stops, bool counts)
{
  struct ghc_generation *g = counts ? ghc_cap_generation (cap, main->generation) : NULL;
  if (counts && main->live_after != 0) {
    g->live_samples++;
    g->live_bytes = saturated_sum (g->live_bytes, main->live_after);
    g->max_live = MAX (g->max_live, main->live_after);
  }
  if (main->heap_after == 0 || !cap->is_selected)
    return;
  struct ghc_stops *s = ghc_stops_of (stops, cap);
  if (counts && s->heap_bytes != 0)
    heap_sizes_add (&g->heap, s->heap_bytes, main->heap_after);
  s->heap_bytes = main->heap_after;
}

static bool
is_of_process (const struct ghc_cap *cap, const struct ghc_cap *other)
{
  return cap != NULL && cap->has_process == other->has_process && cap->process == other->process;
}

static void
report (const struct match *m, const struct ghc_cap *leader, const struct ghc_interval *main,
        bool is_stated)
{
  if (m->watch != NULL)
    m->watch->collection (m->watch->data, leader, main, is_stated);
}

/* The first collection that this capability leads. */
static void
match_collection (const struct match *m, struct ghc_cap *leader)
{
  struct collection c = { .main = pop_first (&leader->led) };
  const bool counts = ghc_times_have (m->times, c.main.start);
  c.start = c.main.start;
  c.end = c.main.end;
  if (counts) {
    add_part (leader, &c.main, c.main.generation, c.main.idle_ns);
    join (&c, &c.main);
  }
  for (guint i = 0; i < m->caps->len; i++) {
    struct ghc_cap *cap = g_ptr_array_index (m->caps, i);
    if (cap != leader && is_of_process (cap, leader))
      match_cap (&c, cap, m->times, counts);
  }
  if (counts)
    add_collection (leader, &c, m->stops);
  add_heap (leader, &c.main, m->stops, counts);
  report (m, leader, &c.main, true);
}

/* ---- collections that no event says who led ---- */

/* Does the runtime state who leads collections?  Then a part that is in none of these is of one
 * whose events are lost. */
static bool
has_leads (const GPtrArray *caps, const struct ghc_cap *of)
{
  bool has = false;
  for (guint i = 0; i < caps->len && !has; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (caps, i);
    has = is_of_process (cap, of) && cap->has_leads;
  }
  return has;
}

uint64_t
ghc_collections_idle_ns (const GPtrArray *caps, const struct ghc_cap *cap)
{
  return cap->idle_ns + (has_leads (caps, cap) ? cap->standby_ns : 0);
}

/* A part of a group. */
struct member {
  struct ghc_cap *cap;
  struct ghc_interval part;
};

static bool
is_in (const GArray *members, const struct ghc_cap *cap)
{
  bool found = false;
  for (guint i = 0; i < members->len && !found; i++)
    found = g_array_index (members, struct member, i).cap == cap;
  return found;
}

/* Its first part is next in a collection if it begins before the others have ended. */
static bool
overlaps (const struct ghc_interval *part, const struct collection *c)
{
  return part != NULL && (part->start < c->end || part->start == c->start);
}

/* The parts that overlap with that of a capability, or with one of these; one of each capability.
 */
static void
pop_group (const GPtrArray *caps, struct ghc_cap *first, struct collection *c, GArray *members)
{
  struct member member = { first, pop_first (&first->parts) };
  c->start = member.part.start;
  for (bool grows = true; grows;) {
    grows = false;
    join (c, &member.part);
    g_array_append_val (members, member);
    for (guint i = 0; i < caps->len && !grows; i++) {
      struct ghc_cap *cap = g_ptr_array_index (caps, i);
      if (!is_of_process (cap, first) || !overlaps (first_waiting (&cap->parts), c)
          || is_in (members, cap))
        continue;
      member = (struct member){ cap, pop_first (&cap->parts) };
      grows = true;
    }
  }
}

/* Who requested it leads it, the first of these; if nobody did, who began. */
static const struct member *
leader_of (const GArray *members)
{
  const struct member *leader = &g_array_index (members, struct member, 0);
  for (guint i = 1; i < members->len; i++) {
    const struct member *m = &g_array_index (members, struct member, i);
    if (m->part.requested < leader->part.requested
        || (m->part.requested == leader->part.requested && m->part.start < leader->part.start))
      leader = m;
  }
  return leader;
}

/* The sizes of the heap may be stated by any of them. */
static void
set_heap (struct ghc_interval *main, const GArray *members)
{
  for (guint i = 0; i < members->len; i++) {
    const struct ghc_interval *part = &g_array_index (members, struct member, i).part;
    if (main->heap_after == 0)
      main->heap_after = part->heap_after;
    if (main->live_after == 0)
      main->live_after = part->live_after;
  }
}

static void
add_group (const struct match *m, struct ghc_cap *leader, const struct collection *c,
           const GArray *members)
{
  struct ghc_generation *g = ghc_cap_generation (leader, c->main.generation);
  g->collections++;
  g->parallel += members->len > 1;
  for (guint i = 0; i < members->len; i++) {
    const struct member *member = &g_array_index (members, struct member, i);
    add_part (member->cap, &member->part, member->part.generation, member->part.idle_ns);
  }
  add_collection (leader, c, m->stops);
}

/* The first collection of a process whose capabilities do not state who leads. */
static void
match_group (const struct match *m, struct ghc_cap *first)
{
  struct collection c = { .start = 0 };
  GArray *members = g_array_new (FALSE, FALSE, sizeof (struct member));
  pop_group (m->caps, first, &c, members);
  const struct member *const main = leader_of (members);
  struct ghc_cap *const leader = main->cap;
  const bool counts = ghc_times_have (m->times, main->part.start);
  c.main = main->part;
  set_heap (&c.main, members);
  leader->gc_ns += ghc_times_overlap (m->times, c.main.start, c.main.end);
  if (counts)
    add_group (m, leader, &c, members);
  add_heap (leader, &c.main, m->stops, counts);
  report (m, leader, &c.main, false);
  g_array_unref (members);
}

/* The capability with the earliest first, of collections that it leads or of parts; or NULL. */
static struct ghc_cap *
earliest (const GPtrArray *caps, bool led)
{
  struct ghc_cap *found = NULL;
  uint64_t start = UINT64_MAX;
  for (guint i = 0; i < caps->len; i++) {
    struct ghc_cap *cap = g_ptr_array_index (caps, i);
    const struct ghc_interval *first
        = cap != NULL ? first_waiting (led ? &cap->led : &cap->parts) : NULL;
    if (first == NULL || (found != NULL && first->start >= start))
      continue;
    found = cap;
    start = first->start;
  }
  return found;
}

static void
match_led (const struct match *m, guint retain)
{
  struct ghc_cap *cap;
  while (ghc_collections_waiting (m->caps) > retain && (cap = earliest (m->caps, true)) != NULL)
    match_collection (m, cap);
}

void
ghc_collections_match_led (GPtrArray *caps, const struct ghc_times *times, GPtrArray *stops,
                           const struct ghc_collections_watch *watch)
{
  match_led (&(const struct match){ caps, times, stops, watch }, 0);
}

void
ghc_collections_match (GPtrArray *caps, const struct ghc_times *times, GPtrArray *stops,
                       guint retain, const struct ghc_collections_watch *watch)
{
  const struct match m = { caps, times, stops, watch };
  struct ghc_cap *cap;
  match_led (&m, retain);
  while (ghc_collections_waiting (caps) > retain && (cap = earliest (caps, false)) != NULL) {
    if (has_leads (caps, cap))
      drop_part (cap, times);
    else
      match_group (&m, cap);
  }
}
