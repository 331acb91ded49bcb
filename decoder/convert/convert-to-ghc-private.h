/* convert-to-ghc-private.h -- declarations for convert-to-ghc.c and convert-to-ghc-threads.c. */
#ifndef PROFLOG_CONVERT_TO_GHC_PRIVATE_H
#define PROFLOG_CONVERT_TO_GHC_PRIVATE_H

#include "decoder/convert/convert-to-ghc.h"

enum { CONVERT_TEXT_MAX = 4096 }; /* bytes of a text */

/* Was the item announced before, or does a part of a log have it for its name? */
bool convert_ghc_is_name_only (const struct mlpd_item *item);

/* The thread of an id of the log, new if it was not seen before. */
struct convert_thread *convert_ghc_thread (struct convert_to_ghc *convert, uint64_t id);

/* The thread is in the eventlog and runs; false if nothing of it can be recorded. */
bool convert_ghc_has_thread (struct convert_to_ghc *convert, struct convert_thread *thread,
                             uint64_t time);

/* Adds an event of a thread that is in the eventlog. */
void convert_ghc_put (struct convert_to_ghc *convert, const struct convert_thread *thread,
                      enum ghc_kind kind, uint64_t time, union ghc_payload payload);

/* The thread stops, with a status of GHC; it can run again. */
void convert_ghc_stop (struct convert_to_ghc *convert, struct convert_thread *thread,
                       unsigned status, uint64_t time);
void convert_ghc_wake_up (struct convert_to_ghc *convert, struct convert_thread *thread,
                          uint64_t time);

/* An event of kind MLPD_METADATA_THREAD. */
void convert_ghc_handle_thread (struct convert_to_ghc *convert, struct convert_thread *thread,
                                const struct mlpd_item *item, uint64_t time);

#endif
