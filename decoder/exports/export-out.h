/* export-out.h -- the bytes of an export on their way. */
#ifndef PROFLOG_EXPORT_OUT_H
#define PROFLOG_EXPORT_OUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the bytes go. */
struct export_out {
  GString *bytes; /* that wait */
  bool (*put) (void *data, const GString *bytes);
  void *data;
  bool failed;   /* put was false: nothing more is to be written */
  GError *error; /* another reason for that; NULL: none */
  uint64_t cut;  /* objects that are written with fewer bytes than they have */
  uint64_t
      cut_bytes; /* the most bytes of an object that are written, by the limit of export_shot */
};

/* Puts the waiting bytes, if they are many; at the end of a write, all. */
void export_flush_much (struct export_out *out);
void export_flush (struct export_out *out);

#endif
