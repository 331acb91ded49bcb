/* hidden.h -- the words that replace names in logs of Mono.
 *
 * Names of the class library stay: those in namespaces System, Mono and Microsoft, and its files.
 * So do the parts by which reports recognise methods: wrappers, constructors, functions that wait.
 * Of other names each identifier is replaced for itself, so that namespaces, classes and methods
 * can still be distinguished and grouped.
 */
#ifndef PROFLOG_HIDDEN_H
#define PROFLOG_HIDDEN_H

#include "decoder/core/secret.h"

/* Each appends the replacement of a name. */

/* "Shop.Cart`1<Shop.Item>[]", or any other text with names of types in it. */
void hidden_class (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* "(wrapper managed-to-native) Shop.Cart:Add (Shop.Item,int)" */
void hidden_method (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* "/home/me/shop/Shop.exe": the folder is one word, and the text after the last dot stays. */
void hidden_file (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* "Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" */
void hidden_assembly (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* A function of native code. */
void hidden_symbol (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* A registered root: the runtime's names of its own tables stay, and static fields are a class's.
 */
void hidden_root (const struct secrets *secrets, GString *to, unsigned source, const char *name,
                  size_t length);

/* A thread or domain.  The runtime's own threads stay. */
void hidden_label (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* A mark; "START " and "STOP " in front of it stay. */
void hidden_mark (const struct secrets *secrets, GString *to, const char *name, size_t length);

/* A description of a class (mlpd-layout.h): the names of its fields. */
void hidden_layout (const struct secrets *secrets, GString *to, const char *text, size_t length);

/* Lines of source code: FILE:LINE or LINE, each ended by a newline. */
void hidden_lines (const struct secrets *secrets, GString *to, const char *lines, size_t length);

/* The command line of a profiler: names of options stay, and values of which the help lists the
 * word or that are a number with a unit. */
void hidden_options (const struct secrets *secrets, GString *to, const char *text, size_t length);

#endif
