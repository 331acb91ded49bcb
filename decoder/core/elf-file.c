/* elf-file.c -- sections and exported symbols of an ELF file of this machine's word size. */
#include "config.h"

#include "decoder/core/elf-file.h"
#include <string.h>

bool
elf_file_open (struct elf_file *elf, const char *path)
{
  const char own_class = sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  *elf = (struct elf_file){ .file = g_mapped_file_new (path, FALSE, NULL) };
  if (elf->file == NULL)
    return false;
  elf->bytes = (struct elf_bytes){ g_mapped_file_get_contents (elf->file),
                                   g_mapped_file_get_length (elf->file) };
  if (elf->bytes.length >= sizeof elf->header && memcmp (elf->bytes.at, ELFMAG, SELFMAG) == 0
      && elf->bytes.at[EI_CLASS] == own_class) {
    memcpy (&elf->header, elf->bytes.at, sizeof elf->header);
    return true;
  }
  elf_file_close (elf);
  return false;
}

void
elf_file_close (struct elf_file *elf)
{
  g_clear_pointer (&elf->file, g_mapped_file_unref);
}

/* A part of the file; empty if the file is shorter. */
static struct elf_bytes
part_of (const struct elf_file *elf, uint64_t offset, uint64_t length)
{
  if (offset > elf->bytes.length || length > elf->bytes.length - offset)
    return (struct elf_bytes){ 0 };
  return (struct elf_bytes){ elf->bytes.at + offset, length };
}

static bool
read_section_header (const struct elf_file *elf, unsigned number, ElfW (Shdr) * section)
{
  const struct elf_bytes at
      = part_of (elf, elf->header.e_shoff, (uint64_t) elf->header.e_shnum * sizeof *section);
  if (at.length == 0 || number >= elf->header.e_shnum)
    return false;
  memcpy (section, at.at + number * sizeof *section, sizeof *section);
  return true;
}

/* Is there this text, with its end, at a place of a table of texts? */
static bool
has_name (struct elf_bytes names, uint64_t at, const char *name)
{
  const size_t length = strlen (name) + 1;
  return at < names.length && names.length - at >= length
         && memcmp (names.at + at, name, length) == 0;
}

struct elf_bytes
elf_file_section (const struct elf_file *elf, const char *name)
{
  ElfW (Shdr) section;
  if (elf->header.e_shentsize != sizeof section
      || !read_section_header (elf, elf->header.e_shstrndx, &section))
    return (struct elf_bytes){ 0 };
  const struct elf_bytes names = part_of (elf, section.sh_offset, section.sh_size);
  for (unsigned i = 0; read_section_header (elf, i, &section); i++)
    if (has_name (names, section.sh_name, name))
      return section.sh_type == SHT_NOBITS ? (struct elf_bytes){ 0 }
                                           : part_of (elf, section.sh_offset, section.sh_size);
  return (struct elf_bytes){ 0 };
}

/* The address for which the file's first byte was linked. */
static uint64_t
link_base (const struct elf_file *elf)
{
  ElfW (Phdr) program;
  const struct elf_bytes at
      = part_of (elf, elf->header.e_phoff, (uint64_t) elf->header.e_phnum * sizeof program);
  for (size_t i = 0; elf->header.e_phentsize == sizeof program && i < at.length / sizeof program;
       i++) {
    memcpy (&program, at.at + i * sizeof program, sizeof program);
    if (program.p_type == PT_LOAD)
      return program.p_vaddr - program.p_offset;
  }
  return 0;
}

bool
elf_file_find_export (const struct elf_file *elf, const char *name, uint64_t *offset)
{
  ElfW (Sym) symbol;
  const struct elf_bytes symbols = elf_file_section (elf, ".dynsym");
  const struct elf_bytes names = elf_file_section (elf, ".dynstr");
  for (size_t i = 0; i < symbols.length / sizeof symbol; i++) {
    memcpy (&symbol, symbols.at + i * sizeof symbol, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || !has_name (names, symbol.st_name, name))
      continue;
    *offset = symbol.st_value - link_base (elf);
    return true;
  }
  return false;
}
