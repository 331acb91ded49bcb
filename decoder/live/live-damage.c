/* live-damage.c -- see live-damage.h. */
#include "config.h"

#include "decoder/live/live-damage.h"
#include "decoder/log/log-open.h"

void
live_damage_init (struct live_damage *d, struct log_command *command, bool names)
{
  *d = (struct live_damage){ .command = command };
  if (names)
    d->kept = g_ptr_array_new_with_free_func (g_free);
}

void
live_damage_clear (struct live_damage *d)
{
  g_clear_pointer (&d->kept, g_ptr_array_unref);
}

void
live_damage_add (struct live_damage *d, const struct live_feed_damage *one)
{
  if (d->kept == NULL)
    return;
  d->command->damaged = true;
  if (d->found++ < LOG_WARNINGS_MAX)
    g_ptr_array_add (d->kept, log_damage_message (one->message, one->skipped));
}

void
live_damage_warn (struct live_damage *d, const char *log_name)
{
  for (; d->kept != NULL && d->said < d->kept->len; d->said++)
    log_command_warn (d->command, log_name, g_ptr_array_index (d->kept, d->said));
}

void
live_damage_warn_last (struct live_damage *d, const char *log_name)
{
  live_damage_warn (d, log_name);
  if (d->found > LOG_WARNINGS_MAX)
    log_command_warn_more (d->command, log_name, d->found - LOG_WARNINGS_MAX);
}
