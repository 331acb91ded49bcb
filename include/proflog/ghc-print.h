/* ghc-print.h -- the items of a GHC eventlog as text, as `proflog dump` prints them.
 *
 * All of it may be called from any thread, while none calls the reader of the item.
 */
#ifndef PROFLOG_GHC_PRINT_H
#define PROFLOG_GHC_PRINT_H

#include <glib.h>
#include <proflog/ghc-reader.h>

G_BEGIN_DECLS

/* Appends an item: of an event its time in seconds since the program began, its capability (- for
 * no one's), its kind and its fields ("0.001300000 0 create-thread thread=2"); of others their type
 * and contents.  Texts are in quotes, with escapes as in JSON.  No line's end. */
void ghc_print_item (GString *out, const struct ghc_item *item);

/* Appends the declaration of a type of events: tag, kind, bytes of its payload, the writer's
 * description ("0 create-thread size=4 description=\"Create thread\""). */
void ghc_print_type (GString *out, const struct ghc_event_type *type);

G_END_DECLS

#endif
