/* mlpd-reader-emit.c -- items, damage and errors of the reader of .mlpd logs. */
#include "config.h"

#include "decoder/mlpd/mlpd-reader-private.h"

void
mlpd_reader_begin_damage (struct mlpd_reader *r, enum mlpd_damage_reason reason, const char *format,
                          ...)
{
  va_list args;
  va_start (args, format);
  g_free (r->message);
  r->message = g_strdup_vprintf (format, args);
  va_end (args);
  r->damage_offset = r->input.offset;
  r->damage = (struct mlpd_damage){ .reason = reason };
  r->verify.last.has_sum = false; /* it is known already that the buffer is another one */
}

enum step
mlpd_reader_emit_damage (struct mlpd_reader *r, bool in_buffer)
{
  r->damage.skipped = r->input.offset - r->damage_offset;
  r->damage.message = r->message;
  mlpd_reader_emit (r, MLPD_ITEM_DAMAGE, r->damage_offset, r->damage.skipped, in_buffer);
  r->item.damage = &r->damage;
  return STEP_ITEM;
}

enum step
mlpd_reader_fail (struct mlpd_reader *r, enum proflog_read_error code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  r->error = g_error_new_valist (PROFLOG_READ_ERROR, (gint) code, format, args);
  va_end (args);
  r->state = STATE_ERROR;
  return STEP_CONTINUE;
}
