/* log-script.h -- for tests: writes a log into memory, event by event, and sums it up.
 *
 *   struct script s;
 *   script_begin (&s);
 *   script_buffer (&s, THREAD, 1000);          what follows is in this buffer
 *   script_enter (&s, 1010, METHOD);
 *   ...
 *   struct summary summary;
 *   script_summarize (&s, &summary);           reads it back; frees the script
 *   ...
 *   summary_clear (&summary);
 */
#ifndef PROFLOG_TESTS_LOG_SCRIPT_H
#define PROFLOG_TESTS_LOG_SCRIPT_H

#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/analyses/summary.h"
#include <glib.h>
#include <proflog/mlpd-encode.h>

struct script {
  GByteArray *log;    /* the ended buffers */
  GByteArray *events; /* of the buffer that is open; NULL: none is */
  struct mlpd_encoder encoder;
  uint64_t thread;
  unsigned version;
};

/* A log of data version 1, or of another. */
void script_begin (struct script *script);
void script_begin_version (struct script *script, unsigned version);

/* With these arguments in the header; of a version above 12. */
void script_begin_with (struct script *script, unsigned version, const char *arguments);

/* Ends the buffer before and begins one of this thread at this time. */
void script_buffer (struct script *script, uint64_t thread, uint64_t time);

void script_event (struct script *script, enum mlpd_kind kind, const union mlpd_payload *payload);

/* Bytes as they are, in the buffer. */
void script_bytes (struct script *script, const void *bytes, guint length);

void script_enter (struct script *script, uint64_t time, uint64_t method);
void script_leave (struct script *script, uint64_t time, uint64_t method);
void script_exc_leave (struct script *script, uint64_t time, uint64_t method);
void script_jit (struct script *script, uint64_t time, uint64_t method, uint64_t code,
                 uint64_t size, const char *name);
void script_class (struct script *script, uint64_t time, uint64_t klass, const char *name);
void script_alloc (struct script *script, uint64_t time, uint64_t klass, uint64_t object,
                   uint64_t size);
void script_gc (struct script *script, uint64_t time, uint64_t event, uint64_t generation);
void script_move (struct script *script, uint64_t time, uint64_t from, uint64_t to);
void script_throw (struct script *script, uint64_t time, uint64_t object);
void script_clause (struct script *script, uint64_t time, uint64_t type, uint64_t method);
void script_monitor (struct script *script, uint64_t time, uint64_t event, uint64_t object);
/* A hit with the frames of these methods, innermost first, at most 8; and the usage that follows
 * one. */
void script_hit (struct script *script, uint64_t time, uint64_t thread, uint64_t ip,
                 const uint64_t *methods, size_t n);
void script_usage (struct script *script, uint64_t time, uint64_t elapsed_ns, uint64_t cpu_ns);
void script_shot_start (struct script *script, uint64_t time);
void script_shot_end (struct script *script, uint64_t time);
void script_shot_object (struct script *script, uint64_t object, uint64_t klass, uint64_t size,
                         const uint64_t *references, size_t n_references);

/* Ends the log, with an end mark.  Free it with g_byte_array_unref. */
GByteArray *script_end (struct script *script);

/* Ends the log, and sums it up.  Fails the test if it cannot be read to its end. */
void script_summarize (struct script *script, struct summary *summary);

/* The same with options. */
void script_summarize_with (struct script *script, struct summary *summary,
                            const struct scan_options *options);

/* Sums a log up, of any bytes that begin with a file header. */
void summarize_bytes (const guint8 *bytes, gsize length, struct summary *summary);

/* The symbol of an address, which was used or announced; its latest one. */
guint symbol_of (const struct summary *summary, enum symbol_kind kind, uint64_t address);

/* Hits in the thread of a number. */
uint64_t hits_of_thread (const struct samples *samples, uint64_t number);

#endif
