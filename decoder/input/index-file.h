/* index-file.h -- the file beside a log that states the positions of its parts, so that a command
 * need not go through the log for that.
 *
 * Its content is the matter of each format.  Here is the rest: for which log it holds, that it is
 * whole, and which user wrote it.  A file that is damaged, of another version or of another user is
 * none.  It holds as long as the log's file, its size and its time are the same; of a log that only
 * grew, for the part that was there before.  For both, bytes of the log at some places have to be
 * as they were.
 */
#ifndef PROFLOG_INDEX_FILE_H
#define PROFLOG_INDEX_FILE_H

#include "decoder/input/log-input.h"

/* The name of the log and this is the name of the index. */
#define INDEX_FILE_SUFFIX ".index"

/* The format of the log that the content describes. */
enum index_kind {
  INDEX_KIND_MONO = 1,
  INDEX_KIND_GHC = 2,
};

enum index_state {
  INDEX_NONE,  /* there is no index that holds */
  INDEX_GROWN, /* it holds for a part of the log */
  INDEX_WHOLE, /* the log is as it was */
};

/* Bytes of the log that are to be the same: the file has no more than a checksum of them. */
struct index_witness {
  uint64_t offset;
  uint32_t length;
};
#define INDEX_WITNESS_BYTES_MAX ((size_t) 4 << 20)

/* The content of the index of a log, which was opened; an empty array if there is none that
 * holds (g_byte_array_unref). */
enum index_state index_file_read (struct log_input *input, enum index_kind kind,
                                  GByteArray **content);

/* Writes the content beside the log, as an index of the log as it was when it was opened.
 * `witnesses` are struct index_witness.  False and an error if that fails, or if there is a file of
 * that name which is no index. */
bool index_file_write (struct log_input *input, enum index_kind kind, const GArray *witnesses,
                       const GByteArray *content, GError **error);

/* Numbers of the content; cursor.h reads them. */
void index_put_u64 (GByteArray *content, uint64_t number);
void index_put_u32 (GByteArray *content, uint32_t number);

#endif
