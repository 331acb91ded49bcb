/* marks-section.h -- marks and messages, of both formats. */
#ifndef PROFLOG_MARKS_SECTION_H
#define PROFLOG_MARKS_SECTION_H

#include "decoder/core/marks.h"
#include "decoder/views/section.h"

extern const struct table_shape marks_names_shape;
extern const struct table_shape marks_intervals_shape;

/* Rates are for this duration; times count from `zero`. */
void marks_section_put (const struct report *report, struct marks *marks, uint64_t duration_ns,
                        uint64_t zero);

#endif
