/* attach-request.h -- the memory that `proflog attach` shares with the module that it loads into a
 * process.
 *
 * The module exports PROFLOG_ATTACH_REQUEST, which `proflog attach` fills in the process's memory,
 * and PROFLOG_ATTACH_START, which it has a thread of the process call.  The start itself runs
 * on a thread of the module's own; its result is in `state` then.
 */
#ifndef AGENT_ATTACH_REQUEST_H
#define AGENT_ATTACH_REQUEST_H

#include <stdint.h>

#define PROFLOG_ATTACH_REQUEST "proflog_attach_request"
#define PROFLOG_ATTACH_START "proflog_attach_start"
#define PROFLOG_ATTACH_TEXT 8192

enum attach_state {
  ATTACH_IDLE,    /* the initial one */
  ATTACH_RUNNING, /* the thread has been started */
  ATTACH_DONE,    /* the program is being profiled; `text` lists the events that are not recorded */
  ATTACH_REFUSED, /* `text` is the reason */
};

struct attach_request {
  uint32_t size;                  /* of this structure, of the module that is loaded */
  uint32_t state;                 /* enum attach_state; only atomic reads and writes */
  char text[PROFLOG_ATTACH_TEXT]; /* in: "proflog:OPTION,..."; out: the reason of a refusal, or
                                   * the events that are not recorded, "" for none */
};

#endif
