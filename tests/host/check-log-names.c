/* check-log-names.c -- the names that a log announces, and whether they come in time. */
#include "config.h"

#include "tests/host/check-log.h"
#include <inttypes.h>

/* One announcement.  An address may have several, one after the other in time. */
struct announcement {
  uint64_t address;
  uint64_t time;
  uint64_t klass; /* of a vtable */
  char *text;
};

/* address -> GPtrArray of announcements, all of the log. */
static GHashTable *names[NAMED_KINDS];
/* The buffer's names were announced before: they hold from the beginning on. */
static bool reannounced;
/* The announcements up to here, on the second way through the log. */
static GHashTable *announced[NAMED_KINDS];

static void
free_announcement (gpointer data)
{
  struct announcement *a = data;
  g_free (a->text);
  g_free (a);
}

static void
add_name (enum named named, uint64_t address, uint64_t time, uint64_t klass,
          struct mlpd_string text)
{
  GPtrArray *all = g_hash_table_lookup (names[named], &address);
  if (all == NULL) {
    all = g_ptr_array_new_with_free_func (free_announcement);
    g_hash_table_insert (names[named], copy_u64 (address), all);
  }
  struct announcement *a = g_new (struct announcement, 1);
  *a = (struct announcement){ .address = address,
                              .time = reannounced ? 0 : time,
                              .klass = klass,
                              .text = g_strndup (text.text, text.length) };
  g_ptr_array_add (all, a);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const struct announcement *x = *(struct announcement *const *) a;
  const struct announcement *y = *(struct announcement *const *) b;
  return x->time != y->time ? (x->time < y->time ? -1 : 1) : 0;
}

void
names_sort (void)
{
  for (int s = 0; s < NAMED_KINDS; s++) {
    GHashTableIter i;
    gpointer all;
    g_hash_table_iter_init (&i, names[s]);
    while (g_hash_table_iter_next (&i, NULL, &all))
      g_ptr_array_sort (all, compare_times); /* stable: of equal times the last one counts */
  }
}

/* The name that an address had at a time: the last one announced up to then, else the first. */
static const char *
name_at (enum named named, uint64_t address, uint64_t time)
{
  const GPtrArray *all = g_hash_table_lookup (names[named], &address);
  if (all == NULL)
    return NULL;
  guint from = 0, to = all->len; /* the ones before `from` are not later than `time` */
  while (from < to) {
    guint middle = from + (to - from) / 2;
    const struct announcement *a = all->pdata[middle];
    if (a->time <= time)
      from = middle + 1;
    else
      to = middle;
  }
  const struct announcement *found = all->pdata[from > 0 ? from - 1 : 0];
  return named == NAMED_VTABLE ? name_at (NAMED_CLASS, found->klass, time) : found->text;
}

void
names_announce (enum named named, uint64_t address)
{
  g_hash_table_add (announced[named], copy_u64 (address));
}

const char *
names_use (enum named named, uint64_t address, uint64_t time, uint64_t offset)
{
  static const char *const what[NAMED_KINDS] = { "class", "image", "method", "vtable" };
  if (!g_hash_table_contains (announced[named], &address))
    problem ("offset %" PRIu64 ": %s 0x%" PRIx64 " is used before it is named", offset, what[named],
             address);
  const char *name = name_at (named, address, time);
  return name != NULL ? name : "?";
}

void
names_collect (const struct mlpd_item *item)
{
  if (item->type == MLPD_ITEM_BUFFER)
    reannounced = item->buffer->obj_base == MLPD_REANNOUNCE_BASE;
  if (item->type != MLPD_ITEM_EVENT)
    return;
  const union mlpd_payload *p = item->payload;
  if (item->kind == MLPD_METADATA_CLASS && p->metadata_class.action == MLPD_LOAD_END_LOAD)
    add_name (NAMED_CLASS, p->metadata_class.klass, p->metadata_class.time, 0,
              p->metadata_class.name);
  if (item->kind == MLPD_METADATA_IMAGE && p->metadata_image.action == MLPD_LOAD_END_LOAD)
    add_name (NAMED_IMAGE, p->metadata_image.image, p->metadata_image.time, 0,
              p->metadata_image.name);
  if (item->kind == MLPD_METHOD_JIT)
    add_name (NAMED_METHOD, p->method_jit.method, p->method_jit.time, 0, p->method_jit.name);
  if (item->kind == MLPD_METADATA_VTABLE)
    add_name (NAMED_VTABLE, p->metadata_vtable.vtable, p->metadata_vtable.time,
              p->metadata_vtable.klass, (struct mlpd_string){ "", 0 });
}

void
names_init (void)
{
  for (int s = 0; s < NAMED_KINDS; s++) {
    names[s] = g_hash_table_new_full (hash_u64, g_int64_equal, g_free,
                                      (GDestroyNotify) g_ptr_array_unref);
    announced[s] = g_hash_table_new_full (hash_u64, g_int64_equal, g_free, NULL);
  }
}

void
names_free (void)
{
  for (int s = 0; s < NAMED_KINDS; s++) {
    g_hash_table_unref (names[s]);
    g_hash_table_unref (announced[s]);
  }
}
