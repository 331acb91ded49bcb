/* convert-to-mono.h -- an eventlog as a Mono log of data version 17, as far as that can represent
 * it.
 *
 * Each capability is a thread with buffers, and each thread one without.  Collections are those of
 * the capability that leads them: their figures state which one that is, else the caller does,
 * which has to follow all capabilities for that.  Allocated and live bytes are counters, and so are
 * marks.
 */
#ifndef PROFLOG_CONVERT_TO_MONO_H
#define PROFLOG_CONVERT_TO_MONO_H

#include "decoder/convert/convert-losses.h"

#include "decoder/ghc/ghc-span.h"

#include <proflog/ghc-reader.h>
#include <proflog/mlpd-writer.h>

struct convert_to_mono {
  struct mlpd_writer *writer;
  struct convert_losses losses;
  struct mlpd_file_header header;
  bool has_header;
  bool has_buffer; /* of this capability: */
  unsigned cap;
  bool has_hole;     /* damaged bytes are left out, here or in a log that this one was made of */
  uint64_t lost;     /* events that the log states as lost */
  uint64_t end;      /* the latest time */
  GHashTable *caps;  /* number -> struct cap */
  GHashTable *marks; /* name -> number of its counter */
  uint32_t forms[GHC_SPAN_TAGS]; /* of events that the log has nothing of, or may have */
  guint places[GHC_SPAN_TAGS];   /* of these, among the losses, + 1; 0: none was there */
  GError *error;                 /* of an event that cannot be written, until the item is done */
};

void convert_to_mono_init (struct convert_to_mono *convert);
void convert_to_mono_clear (struct convert_to_mono *convert);

/* Finds the facts for the header in an item; true when all are known.  Before anything is
 * converted, as the process may be in any block. */
bool convert_to_mono_find (struct convert_to_mono *convert, const struct ghc_item *item);

/* A capability leads the collection in which its part begins at this time of the eventlog, and no
 * event states so.  Before anything is converted; of each capability in order. */
void convert_to_mono_lead (struct convert_to_mono *convert, unsigned cap, uint64_t start);

/* Converts an item of the log, in the order of the file; damage is left out.  False with
 * MLPD_WRITER_ERROR: nothing more is to be converted. */
bool convert_to_mono_item (struct convert_to_mono *convert, const struct ghc_item *item,
                           GError **error);

/* Passes the events of the span of which the log has nothing. */
void convert_to_mono_span (struct convert_to_mono *convert, struct ghc_span *span);

/* Ends the log. */
void convert_to_mono_end (struct convert_to_mono *convert);

#endif
