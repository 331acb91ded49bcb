/* damage-section.c -- writes the section "damage" for logs of both formats. */
#include "config.h"

#include "decoder/views/damage-section.h"

void
report_put_damage (const struct report *r, const struct report_damage *d)
{
  struct emitter *e = r->e;
  const bool any = d->damages != 0, selected = r->view->sections != NULL;
  emitter_open (e, "damage", any || selected ? "Damage" : NULL);
  if (!any)
    emitter_note (e, "None: all that the log has could be read.");
  emitter_truth (e, "truncated", any ? "Truncated" : NULL, d->truncated);
  emitter_number (e, "missing_bytes", any ? "Missing bytes" : NULL, d->missing_bytes);
  emitter_number (e, "skipped_bytes", any ? "Skipped bytes" : NULL, d->skipped_bytes);
  if (d->put_more != NULL)
    d->put_more (r, any);
  emitter_number (e, "lost_events", d->lost_events != 0 ? "Lost events" : NULL, d->lost_events);
  emitter_texts (e, "messages", "What", d->messages);
  emitter_close (e);
}
