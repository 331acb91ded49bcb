/* descriptors.h -- ours, in a process that does not know of them: programs close all that they have
 * not opened, and open files of their own in their place. */
#ifndef AGENT_DESCRIPTORS_H
#define AGENT_DESCRIPTORS_H

#include <stdbool.h>
#include <sys/stat.h>

/* The same open file above standard error, with `fd` closed, and closed by exec: a program that was
 * started without standard output or error must not write into it.  -1 with errno. */
int above_standard (int fd);

/* Whether the descriptor is still of the file that fstat returned once: else it is not ours any
 * more, and must neither be used nor closed. */
bool is_still_open (int fd, const struct stat *file);

#endif
