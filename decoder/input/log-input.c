/* log-input.c -- a log: a file (log-file.h), then the rest in the spool beside it (spool-logs.h);
 * or several files (log-parts.h). */
#include "config.h"

#include "decoder/input/log-input.h"
#include "decoder/core/temporary-file.h"

#include "decoder/input/log-parts.h"
#include "decoder/input/spool-logs.h"
#include "decoder/input/text-mode.h"
#include "decoder/mlpd/mlpd-check-marks.h"
#include "decoder/mlpd/mlpd-object-unit.h"

#include <errno.h>
#include <proflog/ghc-walk.h>
#include <proflog/mlpd.h>
#include <string.h>
#include <unistd.h>

enum {
  /* Bytes of the spool's share that are given at once. */
  CHUNK = 256 * 1024,
  /* Bytes of a log that are inspected for ends of lines; every header has some 0a in them. */
  TEXT_PEEK = 4096,
};

struct log_input {
  /* Of several files, which are read at `at`. */
  struct log_parts *parts; /* else NULL */
  GPtrArray *inputs;       /* of struct log_input: each file */
  char *name;
  uint8_t *bytes; /* CHUNK of them; NULL: none were read */
  char *message;  /* of the damage */
  struct log_file_damage damage;
  struct log_file *file; /* else */
  struct log_recovery
      recovery; /* with a spool: the first log_length bytes of the log, then the rest */
  uint64_t at;  /* where sequential reading is; only with a spool or of several files */
  enum mlpd_object_unit object_unit; /* OPEN: not known yet */
  struct text_mode text;
  const uint8_t *rest; /* of the chunk that log_input_fill had no room for */
  size_t rest_length;
};

struct log_input *
log_input_open_alone (const char *path, GError **error)
{
  struct log_file *file = log_file_open (path, error);
  if (file == NULL)
    return NULL;
  struct log_input *input = g_new0 (struct log_input, 1);
  input->file = file;
  return input;
}

struct log_input *
log_input_open (const char *path, GError **error)
{
  return log_input_open_with (path, NULL, error);
}

struct log_input *
log_input_open_with (const char *path, const char *spool, GError **error)
{
  struct log_input *input = log_input_open_alone (path, error);
  uint64_t size;
  if (input == NULL || !log_file_is_regular (input->file, &size))
    return input;
  log_recovery_find (&input->recovery, path, spool, size,
                     size == 0 || log_file_plain_size (input->file) != 0);
  return input;
}

/* ---- several files ---- */

static void
close_input (void *input)
{
  log_input_close (input);
}

static size_t
read_part_at (void *input, uint64_t offset, uint8_t *to, size_t length)
{
  return log_input_read_at (input, offset, to, length);
}

static bool
add_part (struct log_input *input, const char *path, const char *spool, bool is_last,
          GError **error)
{
  struct log_input *part
      = is_last ? log_input_open_with (path, spool, error) : log_input_open_alone (path, error);
  if (part == NULL)
    return false;
  g_ptr_array_add (input->inputs, part);
  if (!log_input_make_seekable (part, error))
    return false;
  const struct log_part_bytes bytes = { .name = log_input_name (part),
                                        .size = log_input_size (part),
                                        .read_at = read_part_at,
                                        .data = part };
  log_parts_add (input->parts, &bytes, is_last);
  return true;
}

struct log_input *
log_input_open_parts (const char *name, char *const *paths, const char *spool, GError **error)
{
  struct log_input *input = g_new0 (struct log_input, 1);
  input->parts = log_parts_new ();
  input->inputs = g_ptr_array_new_with_free_func (close_input);
  input->name = g_strdup (name);
  for (guint i = 0; paths[i] != NULL; i++)
    if (!add_part (input, paths[i], spool, paths[i + 1] == NULL, error)) {
      log_input_close (input);
      return NULL;
    }
  return input;
}

static struct log_input *
last_input (const struct log_input *input)
{
  return g_ptr_array_index (input->inputs, input->inputs->len - 1);
}

/* Files that are missing or cut, and the damage of each. */
static const struct log_file_damage *
parts_damage (struct log_input *input)
{
  GString *message = g_string_new (log_parts_notes (input->parts));
  input->damage = (struct log_file_damage){ .is_read_error = false };
  for (guint i = 0; i < input->inputs->len; i++) {
    struct log_input *part = g_ptr_array_index (input->inputs, i);
    const struct log_file_damage *damage = log_input_damage (part);
    if (damage == NULL)
      continue;
    input->damage.is_read_error |= damage->is_read_error;
    input->damage.truncated |= damage->truncated && part == last_input (input);
    g_string_append_printf (message, "%s%s: %s", message->len != 0 ? "; " : "",
                            log_input_name (part), damage->message);
  }
  g_free (input->message);
  input->message = g_string_free (message, FALSE);
  input->damage.message = input->message;
  return *input->message != 0 ? &input->damage : NULL;
}

/* ---- all ---- */

void
log_input_close (struct log_input *input)
{
  if (input == NULL)
    return;
  g_clear_pointer (&input->parts, log_parts_free);
  g_clear_pointer (&input->inputs, g_ptr_array_unref);
  g_free (input->name);
  g_free (input->bytes);
  g_free (input->message);
  log_file_close (input->file);
  text_mode_clear (&input->text);
  log_recovery_clear (&input->recovery);
  g_free (input);
}

const char *
log_input_name (const struct log_input *input)
{
  return input->parts != NULL ? input->name : log_file_name (input->file);
}

const char *
log_input_first_file (const struct log_input *input)
{
  return input->parts != NULL ? log_parts_first (input->parts) : NULL;
}

const char *
log_input_last_file (const struct log_input *input)
{
  return log_input_name (input->parts != NULL ? last_input (input) : input);
}

const struct log_file_damage *
log_input_damage (struct log_input *input)
{
  return input->parts != NULL ? parts_damage (input) : log_file_damage (input->file);
}

bool
log_input_detect_eventlog (struct log_input *input, bool *is_eventlog, GError **error)
{
  /* Before it there may be the marker of a block, event 18. */
  static const uint8_t header[] = { 'h', 'd', 'r', 'b' }, marker[] = { 0, 18 };
  uint8_t bytes[GHC_BLOCK_MARKER_SIZE + sizeof header];
  size_t there = 0;
  if (input->parts != NULL)
    return log_input_detect_eventlog (g_ptr_array_index (input->inputs, 0), is_eventlog, error);
  *is_eventlog = input->recovery.is_eventlog;
  if (input->recovery.has_rest)
    return true;
  if (!log_file_peek (input->file, bytes, sizeof bytes, &there, error))
    return false;
  const bool has_flags
      = there > GHC_BLOCK_MARKER_SIZE && memcmp (bytes, marker, sizeof marker) == 0;
  const size_t at = has_flags ? GHC_BLOCK_MARKER_SIZE : 0;
  *is_eventlog = there > at && memcmp (bytes + at, header, MIN (there - at, sizeof header)) == 0;
  return true;
}

bool
log_input_has_text_ends (struct log_input *input)
{
  uint8_t bytes[TEXT_PEEK];
  size_t length;
  return input->parts == NULL && log_file_peek (input->file, bytes, sizeof bytes, &length, NULL)
         && text_mode_is_likely (bytes, length);
}

void
log_input_drop_text_ends (struct log_input *input, uint64_t *dropped)
{
  text_mode_init (&input->text, dropped);
}

void
log_input_set_object_unit (struct log_input *input, unsigned unit)
{
  input->object_unit = unit == 1   ? MLPD_OBJECT_UNIT_BYTE
                       : unit == 8 ? MLPD_OBJECT_UNIT_8
                                   : MLPD_OBJECT_UNIT_OPEN;
}

/* The unit by the first bytes, up to `room` of them. */
static enum mlpd_object_unit
probe_object_unit (struct log_input *input, size_t room, bool is_last)
{
  uint8_t *bytes = g_malloc (room);
  size_t length = 0;
  if (log_input_size (input) != 0)
    length = log_input_read_at (input, 0, bytes, room);
  else if (!input->recovery.has_rest)
    log_file_peek (input->file, bytes, room, &length, NULL);
  const enum mlpd_object_unit unit
      = mlpd_find_object_unit (bytes, length, is_last || length < room);
  g_free (bytes);
  return unit;
}

bool
log_input_has_byte_objects (struct log_input *input)
{
  /* Most logs show it in their header or soon after.  A pipe has no more at hand. */
  enum { SOON = 64 * 1024, LAST_OF_PIPE = 192 * 1024, LAST = 4 * 1024 * 1024 };
  const size_t rooms[]
      = { MLPD_FILE_HEADER_SIZE, SOON, log_input_size (input) != 0 ? LAST : LAST_OF_PIPE };
  for (guint i = 0; i < G_N_ELEMENTS (rooms) && input->object_unit == MLPD_OBJECT_UNIT_OPEN; i++)
    input->object_unit = probe_object_unit (input, rooms[i], i == G_N_ELEMENTS (rooms) - 1);
  return input->object_unit == MLPD_OBJECT_UNIT_BYTE;
}

struct mlpd_reader *
log_input_new_reader (struct log_input *input)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  mlpd_reader_set_byte_objects (reader, log_input_has_byte_objects (input));
  mlpd_reader_verify (reader);
  return reader;
}

/* The log's own bytes, then those of the spool. */
static bool
read_joined (struct log_input *input, const uint8_t **bytes, size_t *length, GError **error)
{
  const struct spool_share *share = &input->recovery.share;
  if (input->at < share->log_length) {
    if (!log_file_read (input->file, bytes, length, error))
      return false;
    *length = (size_t) MIN (*length, share->log_length - input->at);
    input->at += *length;
    if (*length != 0)
      return true;
    input->at = share->log_length; /* somebody has made the file shorter */
  }
  const uint64_t done = input->at - share->log_length;
  *bytes = share->rest->data + done;
  *length = (size_t) MIN (share->rest->len - done, CHUNK);
  input->at += *length;
  return true;
}

static size_t
read_parts (struct log_input *input, uint8_t *to, size_t room)
{
  const size_t length = log_parts_read_at (input->parts, input->at, to, room);
  input->at += length;
  return length;
}

bool
log_input_read (struct log_input *input, const uint8_t **bytes, size_t *length, GError **error)
{
  if (input->parts != NULL) {
    if (input->bytes == NULL)
      input->bytes = g_malloc (CHUNK);
    *bytes = input->bytes;
    *length = read_parts (input, input->bytes, CHUNK);
    return true;
  }
  if (input->recovery.has_rest)
    return read_joined (input, bytes, length, error);
  if (input->text.removed == NULL)
    return log_file_read (input->file, bytes, length, error);
  do {
    if (!log_file_read (input->file, bytes, length, error))
      return false;
    text_mode_remove (&input->text, bytes, length);
  } while (*length == 0 && input->text.has_cr); /* more has to follow */
  return true;
}

bool
log_input_fill (struct log_input *input, uint8_t *to, size_t room, size_t *length, GError **error)
{
  *length = 0;
  if (input->parts != NULL) {
    *length = read_parts (input, to, room);
    return true;
  }
  while (*length < room
         && !(log_file_is_done (input->file) && input->rest_length == 0
              && !input->recovery.has_rest)) {
    if (input->rest_length != 0) {
      const size_t n = MIN (input->rest_length, room - *length);
      memcpy (to + *length, input->rest, n);
      input->rest += n;
      input->rest_length -= n;
      *length += n;
    } else if (log_file_is_direct (input->file) && input->text.removed == NULL
               && !input->recovery.has_rest) {
      size_t n;
      if (!log_file_read_into (input->file, to + *length, room - *length, &n, error))
        return false;
      *length += n;
    } else if (!log_input_read (input, &input->rest, &input->rest_length, error)) {
      return false;
    } else if (input->recovery.has_rest && input->rest_length == 0) {
      break;
    }
  }
  return true;
}

/* ---- more than one way through ---- */

/* Of the file; a spool that is read as a log is plain. */
static uint64_t
plain_size (const struct log_input *input)
{
  return input->recovery.is_alone && input->recovery.has_rest ? input->recovery.share.rest->len
                                                              : log_file_plain_size (input->file);
}

uint64_t
log_input_size (const struct log_input *input)
{
  if (input->parts != NULL)
    return log_parts_size (input->parts);
  if (input->recovery.has_rest && plain_size (input) != 0)
    return input->recovery.share.log_length + input->recovery.share.rest->len;
  return plain_size (input);
}

const struct log_identity *
log_input_identity (const struct log_input *input)
{
  if (input->parts != NULL || input->recovery.has_rest || input->text.removed != NULL)
    return NULL;
  return log_file_identity (input->file);
}

size_t
log_input_read_at (struct log_input *input, uint64_t offset, uint8_t *to, size_t length)
{
  const struct spool_share *share = &input->recovery.share;
  if (input->parts != NULL)
    return log_parts_read_at (input->parts, offset, to, length);
  if (!input->recovery.has_rest)
    return log_file_read_at (input->file, offset, to, length);
  size_t done = 0;
  if (offset < share->log_length) {
    const size_t wanted = (size_t) MIN (length, share->log_length - offset);
    done = log_file_read_at (input->file, offset, to, wanted);
    if (done < wanted)
      return done;
  }
  const uint64_t from = offset + done - share->log_length;
  if (from < share->rest->len) {
    const size_t n = (size_t) MIN (length - done, share->rest->len - from);
    memcpy (to + done, share->rest->data + from, n);
    done += n;
  }
  return done;
}

/* Earlier bytes are forgotten. */
static void
restart (struct log_input *input)
{
  text_mode_restart (&input->text);
  input->rest_length = 0;
}

void
log_input_seek (struct log_input *input, uint64_t offset)
{
  restart (input);
  if (input->parts == NULL)
    log_file_seek (input->file, offset);
  input->at = offset;
}

void
log_input_rewind (struct log_input *input)
{
  restart (input);
  if (input->parts == NULL)
    log_file_rewind (input->file);
  input->at = 0;
}

/* The temporary file could not be written. */
static bool
fail_to_copy (struct log_input *input, int fd, GError **error)
{
  char *problem = g_strdup_printf ("cannot be copied to a temporary file in %s: %s",
                                   g_get_tmp_dir (), g_strerror (errno));
  close (fd);
  const bool failed = log_file_fail (input->file, problem, error);
  g_free (problem);
  return failed;
}

/* The file is another one from here on. */
static void
change_file (struct log_input *input, int fd, bool is_unpacked)
{
  if (input->recovery.has_rest) /* it was copied with the log */
    g_byte_array_unref (input->recovery.share.rest);
  input->recovery.has_rest = false;
  log_file_replace (input->file, fd, is_unpacked);
}

bool
log_input_make_rewindable (struct log_input *input, GError **error)
{
  if (input->parts != NULL || log_file_is_seekable (input->file))
    return true;
  const int fd = temporary_file_open (error);
  if (fd < 0)
    return false;
  if (!log_file_copy (input->file, fd))
    return fail_to_copy (input, fd, error);
  change_file (input, fd, false);
  return true;
}

/* A file that begins otherwise is refused for its beginning: the rest, which may be endless, is not
 * copied. */
static bool
begins_as_log (const uint8_t *bytes, size_t length)
{
  uint32_t id;
  if (length < sizeof id)
    return true;
  memcpy (&id, bytes, sizeof id);
  return GUINT32_FROM_LE (id) == MLPD_FILE_ID || GUINT32_FROM_BE (id) == GHC_HEADER_BEGIN;
}

bool
log_input_make_seekable (struct log_input *input, GError **error)
{
  const uint8_t *bytes;
  size_t length;
  if (input->parts != NULL || plain_size (input) != 0)
    return true;
  const int fd = temporary_file_open (error);
  bool is_first = true;
  if (fd < 0)
    return false;
  do {
    if (!log_input_read (input, &bytes, &length, error)) {
      close (fd);
      return false;
    }
    if (!log_file_write (fd, bytes, length))
      return fail_to_copy (input, fd, error);
    if (is_first && !begins_as_log (bytes, length))
      break;
    is_first = false;
  } while (length != 0);
  lseek (fd, 0, SEEK_SET);
  change_file (input, fd, true);
  return true;
}

const struct log_input_recovery *
log_input_recovery (const struct log_input *input)
{
  if (input->parts != NULL)
    return log_input_recovery (last_input (input));
  return input->recovery.message != NULL ? &input->recovery.result : NULL;
}
