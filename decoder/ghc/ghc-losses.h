/* ghc-losses.h -- the losses that an eventlog of our writers states. */
#ifndef PROFLOG_GHC_LOSSES_H
#define PROFLOG_GHC_LOSSES_H

#include <proflog/ghc-reader.h>
#include <proflog/ghc-writer.h>
#include <stdbool.h>

/* Whether the event is a message about missing events; *lost is their number, else 0.  A log that
 * could no longer be written has one even if that is 0. */
bool ghc_losses_of (const struct ghc_item *item, uint64_t *lost);

/* Whether the event is a message of our writers: about losses, or a limit. */
bool ghc_is_of_writer (const struct ghc_item *item);

/* The option because of which the log ended before its program, if the event is the message about
 * that (transfer full); else NULL. */
char *ghc_limit_of (const struct ghc_item *item);

/* Makes the message about `lost` events; `error`: the number of the error with which writing ended,
 * or 0. */
void ghc_losses_text (char text[GHC_LOSSES_MAX], uint64_t lost, int error);

/* Whether the marker of a block is among these types; whether that and events with messages are. */
bool ghc_has_blocks (const struct ghc_event_type *types, size_t n_types);
bool ghc_has_messages (const struct ghc_event_type *types, size_t n_types);

/* Whether the item is damage whose bytes a log that is made of the others lacks in its middle. */
bool ghc_damage_is_left_out (const struct ghc_item *item);

/* Ends the block, and writes one with the message that damaged bytes are left out.  Only if the
 * header declares messages (ghc_has_messages).  False on errors of the writer. */
bool ghc_losses_write_damage (struct ghc_writer *writer, uint64_t time, GError **error);

#endif
