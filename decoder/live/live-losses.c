/* live-losses.c -- see live-losses.h. */
#include "config.h"

#include "decoder/live/live-losses.h"
#include <glib.h>
#include <string.h>

/* Our module has a counter for it, and writes what came since it did so last. */
uint64_t
live_losses_mono (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  uint64_t lost = 0;
  if (kind != MLPD_SAMPLE_COUNTERS)
    return 0;
  const struct mlpd_counter_values *values = &payload->sample_counters.values;
  for (size_t i = 0; i < values->count; i++)
    if (values->items[i].index == MLPD_LOST_EVENTS_INDEX)
      lost += values->items[i].number;
  return lost;
}

/* Our writers of eventlogs have a message for it. */
uint64_t
live_losses_ghc (const struct ghc_item *item)
{
  static const char start[] = GHC_LOSSES_START;
  enum { LONGEST = 256 };
  if (item->kind != GHC_LOG_MSG || item->payload->log_msg.message.length > LONGEST)
    return 0;
  const struct ghc_text *message = &item->payload->log_msg.message;
  char *text = g_strndup (message->text, message->length), *rest = text;
  guint64 lost = 0;
  if (g_str_has_prefix (text, start) && g_ascii_isdigit (text[strlen (start)]))
    lost = g_ascii_strtoull (text + strlen (start), &rest, 10);
  if (!g_str_has_prefix (rest, GHC_LOSSES_END))
    lost = 0;
  g_free (text);
  return lost;
}
