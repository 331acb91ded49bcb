/* text-groups.h -- texts of many groups, each of which is read again as a whole, in order.
 *
 * Texts are in memory as long as they are few.  More of them wait in a temporary file: of a group
 * then only the offsets of its texts there are in memory.
 */
#ifndef PROFLOG_TEXT_GROUPS_H
#define PROFLOG_TEXT_GROUPS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct text_groups;

/* `memory`: bytes of texts that are in memory at most, but for the latest one. */
struct text_groups *text_groups_new (size_t memory);
void text_groups_free (struct text_groups *groups);

/* Appends a text to those of the group `key`.  False if the temporary file cannot be written, which
 * text_groups_each reports. */
bool text_groups_add (struct text_groups *groups, uint64_t key, const char *text, size_t length);

/* Calls `begin` for each group in the order of their keys, and after it `put` for the parts of its
 * text, in order; false of `put` stops.  False and an error if texts were lost: the temporary file
 * could not be written or read. */
bool text_groups_each (struct text_groups *groups, void (*begin) (void *data, uint64_t key),
                       bool (*put) (void *data, const char *text, size_t length), void *data,
                       GError **error);

#endif
