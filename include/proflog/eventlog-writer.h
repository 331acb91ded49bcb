/* eventlog-writer.h -- writes eventlogs in the format of GHC, from any runtime or program.
 *
 *   struct eventlog_writer *writer = eventlog_writer_new (NULL);
 *   eventlog_writer_send_header (writer);
 *   eventlog_writer_start (writer);
 *   EVENTLOG_POST (writer, 0, create_thread, .thread = 1);          from any thread
 *   EVENTLOG_POST (writer, 0, user_msg, .message = { "hello", 5 });
 *   eventlog_writer_stop (writer);
 *   eventlog_writer_free (writer);
 *
 * Each capability has a buffer; a full one goes to the destination as a block.  By default that is
 * a file PROGRAM.eventlog, buffers have 2 MiB, all classes of events are recorded and nothing is
 * flushed before a buffer is full.
 *
 * A writer is being set up, then has sent a header, then runs, then is stopped; from there another
 * header begins another log, after the first one in the same destination.  A call that does not
 * fit gives EVENTLOG_ERROR_ORDER and changes nothing.
 *
 * All functions but eventlog_writer_free may be called from any threads at a time, but not from a
 * signal handler, nor in the child of a fork.  From a destination or clock callback only
 * eventlog_writer_get_figures may be called; others give EVENTLOG_ERROR_ORDER.  Texts and payloads
 * that are passed in stay the caller's, and are copied.
 *
 * docs/ghc-format.md has the facts of the format, with their sources.
 */
#ifndef PROFLOG_EVENTLOG_WRITER_H
#define PROFLOG_EVENTLOG_WRITER_H

#include <proflog/ghc.h>

#ifdef __cplusplus
extern "C" {
#endif

struct eventlog_writer;

/* What became of a call.  Below 0: an error. */
enum eventlog_result {
  EVENTLOG_OK = 0,
  EVENTLOG_OFF = 1,             /* the event is of a class that is off */
  EVENTLOG_ERROR_ORDER = -1,    /* not now: see above */
  EVENTLOG_ERROR_ARGUMENT = -2, /* a value that makes no sense, or a text that has a NUL where it
                                 * cannot have one */
  EVENTLOG_ERROR_TOO_LONG = -3, /* the event's payload is longer than GHC_PAYLOAD_MAX */
  EVENTLOG_ERROR_MEMORY = -4,
  EVENTLOG_ERROR_OUTPUT = -5, /* writing failed; the errno number is among the figures.  Nothing is
                               * written any more, until another destination is set */
  EVENTLOG_ERROR_BUSY = -6,   /* the destination takes nothing: what was to be written, or is
                               * reported by an event, the block before it, is lost and counted; a
                               * header may be sent again */
};

/* A few words for people, in English; never NULL, and valid for ever. */
const char *eventlog_result_text (enum eventlog_result result);

enum {
  EVENTLOG_BUFFER_LEAST = 68 << 10, /* there is room for any event */
  EVENTLOG_BUFFER_MOST = 16 << 20,
  EVENTLOG_BUFFER_DEFAULT = 2 << 20,
};

/* Classes of events. */
enum eventlog_class {
#define CLASS(ID, name, doc) EVENTLOG_CLASS_##ID,
#include <proflog/eventlog-classes.def>
  EVENTLOG_CLASSES, /* how many there are */
};

/* The name of a class ("scheduler"), and the class of a name; EVENTLOG_CLASSES: there is none. */
const char *eventlog_class_name (enum eventlog_class which);
enum eventlog_class eventlog_class_find (const char *name);
/* The class of an event; EVENTLOG_CLASSES for the marker of blocks. */
enum eventlog_class eventlog_class_of (enum ghc_kind kind);

/* ---- life ---- */

/* A new writer.  `program`: what the default file is called after; NULL: what the process is
 * called. NULL without memory. */
struct eventlog_writer *eventlog_writer_new (const char *program);

/* Stops the writer, if it runs, and frees it; accepts NULL.  No other call may be under way. */
void eventlog_writer_free (struct eventlog_writer *writer);

/* The following change where blocks go; not between header and stop (ORDER). */

/* A file, which is made with mode 0600 or emptied when the header is sent, and never opened through
 * a symbolic link.  A named pipe has to have a reader by then: else sending the header gives OUTPUT
 * at once, with the error ENXIO, and may be tried again. */
enum eventlog_result eventlog_writer_set_file (struct eventlog_writer *writer, const char *path);

/* A descriptor, which stays the caller's and open as long as the writer uses it.  A reader's end is
 * an error of the output, never a signal.  Of pipes and sockets it is asked first whether they take
 * anything, so the policy below holds for them; of other files writing is waited for. */
enum eventlog_result eventlog_writer_set_descriptor (struct eventlog_writer *writer, int fd);

/* A function that is given headers, whole blocks and end marks, one at a time, from whatever thread
 * filled a buffer.  It answers whether it has taken all of it; if not, it has taken nothing, and
 * the policy states what becomes of it. */
typedef bool (*eventlog_take) (void *data, const void *bytes, size_t length);
enum eventlog_result eventlog_writer_set_callback (struct eventlog_writer *writer,
                                                   eventlog_take take, void *data);

/* What is done with a block that the destination does not take. */
enum eventlog_policy {
  EVENTLOG_WAIT,  /* the thread waits and offers it again, `limit` milliseconds (0: for ever), then
                   * drops it; it is the default, with 0 */
  EVENTLOG_DROP,  /* it is dropped */
  EVENTLOG_SPOOL, /* it is retained, up to `limit` bytes in all with headers and end marks, and
                   * offered again before anything newer; one more is dropped.  At the stop and at
                   * the end it is offered once more */
};
/* Blocks that are dropped are counted.  Headers and end marks are never dropped: a header that is
 * neither taken nor kept is an error (BUSY) of eventlog_writer_send_header, and of
 * eventlog_writer_restart, which leaves the writer stopped; an end mark stays due until something
 * else is taken.  Any time. */
enum eventlog_result eventlog_writer_set_policy (struct eventlog_writer *writer,
                                                 enum eventlog_policy policy, uint64_t limit);

/* Bytes of each capability's buffer, EVENTLOG_BUFFER_LEAST to EVENTLOG_BUFFER_MOST.  Not between
 * header and stop. */
enum eventlog_result eventlog_writer_set_buffer_size (struct eventlog_writer *writer, size_t bytes);

/* Where times of events come from: ns since some beginning.  Called with a capability's buffer
 * locked; of each capability, a time that is before the last one becomes that.  NULL: the system's
 * steady clock, from eventlog_writer_new on.  Not between header and stop. */
enum eventlog_result eventlog_writer_set_clock (struct eventlog_writer *writer,
                                                uint64_t (*clock) (void *data), void *data);

/* Writes the header, which declares every event of ghc-events.def.  Before the start, or after a
 * stop.
 */
enum eventlog_result eventlog_writer_send_header (struct eventlog_writer *writer);

/* Events can be posted from here on.  After the header. */
enum eventlog_result eventlog_writer_start (struct eventlog_writer *writer);

/* No events any more; writes what all buffers have, and the end mark.  After the start.  BUSY or
 * OUTPUT: it is stopped, but some of that is lost. */
enum eventlog_result eventlog_writer_stop (struct eventlog_writer *writer);

/* Stops the writer if it runs, sends a header, starts it, and announces again all that is
 * remembered, so that this part of the log can be read by itself.  Not before the first start. */
enum eventlog_result eventlog_writer_restart (struct eventlog_writer *writer);

/* ---- while it runs, or any time ---- */

/* Switches a class on or off.  `argument`: which events of the class, by the names that `proflog
 * dump` has for them, with commas between them ("gc-start,gc-end"); NULL or "": all.  Others of the
 * class stay as they are. */
enum eventlog_result eventlog_writer_enable (struct eventlog_writer *writer,
                                             enum eventlog_class which, const char *argument);
enum eventlog_result eventlog_writer_disable (struct eventlog_writer *writer,
                                              enum eventlog_class which, const char *argument);
/* Whether an event is recorded, when the writer runs. */
bool eventlog_writer_is_enabled (const struct eventlog_writer *writer, enum ghc_kind kind);

/* Writes what all buffers have, and what is spooled.  While it runs. */
enum eventlog_result eventlog_writer_flush (struct eventlog_writer *writer);

/* Posts again what late readers have to know of what exists: capabilities and their sets, the
 * program, the clock, tasks, threads with their labels, cost centres, profiles and so on, of
 * classes that are on.  It is what was last recorded of each, which is remembered also while the
 * writer is stopped or a class is off.  Threads come in the capability where they were last.  While
 * it runs. */
enum eventlog_result eventlog_writer_sync (struct eventlog_writer *writer);

/* A thread of the writer's flushes, or syncs, in such intervals while it runs; 0: no more. */
enum eventlog_result eventlog_writer_set_flush_interval (struct eventlog_writer *writer,
                                                         unsigned milliseconds);
enum eventlog_result eventlog_writer_set_sync_interval (struct eventlog_writer *writer,
                                                        unsigned milliseconds);

struct eventlog_figures {
  bool running;
  int error;               /* errno number that ended the output; 0: none */
  uint64_t events;         /* that were posted into buffers */
  uint64_t blocks;         /* that the destination took */
  uint64_t bytes;          /* that it took, headers and all */
  uint64_t dropped_blocks; /* that it did not take */
  uint64_t dropped_events; /* events in them */
  uint64_t dropped_bytes;
  uint64_t spooled_bytes; /* that wait for it */
  uint64_t remembered;    /* events that a sync would announce again */
  uint64_t forgotten;     /* that there was no room to remember */
};
/* Sets all of `figures`, counted since eventlog_writer_new.  From any thread, also from the callbacks of
 * the destination and of the clock. */
void eventlog_writer_get_figures (const struct eventlog_writer *writer,
                                  struct eventlog_figures *figures);

/* ---- events ---- */

/* eventlog_post_create_thread, ...: one for each event of ghc-events.def.  `cap`: in whose block it
 * is written; GHC_NO_CAP: in no one's.  If the event's size varies, fields that need not be there
 * are written if their bits are set in `present`; if it is fixed, always.  Texts are copied. ORDER:
 * the writer does not run (what eventlog_writer_sync announces again is remembered nevertheless).
 * The marker of blocks is the writer's alone (ARGUMENT). */
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  enum eventlog_result eventlog_post_##id (struct eventlog_writer *writer, unsigned cap,           \
                                           const struct ghc_##id *event);
#include <proflog/ghc-events.def>

/* The same for a kind that is known at run time only; `event` is of that kind's type. */
enum eventlog_result eventlog_post (struct eventlog_writer *writer, unsigned cap,
                                    enum ghc_kind kind, const void *event);

/* EVENTLOG_POST (writer, cap, create_thread, .thread = 7): fields that are not given are 0, or
 * empty. */
#ifndef __cplusplus
#define EVENTLOG_POST(writer, cap, id, ...)                                                        \
  eventlog_post_##id (writer, cap, &(const struct ghc_##id){ .present = UINT32_MAX, ##__VA_ARGS__ })
#else
/* C++ has no address of a temporary object, and warns of fields that are not given. */
#define EVENTLOG_POST(writer, cap, id, ...)                                                        \
  ([&] {                                                                                           \
    _Pragma ("GCC diagnostic push")                                                                \
    _Pragma ("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                            \
    const struct ghc_##id event = { .present = UINT32_MAX, ##__VA_ARGS__ };                        \
    _Pragma ("GCC diagnostic pop")                                                                 \
    return eventlog_post_##id (writer, cap, &event);                                               \
  }())
#endif

#ifdef __cplusplus
}
#endif

#endif
