/* replay-private.h -- proflog replay: the events of a log, fired into a profiler module.
 *
 *   replay-main.c     the command
 *   replay-log.c      the first pass over the log: the buffers of each thread, and names
 *   replay-names.c    images, classes, methods, ..., by address and time
 *   replay-records.c  the second pass: the events of a buffer become records to be fired
 *   replay-threads.c  a thread for each of the log's; the order in which they fire
 *   replay-clock.c    how long it fires
 *   replay-fire.c     fires a record; answers requests of the module to the runtime meanwhile
 *
 * Threads fire one at a time, in the order of the times in the log.  The thread that has the turn
 * owns all state; semaphores hand it over.
 */
#ifndef REPLAY_REPLAY_PRIVATE_H
#define REPLAY_REPLAY_PRIVATE_H

#include "decoder/log/log-open.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "host/host.h"
#include <glib.h>
#include <pthread.h>
#include <semaphore.h>

/* ---- the log: replay-log.c ---- */

/* The events of a buffer that can be read. */
struct replay_buffer {
  struct mlpd_buffer_header header;
  uint64_t offset; /* of the first, in the log */
  uint64_t size;   /* bytes of them */
};

/* A thread of the log.  An id that is used again after its thread has ended is another thread. */
struct replay_thread {
  uint64_t id; /* in the log */
  guint number;
  GArray *buffers;  /* struct replay_buffer, in the order of the log */
  bool is_recorder; /* the one of the module that wrote the log, by whose name it names itself */

  /* The records of the open buffer that it is going to fire. */
  guint next_buffer;
  uint8_t *bytes;
  struct cursor cursor;
  struct mlpd_decoder decoder;
  GArray *records; /* uint64_t: one struct replay_record after the other */
  guint at;
  uint64_t time; /* of the next one; before a buffer was opened, none is earlier */

  /* Its run. */
  pthread_t pthread;
  sem_t turn;
  bool started;

  /* The runtime's data of it. */
  GPtrArray *calls;   /* methods that it is in by enter and leave, outermost first */
  GPtrArray *frames;  /* the frames of a stack walk, innermost first */
  bool has_frames;    /* of the event; else they are to be derived from `calls` */
  uint64_t exception; /* the last that was thrown */
  bool stopped_world;
  bool can_walk_heap;
};

struct replay_log {
  struct log_read_context reading;
  struct log_input *input;
  struct mlpd_file_header header; /* its numbers; texts are gone */
  uint64_t sampling;              /* it has one allocation in this many bytes; 0: all */
  GPtrArray *threads;             /* struct replay_thread */
  uint64_t buffers, events;
  uint64_t missing; /* bytes that could no longer be read */
  uint64_t kinds[MLPD_KINDS];
  uint64_t reannounced; /* names, and not counted there */
  bool has_gc_locks;    /* GC events 10 and 11: the collector acquires and releases its lock */
};
extern struct replay_log replay_log;

/* Opens the log and makes the first pass.  False with the exit status in *status; the reason was
 * reported. */
bool replay_log_open (struct log_command *command, const char *path, int *status);

/* Reads bytes of a buffer; false if they are no longer there. */
bool replay_log_read (const struct replay_buffer *buffer, uint8_t *to);

/* After the replay.  Reports the number of damages that were not reported one by one. */
void replay_log_close (void);

/* ---- names: replay-names.c ---- */

/* Adds the names of an event, or of one that announces them again (`again`).  After all events
 * replay_names_finish connects them: methods with classes, classes with images. */
void replay_names_item (const struct mlpd_item *item, uint64_t time, bool again);
void replay_names_finish (void);

/* The entity of an address at a time; made up if the log does not name it. */
struct host_image *replay_image (uint64_t address, uint64_t time);
struct host_assembly *replay_assembly (uint64_t address, uint64_t time);
struct host_class *replay_class (uint64_t address, uint64_t time);
struct host_vtable *replay_vtable (uint64_t address, uint64_t time);
struct host_method *replay_method (uint64_t address, uint64_t time);
struct host_domain *replay_domain (uint64_t id);
struct host_context *replay_context (uint64_t id, uint64_t domain);

/* Whether the action of a metadata event states that loading has failed. */
bool replay_is_failure (uint64_t action);

/* The image or class that could not be loaded at that time. */
struct host_image *replay_failed_image (uint64_t address, uint64_t time);
struct host_class *replay_failed_class (uint64_t address, uint64_t time);

/* The vtable of a class where the log has none. */
struct host_vtable *replay_vtable_of (struct host_class *klass);

/* The class of objects of which the log states none. */
struct host_class *replay_unknown_class (void);

/* Of the simulated world (host/host.h). */
struct host_assembly *replay_main_assembly (void);
struct host_domain *replay_root_domain (void);

/* ---- records: replay-records.c ---- */

enum replay_op {
  REPLAY_NOTHING, /* nothing to fire */
  REPLAY_PLAIN,   /* args: those of the callback; list: where, innermost frame first */
  REPLAY_ALLOC,   /* object, class, vtable, size; list: as above */
  REPLAY_TYPED,   /* object, its class; list: as above */
  REPLAY_CALL,    /* method: callback method_enter, method_leave or method_exception_leave */
  REPLAY_JIT,     /* method, code, size */
  REPLAY_CLAUSE,  /* method, index, type, exception or 0 */
  REPLAY_GC,      /* event, generation */
  REPLAY_MOVES,   /* list: addresses */
  REPLAY_ROOTS,   /* list: slots, then as many objects */
  REPLAY_ROOT,    /* those of gc_root_register, the id of a thread as it is in the log */
  REPLAY_THREAD,  /* the id in the log, name */
  REPLAY_UNLOAD,  /* unloads: the callback is ..._unloading, the next is ..._unloaded */
  REPLAY_HEAP_START,
  REPLAY_HEAP_OBJECT, /* object, class, vtable, size, generation; list: objects, then offsets */
  REPLAY_HEAP_END,
};

struct replay_record {
  uint64_t time;
  uint8_t op;       /* enum replay_op */
  uint8_t callback; /* enum host_callback */
  uint16_t args;
  uint32_t count;    /* of the list */
  uint64_t values[]; /* args, list */
};

/* The next record of a thread, in the order of the log; NULL after the last.  Valid until
 * replay_record_skip. */
const struct replay_record *replay_record_next (struct replay_thread *thread);
void replay_record_skip (struct replay_thread *thread);

/* Why events of a kind are not fired; NULL if they are. */
const char *replay_not_fired (enum mlpd_kind kind, unsigned version);

/* ---- firing: replay-fire.c ---- */

extern _Thread_local struct replay_thread *replay_self;

struct replay_counts {
  uint64_t fired[HOST_CALLBACKS];
  uint64_t delivered[HOST_CALLBACKS];
  uint64_t records;
  uint64_t shots, shots_walked;     /* heap snapshots of the log, and those that were requested */
  uint64_t objects, objects_walked; /* in them */
  uint64_t empty_walks;             /* requested where the log has no objects */
  uint64_t collections;             /* that the module requested */
  uint64_t finalizations;           /* likewise */
  uint64_t unknown_objects;         /* requested, and the log does not state their class */
  uint64_t made_up;                 /* GC events that the log's version cannot state */
};
extern struct replay_counts replay_counts;

/* Of the simulated world (host/host.h). */
bool replay_stack_of_thread (struct host_stack *stack);
bool replay_find_object (uint64_t address, struct host_object *object);
bool replay_has_stopped_world (void);
bool replay_can_walk_heap (void);
void replay_walk_heap (host_walk_heap function, void *data);
void replay_collect (unsigned generation);
void replay_fired (enum host_callback callback, const uint64_t *values, bool delivered);

/* Fires a record of this thread, passing it, and the records that belong to it. */
void replay_fire (struct replay_thread *thread, const struct replay_record *record);

/* ---- the clock: replay-clock.c ---- */

/* CLOCK_MONOTONIC, in ns. */
uint64_t replay_clock_now (void);

/* Between these the time does not count as firing: the log is being read. */
void replay_clock_stop (void);
void replay_clock_go (void);

/* Time spent firing, in ns. */
uint64_t replay_firing_ns (void);

/* ---- threads: replay-threads.c ---- */

/* Fires all; returns when the last thread has fired its last event. */
void replay_run (void);

/* How often the turn went to another thread. */
uint64_t replay_turns (void);

/* The id that a thread of the log has here, which is its own if it is none of the log's. */
uint64_t replay_thread_id (uint64_t id);

struct replay_result {
  const char *log, *module, *description;
  uint64_t shutdown_ns;
};

#endif
