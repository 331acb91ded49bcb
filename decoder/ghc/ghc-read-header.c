/* ghc-read-header.c -- the steps of the reader of eventlogs in a header. */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"
#include "decoder/ghc/ghc-reader-private.h"

/* The header is read to its end. */
static void
handle_header (struct ghc_reader *r)
{
  const struct ghc_types before = r->types;
  r->types = r->next;
  r->next = before;
  ghc_types_finish (&r->types);
  r->has_header = true;
  r->block_end = r->latest = 0;
  r->is_stray = false;
  r->is_closed = false;
}

enum step
ghc_begin_header (struct ghc_reader *r)
{
  ghc_types_reset (&r->next);
  r->header_offset = r->input.offset;
  ghc_consume (r, GHC_HEADER_IDS_SIZE);
  r->state = STATE_TYPES;
  return STEP_CONTINUE;
}

enum step
ghc_refuse_header (struct ghc_reader *r, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *what = g_strdup_vprintf (format, args);
  va_end (args);
  if (!r->has_header) {
    ghc_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG, "the header of the eventlog is damaged: %s", what);
  } else {
    ghc_begin_damage (r, GHC_DAMAGE_CORRUPT,
                      "the header at offset %" G_GUINT64_FORMAT " is damaged: %s", r->header_offset,
                      what);
    r->damage_offset = r->header_offset;
    r->block_end = 0;
    r->state = STATE_RESYNC;
  }
  g_free (what);
  return STEP_CONTINUE;
}

/* A header from before GHC 6.12. */
static enum step
refuse_older (struct ghc_reader *r)
{
  if (r->has_header)
    return ghc_refuse_header (r, "it is of an older version than that of GHC 6.12");
  return ghc_fail (r, PROFLOG_READ_ERROR_VERSION,
                   "the eventlog has an older header than those of GHC 6.12 and later, which are "
                   "supported");
}

/* One event type; the window has its id. */
static enum step
step_type (struct ghc_reader *r)
{
  const uint8_t *at = r->input.at;
  if (ghc_left (r) < GHC_TYPE_HEAD_SIZE)
    return STEP_NEED_MORE;
  const uint16_t tag = proflog_be16 (at + 4), size = proflog_be16 (at + 6);
  const uint64_t length = proflog_be32 (at + 8);
  if (length == 13 && ghc_left (r) > GHC_TYPE_HEAD_SIZE && at[GHC_TYPE_HEAD_SIZE] == 10)
    return ghc_refuse_header (r,
                              "at offset %" G_GUINT64_FORMAT
                              " there is 0d 0a instead of 0a, as if the file was copied in text "
                              "mode; 'proflog repair' corrects that",
                              r->input.offset + GHC_TYPE_HEAD_SIZE - 1);
  /* In the first version the size comes after the description, and then the type ends. */
  if (length <= GHC_DESCRIPTION_MAX && ghc_left (r) >= GHC_TYPE_HEAD_SIZE + length + 2 + GHC_ID_SIZE
      && size == 0 && proflog_be32 (at + GHC_TYPE_HEAD_SIZE + length + 2) == GHC_TYPE_END)
    return refuse_older (r);
  if (length > GHC_DESCRIPTION_MAX)
    return ghc_refuse_header (r,
                              "at offset %" G_GUINT64_FORMAT
                              " the description of events %u has %" G_GUINT64_FORMAT
                              " bytes; there may be %u",
                              r->input.offset, tag, length, GHC_DESCRIPTION_MAX);
  const size_t extra_at = GHC_TYPE_HEAD_SIZE + (size_t) length;
  if (ghc_left (r) < extra_at + 4)
    return STEP_NEED_MORE;
  const uint64_t extra = proflog_be32 (at + extra_at);
  if (extra > GHC_DESCRIPTION_MAX)
    return ghc_refuse_header (r,
                              "at offset %" G_GUINT64_FORMAT
                              " more information on events %u has %" G_GUINT64_FORMAT
                              " bytes; there may be %u",
                              r->input.offset, tag, extra, GHC_DESCRIPTION_MAX);
  const size_t end = extra_at + 4 + (size_t) extra;
  if (ghc_left (r) < end + GHC_ID_SIZE)
    return STEP_NEED_MORE;
  if (proflog_be32 (at + end) != GHC_TYPE_END)
    return ghc_refuse_header (
        r, "at offset %" G_GUINT64_FORMAT " the declaration of events %u does not end",
        r->input.offset + end, tag);
  if (tag == GHC_DATA_END || ghc_types_find (&r->next, tag) != NULL)
    return ghc_refuse_header (r, "at offset %" G_GUINT64_FORMAT " events %u are declared%s",
                              r->input.offset, tag, tag == GHC_DATA_END ? "" : " again");
  const char *text = (const char *) at + GHC_TYPE_HEAD_SIZE;
  ghc_types_add (&r->next, tag, size, (struct ghc_text){ text, (size_t) length },
                 (struct ghc_text){ text + length + 4, (size_t) extra });
  ghc_consume (r, end + GHC_ID_SIZE);
  return STEP_CONTINUE;
}

/* Tags that there were before GHC 6.12, and the size of the first of them: of the tag and 8 bytes.
 */
enum { OLDEST_TAGS = 13, OLDEST_CREATE_SIZE = 10 };

/* Is it a header from before GHC 6.12?  Sizes are those with the tag then: an event without fields
 * has 2 bytes. */
static bool
ghc_types_are_older (const struct ghc_types *t)
{
  const struct ghc_event_type *create = ghc_types_find (t, GHC_TAG_CREATE_THREAD);
  if (create == NULL || create->size != OLDEST_CREATE_SIZE)
    return false;
  for (unsigned tag = 0; tag < OLDEST_TAGS; tag++) {
    const enum ghc_kind kind = ghc_kind_of_tag ((uint16_t) tag);
    const struct ghc_event_type *type = ghc_types_find (t, (uint16_t) tag);
    if (kind != GHC_UNKNOWN && ghc_describe (kind)->size == 0 && type != NULL
        && type->size != sizeof (uint16_t))
      return false;
  }
  return true;
}

enum step
ghc_step_types (struct ghc_reader *r)
{
  if (ghc_left (r) < GHC_ID_SIZE)
    return STEP_NEED_MORE;
  const uint64_t id = proflog_be32 (r->input.at);
  if (id == GHC_TYPE_BEGIN)
    return step_type (r);
  if (id != GHC_TYPES_END)
    return ghc_refuse_header (
        r, "at offset %" G_GUINT64_FORMAT " no type of events begins (bytes %08x)", r->input.offset,
        (unsigned) id);
  if (ghc_left (r) < 3 * GHC_ID_SIZE)
    return STEP_NEED_MORE;
  if (proflog_be32 (r->input.at + GHC_ID_SIZE) != GHC_HEADER_END
      || proflog_be32 (r->input.at + 2 * GHC_ID_SIZE) != GHC_DATA_BEGIN)
    return ghc_refuse_header (r, "at offset %" G_GUINT64_FORMAT " it does not end",
                              r->input.offset + GHC_ID_SIZE);
  if (ghc_types_are_older (&r->next))
    return refuse_older (r);
  ghc_consume (r, 3 * GHC_ID_SIZE);
  handle_header (r);
  r->state = STATE_EVENTS;
  return ghc_emit (r, GHC_ITEM_HEADER, r->header_offset, r->input.offset - r->header_offset);
}
