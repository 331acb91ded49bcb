/* log-file-private.h -- what log-file.c and log-inflate.c share. */
#ifndef PROFLOG_LOG_FILE_PRIVATE_H
#define PROFLOG_LOG_FILE_PRIVATE_H

#include "decoder/input/decompress.h"
#include "decoder/input/log-file.h"

enum { CHUNK = 256 * 1024 };

struct log_file {
  char *name;
  int fd;
  enum unpack_kind kind;
  bool is_known;  /* its format is */
  bool at_end;    /* of the file */
  bool done;      /* nothing more is given */
  bool in_member; /* of a compressed file, which may have several, one after the other */
  uint8_t *bytes; /* of the file: those from `at` to `end` were not read yet */
  size_t at;
  size_t end;
  uint64_t offset; /* of the end of these bytes, in the file */
  uint8_t *inflated;
  uint64_t start; /* where the file was when it was opened */
  bool is_seekable;
  uint64_t plain_size;          /* of a plain file at its start; else 0 */
  bool is_named;                /* not standard input, nor a temporary file */
  struct log_identity identity; /* of a plain file */
  struct unpacker *unpacker;    /* NULL: none is needed yet */
  struct log_file_damage damage;
  char *message;      /* of the damage */
  GMutex failure;     /* protects what follows: several threads may read */
  bool has_failed;    /* a log_file_read_at, or the file became shorter */
  int failed;         /* errno of the first that failed; 0: the file became shorter */
  uint64_t failed_at; /* ... and the place in the file; or its new size */
};

/* Bytes in memory that were not read yet. */
static inline size_t
log_file_left (const struct log_file *f)
{
  return f->end - f->at;
}

/* Makes sure that this many bytes are in memory, if the file has them. */
bool log_file_require (struct log_file *file, size_t bytes, GError **error);

/* The format of the bytes in memory. */
enum unpack_kind log_file_kind_here (const struct log_file *file);

/* Finds the format of the file, and prepares to inflate it. */
bool log_file_recognise (struct log_file *file, GError **error);

/* The first bytes that the compressed bytes in memory give; how many. */
size_t log_file_inflate_first (const struct log_file *file, enum unpack_kind kind, uint8_t *to,
                               size_t room);

/* Inflates what is in memory; *length stays 0 if that was nothing yet. */
bool log_file_inflate (struct log_file *file, size_t *length, GError **error);

/* Between the members of a compressed file: begins the next one, or ends. */
bool log_file_next_member (struct log_file *file, GError **error);

#endif
