/* elf-symbols.h -- names of functions that a file does not export, from its table of all symbols or
 * from that of its separate debug file.
 *
 * Files are read, and never mapped: one that shrinks meanwhile would end the program.  Nothing is
 * retained between calls.  Not for signal handlers.
 */
#ifndef PROFLOG_ELF_SYMBOLS_H
#define PROFLOG_ELF_SYMBOLS_H

#include <stdint.h>

struct elf_symbol {
  uint64_t value; /* its address in the file's own address space */
  uint64_t size;
  char name[256]; /* longer ones are cut */
};

enum elf_result {
  ELF_NO_TABLE, /* no function of this file will be found */
  ELF_NO_SYMBOL,
  ELF_FOUND,
};

/* The function of a loaded file that has this address in the file's own address space.  `image` is
 * the start of the file in memory: another file that has got the name meanwhile is not used.  Debug
 * files are searched by build id, and by the debug link beside the file, in .debug, and below
 * `debug_root` (/usr/lib/debug). */
enum elf_result elf_symbols_find (const char *path, const void *image, const char *debug_root,
                                  uint64_t address, struct elf_symbol *found);

#endif
