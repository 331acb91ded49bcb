/* mlpd-part-writer.h -- writes events of Mono logs into other buffers than those in which they
 * were.
 *
 * The first buffer begins when the log did, so times count from there.  Data of events that the
 * output lacks are in buffers of context (MLPD_CONTEXT_BASE): names, descriptions of counters, and
 * the values from which others are differences.
 */
#ifndef PROFLOG_MLPD_PART_WRITER_H
#define PROFLOG_MLPD_PART_WRITER_H

#include "decoder/mlpd/analyses/counters.h"

#include <proflog/mlpd-reader.h>
#include <proflog/mlpd-writer.h>

/* The contents of a buffer of the output. */
enum mlpd_part_buffer {
  MLPD_PART_NONE,
  MLPD_PART_EVENTS,
  MLPD_PART_AGAIN, /* names that were announced before (MLPD_REANNOUNCE_BASE) */
  MLPD_PART_CONTEXT,
};

/* Where an event goes: into the open buffer if that is one of this kind, else into a new one. */
struct mlpd_part_place {
  enum mlpd_part_buffer buffer;
  uint64_t thread;
  uint64_t time; /* where a new buffer begins */
};

struct mlpd_part_writer {
  struct mlpd_writer *writer;
  struct counters counters; /* as a reader of the output has them */
  uint64_t first_time;      /* where the log begins */
  unsigned version;         /* data version */
  bool has_output;
  enum mlpd_part_buffer open;
};

void mlpd_part_writer_init (struct mlpd_part_writer *writer);
void mlpd_part_writer_clear (struct mlpd_part_writer *writer);

/* Functions return false, with MLPD_WRITER_ERROR, if something cannot be written.  The header comes
 * first. */

bool mlpd_part_writer_header (struct mlpd_part_writer *writer,
                              const struct mlpd_file_header *header, GError **error);

/* Later events are not of the open buffer. */
void mlpd_part_writer_end_buffer (struct mlpd_part_writer *writer);

/* The buffer that an event of the log belongs in. */
enum mlpd_part_buffer mlpd_part_buffer_of (const struct mlpd_buffer_header *buffer);

/* Does a part of a log have all events of this kind, be they selected or not?  Counters are
 * described before their first value. */
bool mlpd_part_needs (enum mlpd_kind kind, const union mlpd_payload *payload);

/* Updates counters with the values of an event in such a buffer, without a time.  Values that are
 * announced again are absolute. */
void mlpd_part_update_counters (struct counters *counters, enum mlpd_part_buffer buffer,
                                const struct mlpd_sample_counters *event);

/* Adds an event, which is not SAMPLE_COUNTERS. */
bool mlpd_part_writer_event (struct mlpd_part_writer *writer, struct mlpd_part_place place,
                             enum mlpd_kind kind, const union mlpd_payload *payload,
                             GError **error);

/* Adds values of counters, and before them the context that the output lacks.  `counters` are those
 * of the log up to the event. */
bool mlpd_part_writer_values (struct mlpd_part_writer *writer, struct mlpd_part_place place,
                              const struct counters *counters,
                              const struct mlpd_sample_counters *event, GError **error);

/* States when the log's last event was, which is not in the output: rates, and times in percent,
 * count up to it. */
void mlpd_part_writer_last_time (struct mlpd_part_writer *writer, uint64_t thread, uint64_t time);

#endif
