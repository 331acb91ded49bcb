/* ghc-log.c -- counts the bytes, blocks and events of an eventlog. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-log.h"
#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/ghc/ghc-losses.h"
#include <string.h>

void
ghc_log_init (struct ghc_log *log)
{
  *log = (struct ghc_log){
    .tags = g_new0 (struct ghc_log_tag, GHC_DATA_END),
    .descriptions = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .messages = g_ptr_array_new_with_free_func (g_free),
  };
}

void
ghc_log_clear (struct ghc_log *log)
{
  g_free (log->tags);
  g_hash_table_unref (log->descriptions);
  g_ptr_array_unref (log->messages);
  g_free (log->loss);
  g_free (log->limit);
}

static void
handle_header (struct ghc_log *log, const struct ghc_header *header)
{
  if (log->headers++ == 0)
    log->types = (guint) header->n_types;
  else
    log->ended = log->last;
  log->is_6_12 |= header->is_6_12;
  log->is_7_8_2 |= header->is_7_8_2;
  for (size_t i = 0; i < header->n_types; i++) {
    const struct ghc_event_type *type = &header->types[i];
    if (ghc_kind_of_tag (type->tag) == GHC_UNKNOWN)
      g_hash_table_insert (log->descriptions, GUINT_TO_POINTER (type->tag),
                           g_strndup (type->description.text, type->description.length));
  }
}

void
ghc_log_damage (struct ghc_log *log, bool truncated, const char *message)
{
  log->damages++;
  log->truncated |= truncated;
  if (log->messages->len < GHC_LOG_MESSAGES_MAX)
    g_ptr_array_add (log->messages, g_strdup (message));
}

void
ghc_log_item (struct ghc_log *log, const struct ghc_item *item)
{
  log->bytes = MAX (log->bytes, item->offset + item->size);
  if (item->type == GHC_ITEM_HEADER) {
    handle_header (log, item->header);
  } else if (item->type == GHC_ITEM_END) {
    log->ends++;
  } else if (item->type == GHC_ITEM_DAMAGE) {
    log->missing_bytes += item->damage->missing;
    log->skipped_bytes += item->damage->skipped;
    ghc_log_damage (log, item->damage->reason == GHC_DAMAGE_TRUNCATED, item->damage->message);
  }
}

void
ghc_log_note_loss (struct ghc_log *log, const struct ghc_item *item)
{
  uint64_t lost;
  if (item->kind != GHC_LOG_MSG) /* as nearly all events */
    return;
  if (log->limit == NULL)
    log->limit = ghc_limit_of (item);
  if (!ghc_losses_of (item, &lost))
    return;
  const struct ghc_text *message = &item->payload->log_msg.message;
  log->lost_events += lost;
  if (log->losses++ == 0) /* without the name of the writer */
    log->loss = g_strndup (message->text + strlen (GHC_LOSSES_START),
                           message->length - strlen (GHC_LOSSES_START));
}

const char *
ghc_log_damage_by_losses (struct ghc_log *log)
{
  if (log->losses == 0)
    return NULL;
  if (log->losses > 1) {
    g_free (log->loss);
    log->loss = g_strdup_printf ("%" G_GUINT64_FORMAT " events are missing, in %" G_GUINT64_FORMAT
                                 " places",
                                 log->lost_events, log->losses);
  }
  ghc_log_damage (log, false, log->loss);
  return log->loss;
}

void
ghc_log_count (struct ghc_log *log, unsigned tag, uint64_t events, uint64_t bytes)
{
  log->tags[tag].events += events;
  log->tags[tag].bytes += bytes;
  if (ghc_kind_of_tag ((uint16_t) tag) == GHC_BLOCK_MARKER)
    log->blocks += events;
  else
    log->events += events;
}

void
ghc_log_all (struct ghc_log *log, uint64_t events, uint64_t first, uint64_t last)
{
  log->earliest = log->all_events != 0 ? MIN (log->earliest, first) : first;
  log->latest = MAX (log->latest, last);
  log->all_events += events;
}

void
ghc_log_span (struct ghc_log *log, uint64_t first, uint64_t last)
{
  log->first = log->has_time ? MIN (log->first, first) : first;
  log->last = MAX (log->last, last);
  log->has_time = true;
  log->overlaps |= first < log->ended;
}

const char *
ghc_log_tag_name (const struct ghc_log *log, unsigned tag)
{
  const enum ghc_kind kind = ghc_kind_of_tag ((uint16_t) tag);
  return kind != GHC_UNKNOWN ? ghc_describe (kind)->name
                             : g_hash_table_lookup (log->descriptions, GUINT_TO_POINTER (tag));
}
