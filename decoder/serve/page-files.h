/* page-files.h -- the files of the page, as they are in this folder. */
#ifndef PROFLOG_PAGE_FILES_H
#define PROFLOG_PAGE_FILES_H

#include <stddef.h>

struct page_file {
  const char *name; /* "" is the page itself */
  const char *type;
  const unsigned char *bytes;
  size_t length;
};

/* Up to one with name NULL. */
extern const struct page_file page_files[];

#endif
