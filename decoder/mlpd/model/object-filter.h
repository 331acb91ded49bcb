/* object-filter.h -- which events concern the objects that --find and --track request.
 *
 * Of the events that come in bulk, scans retain only those that the filter selects, so that memory
 * does not grow with the log.  The request is known step by step: which types have the name, where
 * the collector moved an object to, from where it came.  So the log is scanned again until a scan
 * adds nothing (object-queries.h), and each scan is made with a filter that stays as it is.
 */
#ifndef PROFLOG_OBJECT_FILTER_H
#define PROFLOG_OBJECT_FILTER_H

#include "decoder/filter/filter.h"
#include "decoder/mlpd/model/symbols.h"

/* Addresses at most; objects at others are not followed. */
#define OBJECT_ADDRESSES_MAX (1u << 16)

struct object_filter {
  const struct selection *selection; /* borrowed */
  GHashTable *types;     /* uint64_t: of classes and vtables that have a name requested; NULL: not
                            known yet, or names do not matter */
  GHashTable *addresses; /* uint64_t: of objects that are followed */
  GHashTable *handles;   /* uint64_t: object_handle_key of handles to them */
  GHashTable *found;     /* uint64_t: offsets of the allocations of objects that were found and are
                            followed */
  bool is_full;          /* OBJECT_ADDRESSES_MAX was reached */
};

void object_filter_init (struct object_filter *filter, const struct selection *selection);
void object_filter_clear (struct object_filter *filter);

/* Is any object requested? */
bool object_filter_is_active (const struct object_filter *filter);

/* Must names be known to decide which allocations are? */
bool object_filter_needs_names (const struct object_filter *filter);

/* Is an object of this size and type to be found, by its name? */
bool object_filter_finds (const struct object_filter *filter, const char *name, uint64_t size);

/* The same before names are known: may it be one? */
bool object_filter_may_find (const struct object_filter *filter, uint64_t type, uint64_t size);

/* Sets the kinds of events to be retained besides being added up. */
void object_filter_kinds (const struct object_filter *filter, bool kinds[MLPD_KINDS]);

/* Is this event of one of these kinds to be retained? */
bool object_filter_accepts (const struct object_filter *filter, unsigned version,
                            enum mlpd_kind kind, const union mlpd_payload *payload);

bool object_filter_has (const struct object_filter *filter, uint64_t address);

/* Adds the names of a log that was scanned.  True if they were not known before. */
bool object_filter_add_names (struct object_filter *filter, struct symbols *symbols);

/* Adds to a set; true if it was not there. */
bool object_filter_add_address (struct object_filter *filter, uint64_t address);
bool object_filter_add_handle (struct object_filter *filter, uint64_t key);
bool object_filter_add_found (struct object_filter *filter, uint64_t offset);

/* One number for a handle and its kind. */
uint64_t object_handle_key (uint64_t handle_type, uint64_t handle);

#endif
