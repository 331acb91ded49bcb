/* shared-pages.h -- what a fork leaves behind. */
#ifndef PROFILER_SHARED_PAGES_H
#define PROFILER_SHARED_PAGES_H

/* After a fork each page of this process faults at its next write, also when the child has ended.
 * Takes these faults now, on this thread, for private memory that is there.  Where the kernel
 * cannot do that (before Linux 5.14), nothing happens. */
void shared_pages_unshare (void);

#endif
