/* sql-mono-scan.h -- a cursor over the items of a Mono log: events of some kinds, buffers, damage.
 */
#ifndef PROFLOG_SQL_MONO_SCAN_H
#define PROFLOG_SQL_MONO_SCAN_H

#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/mlpd-span.h"
#include "decoder/sql/sql-table.h"

/* The kinds of a table: a bit for each kind of event, and these. */
#define SQL_KINDS_ALL ((UINT64_C (1) << MLPD_KINDS) - 1)
#define SQL_KIND_BUFFERS (UINT64_C (1) << 62)
#define SQL_KIND_DAMAGE (UINT64_C (1) << 63)

/* Reads a log forward, without buffers that a request does not need. */
struct sql_mono_scan {
  struct sql_log *log;
  struct log_input *input;
  struct mlpd_reader *reader;
  const struct buffer_index *index; /* NULL: read all */
  bool whole;                       /* headers are no reason to pass a buffer */
  struct buffer_skip skip;          /* with an index */
  uint64_t read;                    /* bytes of the log */
  const struct sql_request *request;
  uint64_t kinds, damages;
  bool in_span;
  struct mlpd_span span;
  union mlpd_payload payload;       /* of a kind that comes in bulk */
  struct mlpd_item bulk;            /* the item of such an event */
  struct mlpd_file_header header;   /* without its texts */
  struct mlpd_buffer_header buffer; /* that the reader is in */
  int64_t from, to;                 /* times that are requested */
  bool has_first;
  uint64_t first_time; /* time base of the first buffer */
  uint64_t time;       /* of the latest event in the buffer */
  uint64_t end_time;   /* likewise in the buffer before */
  bool has_input_damage;
  struct mlpd_damage input_damage; /* of the compression */
  const struct mlpd_item *item;    /* the reader's last item */
  bool announces;                  /* the last item is an event that may announce a name */
  struct symbols *symbols;         /* gets the names as they come (borrowed); NULL: none */
};

/* `whole`: no buffer is passed that announces a name or may hold a row. */
bool sql_mono_scan_init (struct sql_mono_scan *scan, struct sql_log *log,
                         const struct sql_request *request, uint64_t kinds, bool whole,
                         GError **error);
void sql_mono_scan_clear (struct sql_mono_scan *scan);

/* Reads all names that a log of Mono announces, once.  False with an error. */
bool sql_log_read_names (struct sql_log *log, GError **error);

/* The next item of one of the kinds, valid until the next call; NULL at the end, or with an error.
 */
const struct mlpd_item *sql_mono_scan_next (struct sql_mono_scan *scan, GError **error);

#endif
