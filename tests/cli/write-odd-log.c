/* write-odd-log.c -- write-odd-log NAME: writes a log to standard output, with events that a
 * command cannot write to another log, or does not retain in memory. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/mlpd/model/pending-type.h"
#include "tests/unit/ghc-items.h"

#include <proflog/mlpd-encode.h>
#include <proflog/mlpd-writer.h>
#include <stdio.h>
#include <string.h>

enum { START = 1000, THREAD = 0x1000, MARK_BYTES = 70000, MARK_INDEX = 7 };

/* ---- logs of Mono ---- */

static struct mlpd_encoder encoder;

static void
put (GByteArray *events, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  const guint start = events->len;
  g_byte_array_set_size (events, start + (guint) mlpd_bound_event (kind, payload));
  const uint8_t *end = mlpd_put_event (&encoder, events->data + start, kind, payload);
  g_byte_array_set_size (events, (guint) (end - events->data));
}

/* The first object is far from all others.  The differences to the base of the buffer, which is 0
 * here, are short; those to the first object, which is the base of a command's output, are long. */
static void
put_moves (GByteArray *events)
{
  const union mlpd_payload moves = { .gc_move = { .time = START } };
  const uint64_t objects = MLPD_WRITER_EVENT_MAX / 8;
  uint8_t bytes[2 * MLPD_LEB128_MAX];
  put (events, MLPD_GC_MOVE, &moves);
  g_byte_array_set_size (events, events->len - 1); /* the number of objects */
  uint8_t *end = mlpd_put_uleb (bytes, objects);
  end = mlpd_put_sleb (end, INT64_C (1) << 60);
  g_byte_array_append (events, bytes, (guint) (end - bytes));
  const guint start = events->len;
  g_byte_array_set_size (events, start + (guint) objects - 1);
  memset (events->data + start, 0, objects - 1);
}

static void
put_resize (GByteArray *events)
{
  const union mlpd_payload resize = { .gc_resize = { .time = START + 1, .size = 4096 } };
  put (events, MLPD_GC_RESIZE, &resize);
}

/* Without an allocation no type is searched for. */
static void
put_locks (GByteArray *events)
{
  const union mlpd_payload alloc = { .alloc = { .time = START, .object = 0x3000, .size = 24 } };
  put (events, MLPD_ALLOC, &alloc);
  for (uint64_t i = 0; i < PENDING_TYPES_MAX + 3; i++) {
    const union mlpd_payload lock
        = { .monitor
            = { .time = START + i, .event = MLPD_MONITOR_EVENT_CONTENTION, .object = 0x2000 } };
    put (events, MLPD_MONITOR, &lock);
  }
}

static void
put_mark (GByteArray *events)
{
  GString *name = g_string_new (MLPD_MARK);
  g_string_set_size (name, MARK_BYTES);
  memset (name->str + strlen (MLPD_MARK), 'x', MARK_BYTES - strlen (MLPD_MARK));
  const struct mlpd_counter counter = { .section = MLPD_COUNTER_SECTION_PROFILER,
                                        .name = { name->str, name->len },
                                        .type = MLPD_COUNTER_TYPE_ULONG,
                                        .unit = MLPD_COUNTER_UNIT_COUNT,
                                        .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
                                        .index = MARK_INDEX };
  const struct mlpd_counter_value value
      = { .index = MARK_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = 1 };
  const union mlpd_payload described
      = { .sample_counters_desc = { .time = START, .counters = { &counter, 1 } } };
  const union mlpd_payload counted
      = { .sample_counters = { .time = START + 1, .values = { &value, 1 } } };
  put (events, MLPD_SAMPLE_COUNTERS_DESC, &described);
  put (events, MLPD_SAMPLE_COUNTERS, &counted);
  g_string_free (name, TRUE);
}

/* A header, and a buffer of these events. */
static void
make_mono (GByteArray *log, void (*put_events) (GByteArray *events))
{
  const struct mlpd_file_header header = { .id = MLPD_FILE_ID,
                                           .major = 3,
                                           .data_version = MLPD_VERSION_LAST,
                                           .pointer_size = 8,
                                           .start_ms = START,
                                           .start_ns = START,
                                           .pid = 1,
                                           .arguments = { "", 0 },
                                           .architecture = { "", 0 },
                                           .operating_system = { "", 0 } };
  GByteArray *events = g_byte_array_new ();
  mlpd_encoder_start (&encoder, MLPD_VERSION_LAST, START);
  put_events (events);
  const struct mlpd_buffer_header buffer = mlpd_encoder_header (&encoder, THREAD, events->len);
  g_byte_array_set_size (log, (guint) (mlpd_bound_file_header (&header) + MLPD_BUFFER_HEADER_SIZE));
  uint8_t *end = mlpd_put_file_header (log->data, &header);
  end = mlpd_put_buffer_header (end, &buffer);
  g_byte_array_set_size (log, (guint) (end - log->data));
  g_byte_array_append (log, events->data, events->len);
  g_byte_array_unref (events);
}

/* ---- eventlogs ---- */

static void
put_size (GByteArray *log)
{
  ghc_put_kind (log, GHC_HEAP_SIZE, START, GHC_NUMBER (4, 0), GHC_NUMBER (8, MLPD_SIZE_MAX + 1), 0);
}

static void
put_cap (GByteArray *log)
{
  ghc_put_kind (log, GHC_CAP_CREATE, START, GHC_NUMBER (2, GHC_NO_CAP - 1), 0);
}

static void
put_messages (GByteArray *log)
{
  char text[60000];
  memset (text, 'x', sizeof text);
  for (guint bytes = 0; bytes < 66u << 20; bytes += sizeof text) {
    ghc_put_event (log, ghc_describe (GHC_USER_MSG)->tag, START);
    ghc_put (log, sizeof text, 2);
    g_byte_array_append (log, (const guint8 *) text, sizeof text);
  }
}

static void
make_ghc (GByteArray *log, void (*put_events) (GByteArray *log))
{
  ghc_put_header_begin (log);
  ghc_put_all_types (log);
  ghc_put_header_end (log);
  put_events (log);
  ghc_put (log, GHC_DATA_END, 2);
}

/* ---- all of them ---- */

static const struct {
  const char *name;
  void (*make) (GByteArray *log, void (*put_events) (GByteArray *events));
  void (*put_events) (GByteArray *events);
} odd_logs[] = {
  /* an event that is longer than MLPD_WRITER_EVENT_MAX where it is written */
  { "moves", make_mono, put_moves },
  /* the same header, and a short event */
  { "header", make_mono, put_resize },
  /* more events of locks than are retained without their types */
  { "locks", make_mono, put_locks },
  /* a mark with a name that no event of an eventlog has room for */
  { "mark", make_mono, put_mark },
  /* a size of the heap that no event of Mono has room for */
  { "size", make_ghc, put_size },
  /* the last capability that there can be */
  { "caps", make_ghc, put_cap },
  /* more text than `proflog show threads` retains in memory */
  { "messages", make_ghc, put_messages },
};

int
main (int argc, char **argv)
{
  GByteArray *log = g_byte_array_new ();
  for (size_t i = 0; argc == 2 && i < G_N_ELEMENTS (odd_logs); i++)
    if (strcmp (argv[1], odd_logs[i].name) == 0)
      odd_logs[i].make (log, odd_logs[i].put_events);
  const bool good = log->len != 0 && fwrite (log->data, 1, log->len, stdout) == log->len
                    && fflush (stdout) == 0;
  g_byte_array_unref (log);
  return good ? 0 : 2;
}
