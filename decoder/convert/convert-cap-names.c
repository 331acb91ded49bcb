/* convert-cap-names.c -- writes and recognizes names of capabilities. */
#include "config.h"

#include "decoder/convert/convert-cap-names.h"

#include <proflog/ghc.h>
#include <stdio.h>
#include <string.h>

void
convert_cap_name (char name[CONVERT_CAP_NAME_SIZE], unsigned cap)
{
  snprintf (name, CONVERT_CAP_NAME_SIZE, "Capability %u", cap);
}

bool
convert_is_cap (uint64_t thread, const char *name)
{
  char own[CONVERT_CAP_NAME_SIZE];
  if (thread < CONVERT_CAP_ID || thread >= CONVERT_CAP_ID + GHC_NO_CAP)
    return false;
  convert_cap_name (own, (unsigned) (thread - CONVERT_CAP_ID));
  return strcmp (own, name) == 0;
}
