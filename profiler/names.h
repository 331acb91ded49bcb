/* names.h -- what was announced: the names of images, assemblies, classes, vtables and methods.
 *
 * A reader of the log must find a name no later, in file order, than its first use.  So a thread
 * that meets an address without a name here first pushes its announcement into the writer's
 * queue and only then enters it here; whoever finds it here can hand a buffer over only behind
 * it.  Looking up takes no lock; adding takes one, which is never held while the runtime is
 * called, and never taken while the world is stopped.
 */
#ifndef PROFLOG_NAMES_H
#define PROFLOG_NAMES_H

#include "profiler/recorder.h"
#include <proflog/mlpd.h>
#include <sys/types.h>

/* Vtables have no text, but a class and a domain.  Threads, domains, contexts and roots are told of
 * by who raises their events: they are only kept to be said again. */
enum name_sort {
  NAME_IMAGE,
  NAME_ASSEMBLY,
  NAME_CLASS,
  NAME_VTABLE,
  NAME_METHOD,
  NAME_THREAD,
  NAME_DOMAIN,
  NAME_CONTEXT,
  NAME_ROOT,
  NAME_SORTS
};

struct name {
  uint64_t address;
  uint64_t image; /* that it belongs to: its name ends with the image; of a root: its source */
  bool wrapper;   /* a method made by the runtime: not shown in backtraces */
  /* Of a method, as last told; of a vtable: its class and domain; of a context: code is its domain;
   * of a root: its key and size; of a thread: code tells whether its start was. */
  uint64_t code, size;
  size_t length;
  char text[];
};

/* An announcement in the writer's queue. */
struct name_work {
  struct work work;
  enum name_sort sort;
  uint64_t sequence;
  uint64_t time;
  uint64_t action;     /* images and classes: MLPD_LOAD_... */
  uint64_t code, size; /* methods; of vtables the class and the domain's id */
  const struct name *name;
};

/* The name of an address, or NULL.  Wait-free. */
const struct name *names_find (enum name_sort sort, uint64_t address);

/* Whether a method's name says that the runtime made it. */
bool names_is_wrapper (const char *method);

/* Enters a name and announces it, unless it was there; returns it.  `text` is copied.  Methods:
 * code and size are 0 if the code is not known.  Vtables: these are the class and the domain.  NULL
 * if nothing is recorded or there is no memory. */
const struct name *names_add (enum name_sort sort, uint64_t address, uint64_t image,
                              const char *text, uint64_t code, uint64_t size);

/* Announces what could not be loaded, or a method's code once more. */
void names_announce_error (enum name_sort sort, uint64_t address, uint64_t image, const char *text);
void names_announce_code (const struct name *method, uint64_t code, uint64_t size);

/* An address ends and may come back with another name: one method; an image with all its classes
 * and methods.  (That an image is unloaded is not announced: mprof-report misreads that event.) */
void names_forget_method (uint64_t address);
void names_forget_image (uint64_t image);

/* The vtables of a domain go with it. */
void names_forget_domain (uint64_t domain);

/* A thread starts; it has this name from now on; it ends. */
void names_start_thread (uint64_t thread);
void names_keep_thread (uint64_t thread, const char *text);
void names_forget_thread (uint64_t thread);

/* The key of a domain or context, by its number, in place of an address. */
static inline uint64_t
names_key (uint64_t number)
{
  return number + 2;
}

/* Something else lives that is to be said again, or does not any more. */
void names_keep (enum name_sort sort, uint64_t address, uint64_t image, const char *text,
                 uint64_t code, uint64_t size);
void names_drop (enum name_sort sort, uint64_t address);

/* Names that died stay for a while, to be said again with the others: what uses them may not be
 * written yet.  Before there are threads. */
void names_keep_dead (void);

/* Whether all names that were met up to now stand in the writer's queue.  From the writer. */
bool names_are_announced (void);

/* An announcement to be made again. */
struct name_again {
  enum name_sort sort;
  uint64_t code, size;
  const struct name *name;
};

/* The names that are kept because they died, then all that live, as of one moment: those that the
 * writer has not met in its queue yet may be among them.  The names stay until the writer meets
 * their end.  *list is the caller's, with free.  Returns how many, -1 if another thread is adding
 * names or there is no memory: later, then.  *time is one from which on the names may be said
 * again: not later than what the writer has not met.  From the writer only. */
ssize_t names_list (struct name_again **list, uint64_t *time);

/* The writer has met an announcement.  It says so of each, in turn. */
void names_met (const struct name_work *work);

/* Around a fork, so that the child finds the names whole; in the child, whose log begins with them.
 */
void names_before_fork (void);
void names_after_fork (void);
void names_start_over (void);

#endif
