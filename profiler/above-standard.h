/* above-standard.h -- descriptors that are nobody's standard output. */
#ifndef PROFLOG_ABOVE_STANDARD_H
#define PROFLOG_ABOVE_STANDARD_H

/* The same open file above standard error, with `fd` closed, and closed by exec: a program that was
 * started without standard output or error must not write into it.  -1 with errno. */
int above_standard (int fd);

#endif
