/* ghc-reader-emit.c -- how the reader of eventlogs hands out its findings: items, damage, errors.
 *
 * The lowest part of the reader: it calls none of the others.
 */
#include "config.h"

#include "decoder/ghc/ghc-reader-private.h"

enum step
ghc_emit (struct ghc_reader *r, enum ghc_item_type type, uint64_t offset, uint64_t size)
{
  r->item = (struct ghc_item){
    .type = type,
    .offset = offset,
    .size = size,
    .header = r->has_header ? &r->types.header : NULL,
    .in_block = offset < r->block_end,
    .cap = GHC_NO_CAP,
    .kind = GHC_UNKNOWN,
  };
  return STEP_ITEM;
}

void
ghc_begin_damage (struct ghc_reader *r, enum ghc_damage_reason reason, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (r->message);
  r->message = g_strdup_vprintf (format, args);
  va_end (args);
  r->damage_offset = r->input.offset;
  r->damage = (struct ghc_damage){ .reason = reason };
  r->walked = 0;
}

enum step
ghc_emit_damage (struct ghc_reader *r)
{
  r->damage.skipped = r->input.offset - r->damage_offset;
  r->damage.message = r->message;
  ghc_emit (r, GHC_ITEM_DAMAGE, r->damage_offset, r->damage.skipped);
  r->item.damage = &r->damage;
  return STEP_ITEM;
}

enum step
ghc_fail (struct ghc_reader *r, enum proflog_read_error code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  r->error = g_error_new_valist (PROFLOG_READ_ERROR, (gint) code, format, args);
  va_end (args);
  r->state = STATE_ERROR;
  return STEP_CONTINUE;
}
