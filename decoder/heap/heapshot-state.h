/* heapshot-state.h -- whether a heap snapshot has all that was alive. */
#ifndef PROFLOG_HEAPSHOT_STATE_H
#define PROFLOG_HEAPSHOT_STATE_H

enum heapshot_state {
  HEAPSHOT_CUT,     /* its END is missing */
  HEAPSHOT_DAMAGED, /* the log is damaged between its START and its END: what it has may be wrong,
                       or of another snapshot too */
  HEAPSHOT_EMPTY,   /* it has no object, which no heap is without: the runtime could not list any */
  HEAPSHOT_COMPLETE,
};

/* "complete", "empty", "damaged", "cut": static text. */
const char *heapshot_state_name (enum heapshot_state state);

/* Why it is not complete, for people; NULL if it is.  Static text. */
const char *heapshot_state_reason (enum heapshot_state state);

#endif
