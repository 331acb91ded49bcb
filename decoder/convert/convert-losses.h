/* convert-losses.h -- events that the target of a conversion cannot represent: names with
 * counts. */
#ifndef PROFLOG_CONVERT_LOSSES_H
#define PROFLOG_CONVERT_LOSSES_H

#include <glib.h>
#include <stdint.h>

struct convert_losses {
  GPtrArray *names; /* const char *, static, in the order in which they were seen */
  GArray *counts;   /* uint64_t */
};

void convert_losses_init (struct convert_losses *losses);
void convert_losses_clear (struct convert_losses *losses);

/* The place of the count of this name, which is static and the same pointer each time; it is there
 * from then on. */
guint convert_losses_place (struct convert_losses *losses, const char *name);

/* One more thing of this name. */
void convert_losses_add (struct convert_losses *losses, const char *name);

#endif
