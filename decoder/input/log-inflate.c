/* log-inflate.c -- the members of a compressed file. */
#include "config.h"

#include "decoder/input/log-file-private.h"

enum unpack_kind
log_file_kind_here (const struct log_file *f)
{
  return unpack_kind_of (f->bytes + f->at, log_file_left (f));
}

bool
log_file_recognise (struct log_file *f, GError **error)
{
  if (!log_file_require (f, UNPACK_ID_SIZE, error))
    return false;
  if (log_file_left (f) == 0)
    return log_file_fail (f, "is empty", error);
  f->is_known = true;
  f->kind = log_file_kind_here (f);
  if (f->kind == UNPACK_NONE)
    return true;
  if (!unpack_is_there (f->kind))
    return log_file_fail (f, "is compressed with zstd, which this build of proflog cannot read",
                          error);
  f->unpacker = unpacker_new (f->kind);
  if (f->unpacker == NULL)
    return log_file_fail (f, "no memory to inflate it", error);
  f->inflated = g_malloc (CHUNK);
  f->in_member = true;
  return true;
}

size_t
log_file_inflate_first (const struct log_file *f, enum unpack_kind kind, uint8_t *to, size_t room)
{
  struct unpack_space space
      = { .in = f->bytes + f->at, .in_left = log_file_left (f), .out = to, .out_left = room };
  const char *why;
  struct unpacker *unpacker = unpack_is_there (kind) ? unpacker_new (kind) : NULL;
  if (unpacker == NULL)
    return 0;
  unpacker_run (unpacker, &space, &why);
  unpacker_free (unpacker);
  return room - space.out_left;
}

static void G_GNUC_PRINTF (3, 4)
    end_with_damage (struct log_file *f, bool truncated, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  f->message = g_strdup_vprintf (format, args);
  va_end (args);
  f->damage = (struct log_file_damage){
    .truncated = truncated,
    .offset = f->offset - log_file_left (f),
    .message = f->message,
  };
  f->done = true;
}

/* The rest of a file that may be a bomb is counted and not read. */
static void
end_at_limit (struct log_file *f, const char *why)
{
  uint64_t size;
  const uint64_t done = f->offset - log_file_left (f);
  if (log_file_is_regular (f, &size) && size >= done)
    end_with_damage (f, false,
                     "the compressed log is not read to its end: %s (%" G_GUINT64_FORMAT
                     " bytes of the file not read)",
                     why, size - done);
  else
    end_with_damage (f, false, "the compressed log is not read to its end: %s", why);
}

bool
log_file_next_member (struct log_file *f, GError **error)
{
  if (!log_file_require (f, UNPACK_ID_SIZE, error))
    return false;
  const uint64_t offset = f->offset - log_file_left (f);
  if (log_file_left (f) == 0) {
    f->done = true;
  } else if (log_file_kind_here (f) == f->kind) {
    unpacker_restart (f->unpacker);
    f->in_member = true;
  } else {
    end_with_damage (f, false,
                     "the compressed log is followed by something else at offset %" G_GUINT64_FORMAT
                     " of the file",
                     offset);
  }
  return true;
}

bool
log_file_inflate (struct log_file *f, size_t *length, GError **error)
{
  if (!log_file_require (f, 1, error))
    return false;
  struct unpack_space space = {
    .in = f->bytes + f->at, .in_left = log_file_left (f), .out = f->inflated, .out_left = CHUNK
  };
  const char *why = NULL;
  const enum unpack_result result = unpacker_run (f->unpacker, &space, &why);
  f->at = f->end - space.in_left;
  *length = CHUNK - space.out_left;
  if (result == UNPACK_ENDED)
    f->in_member = false;
  else if (result == UNPACK_NO_MEMORY)
    return log_file_fail (f, "no memory to inflate it", error);
  else if (result == UNPACK_CORRUPT)
    end_with_damage (
        f, false, "the compressed log is corrupt near offset %" G_GUINT64_FORMAT " of the file: %s",
        f->offset - log_file_left (f), why);
  else if (result == UNPACK_TOO_LARGE)
    end_at_limit (f, why);
  else if (*length == 0 && log_file_left (f) == 0 && f->at_end)
    end_with_damage (f, true,
                     "the compressed log is cut: its file ends at offset %" G_GUINT64_FORMAT
                     " inside compressed data",
                     f->offset);
  return true;
}
