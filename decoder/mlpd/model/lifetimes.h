/* lifetimes.h -- things that are loaded and unloaded: application domains, contexts, images,
 * assemblies.
 *
 * An id that is loaded again after it was unloaded, by the times of both, is another thing.
 * Whatever is known of an id that was never loaded is retained, too: the log may begin late.
 */
#ifndef PROFLOG_LIFETIMES_H
#define PROFLOG_LIFETIMES_H

#include <glib.h>
#include <stdbool.h>
#include <proflog/mlpd.h>

struct lifetime {
  uint64_t id;
  uint64_t scope; /* the owner, if the same id of another owner is another thing; else 0 */
  uint64_t owner; /* of a context its domain, of an assembly its image; else 0 */
  char *name;     /* NULL: unknown */
  char *mvid;     /* of an image; NULL: unknown */
  bool loaded;    /* at this time */
  bool unloaded;
  uint64_t load_time;
  uint64_t unload_time;
};

struct lifetimes {
  GPtrArray *all;      /* of struct lifetime *, in the order they come first */
  GHashTable *current; /* struct lifetime, by id and scope */
  bool of_owners;
  uint64_t errors; /* failed loads */
};

/* `of_owners`: each owner has ids of its own. */
void lifetimes_init (struct lifetimes *lifetimes, bool of_owners);
void lifetimes_clear (struct lifetimes *lifetimes);

/* An event: `action` is one of enum mlpd_value's MLPD_LOAD_..., name and mvid may be NULL.  A thing
 * that is announced again retains its first time. */
void lifetimes_event (struct lifetimes *lifetimes, uint64_t id, uint64_t action, uint64_t time,
                      uint64_t owner, const char *name, const char *mvid);

/* How many were loaded. */
guint lifetimes_loaded (const struct lifetimes *lifetimes);

#endif
