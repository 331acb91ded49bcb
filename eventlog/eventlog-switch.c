/* eventlog-switch.c -- switches classes of events on and off. */
#include "config.h"

#include "eventlog/eventlog-private.h"

static enum eventlog_result
turn (struct eventlog_writer *w, enum eventlog_class which, const char *argument, bool on)
{
  bool chosen[GHC_KINDS] = { false };
  if (eventlog_is_in_callback)
    return EVENTLOG_ERROR_ORDER;
  if ((unsigned) which >= EVENTLOG_CLASSES || !eventlog_choose (which, argument, chosen))
    return EVENTLOG_ERROR_ARGUMENT;
  for (int i = 0; i < GHC_KINDS; i++)
    if (chosen[i])
      atomic_store (&w->enabled[i], on); /* for the relaxed load in begin_in_buffer */
  return EVENTLOG_OK;
}

enum eventlog_result
eventlog_writer_enable (struct eventlog_writer *w, enum eventlog_class which, const char *argument)
{
  return turn (w, which, argument, true);
}

enum eventlog_result
eventlog_writer_disable (struct eventlog_writer *w, enum eventlog_class which, const char *argument)
{
  return turn (w, which, argument, false);
}

bool
eventlog_writer_is_enabled (const struct eventlog_writer *w, enum ghc_kind kind)
{
  return (unsigned) kind < GHC_KINDS && atomic_load (&w->enabled[kind]);
}
