/* foreign-file.h -- files that people take for logs. */
#ifndef PROFLOG_FOREIGN_FILE_H
#define PROFLOG_FOREIGN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes at the beginning of a file that are enough to know it. */
#define FOREIGN_FILE_BYTES 64

/* The format of a file that begins with these bytes, with what to do; NULL: unknown.  Static. */
const char *foreign_file_name (const uint8_t *bytes, size_t length);

/* Could it be known if more bytes followed? */
bool foreign_file_may_follow (const uint8_t *bytes, size_t length);

#endif
