/* ghc-print.c -- prints an item or an event type as text. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/views/ghc/ghc-fields.h"

#include "decoder/output/emitter.h"
#include <proflog/ghc-print.h>

void
ghc_print_item (GString *out, const struct ghc_item *item)
{
  ghc_fields_append_line (out, item);
}

void
ghc_print_type (GString *out, const struct ghc_event_type *type)
{
  const bool is_known = type->kind != GHC_UNKNOWN;
  g_string_append_printf (out, "%u %s size=", type->tag,
                          is_known ? ghc_describe (type->kind)->name : "unknown");
  if (type->size == GHC_VARIABLE)
    g_string_append (out, "variable");
  else
    emitter_append_decimal (out, type->size);
  g_string_append (out, " description=");
  emitter_append_json_string (out, type->description.text, type->description.length);
}
