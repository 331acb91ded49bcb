/* ghc-losses.c -- the messages that state the number of lost events: reads and writes them. */
#include "config.h"

#include "decoder/ghc/ghc-losses.h"
#include "decoder/ghc/ghc-describe.h"
#include <proflog/module-options.h>
#include <string.h>

/* The text after the name of the writer, if the event is a message of ours (transfer full). */
static char *
own_message (const struct ghc_item *item)
{
  static const char start[] = GHC_LOSSES_START;
  enum { LONGEST = 256 };
  if (item->kind != GHC_LOG_MSG)
    return NULL;
  const struct ghc_text *message = &item->payload->log_msg.message;
  const size_t length = strlen (start);
  return message->length > length && message->length <= LONGEST
                 && memcmp (message->text, start, length) == 0
             ? g_strndup (message->text + length, message->length - length)
             : NULL;
}

bool
ghc_losses_of (const struct ghc_item *item, uint64_t *lost)
{
  g_autofree char *text = own_message (item);
  char *rest = text;
  guint64 number = 0;
  *lost = 0;
  if (text != NULL && g_ascii_isdigit (*text))
    number = g_ascii_strtoull (text, &rest, 10);
  const bool states = rest != text && g_str_has_prefix (rest, GHC_LOSSES_END);
  if (states)
    *lost = number;
  return states;
}

char *
ghc_limit_of (const struct ghc_item *item)
{
  g_autofree char *text = own_message (item);
  return text != NULL && g_str_has_prefix (text, PROFLOG_LIMIT_MARK)
             ? g_strdup (text + strlen (PROFLOG_LIMIT_MARK))
             : NULL;
}

bool
ghc_is_of_writer (const struct ghc_item *item)
{
  uint64_t lost;
  g_autofree char *limit = ghc_limit_of (item);
  return limit != NULL || ghc_losses_of (item, &lost);
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
ghc_has_blocks (const struct ghc_event_type *types, size_t n_types)
{
  bool has = false;
  for (size_t i = 0; i < n_types; i++)
    has |= types[i].kind == GHC_BLOCK_MARKER;
  return has;
}

bool
ghc_has_messages (const struct ghc_event_type *types, size_t n_types)
{
  bool has = false;
  for (size_t i = 0; i < n_types; i++)
    has |= types[i].kind == GHC_LOG_MSG && types[i].size == GHC_VARIABLE;
  return has && ghc_has_blocks (types, n_types);
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
