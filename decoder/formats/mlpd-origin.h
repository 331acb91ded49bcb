/* mlpd-origin.h -- what a log's header tells of the recording. */
#ifndef PROFLOG_MLPD_ORIGIN_H
#define PROFLOG_MLPD_ORIGIN_H

#include <proflog/mlpd.h>
#include <stdbool.h>

/* Whether our module wrote the log.  It then ends with an empty buffer. */
bool mlpd_header_is_ours (const struct mlpd_file_header *header);

/* The log has one allocation in so many bytes, on average; 0: it has all. */
uint64_t mlpd_header_alloc_sampling (const struct mlpd_file_header *header);

#endif
