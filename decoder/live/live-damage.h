/* live-damage.h -- the damage of a log that is being written, as warnings.
 *
 * The first ones are kept until they can be printed, as nothing may be printed over a page that is
 * on the terminal; the rest is counted.
 */
#ifndef PROFLOG_LIVE_DAMAGE_H
#define PROFLOG_LIVE_DAMAGE_H

#include "decoder/log/log-command.h"
#include "decoder/live/live-feed.h"
#include <glib.h>
#include <stdbool.h>

struct live_damage {
  struct log_command *command;
  GPtrArray *kept; /* messages; NULL: the output of the command has them */
  guint said;      /* of those */
  guint found;
};

/* `names`: the damage of this log is to be named in warnings. */
void live_damage_init (struct live_damage *damage, struct log_command *command, bool names);
void live_damage_clear (struct live_damage *damage);

void live_damage_add (struct live_damage *damage, const struct live_feed_damage *one);

/* Warns of the damage that was added since. */
void live_damage_warn (struct live_damage *damage, const char *log_name);

/* The same at the end, with how many are not named. */
void live_damage_warn_last (struct live_damage *damage, const char *log_name);

#endif
