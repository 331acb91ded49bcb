/* leak-sites.h -- where most objects of a suspect were allocated. */
#ifndef PROFLOG_LEAK_SITES_H
#define PROFLOG_LEAK_SITES_H

#include <glib.h>
#include <stdint.h>

/* Of the class that is named, the suspect's own objects. */
struct leak_site {
  uint64_t known; /* whose allocations are in the log */
  uint64_t count; /* of these, in the place of most */
  guint trace;    /* its backtrace */
};

#endif
