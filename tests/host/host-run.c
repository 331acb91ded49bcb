/* host-run.c -- runs a scenario. */
#include "tests/host/host-script.h"
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Thread_local struct host_thread *host_self;

static struct host_thread *all_threads;
static bool in_child; /* of a fork: the truth is the parent's */

/* Held through a collection; whoever begins or ends to run takes it. */
static pthread_mutex_t world = PTHREAD_MUTEX_INITIALIZER;
static bool world_stopped; /* the collector's */
static _Atomic bool stopping;
static sem_t suspended;

/* ThreadSanitizer delays signals: with it threads stop between callbacks only. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
enum { STOPPED_BY_SIGNALS = false };
#else
enum { STOPPED_BY_SIGNALS = true };
#endif

static void run_block (const struct host_command *commands);

struct host_thread *
host_threads (void)
{
  return all_threads;
}

/* ---- threads ---- */

static void
pause_shortly (void)
{
  const struct timespec moment = { .tv_nsec = 50000 };
  nanosleep (&moment, NULL);
}

/* Stays here while the world is stopped: as a signal handler, maybe inside the module. */
static void
suspend_here (int signal)
{
  (void) signal;
  int saved = errno;
  sem_post (&suspended);
  while (atomic_load (&stopping))
    pause_shortly ();
  sem_post (&suspended);
  errno = saved;
}

static inline void
safepoint (void)
{
  if (!STOPPED_BY_SIGNALS && atomic_load_explicit (&stopping, memory_order_relaxed))
    suspend_here (0);
}

/* A thread that runs is stopped while it waits for the lock. */
static void
lock_world (void)
{
  while (pthread_mutex_trylock (&world) != 0) {
    if (atomic_load_explicit (&host_self->running, memory_order_relaxed))
      safepoint ();
    pause_shortly ();
  }
}

/* A thread that does not run does not touch the module: collections need not stop it.  Whoever
 * is going to wait for something stops running before that. */
static void
set_running (bool running)
{
  lock_world ();
  atomic_store (&host_self->running, running);
  pthread_mutex_unlock (&world);
}

static void
run_work (const struct host_command *work)
{
  atomic_store (&host_self->working, true);
  set_running (true);
  run_block (work);
  set_running (false);
  atomic_store (&host_self->working, false);
}

static void *
thread_main (void *data)
{
  struct host_thread *t = host_self = data;
  pthread_mutex_lock (&t->lock);
  for (;;) {
    while (t->work == NULL && !t->finish)
      pthread_cond_wait (&t->changed, &t->lock);
    const struct host_command *work = t->work;
    t->work = NULL;
    if (work == NULL)
      break;
    pthread_mutex_unlock (&t->lock);
    run_work (work);
    pthread_mutex_lock (&t->lock);
    t->busy = false;
    pthread_cond_broadcast (&t->changed);
  }
  pthread_mutex_unlock (&t->lock);
  return NULL;
}

static void
prepare_thread (struct host_thread *t)
{
  pthread_mutex_init (&t->lock, NULL);
  pthread_cond_init (&t->changed, NULL);
  t->entity.alive = true;
  if (host_self != NULL)
    memcpy (t->variables, host_self->variables, sizeof t->variables);
  lock_world ();
  t->next = all_threads;
  all_threads = t;
  pthread_mutex_unlock (&world);
}

static void
start_thread (struct host_thread *t, void *(*function) (void *) )
{
  prepare_thread (t);
  int error = pthread_create (&t->pthread, NULL, function, t);
  if (error != 0)
    host_fail ("no thread: %s", strerror (error));
  t->id = (uint64_t) (uintptr_t) t->pthread;
}

static void
give_work (struct host_thread *t, const struct host_command *work)
{
  set_running (false);
  pthread_mutex_lock (&t->lock);
  while (t->busy)
    pthread_cond_wait (&t->changed, &t->lock);
  memcpy (t->variables, host_self->variables, sizeof t->variables);
  t->work = work;
  t->busy = work != NULL;
  pthread_cond_broadcast (&t->changed);
  pthread_mutex_unlock (&t->lock);
  set_running (true);
}

static void
wait_for (struct host_thread *t)
{
  set_running (false);
  pthread_mutex_lock (&t->lock);
  while (t->busy)
    pthread_cond_wait (&t->changed, &t->lock);
  pthread_mutex_unlock (&t->lock);
  set_running (true);
}

static void
finish_thread (struct host_thread *t)
{
  wait_for (t);
  pthread_mutex_lock (&t->lock);
  t->finish = true;
  pthread_cond_broadcast (&t->changed);
  pthread_mutex_unlock (&t->lock);
  set_running (false);
  pthread_join (t->pthread, NULL);
  set_running (true);
}

static void *
parallel_main (void *data)
{
  host_self = data;
  host_self->id = (uint64_t) (uintptr_t) pthread_self ();
  run_work (host_self->work);
  return NULL;
}

static void
run_parallel (const struct host_command *c)
{
  uint64_t n = host_evaluate (&c->operands[0].number);
  struct host_thread **threads = host_alloc (n * sizeof *threads);
  for (uint64_t i = 0; i < n; i++) {
    struct host_thread *t = threads[i] = host_alloc (sizeof *t);
    host_self->variables[c->variable] = i;
    t->work = c->body;
    prepare_thread (t);
    int error = pthread_create (&t->pthread, NULL, parallel_main, t);
    if (error != 0)
      host_fail ("no thread: %s", strerror (error));
  }
  set_running (false);
  for (uint64_t i = 0; i < n; i++)
    pthread_join (threads[i]->pthread, NULL);
  set_running (true);
  free (threads);
}

/* ---- collections ---- */

static void
wait_for_all (size_t n)
{
  while (n > 0)
    if (sem_wait (&suspended) == 0)
      n--;
}

static size_t
stop_world (void)
{
  size_t stopped = 0;
  atomic_store (&stopping, true);
  for (struct host_thread *t = all_threads; t != NULL; t = t->next) {
    if (t == host_self || !atomic_load (&t->running))
      continue;
    stopped++;
    if (STOPPED_BY_SIGNALS)
      pthread_kill ((pthread_t) t->id, SIGUSR2);
  }
  wait_for_all (stopped);
  return stopped;
}

static void
fire_gc (unsigned event, unsigned generation, bool serial)
{
  const uint64_t values[HOST_ARGS] = { event, generation, serial };
  host_fire (CB_gc_event, values);
}

bool
host_can_walk_heap (void)
{
  return host_self != NULL && host_self->collecting && world_stopped;
}

/* The order of the events is that of Mono 6.8; the numbers are those of its gc_event. */
void
host_collect (unsigned generation, const struct host_array *moves)
{
  fire_gc (6, generation, true);
  lock_world ();
  host_self->collecting = true;
  fire_gc (10, generation, true);
  size_t stopped = stop_world ();
  fire_gc (7, generation, true);
  fire_gc (0, generation, false);
  if (moves != NULL) {
    const uint64_t values[HOST_ARGS] = { (uint64_t) (uintptr_t) moves->values, moves->count };
    host_fire (CB_gc_moves, values);
  }
  fire_gc (5, generation, false);
  world_stopped = true;
  fire_gc (8, generation, true);
  world_stopped = false;
  atomic_store (&stopping, false);
  wait_for_all (stopped);
  host_self->collecting = false;
  fire_gc (9, generation, true);
  pthread_mutex_unlock (&world);
  fire_gc (11, generation, true);
}

/* ---- definitions ---- */

#define OPERAND(i) (c->count > (i) ? host_evaluate (&c->operands[i].number) : 0)
#define ENTITY(i, type, wanted) ((struct type *) entity_of (c, i, wanted))

static struct host_entity *
entity_of (const struct host_command *c, size_t i, enum host_sort sort)
{
  if (i >= c->count)
    return NULL;
  struct host_entity *e = c->operands[i].entity;
  if (e == NULL || e->sort != sort)
    host_fail ("line %d: operand %zu is of the wrong kind", c->line, i + 1);
  return e;
}

static void
define_method (const struct host_command *c)
{
  host_define_method ((struct host_method *) c->entity, ENTITY (0, host_class, HOST_CLASS),
                      c->operands[1].text, c->count > 2 ? c->operands[2].text : NULL, OPERAND (3),
                      OPERAND (4), c->op == OP_AOT_METHOD);
}

static void
define_objects (const struct host_command *c)
{
  uint64_t size = OPERAND (2);
  host_define_pool ((struct host_pool *) c->entity, ENTITY (0, host_class, HOST_CLASS), OPERAND (1),
                    size, c->count > 3 ? OPERAND (3) : 1,
                    c->count > 4 ? OPERAND (4) : (size + 7) & ~UINT64_C (7));
}

static void
define_array (const struct host_command *c)
{
  struct host_array *array = (struct host_array *) c->entity;
  uint64_t n = OPERAND (0);
  free (array->values);
  array->entity.alive = true;
  array->count = n * (c->count - 1);
  array->values = host_alloc ((array->count + 1) * sizeof array->values[0]);
  uint64_t *to = array->values;
  for (uint64_t i = 0; i < n; i++) {
    host_self->variables[c->variable] = i;
    for (size_t k = 1; k < c->count; k++)
      *to++ = host_value (&c->operands[k], ARG_OBJECT);
  }
}

/* All objects that an operand of `references` means: one, or a whole pool. */
static uint64_t
operand_objects (const struct host_operand *operand, uint64_t *to)
{
  struct host_pool *all = (struct host_pool *) operand->entity;
  bool is_pool = all != NULL && all->entity.sort == HOST_POOL && operand->number.count == 0;
  uint64_t n = is_pool ? all->count : 1;
  for (uint64_t i = 0; to != NULL && i < n; i++)
    to[i] = is_pool ? all->address + i * all->stride : host_value (operand, ARG_OBJECT);
  return n;
}

static void
define_references (const struct host_command *c)
{
  struct host_pool *pool = ENTITY (0, host_pool, HOST_POOL);
  uint64_t index = OPERAND (0);
  if (pool == NULL || index >= pool->count)
    host_fail ("line %d: no such object", c->line);
  if (pool->references == NULL)
    pool->references = host_alloc (pool->count * sizeof pool->references[0]);
  struct host_references *r = &pool->references[index];
  uint64_t n = 0;
  for (size_t i = 1; i < c->count; i++)
    n += operand_objects (&c->operands[i], NULL);
  free (r->items);
  r->items = host_alloc ((n + 1) * sizeof r->items[0]);
  r->count = 0;
  for (size_t i = 1; i < c->count; i++)
    r->count += operand_objects (&c->operands[i], r->items + r->count);
}

static void
define_heap (const struct host_command *c)
{
  free (host_heap.pools);
  host_heap.count = c->count;
  host_heap.pools = host_alloc ((c->count + 1) * sizeof host_heap.pools[0]);
  for (size_t i = 0; i < c->count; i++)
    host_heap.pools[i] = ENTITY (i, host_pool, HOST_POOL);
}

static void
set_stack (const struct host_command *c)
{
  if (c->count > HOST_FRAMES)
    host_fail ("line %d: more than %d frames", c->line, HOST_FRAMES);
  host_self->depth = c->count;
  for (size_t i = 0; i < c->count; i++)
    host_self->stack[i].method
        = c->operands[i].entity != NULL ? ENTITY (i, host_method, HOST_METHOD) : NULL;
}

/* ---- the process ---- */

static void
run_shutdown (void)
{
  const uint64_t none[HOST_ARGS] = { 0 };
  host_snapshot ();
  host_fire (CB_runtime_shutdown_begin, none);
  host_fire (CB_runtime_shutdown_end, none);
  host_fire_cleanup ();
  host_self->over = true;
}

static void
print_truth (void)
{
  if (!in_child)
    host_print_truth ();
}

static void
run_fork (const struct host_command *c)
{
  pid_t child = fork ();
  if (child < 0)
    host_fail ("fork: %s", strerror (errno));
  if (child == 0) {
    in_child = true;
    run_block (c->body);
    _exit (0);
  }
  int status;
  set_running (false);
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      host_fail ("waitpid: %s", strerror (errno));
  set_running (true);
  host_note ("child %d", WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
}

static void
note_descriptors (void)
{
  for (int fd = 0; fd < 256; fd++) {
    char path[64], target[4096];
    int flags = fcntl (fd, F_GETFD);
    if (flags < 0)
      continue;
    snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = readlink (path, target, sizeof target - 1);
    struct stat about;
    if (length < 0 || fstat (fd, &about) != 0)
      continue;
    target[length] = 0;
    host_note ("descriptor %s %o %s", flags & FD_CLOEXEC ? "cloexec" : "inherited",
               (unsigned) about.st_mode & 07777, target);
  }
}

static void
sleep_ms (uint64_t ms)
{
  struct timespec left
      = { .tv_sec = (time_t) (ms / 1000), .tv_nsec = (long) (ms % 1000) * 1000000 };
  set_running (false);
  while (nanosleep (&left, &left) != 0 && errno == EINTR)
    ;
  set_running (true);
}

#if defined(__SANITIZE_ADDRESS__)
/* A child has threads that are not there: what leaks cannot be told. */
int __lsan_is_turned_off (void);

int
__lsan_is_turned_off (void)
{
  return in_child;
}
#endif

/* ---- commands ---- */

static void
run_fire (const struct host_command *c)
{
  uint64_t values[HOST_ARGS] = { 0 };
  safepoint ();
  for (size_t i = 0; i < c->count; i++)
    values[i] = host_value (&c->operands[i], host_signatures[c->callback].args[i]);
  host_fire (c->callback, values);
}

static void
run_definition (const struct host_command *c)
{
  switch (c->op) {
  case OP_IMAGE:
    ((struct host_image *) c->entity)->file_name = c->operands[0].text;
    c->entity->alive = true;
    break;
  case OP_ASSEMBLY:
    ((struct host_assembly *) c->entity)->image = ENTITY (0, host_image, HOST_IMAGE);
    c->entity->alive = true;
    break;
  case OP_CLASS:
    host_define_class ((struct host_class *) c->entity, ENTITY (0, host_image, HOST_IMAGE),
                       c->operands[1].text, c->operands[2].text,
                       ENTITY (3, host_class, HOST_CLASS));
    break;
  case OP_METHOD:
  case OP_AOT_METHOD:
    define_method (c);
    break;
  case OP_OBJECTS:
    define_objects (c);
    break;
  case OP_ARRAY:
    define_array (c);
    break;
  case OP_REFERENCES:
    define_references (c);
    break;
  case OP_HEAP:
    define_heap (c);
    break;
  case OP_FORGET:
    host_forget (c->operands[0].entity);
    break;
  default:
    break;
  }
}

static void
run_command (const struct host_command *c)
{
  uint64_t n;
  switch (c->op) {
  case OP_FIRE:
    run_fire (c);
    break;
  case OP_REPEAT:
    n = OPERAND (0);
    for (uint64_t i = 0; i < n; i++) {
      host_self->variables[c->variable] = i;
      run_block (c->body);
    }
    break;
  case OP_FOREVER:
    for (;;)
      run_block (c->body);
  case OP_STACK:
    set_stack (c);
    break;
  case OP_COLLECT:
    host_collect ((unsigned) OPERAND (0), ENTITY (1, host_array, HOST_ARRAY));
    break;
  case OP_SLEEP:
    sleep_ms (OPERAND (0));
    break;
  case OP_THREAD:
    start_thread ((struct host_thread *) c->entity, thread_main);
    break;
  case OP_ON:
    give_work ((struct host_thread *) c->entity, c->body);
    wait_for ((struct host_thread *) c->entity);
    break;
  case OP_START:
    give_work ((struct host_thread *) c->entity, c->body);
    break;
  case OP_WAIT:
    wait_for ((struct host_thread *) c->entity);
    break;
  case OP_FINISH:
    finish_thread ((struct host_thread *) c->entity);
    break;
  case OP_PARALLEL:
    run_parallel (c);
    break;
  case OP_INIT:
    host_init_module (c->operands[0].text);
    break;
  case OP_SHUTDOWN:
    run_shutdown ();
    break;
  case OP_EXIT:
    print_truth ();
    exit ((int) OPERAND (0));
  case OP_EXIT_NOW:
    print_truth ();
    _exit ((int) OPERAND (0));
  case OP_KILL:
    print_truth ();
    kill (getpid (), (int) OPERAND (0));
    break;
  case OP_FORK:
    run_fork (c);
    break;
  case OP_PRINT:
    puts (c->operands[0].text);
    fflush (stdout);
    break;
  case OP_DESCRIPTORS:
    note_descriptors ();
    break;
  default:
    run_definition (c);
  }
}

static void
run_block (const struct host_command *commands)
{
  for (const struct host_command *c = commands; c != NULL; c = c->next)
    run_command (c);
}

void
host_run (const struct host_command *commands)
{
  sem_init (&suspended, 0, 0);
  struct sigaction action = { .sa_handler = suspend_here, .sa_flags = SA_RESTART };
  sigaction (SIGUSR2, &action, NULL);
  prepare_thread (host_self);
  set_running (true);
  run_block (commands);
  print_truth ();
}
