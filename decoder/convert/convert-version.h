/* convert-version.h -- a Mono log of one data version as one of another.
 *
 * Buffers, threads, times, names and backtraces stay.  From data version 15 on, objects have
 * vtables: before, they have the classes of these; after, each class has a vtable at its own
 * address.
 */
#ifndef PROFLOG_CONVERT_VERSION_H
#define PROFLOG_CONVERT_VERSION_H

#include "decoder/convert/convert-losses.h"
#include "decoder/mlpd/model/symbols.h"

#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-writer.h>

struct convert_version {
  struct mlpd_writer *writer;
  unsigned to;           /* data version */
  uint64_t first_time;   /* time base of the first buffer */
  uint64_t earliest;     /* of the buffers that have events */
  struct symbols *names; /* of the whole log: the classes of vtables */
  struct convert_losses losses;
  unsigned from;                      /* data version */
  uint64_t time;                      /* of the event before, in the buffer */
  struct symbols announced;           /* classes so far */
  struct mlpd_metadata_vtable vtable; /* of the class before, which is to be written */
  bool has_vtable;
  bool is_damaged;   /* a mark states that */
  uint64_t sampling; /* of allocations, which the log does not state; 0: all are there */
  uint64_t sampled;  /* bytes that were recorded */
  uint64_t estimate; /* bytes for which these stand */
  GArray *zeros;     /* offsets of references that have none */
};

/* To a data version.  The names are borrowed. */
void convert_version_init (struct convert_version *convert, unsigned to, struct symbols *names);
void convert_version_clear (struct convert_version *convert);

/* Converts an item of the log; damage is left out.  False with MLPD_WRITER_ERROR. */
bool convert_version_item (struct convert_version *convert, const struct mlpd_item *item,
                           GError **error);

/* Ends the last buffer; all losses are known then. */
void convert_version_end (struct convert_version *convert);

#endif
