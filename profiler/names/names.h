/* names.h -- names that were announced: those of images, assemblies, classes, vtables, methods and
 * native symbols.
 *
 * A reader of the log must find a name no later, in file order, than its first use.  So a
 * thread that sees an address without a name here first pushes its announcement into the writer's
 * queue and only then enters it here; a thread that finds it here can hand a buffer over only after
 * it.  Looking up takes no lock; adding takes one, which is never held while the runtime is
 * called, and never taken while the world is stopped.
 */
#ifndef PROFILER_NAMES_H
#define PROFILER_NAMES_H

#include "profiler/names/name.h"

/* The name of an address, or NULL.  Wait-free. */
const struct name *names_find (enum name_type type, uint64_t address);

/* Enters a name and announces it, unless it was there; returns it.  `text` is copied.  Methods:
 * code and size are 0 if the code is not known.  Vtables: these are the class and the domain.  NULL
 * if nothing is recorded or there is no memory. */
const struct name *names_add (enum name_type type, uint64_t address, uint64_t image,
                              const char *text, uint64_t code, uint64_t size);

/* Announces an entity that could not be loaded, or a method's code once more. */
void names_announce_error (enum name_type type, uint64_t address, uint64_t image, const char *text);
void names_announce_code (const struct name *method, uint64_t code, uint64_t size);

/* An address ends and may come back with another name: one method; an image with all its classes
 * and methods.  (That an image is unloaded is not announced: mprof-report misreads that event.) */
void names_forget_method (uint64_t address);
void names_forget_image (uint64_t image);

/* The vtables of a domain go with it, and the layouts of these. */
void names_forget_domain (uint64_t domain);

/* A thread starts; it has this name from now on; it ends. */
void names_start_thread (uint64_t thread);
void names_set_thread (uint64_t thread, const char *text);
void names_forget_thread (uint64_t thread);

/* Copies a thread's name; "" if it has none, or if other threads change names right now: the one
 * that has the lock may be stopped by the collector. */
void names_copy_thread (uint64_t thread, char *text, size_t size);

/* Something else lives and is to be re-announced, or has ended. */
void names_set (enum name_type type, uint64_t address, uint64_t image, const char *text,
                uint64_t code, uint64_t size);
void names_remove (enum name_type type, uint64_t address);

/* The codes of the live names of a type that belong to `image` (free); NULL: there are none, or
 * there is no memory. */
uint64_t *names_list_codes (enum name_type type, uint64_t image, size_t *count);

/* Passes the live names of a type to `use`.  Without the lock, also while the world is stopped. */
void names_visit (enum name_type type, void (*use) (const struct name *name));

/* Names that died are retained for a while, and re-announced with the others: events that use them
 * may not be written yet.  Before there are threads. */
void names_retain_dead (void);

/* Whether all names that were seen up to now are in the writer's queue.  From the writer. */
bool names_are_announced (void);

/* An announcement to be made again. */
struct listed_name {
  enum name_type type;
  uint64_t code, size;
  const struct name *name;
};

struct name_list {
  struct listed_name *names; /* the caller frees it */
  size_t count;
  uint64_t time; /* of announcements of these: not later than those that are not written yet */
};

/* Lists the names that are retained after their end, then all that live, as of one moment: those
 * whose announcement is still in the writer's queue may be among them.  The names stay valid until
 * the writer handles their end.  False if another thread is adding names or there is no memory:
 * later, then.  From the writer only. */
bool names_list (struct name_list *list);

/* The writer has written an announcement.  It reports each, in order. */
void names_written (const struct name_work *work);

/* Around a fork, so that the child finds the names whole; in the child, whose log begins with them.
 */
void names_before_fork (void);
void names_after_fork (void);
void names_start_over (void);

/* In the end: counts those that are still missing as lost events.  From the writer. */
void names_count_missing_as_lost (void);

#endif
