/* ghc-options.h -- the options in the environment variable PROFLOG_GHC. */
#ifndef PROFLOG_GHC_OPTIONS_H
#define PROFLOG_GHC_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ghc_options {
  char output[PATH_MAX];
  size_t memory;     /* bytes that wait for a reader */
  unsigned flush_ms; /* 0: no flush */
  unsigned classes;  /* bits 1 << enum eventlog_class */
  bool paused, nocontrol;
};

/* A time as the module's options have it (50ms), or a number of ms.  False if it is neither, or
 * more than an hour. */
bool ghc_options_parse_flush (const char *text, unsigned *ms);

/* Parses "output=...,memory=...".  False with a message. */
bool ghc_options_parse (struct ghc_options *options, const char *text, char *why, size_t size);

#endif
