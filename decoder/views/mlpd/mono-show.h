/* mono-show.h -- the events of a Mono log in words, a line each, with names resolved. */
#ifndef PROFLOG_MONO_SHOW_H
#define PROFLOG_MONO_SHOW_H

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/views/mlpd/dump.h"

struct mono_show {
  struct dump dump; /* the selection, and the names so far */
  struct counters counters;
};

/* `selection` as in dump_init.  `names` (borrowed, NULL: none) has later announcements: an address
 * that was not announced yet has its name there. */
void mono_show_init (struct mono_show *show, const struct selection *selection,
                     const struct symbols *names);
void mono_show_clear (struct mono_show *show);

/* Appends the event's line to `out`, if it is selected and no context of a part.  `time` is the
 * event's, on the log's clock.
 */
void mono_show_event (struct mono_show *show, const struct mlpd_item *item, uint64_t time,
                      GString *out);

#endif
