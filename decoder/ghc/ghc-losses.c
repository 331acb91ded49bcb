/* ghc-losses.c -- reads the number of lost events from the messages that state it. */
#include "config.h"

#include "decoder/ghc/ghc-losses.h"
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
