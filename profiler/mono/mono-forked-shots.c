/* mono-forked-shots.c -- heap snapshots for which the world is not stopped while the heap is
 * walked.
 *
 * The collecting thread forks at the end of the collection.  The child walks the heap as it was
 * then, and puts the objects into a ring (object-ring.h); a thread of ours gets them from there and
 * records them.  So the snapshot is a thread's own in the log: that thread's START, the roots and
 * moves that the collecting thread records, and that thread's objects and END.
 *
 * The child has none of the runtime's threads that sweep the heap, and a block that one is sweeping
 * at the fork stays so for ever.  So the walk begins on the collecting thread, which forks once an
 * object of the old generation has come and those threads wait for work, and leaves the walk; the
 * child goes on with it.  If that does not happen, or a child cannot be had, the collecting thread
 * goes on.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "agent/native-thread.h"
#include "agent/warn.h"
#include "profiler/os/child.h"
#include "profiler/os/thread-states.h"
#include "profiler/record/buffer-queue.h"
#include <sched.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

enum {
  CHILD_LIMIT_S = 5,      /* how long a child may come to no further object */
  NAMING_LIMIT_MS = 1000, /* how long the end of a domain waits for a name */
  END_LIMIT_MS = 2000, /* how long the end of the program waits for the next object of a snapshot */
  RECORDS_PER_CHECK = 1024,
};

#define SWEEPER "SGen worker" /* the name of those threads */

enum state {
  CLOSED,    /* the recording thread is not there: no snapshot can begin */
  NONE,      /* no snapshot is open */
  PREPARED,  /* the collecting thread is about to request one */
  REQUESTED, /* by the collecting thread */
  BEGUN,     /* the recording thread has the START in the queue */
  HERE,      /* the collecting thread walks to the end */
  CHILD,     /* a child walks to the end */
};

static struct {
  _Atomic int state; /* enum state; sequentially consistent, as all here that two threads use */
  pthread_t thread;
  sem_t wake;
  bool is_started;
  _Atomic bool is_ending;
  _Atomic uint64_t recorded; /* objects since the start, which shows progress */

  /* Of the open snapshot. */
  struct object_ring *ring;
  struct thread_group sweepers;
  _Atomic bool has_sweepers; /* they were found */
  pid_t child;
  bool was_requested;
  uint64_t losses;               /* heap_record_start */
  _Atomic bool has_roots;        /* the collecting thread has lost nothing of it */
  _Atomic bool is_world_running; /* the collection is over */
  _Atomic bool are_domains_gone; /* a domain is being unloaded */
  _Atomic bool is_naming;

  /* After a failure the next is taken in place. */
  _Atomic bool is_distrusted;
  _Atomic uint64_t failed;
} forked;

uint64_t
forked_shots_failed (void)
{
  return atomic_load (&forked.failed);
}

bool
forked_shot_is_open (void)
{
  return atomic_load (&forked.state) > NONE;
}

/* ---- the collecting thread ---- */

/* The walk of the collecting thread, and of the child. */
static struct {
  jmp_buf after_fork;
  bool is_child;
  unsigned records;
  uint64_t lost; /* events of the thread when the snapshot began */
} walk;

/* This thread has begun the snapshot, and the world has not been released. (initial-exec: reaching
 * it must not allocate.) */
static _Thread_local bool has_begun __attribute__ ((tls_model ("initial-exec")));

bool
forked_shot_begin (bool is_requested)
{
  int none = NONE;
  if (is_recorded (CLASS_ALLOC) || atomic_load (&forked.is_ending)
      || !atomic_compare_exchange_strong (&forked.state, &none, PREPARED))
    return false;
  forked.ring = object_ring_create ();
  if (forked.ring == NULL) {
    atomic_store (&forked.state, NONE);
    sem_post (&forked.wake); /* the thread may be about to end */
    return false;
  }
  forked.child = 0;
  forked.has_sweepers = false;
  forked.was_requested = is_requested;
  forked.is_world_running = forked.are_domains_gone = false;
  forked.has_roots = true;
  has_begun = true;
  walk.lost = heap_lost_of_thread ();
  /* This thread's events of the collection come after the START. */
  struct recorder *r = recorder_begin (1, 0, 0, 0);
  if (r != NULL)
    recorder_hold (r);
  atomic_store (&forked.state, REQUESTED);
  sem_post (&forked.wake);
  return true;
}

/* Whether the runtime's threads sweep nothing now, and will not before the world runs.  The runtime
 * has swept the heap, but for the contents of blocks, before it passes an object of the old
 * generation. */
static bool
is_swept (const struct object_record *record)
{
  return mono_gc_get_generation ((MonoObject *) (uintptr_t) record->object) != 0
         && atomic_load (&forked.has_sweepers) && thread_group_is_idle (&forked.sweepers);
}

/* The child continues the walk from here.  This thread leaves it, unless there is no child. */
static void
fork_walk (void)
{
  const pid_t child = quiet_child_start ();
  if (child > 0) {
    forked.child = child;
    object_ring_keep_from_children (forked.ring);
    contents_forget (); /* the child has a copy */
    atomic_store (&forked.state, CHILD);
    longjmp (walk.after_fork, 1);
  }
  walk.is_child = child == 0;
  if (!walk.is_child)
    atomic_store (&forked.state, HERE);
}

static void
check_walk (const struct object_record *next)
{
  if (walk.is_child)
    quiet_child_go_on (CHILD_LIMIT_S);
  else if (atomic_load (&forked.state) == BEGUN && is_swept (next))
    fork_walk ();
}

static bool
put_object (const struct object_record *record)
{
  if (walk.records++ % RECORDS_PER_CHECK == 0)
    check_walk (record);
  while (!object_ring_put (forked.ring, record)) {
    check_walk (record);
    native_thread_sleep (1);
  }
  return true;
}

void
forked_shot_walk (void)
{
  while (atomic_load (&forked.state) == REQUESTED)
    sched_yield ();
  /* The earlier events of the collection come before the objects. */
  if (recorder_of_thread != NULL)
    recorder_release (recorder_of_thread);
  recorder_make_room (1, 0, 0, 0);
  forked.has_roots = heap_lost_of_thread () == walk.lost;
  walk.is_child = false;
  walk.records = 0;
  if (atomic_exchange (&forked.is_distrusted, false))
    atomic_store (&forked.state, HERE);
  if (_setjmp (walk.after_fork) != 0)
    return;
  heap_walk (put_object);
  if (!walk.is_child)
    atomic_store (&forked.state, HERE); /* also if there was no object for a fork */
  object_ring_end (forked.ring);
  if (walk.is_child)
    _exit (0);
}

/* A thread that released the world before may come late. */
void
forked_shot_release (void)
{
  if (has_begun)
    atomic_store (&forked.is_world_running, true);
  has_begun = false;
}

/* The runtime waits for this before it frees anything. */
void
forked_shots_forget_domains (void)
{
  atomic_store (&forked.are_domains_gone, true);
  for (int i = 0; i < NAMING_LIMIT_MS && atomic_load (&forked.is_naming); i++)
    native_thread_sleep (1);
}

/* ---- the thread that records ---- */

/* Names the type of an object of the snapshot.  False if the type may be gone. */
static bool
name_type (uint64_t type)
{
  const bool has_vtables = log_has_vtables ();
  if (names_find (has_vtables ? NAME_VTABLE : NAME_CLASS, type) != NULL)
    return true;
  atomic_store (&forked.is_naming, true);
  const bool is_there = !atomic_load (&forked.are_domains_gone);
  if (is_there && has_vtables)
    name_vtable ((MonoVTable *) (uintptr_t) type);
  else if (is_there)
    name_class ((MonoClass *) (uintptr_t) type);
  atomic_store (&forked.is_naming, false);
  return is_there;
}

/* The program's threads have half of the memory for their buffers, as long as the writer makes
 * progress. */
static void
leave_room_for_others (unsigned *patience_ms)
{
  while (*patience_ms > 0 && buffer_queue_waiting () > buffer_queue_memory () / 2) {
    native_thread_sleep (1);
    --*patience_ms;
  }
}

/* From now on the world runs: types can be named, and this thread may wait for the writer. */
static void
leave_stop (void)
{
  buffer_queue_set_world_stopped (false);
  heap_name_types ();
}

/* Whether no more objects will come from the child that walks. */
static bool
has_child_failed (unsigned idle_ms)
{
  if (atomic_load (&forked.state) != CHILD)
    return false;
  if (forked.child == 0 || idle_ms > CHILD_LIMIT_S * 1000 || atomic_load (&forked.are_domains_gone))
    return true;
  /* It may have put the rest just before its end. */
  if (quiet_child_has_ended (forked.child))
    forked.child = 0;
  return false;
}

/* Records all objects.  Where the thread that has stopped the world walks, it waits for this one.
 * So as long as the world is stopped this one waits for no other.  False if not all objects have
 * come. */
static bool
record_objects (void)
{
  unsigned idle_ms = 0, patience_ms = buffer_queue_block_ms (), records = 0;
  bool runs = false, is_failed = false;
  struct object_record record;
  while (!is_failed && !object_ring_is_over (forked.ring)) {
    if (!runs && atomic_load (&forked.is_world_running)) {
      runs = true;
      leave_stop ();
    }
    if (!object_ring_get (forked.ring, &record)) {
      native_thread_sleep (1);
      is_failed = has_child_failed (++idle_ms);
      continue;
    }
    idle_ms = 0;
    if (records++ % RECORDS_PER_CHECK == 0) {
      atomic_fetch_add (&forked.recorded, RECORDS_PER_CHECK);
      if (runs)
        leave_room_for_others (&patience_ms);
    }
    is_failed = runs && record.object != 0 && !name_type (record.type);
    heap_record_object (&record);
  }
  while (!atomic_load (&forked.is_world_running))
    native_thread_sleep (1);
  leave_stop ();
  return !is_failed;
}

static void
note_failure (void)
{
  atomic_fetch_add (&forked.failed, 1);
  atomic_store (&forked.is_distrusted, true);
}

static void
record_shot (void)
{
  if (atomic_load (&forked.state) != REQUESTED)
    return;                              /* woken for the end */
  buffer_queue_set_world_stopped (true); /* the collecting thread has stopped it, and waits */
  const uint64_t losses = heap_record_start ();
  recorder_make_room (1, 0, 0, 0);
  atomic_store (&forked.state, BEGUN);
  forked.has_sweepers = thread_group_find (&forked.sweepers, SWEEPER) && forked.sweepers.count != 0;
  const bool is_whole = record_objects ();
  layouts_end ();
  if (forked.child != 0)
    quiet_child_kill (forked.child);
  if (atomic_load (&forked.state) == CHILD)
    shared_pages_unshare (); /* or the next collection would wait for that */
  heap_record_end (is_whole && atomic_load (&forked.has_roots) ? losses : UINT64_MAX);
  object_ring_destroy (forked.ring);
  if (is_whole)
    heap_count_shot ();
  else
    note_failure ();
  atomic_store (&forked.state, NONE);
  if (is_whole ? heap_shot_is_requested () : forked.was_requested)
    heap_shot_request ();
}

/* Whether the thread can end.  A snapshot that the collecting thread has begun to prepare is
 * recorded first, as that thread waits for it; after this, none can begin. */
static bool
can_end (void)
{
  int none = NONE;
  return atomic_load (&forked.is_ending)
         && atomic_compare_exchange_strong (&forked.state, &none, CLOSED);
}

static void *
run (void *unused)
{
  (void) unused;
  state_attach_thread ();
  const bool is_named = recorder_version >= MLPD_VERSION_ALL_CLASSES; /* as all threads are there */
  const uint64_t self = (uint64_t) (uintptr_t) pthread_self ();
  if (is_named) {
    state_record_thread (self, MLPD_LOAD_END_LOAD, NULL);
    state_record_thread (self, MLPD_LOAD_NAME, "proflog heap");
  }
  recorder_make_room (1, 0, 0, 0);
  atomic_store (&forked.state, NONE);
  while (!can_end ()) {
    native_thread_wait (&forked.wake, UINT64_MAX / 2);
    record_shot ();
  }
  if (is_named)
    state_record_thread (self, MLPD_LOAD_END_UNLOAD, NULL);
  return NULL;
}

void
forked_shots_start (void)
{
  if (!profiler.options.heapshot_fork)
    return;
  sem_init (&forked.wake, 0, 0);
  const int error = native_thread_start (&forked.thread, 0, run);
  forked.is_started = error == 0;
  if (error != 0)
    proflog_warn ("heapshot-fork: %s; heap snapshots stop the program", strerror (error));
}

void
forked_shots_finish (void)
{
  if (!forked.is_started)
    return;
  forked.is_started = false;
  atomic_store (&forked.is_ending, true);
  sem_post (&forked.wake);
  uint64_t before;
  do
    before = atomic_load (&forked.recorded);
  while (!native_thread_join (forked.thread, END_LIMIT_MS)
         && atomic_load (&forked.recorded) != before);
  const uint64_t failed = forked_shots_failed ();
  if (failed != 0)
    proflog_warn ("heapshot-fork: %llu heap snapshot%s came to no end", (unsigned long long) failed,
                  failed == 1 ? "" : "s");
}

void
forked_shots_after_fork (void)
{
  forked.is_started = false;
  atomic_store (&forked.state, CLOSED);
}
