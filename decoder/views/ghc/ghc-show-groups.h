/* ghc-show-groups.h -- the events of an eventlog in the words of ghc-events, by thread or by
 * capability.
 *
 * An event is of the thread that it creates, runs, stops, makes runnable or migrates; a wakeup is
 * of the thread that is woken up on the event's own capability, else of no thread.  Other events
 * are of the thread that their capability runs.  Events without a thread or a capability are the
 * first group.  Markers of blocks are in no group.
 */
#ifndef PROFLOG_GHC_SHOW_GROUPS_H
#define PROFLOG_GHC_SHOW_GROUPS_H

#include "decoder/views/ghc/ghc-show.h"
#include <glib.h>
#include <proflog/ghc-reader.h>

enum ghc_show_by {
  GHC_SHOW_BY_THREAD,
  GHC_SHOW_BY_CAP,
};

struct ghc_show_groups;

struct ghc_show_groups *ghc_show_groups_new (enum ghc_show_by by);
void ghc_show_groups_free (struct ghc_show_groups *groups);

/* Appends the text before the groups: the types of events that the log declares; `like`, here
 * and below: ghc-show.h. */
void ghc_show_groups_begin (const struct ghc_header *header, enum ghc_show_by by,
                            enum ghc_show_like like, GString *out);

/* Appends an event to the text that ghc_show_groups_add reads.  Any thread may call it, with a text
 * of its own.  `is_shown`: false, if the event has no line, but others' threads depend on it. */
void ghc_show_groups_put (const struct ghc_item *item, bool is_shown, enum ghc_show_like like,
                          GString *text);

/* Adds events that were put down, in order of time.  False after an error, which
 * ghc_show_groups_write reports. */
bool ghc_show_groups_add (struct ghc_show_groups *groups, const GString *text);

/* Writes all groups, and the text after them, in pieces that `write` empties; false of `write`
 * stops.  False and an error if they cannot be written out. */
bool ghc_show_groups_write (struct ghc_show_groups *groups,
                            bool (*write) (void *data, GString *text), void *data, GError **error);

#endif
