/* elf-file.h -- sections and exported symbols of an ELF file of this machine's word size. */
#ifndef PROFLOG_ELF_FILE_H
#define PROFLOG_ELF_FILE_H

#include <link.h>
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the file, borrowed from it. */
struct elf_bytes {
  const char *at;
  size_t length;
};

struct elf_file {
  GMappedFile *file;
  struct elf_bytes bytes; /* all of it */
  ElfW (Ehdr) header;
};

/* Maps a file.  False if it cannot be read or is no such ELF file.  Close with elf_file_close. */
bool elf_file_open (struct elf_file *elf, const char *path);
void elf_file_close (struct elf_file *elf);

/* The section of this name; empty if there is none or it has no bytes in the file. */
struct elf_bytes elf_file_section (const struct elf_file *elf, const char *name);

/* The distance of an exported symbol that is defined there from where the file's first byte is
 * mapped.  False if there is none of this name. */
bool elf_file_find_export (const struct elf_file *elf, const char *name, uint64_t *offset);

#endif
