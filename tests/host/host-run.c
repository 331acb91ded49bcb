/* host-run.c -- runs a scenario. */
#include "config.h"

#include "tests/host/host-script.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool in_child; /* of a fork: the truth is the parent's */

/* ---- definitions ---- */

#define OPERAND(i) (c->count > (i) ? host_evaluate (&c->operands[i].number) : 0)
#define ENTITY(i, type, wanted) ((struct type *) entity_of (c, i, wanted))

static struct host_entity *
entity_of (const struct host_command *c, size_t i, enum host_entity_kind kind)
{
  if (i >= c->count)
    return NULL;
  struct host_entity *e = c->operands[i].entity;
  if (e == NULL || e->kind != kind)
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
  bool is_pool = all != NULL && all->entity.kind == HOST_POOL && operand->number.count == 0;
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
    host_self->stack[i]
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
    host_run_block (c->body);
    _exit (0);
  }
  int status;
  host_set_running (false);
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      host_fail ("waitpid: %s", strerror (errno));
  host_set_running (true);
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

static const char *file_at_exit;

void
host_at_exit (void)
{
  for (int fd = 0; fd < 256 && file_at_exit != NULL; fd++) {
    struct stat about, of_descriptor;
    if (fstat (fd, &of_descriptor) != 0 || stat (file_at_exit, &about) != 0
        || of_descriptor.st_dev != about.st_dev || of_descriptor.st_ino != about.st_ino)
      continue;
    puts ("open at exit");
    fflush (stdout);
  }
}

static void
sleep_ms (uint64_t ms)
{
  struct timespec left
      = { .tv_sec = (time_t) (ms / 1000), .tv_nsec = (long) (ms % 1000) * 1000000 };
  host_set_running (false);
  while (nanosleep (&left, &left) != 0 && errno == EINTR)
    ;
  host_set_running (true);
}

static void
await_file (const char *path)
{
  const struct timespec moment = { .tv_nsec = 1000000 };
  host_set_running (false);
  while (access (path, F_OK) != 0)
    nanosleep (&moment, NULL);
  host_set_running (true);
}

static void
run_finalizers (void)
{
  const struct timespec moment = { .tv_nsec = 1000000 };
  const uint64_t none[HOST_ARGS] = { 0 };
  host_set_running (false);
  while (!atomic_exchange (&host_finalizer_notified, false))
    nanosleep (&moment, NULL);
  host_set_running (true);
  host_fire (CB_gc_finalized, none);
}

#if defined(__SANITIZE_ADDRESS__)
/* A child has threads that are not there: leaks cannot be determined. */
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
  host_safepoint ();
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
  case OP_FINALIZE:
    run_finalizers ();
    break;
  case OP_AWAIT:
    await_file (c->operands[0].text);
    break;
  case OP_REPEAT:
    n = OPERAND (0);
    for (uint64_t i = 0; i < n; i++) {
      host_self->variables[c->variable] = i;
      host_run_block (c->body);
    }
    break;
  case OP_FOREVER:
    for (;;)
      host_run_block (c->body);
  case OP_STACK:
    set_stack (c);
    break;
  case OP_COLLECT:
    host_collect ((unsigned) OPERAND (0), ENTITY (1, host_array, HOST_ARRAY));
    break;
  case OP_SLEEP:
    sleep_ms (OPERAND (0));
    break;
  case OP_CLOCK:
    host_clock_advance (OPERAND (0));
    break;
  case OP_WALK:
    host_heap.walk_ns = OPERAND (0);
    break;
  case OP_THREAD:
    host_start_thread ((struct host_thread *) c->entity);
    break;
  case OP_ON:
    host_give_work ((struct host_thread *) c->entity, c->body);
    host_wait_for ((struct host_thread *) c->entity);
    break;
  case OP_START:
    host_give_work ((struct host_thread *) c->entity, c->body);
    break;
  case OP_WAIT:
    host_wait_for ((struct host_thread *) c->entity);
    break;
  case OP_FINISH:
    host_finish_thread ((struct host_thread *) c->entity);
    break;
  case OP_PARALLEL:
    host_run_parallel (c->body, OPERAND (0), c->variable);
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
  case OP_EXIT_THREAD:
    print_truth ();
    pthread_exit (NULL);
  case OP_KILL:
    print_truth ();
    kill (getpid (), (int) OPERAND (0));
    break;
  case OP_FORK:
    run_fork (c);
    break;
  case OP_DIRECTORY:
    if (chdir (c->operands[0].text) != 0)
      host_fail ("%s: %s", c->operands[0].text, strerror (errno));
    break;
  case OP_PRINT:
    puts (c->operands[0].text);
    fflush (stdout);
    break;
  case OP_DESCRIPTORS:
    note_descriptors ();
    break;
  case OP_OPEN_AT_EXIT:
    file_at_exit = c->operands[0].text;
    break;
  default:
    run_definition (c);
  }
}

void
host_run_block (const struct host_command *commands)
{
  for (const struct host_command *c = commands; c != NULL; c = c->next)
    run_command (c);
}

void
host_run (const struct host_command *commands)
{
  host_begin_threads ();
  host_run_block (commands);
  print_truth ();
}
