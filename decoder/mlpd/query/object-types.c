/* object-types.c -- queries the allocations of thrown and locked objects. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/query/object-queries.h"

#define NO_CLASS G_MAXUINT

/* One way through the log. */
struct type_search {
  struct address_query query;
  struct summary found; /* the log again */
  GArray *classes; /* of guint: of `found`, by place: that of the summary + 1; 0: not known yet */
  bool is_whole, has_moves;
  bool misses_name;      /* of a type, which may be in a buffer that was not read */
  uint64_t first_damage; /* offset; UINT64_MAX: none */
  const struct log_scan_watch *watch;
};

static void
record_damage (void *data, const struct mlpd_item *item)
{
  struct type_search *l = data;
  if (item->type == MLPD_ITEM_DAMAGE)
    l->first_damage = MIN (l->first_damage, item->offset);
}

static void
report_progress (void *data, uint64_t bytes)
{
  const struct type_search *l = data;
  log_scan_progress (l->watch, bytes);
}

/* ---- classes ---- */

static const struct symbol *
class_at (const struct symbols *symbols, guint klass)
{
  return &g_array_index (symbols->all[SYMBOL_CLASS], struct symbol, klass);
}

static struct mlpd_string
string_of (const char *text)
{
  return (struct mlpd_string){ .text = text, .length = strlen (text) };
}

/* The summary's class of this address, name and image, new if it has none. */
static guint
adopt_class (struct symbols *symbols, const struct symbols *found, guint klass)
{
  const struct symbol *c = class_at (found, klass);
  const char *image = symbols_class_image (found, klass);
  for (guint i = 0; i < symbols->all[SYMBOL_CLASS]->len; i++) {
    const struct symbol *other = class_at (symbols, i);
    if (other->address == c->address && g_strcmp0 (other->name, c->name) == 0
        && g_strcmp0 (symbols_class_image (symbols, i), image) == 0)
      return i;
  }
  uint64_t image_address = 0;
  if (image != NULL) {
    image_address = g_array_index (found->all[SYMBOL_IMAGE], struct symbol, c->image - 1).address;
    symbols_announce (symbols, SYMBOL_IMAGE, image_address, string_of (image));
  }
  return symbols_announce_class (symbols, c->address, string_of (c->name), image_address);
}

/* NO_CLASS if it has no name. */
static guint
class_of (struct type_search *l, struct symbols *symbols, guint type)
{
  const guint klass = type_class (&l->found.symbols, type);
  if (class_at (&l->found.symbols, klass)->name == NULL)
    return NO_CLASS;
  if (klass >= l->classes->len)
    g_array_set_size (l->classes, klass + 1);
  guint *known = &g_array_index (l->classes, guint, klass);
  if (*known == 0)
    *known = adopt_class (symbols, &l->found.symbols, klass) + 1;
  return *known - 1;
}

/* ---- one way through ---- */

static bool
is_sure (const struct type_search *l, const struct pending_typed_event *u,
         const struct address_finding *f)
{
  if (!l->is_whole
      && (f->thread != u->thread || f->offset > u->type.offset || u->type.offset > l->first_damage))
    return false;
  return l->has_moves || !address_query_had_collection (&l->query, f->time, u->place.time);
}

/* The finding of an object, if there is one. */
static void
apply_finding (struct type_search *l, struct symbols *symbols, struct pending_typed_event *u)
{
  const struct address_finding *f = address_query_find (&l->query, &u->place);
  if (f->state == ADDRESS_MOVED_IN) {
    u->place = (struct queried_address){ .object = f->from, .time = f->time, .offset = f->offset };
    return;
  }
  u->type.is_pending = false;
  if (f->state != ADDRESS_ALLOCATED || !is_sure (l, u, f))
    return;
  const guint klass = class_of (l, symbols, f->type);
  if (klass == NO_CLASS && l->query.until != UINT64_MAX) {
    u->type.is_pending = l->misses_name = true;
    return;
  }
  u->type.is_known = klass != NO_CLASS;
  u->type.type = klass;
}

static GArray *
open_places (const struct summary *s)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (struct queried_address));
  for (guint i = 0; i < s->pending_types.events->len; i++) {
    const struct pending_typed_event *u
        = &g_array_index (s->pending_types.events, struct pending_typed_event, i);
    if (u->type.is_pending && u->place.object != 0)
      g_array_append_val (places, u->place);
  }
  return places;
}

static bool
search_once (struct type_search *l, struct summary *s, struct log_input *input, unsigned threads)
{
  const struct scan_options options = { .query = &l->query };
  const struct log_scan_watch quiet = { record_damage, report_progress, l };
  summary_init (&l->found, &options);
  log_input_rewind (input);
  const bool good = log_scan (&l->found, input, threads, &quiet, NULL);
  summary_finish (&l->found);
  address_query_finish (&l->query);
  const struct log *whole = s->log.is_part ? &l->found.log : &s->log;
  l->is_whole = good && log_completeness (whole) == LOG_COMPLETE
                && counters_lost_events (SUMMARY_STATE (s, counters)) == 0;
  l->has_moves = whole->kind_events[MLPD_GC_MOVE] != 0;
  for (guint i = 0; i < s->pending_types.events->len; i++) {
    struct pending_typed_event *u
        = &g_array_index (s->pending_types.events, struct pending_typed_event, i);
    if (u->type.is_pending)
      apply_finding (l, &s->symbols, u);
  }
  summary_clear (&l->found);
  return good;
}

void
object_types_search (struct summary *s, struct log_input *input, unsigned threads,
                     const struct log_scan_watch *watch)
{
  summary_merge_items (s);
  if (mlpd_header_alloc_sampling (&s->log.header) != 0
      || (s->log.kind_events[MLPD_ALLOC] == 0 && !s->log.is_part)) {
    s->pending_types.left_out = 0;
    return;
  }
  /* Of a part of a log, or a damaged one, only all of it states the gaps. */
  bool reads_all = s->log.is_part || s->log.damages != 0;
  for (guint scans = 0; scans < OBJECT_TYPES_SCANS_MAX; scans++) {
    struct type_search l = { .first_damage = UINT64_MAX, .watch = watch };
    GArray *places = open_places (s);
    if (places->len == 0) {
      g_array_unref (places);
      return;
    }
    address_query_init (&l.query, places);
    if (reads_all)
      l.query.until = UINT64_MAX;
    l.classes = g_array_new (FALSE, TRUE, sizeof (guint));
    const bool good = search_once (&l, s, input, threads);
    reads_all |= l.misses_name;
    g_array_unref (l.classes);
    address_query_clear (&l.query);
    if (!good)
      return;
  }
}
