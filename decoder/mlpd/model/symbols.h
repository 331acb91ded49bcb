/* symbols.h -- names of addresses.
 *
 * In file order: an address means its latest announcement.  An address that is used before any
 * announcement gets the name that is announced next for it (the 2010 writer put names where they
 * were made, so another thread's use could come first in the file).  An address that is announced
 * with another name becomes another symbol from there on.
 */
#ifndef PROFLOG_SYMBOLS_H
#define PROFLOG_SYMBOLS_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

enum symbol_kind { SYMBOL_IMAGE, SYMBOL_CLASS, SYMBOL_METHOD, SYMBOL_VTABLE, SYMBOL_KINDS };

struct symbol {
  uint64_t address;
  const char *name; /* NULL: not announced (yet); owned by the symbols */
  guint image;      /* of a class: place of its image, index + 1; 0: unknown */
  guint klass;      /* of a vtable: place of its class, index + 1; 0: not announced (yet) */
  /* Of a class whose fields are described: mlpd-layout.h. */
  const char *layout; /* its parts; NULL: none; owned by the symbols */
  guint base; /* place of a class that has other fields of its objects, index + 1; 0: none */
};

/* Addresses whose symbol is found without the hash table: a program uses a few of them most of the
 * time. */
#define SYMBOLS_RECENT 256

struct symbols {
  GHashTable *current[SYMBOL_KINDS]; /* address -> index + 1 */
  struct recent_symbol {
    uint64_t address;
    guint place; /* index + 1; 0: none */
  } recent[SYMBOL_KINDS][SYMBOLS_RECENT];
  GArray *all[SYMBOL_KINDS]; /* of struct symbol */
  GStringChunk *names;
};

void symbols_init (struct symbols *symbols);
void symbols_clear (struct symbols *symbols);

/* The index of an address's present symbol. */
guint symbols_use (struct symbols *symbols, enum symbol_kind kind, uint64_t address);

/* An announcement.  Returns the symbol's index. */
guint symbols_announce (struct symbols *symbols, enum symbol_kind kind, uint64_t address,
                        struct mlpd_string name);

/* Likewise of a class, which is of the image at this address (0: it was not reported). */
guint symbols_announce_class (struct symbols *symbols, uint64_t address, struct mlpd_string name,
                              uint64_t image);

/* An announcement of a vtable of the class that has this index. */
void symbols_announce_vtable (struct symbols *symbols, uint64_t address, guint klass);

/* A description of a class. */
void symbols_describe_class (struct symbols *symbols, const struct mlpd_counter *counter);

/* The class of a vtable; one without a name where it was not announced. */
guint symbols_class_of_vtable (struct symbols *symbols, guint vtable);

/* A symbol's name, or "unresolved class 0x..." (transfer full). */
char *symbols_name (const struct symbols *symbols, enum symbol_kind kind, guint index);

/* An order of all symbols of a kind that does not depend on when they were seen: by name, those
 * without a name last, then by address. */
int symbols_compare (const struct symbols *symbols, enum symbol_kind kind, guint a, guint b);

/* For each symbol of a kind the first that is called the same: by name or, without one, by address
 * (transfer full). */
guint *symbols_by_name (const struct symbols *symbols, enum symbol_kind kind);

/* The name of the image that a class is of; NULL if it was not reported.  The symbols'. */
const char *symbols_class_image (const struct symbols *symbols, guint klass);

/* The name that an address has now; NULL if none.  The symbols'. */
const char *symbols_current_name (const struct symbols *symbols, enum symbol_kind kind,
                                  uint64_t address);

/* The name of the class that the vtable at an address is of now; NULL if none.  The symbols'. */
const char *symbols_current_vtable_class (const struct symbols *symbols, uint64_t address);

/* A method's name as a frame shows it: a wrapper of a native function is "NAME [native]", one
 * of the recording RECORDING_NAME.  Takes the name (g_free), which may be NULL, and returns one. */
char *symbols_frame_name (char *name);

#endif
