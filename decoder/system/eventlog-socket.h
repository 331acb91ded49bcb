/* eventlog-socket.h -- the protocol of programs with the Haskell library eventlog-socket.
 *
 * A client of the program's socket reads its eventlog, and may write commands: four bytes
 * that all begin with, the version of the protocol, the name of a name space with its length before
 * it, a command's number in that.  There is no reply.
 */
#ifndef PROFLOG_EVENTLOG_SOCKET_H
#define PROFLOG_EVENTLOG_SOCKET_H

#include <glib.h>
#include <stdbool.h>

/* Appends the bytes of a command: the name of one that all such programs have
 * ("start-heap-profile"), or NAMESPACE:NUMBER.  False if it is neither. */
bool eventlog_socket_command (GByteArray *bytes, const char *text);

/* The names, with commas between them. */
const char *eventlog_socket_names (void);

#endif
