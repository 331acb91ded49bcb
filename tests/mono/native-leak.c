/* native-leak.c -- a library for native-leak.cs that allocates memory, and frees some of it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FREED_OF = 25 }; /* one of so many blocks is freed */

long leak_load (long bytes, int count);
void leak_balance (long bytes, int count);
char *leak_text (long bytes);
void leak_thread (long bytes, int count);
int leak_handler (long bytes, int count);
int leak_child (long bytes, int count, int runs_program);
void leak_end (int kind);

/* Returns the bytes that are not freed. */
long
leak_load (long bytes, int count)
{
  long kept = 0;
  for (int i = 0; i < count; i++) {
    char *p = i % 3 == 0 ? calloc (1, (size_t) bytes) : malloc ((size_t) bytes);
    p[0] = 1;
    if (i % FREED_OF == 0)
      free (p);
    else
      kept += bytes;
  }
  return kept;
}

/* All of it is freed, whichever way. */
void
leak_balance (long bytes, int count)
{
  for (int i = 0; i < count; i++) {
    char *p = malloc ((size_t) bytes / 2);
    p = realloc (p, (size_t) bytes);
    p[0] = 1;
    free (p);
    char *mapped
        = mmap (NULL, (size_t) bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mapped[0] = 1;
    munmap (mapped, (size_t) bytes);
  }
}

/* The runtime frees it. */
char *
leak_text (long bytes)
{
  char *text = malloc ((size_t) bytes + 1);
  memset (text, 'x', (size_t) bytes);
  text[bytes] = 0;
  return text;
}

struct work {
  long bytes;
  int count;
};

static void *
work (void *data)
{
  const struct work *w = data;
  leak_balance (w->bytes, w->count);
  return NULL;
}

/* In threads that the runtime does not know. */
void
leak_thread (long bytes, int count)
{
  struct work w = { bytes, count };
  pthread_t threads[8];
  for (int i = 0; i < 8; i++)
    pthread_create (&threads[i], NULL, work, &w);
  for (int i = 0; i < 8; i++)
    pthread_join (threads[i], NULL);
}

static struct work of_handler;
static volatile sig_atomic_t handled;

static void
handle (int signal)
{
  (void) signal;
  leak_balance (of_handler.bytes, 1);
  handled++;
}

int
leak_handler (long bytes, int count)
{
  struct sigaction action = { .sa_handler = handle }, before;
  of_handler.bytes = bytes;
  sigaction (SIGUSR2, &action, &before);
  for (int i = 0; i < count; i++)
    raise (SIGUSR2);
  sigaction (SIGUSR2, &before, NULL);
  return handled;
}

/* The status of a child that does the same, or runs another program. */
int
leak_child (long bytes, int count, int runs_program)
{
  int status = 0;
  void *of_parent = malloc ((size_t) bytes);
  const pid_t child = fork ();
  if (child == 0) {
    free (of_parent);
    leak_balance (bytes, count);
    leak_load (bytes, count);
    if (runs_program)
      execl ("/bin/sh", "sh", "-c", "exit 9", (char *) NULL);
    _exit (7);
  }
  waitpid (child, &status, 0);
  free (of_parent);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static void
at_exit (void)
{
  leak_balance (1 << 20, 100);
}

void
leak_end (int kind)
{
  atexit (at_exit);
  leak_load (1 << 20, 20);
  if (kind == 0)
    kill (getpid (), SIGKILL);
  else if (kind == 1)
    _exit (5);
  else if (kind == 2)
    exit (6);
  else
    execl ("/bin/sh", "sh", "-c", "exit 9", (char *) NULL);
}
