/* loopback-user.h -- the user at the other end of a connection within this machine. */
#ifndef PROFLOG_LOOPBACK_USER_H
#define PROFLOG_LOOPBACK_USER_H

#include <sys/types.h>

#define LOOPBACK_NOBODY ((uid_t) -1)

/* The user that has the socket of 127.0.0.1 at port `from`, connected to port `to` there.
 * LOOPBACK_NOBODY if the kernel does not state it. */
uid_t loopback_user (unsigned from, unsigned to);

#endif
