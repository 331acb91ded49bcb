/* pager.h -- a program that shows text screen by screen. */
#ifndef PROFLOG_PAGER_H
#define PROFLOG_PAGER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct pager {
  FILE *file; /* that it reads; NULL: no pager runs */
  pid_t pid;
};

/* Starts PAGER, or less.  False if there is none, or it cannot be started.  From then on SIGPIPE
 * and the keys that interrupt do not end the process: the pager may end before it has read all. */
bool pager_start (struct pager *pager);

/* Ends its input and waits until it ends. */
void pager_finish (struct pager *pager);

#endif
