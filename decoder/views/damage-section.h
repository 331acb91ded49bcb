/* damage-section.h -- the section "damage" of a log of either format. */
#ifndef PROFLOG_DAMAGE_SECTION_H
#define PROFLOG_DAMAGE_SECTION_H

#include "decoder/views/section.h"

/* The values of the section. */
struct report_damage {
  uint64_t damages;
  bool truncated;
  uint64_t missing_bytes, skipped_bytes, lost_events;
  GPtrArray *messages;                                      /* of char * */
  void (*put_more) (const struct report *report, bool any); /* NULL: nothing */
};
void report_put_damage (const struct report *report, const struct report_damage *damage);

#endif
