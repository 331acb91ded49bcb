/* log-map.c -- collects what is known of an eventlog while it is read. */
#include "config.h"

#include "decoder/log/log-map.h"

void
log_map_init (struct log_map *map, bool has_labels)
{
  *map = (struct log_map){
    .has_labels = has_labels,
    .labels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref),
  };
}

void
log_map_clear (struct log_map *map)
{
  ghc_chunks_clear (&map->chunks);
  g_ptr_array_unref (map->labels);
}

void
log_map_item (struct log_map *map, const struct ghc_item *item)
{
  ghc_start_item (&map->start, item);
  if (item->type == GHC_ITEM_HEADER)
    g_ptr_array_add (map->labels, g_hash_table_new_full (NULL, NULL, NULL, g_free));
}

/* A thread that runs before it has a label has the first one. */
void
log_map_event (struct log_map *map, const struct ghc_item *item)
{
  ghc_start_item (&map->start, item);
  if (item->kind != GHC_THREAD_LABEL || !map->has_labels)
    return;
  const struct ghc_thread_label *event = &item->payload->thread_label;
  GHashTable *labels = g_ptr_array_index (map->labels, map->labels->len - 1);
  gpointer thread = GUINT_TO_POINTER (event->thread);
  if (!g_hash_table_contains (labels, thread))
    g_hash_table_insert (labels, thread, g_strndup (event->label.text, event->label.length));
}
