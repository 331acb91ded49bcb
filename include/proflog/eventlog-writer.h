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

/* The result of a call.  Below 0: an error. */
enum eventlog_result {
  EVENTLOG_OK = 0,
  EVENTLOG_OFF = 1,             /* the event is of a class that is off */
  EVENTLOG_ERROR_ORDER = -1,    /* not now: see above */
  EVENTLOG_ERROR_ARGUMENT = -2, /* a value that makes no sense, or a text that has a NUL where it
                                 * cannot have one */
  EVENTLOG_ERROR_TOO_LONG = -3, /* the event's payload is longer than GHC_PAYLOAD_MAX */
  EVENTLOG_ERROR_MEMORY = -4,
  EVENTLOG_ERROR_OUTPUT = -5, /* writing failed; the errno number is among the figures.  Nothing more
                               * is written until another destination is set */
  EVENTLOG_ERROR_BUSY = -6,   /* the destination accepts nothing: the data to be written (of an
                               * event: the block before it) are lost and counted; a header may be
                               * sent again */
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

/* ---- from creation to end ---- */

/* A new writer.  `program`: the name of the default file without ".eventlog"; NULL: the name of the
 * process.  Returns NULL without memory. */
struct eventlog_writer *eventlog_writer_new (const char *program);

/* Stops the writer, if it runs, and frees it; accepts NULL.  No other call may be under way. */
void eventlog_writer_free (struct eventlog_writer *writer);

/* The following change where blocks go; not between header and stop (ORDER). */

/* A file, which is made with mode 0600 or emptied when the header is sent, and never opened through
 * a symbolic link.  A named pipe has to have a reader by then: else sending the header gives OUTPUT
 * at once, with the error ENXIO, and may be tried again. */
enum eventlog_result eventlog_writer_set_file (struct eventlog_writer *writer, const char *path);

/* A descriptor, which the caller owns and leaves open as long as the writer uses it.  If its reader
 * closes it, that is an error of the output, never a signal.  Writes to pipes and sockets do not wait,
 * so the policy below holds for them; writes to other files may. */
enum eventlog_result eventlog_writer_set_descriptor (struct eventlog_writer *writer, int fd);

/* A function that receives headers, whole blocks and end marks, one at a time, on the thread that
 * filled a buffer.  It returns true if it has accepted all bytes; false if it has accepted none, and
 * the policy applies. */
typedef bool (*eventlog_take) (void *data, const void *bytes, size_t length);
enum eventlog_result eventlog_writer_set_callback (struct eventlog_writer *writer,
                                                   eventlog_take take, void *data);

/* The policy for blocks that the destination does not accept. */
enum eventlog_policy {
  EVENTLOG_WAIT,  /* the thread waits and offers it again, `limit` milliseconds (0: for ever), then
                   * drops it; it is the default, with 0 */
  EVENTLOG_DROP,  /* it is dropped */
  EVENTLOG_SPOOL, /* it is retained, up to `limit` bytes in all with headers and end marks, and
                   * offered again before anything newer; one more is dropped.  At the stop and at
                   * the end it is offered once more */
};
/* Dropped blocks are counted.  Headers and end marks are never dropped: a header that is neither
 * accepted nor spooled is an error (BUSY) of eventlog_writer_send_header, and of
 * eventlog_writer_restart, which leaves the writer stopped; an end mark is written before the next
 * data.  At any time. */
enum eventlog_result eventlog_writer_set_policy (struct eventlog_writer *writer,
                                                 enum eventlog_policy policy, uint64_t limit);

/* Bytes of each capability's buffer, EVENTLOG_BUFFER_LEAST to EVENTLOG_BUFFER_MOST.  Not between
 * header and stop. */
enum eventlog_result eventlog_writer_set_buffer_size (struct eventlog_writer *writer, size_t bytes);

/* The clock of events, in ns since any origin.  It is called with a capability's buffer locked; a time
 * before that of the capability's last event is replaced by that.  NULL: CLOCK_MONOTONIC, since
 * eventlog_writer_new.  Not between header and stop. */
enum eventlog_result eventlog_writer_set_clock (struct eventlog_writer *writer,
                                                uint64_t (*clock) (void *data), void *data);

/* Writes the header, which declares every event of ghc-events.def.  Before the start, or after a
 * stop.
 */
enum eventlog_result eventlog_writer_send_header (struct eventlog_writer *writer);

/* Events can be posted from here on.  After the header. */
enum eventlog_result eventlog_writer_start (struct eventlog_writer *writer);

/* Ends the recording; writes the contents of all buffers, and the end mark.  After the start.  BUSY or
 * OUTPUT: it is stopped, but some of these data are lost. */
enum eventlog_result eventlog_writer_stop (struct eventlog_writer *writer);

/* Stops the writer if it runs, sends a header, starts it, and announces again all that is
 * remembered, so that this part of the log can be read by itself.  Not before the first start. */
enum eventlog_result eventlog_writer_restart (struct eventlog_writer *writer);

/* ---- while it runs, or any time ---- */

/* Switches a class on or off.  `argument`: events of the class, by their names in `proflog dump`, with
 * commas between them ("gc-start,gc-end"); NULL or "": all.  Other events of the class do not change.
 */
enum eventlog_result eventlog_writer_enable (struct eventlog_writer *writer,
                                             enum eventlog_class which, const char *argument);
enum eventlog_result eventlog_writer_disable (struct eventlog_writer *writer,
                                              enum eventlog_class which, const char *argument);
/* Whether an event is recorded, when the writer runs. */
bool eventlog_writer_is_enabled (const struct eventlog_writer *writer, enum ghc_kind kind);

/* Writes the contents of all buffers and of the spool.  While it runs. */
enum eventlog_result eventlog_writer_flush (struct eventlog_writer *writer);

/* Posts the state of the program again, for late readers: capabilities and their sets, the program,
 * the clock, tasks, threads with their labels, cost centres, profiles and so on, of classes that are
 * on.  The last event of each is remembered, also while the writer is stopped or a class is off.
 * Threads are announced in their last capability.  While it runs. */
enum eventlog_result eventlog_writer_sync (struct eventlog_writer *writer);

/* A thread of the writer flushes, or syncs, at this interval while it runs; 0: no more. */
enum eventlog_result eventlog_writer_set_flush_interval (struct eventlog_writer *writer,
                                                         unsigned milliseconds);
enum eventlog_result eventlog_writer_set_sync_interval (struct eventlog_writer *writer,
                                                        unsigned milliseconds);

struct eventlog_figures {
  bool running;
  int error;               /* errno number that ended the output; 0: none */
  uint64_t events;         /* that were posted into buffers */
  uint64_t blocks;         /* that the destination accepted */
  uint64_t bytes;          /* that it accepted, with headers and end marks */
  uint64_t dropped_blocks; /* that it did not accept */
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

/* eventlog_post_create_thread, ...: one for each event of ghc-events.def.  `cap`: the capability of the
 * block; GHC_NO_CAP: none.  If the event's size varies, optional fields are written if their bits are
 * set in `present`; if it is fixed, always.  Texts are copied.  ORDER: the writer does not run (events
 * that eventlog_writer_sync announces again are remembered nevertheless).  ARGUMENT: the marker of
 * blocks, which only the writer posts. */
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
