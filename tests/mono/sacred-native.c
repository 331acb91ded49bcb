/* sacred-native.c -- handlers of signals, and a child, for programs/sacred.cs. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t seen[65];

static void
count (int number)
{
  seen[number]++;
}

void count_signals (int number);
int signals_seen (int number);
int fork_exit (int status);

void
count_signals (int number)
{
  struct sigaction action = { .sa_handler = count, .sa_flags = SA_RESTART };
  sigaction (number, &action, NULL);
}

int
signals_seen (int number)
{
  return seen[number];
}

/* The process id of a child that ends at once. */
int
fork_exit (int status)
{
  const pid_t pid = fork ();
  if (pid == 0)
    _exit (status);
  return pid;
}
