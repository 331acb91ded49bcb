/* mlpd-origin.h -- the header's statements about the recording. */
#ifndef PROFLOG_MLPD_ORIGIN_H
#define PROFLOG_MLPD_ORIGIN_H

#include <proflog/mlpd.h>
#include <proflog/module-options.h>
#include <stdbool.h>

/* Whether our module wrote the log.  It then ends with an empty buffer. */
bool mlpd_header_is_ours (const struct mlpd_file_header *header);

/* The log has one allocation in this many bytes, on average; 0: it has all. */
uint64_t mlpd_header_alloc_sampling (const struct mlpd_file_header *header);

/* The calls that were recorded, if any were. */
struct proflog_calls_mode mlpd_header_calls_mode (const struct mlpd_file_header *header);

/* Samples are of processor time, one after each such interval (ns) of a thread; 0: they are not. */
uint64_t mlpd_header_cpu_sample_interval (const struct mlpd_file_header *header);

#endif
