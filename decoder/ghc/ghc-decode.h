/* ghc-decode.h -- decodes the payloads of single events of GHC eventlogs.
 *
 * All of it is constant; any thread may use it.
 */
#ifndef PROFLOG_GHC_DECODE_H
#define PROFLOG_GHC_DECODE_H

#include "decoder/core/cursor.h"

#include <proflog/ghc.h>

/* The kind that a tag stands for; GHC_UNKNOWN if the list has none. */
enum ghc_kind ghc_kind_of_tag (uint16_t tag);

/* Decodes the payload at the cursor, which ends with it.  `size` is the declared one of the event;
 * where it was not wrong, its real size.  The cursor stands after the last field then, or has
 * failed: the payload is not one of this kind.  Texts point into the cursor's bytes. */
void ghc_decode_payload (enum ghc_kind kind, unsigned size, struct cursor *cursor,
                         union ghc_payload *payload);

#endif
