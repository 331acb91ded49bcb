/* export-flame.h -- flame graphs, as a page for a browser and as a picture. */
#ifndef PROFLOG_EXPORT_FLAME_H
#define PROFLOG_EXPORT_FLAME_H

#include "decoder/exports/export.h"

/* One page that needs nothing else; and a picture with the frames that are wide enough to be seen.
 */
extern const struct export_format export_flame_html, export_flame_svg;

/* Appends the picture, which is in the page for browsers without scripts. */
void export_flame_append_svg (const struct export_stacks *stacks, struct export_out *out);

#endif
