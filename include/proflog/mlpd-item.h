/* mlpd-item.h -- the fields of an event of a Mono log by their names, for programs that do not know the
 * payloads of mlpd.h, such as those in other languages.  docs/mlpd-events.md lists kinds and fields.
 *
 * Items are those of mlpd_reader_next, and results are valid as long as they are.  Nothing here changes the
 * item: any threads may read it at a time, while none calls its reader.
 */
#ifndef PROFLOG_MLPD_ITEM_H
#define PROFLOG_MLPD_ITEM_H

#include <proflog/mlpd-reader.h>

G_BEGIN_DECLS

/* The kind, "alloc", "gc-event", ...; NULL if the item is no event. */
const char *mlpd_item_kind (const struct mlpd_item *item);

/* The number of this field, in the unit that docs/mlpd-events.md states.  False if the event has none
 * of this name; *number is not changed then. */
bool mlpd_item_number (const struct mlpd_item *item, const char *field, uint64_t *number);

/* The text of this field, closed by a NUL; NULL if the event has none of this name. */
const char *mlpd_item_text (const struct mlpd_item *item, const char *field);

/* The description of a damage; NULL if the item is something else. */
const char *mlpd_item_damage (const struct mlpd_item *item);

G_END_DECLS

#endif
