/* ghc-losses.c -- the messages that state the number of lost events: reads and writes them. */
#include "config.h"

#include "decoder/ghc/ghc-losses.h"
#include "decoder/ghc/ghc-describe.h"
#include <string.h>

bool
ghc_losses_of (const struct ghc_item *item, uint64_t *lost)
{
  static const char start[] = GHC_LOSSES_START;
  enum { LONGEST = 256 };
  *lost = 0;
  if (item->kind != GHC_LOG_MSG || item->payload->log_msg.message.length > LONGEST)
    return false;
  const struct ghc_text *message = &item->payload->log_msg.message;
  char *text = g_strndup (message->text, message->length), *rest = text;
  guint64 number = 0;
  if (g_str_has_prefix (text, start) && g_ascii_isdigit (text[strlen (start)]))
    number = g_ascii_strtoull (text + strlen (start), &rest, 10);
  const bool states = rest != text && g_str_has_prefix (rest, GHC_LOSSES_END);
  if (states)
    *lost = number;
  g_free (text);
  return states;
}

void
ghc_losses_text (char text[GHC_LOSSES_MAX], uint64_t lost, int error)
{
  if (error != 0)
    g_snprintf (text, GHC_LOSSES_MAX, GHC_LOSSES_FAILED, lost, g_strerror (error));
  else
    g_snprintf (text, GHC_LOSSES_MAX, GHC_LOSSES_DROPPED, lost);
}

bool
ghc_damage_is_left_out (const struct ghc_item *item)
{
  return item->type == GHC_ITEM_DAMAGE && item->damage->reason != GHC_DAMAGE_TRUNCATED
         && item->damage->skipped != 0;
}

bool
ghc_has_messages (const struct ghc_event_type *types, size_t n_types)
{
  for (size_t i = 0; i < n_types; i++)
    if (types[i].tag == ghc_describe (GHC_LOG_MSG)->tag)
      return true;
  return false;
}

bool
ghc_losses_write_damage (struct ghc_writer *writer, uint64_t time, GError **error)
{
  static const char text[] = GHC_LOSSES_BY_DAMAGE;
  const union ghc_payload marker
      = { .block_marker = { .block_size = 0, .end_time = time, .cap = GHC_NO_CAP } };
  const union ghc_payload message = { .log_msg = { .message = { text, strlen (text) } } };
  const struct ghc_event events[] = {
    { .tag = ghc_describe (GHC_BLOCK_MARKER)->tag, .time = time, .payload = &marker },
    { .tag = ghc_describe (GHC_LOG_MSG)->tag, .time = time, .payload = &message },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (events); i++)
    if (!ghc_writer_event (writer, &events[i], error))
      return false;
  ghc_writer_end_block (writer);
  return true;
}
