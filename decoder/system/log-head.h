/* log-head.h -- how a file begins: as a log, or not. */
#ifndef PROFLOG_LOG_HEAD_H
#define PROFLOG_LOG_HEAD_H

enum log_head {
  LOG_HEAD_LOG,    /* of Mono or GHC */
  LOG_HEAD_PACKED, /* a compressed file, which may be a log */
  LOG_HEAD_EMPTY,  /* no bytes */
  LOG_HEAD_OTHER,  /* something else, or it cannot be read */
};

/* Inspects the first bytes of a file.  Thread safe. */
enum log_head log_head_of (const char *path);

#endif
