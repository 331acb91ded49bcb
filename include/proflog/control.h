/* control.h -- the protocol by which `proflog ctl` controls the module in a running program.
 *
 * The module listens at a Unix-domain socket of the name PROFLOG_CONTROL_NAME in a directory that is its
 * user's alone.  A client sends one line, "VERB [ARGUMENT...]" or "json VERB [ARGUMENT...]", gets one
 * reply, and the module closes the connection.  A reply is either one line of JSON, an object that begins
 * with {"ok":true or {"ok":false,"error":"KIND"; or a line that is "ok" or "error KIND" and then lines of
 * text.
 */
#ifndef PROFLOG_CONTROL_H
#define PROFLOG_CONTROL_H

#define PROFLOG_CONTROL_NAME "proflog-%ld.control" /* the process id */
#define PROFLOG_CONTROL_PREFIX "proflog-"
#define PROFLOG_CONTROL_SUFFIX ".control"

/* Directories, besides XDG_RUNTIME_DIR, for the user's number. */
#define PROFLOG_RUNTIME_DIRECTORY "/run/user/%ld"
#define PROFLOG_OWN_DIRECTORY "/tmp/proflog-%ld"

/* The name of the copies of a program that walk its heap for a snapshot (heapshot-fork). */
#define PROFLOG_SHOT_PROCESS "proflog-shot"

/* Kinds of errors. */
#define PROFLOG_CONTROL_USAGE "usage" /* there is no such verb, or its arguments make no sense */
#define PROFLOG_CONTROL_REFUSED "refused" /* not by this user, or not as this program was started  \
                                           */
#define PROFLOG_CONTROL_FAILED "failed"   /* it was tried */

enum {
  PROFLOG_CONTROL_REQUEST_MAX = 4096,   /* bytes of a request, with its end of line */
  PROFLOG_CONTROL_REPLY_MAX = 16 << 20, /* bytes of a reply that a client takes */
};

#endif
