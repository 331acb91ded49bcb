/* log-map.c -- collects the facts of an eventlog while it is read. */
#include "config.h"

#include "decoder/log/log-map.h"

void
log_map_init (struct log_map *map, bool has_names, const struct ghc_provenances *others)
{
  *map = (struct log_map){
    .has_names = has_names,
    .labels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref),
  };
  ghc_call_stacks_init (&map->stacks);
  ghc_provenances_init (&map->provenances, others);
}

void
log_map_clear (struct log_map *map)
{
  ghc_chunks_clear (&map->chunks);
  g_ptr_array_unref (map->labels);
  ghc_call_stacks_clear (&map->stacks);
  ghc_provenances_clear (&map->provenances);
}

void
log_map_item (struct log_map *map, const struct ghc_item *item)
{
  ghc_start_item (&map->start, item);
  if (item->type == GHC_ITEM_HEADER)
    g_ptr_array_add (map->labels, g_hash_table_new_full (NULL, NULL, NULL, g_free));
}

/* A thread that runs before it has a label has the first one. */
static void
add_label (struct log_map *map, const struct ghc_thread_label *event)
{
  GHashTable *labels = g_ptr_array_index (map->labels, map->labels->len - 1);
  gpointer thread = GUINT_TO_POINTER (event->thread);
  if (!g_hash_table_contains (labels, thread))
    g_hash_table_insert (labels, thread, g_strndup (event->label.text, event->label.length));
}

void
log_map_event (struct log_map *map, const struct ghc_item *item)
{
  struct ghc_call_stack stack;
  ghc_start_item (&map->start, item);
  if (!map->has_names)
    return;
  if (item->kind == GHC_THREAD_LABEL)
    add_label (map, &item->payload->thread_label);
  else if (item->kind == GHC_IPE)
    ghc_provenances_add (&map->provenances, &item->payload->ipe);
  else if (item->kind == GHC_USER_BINARY_MSG
           && ghc_call_stacks_has (&item->payload->user_binary_msg.bytes))
    ghc_call_stacks_add (&map->stacks, item->cap, &item->payload->user_binary_msg.bytes, &stack);
}
