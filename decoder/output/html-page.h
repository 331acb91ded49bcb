/* html-page.h -- pages that are one file, load nothing and send nothing. */
#ifndef PROFLOG_HTML_PAGE_H
#define PROFLOG_HTML_PAGE_H

#include "decoder/output/embedded-file.h"

#include <glib.h>

/* Appends text of any bytes, for an element or a quoted attribute. */
void html_append_text (GString *bytes, const char *text);

/* Appends JSON, or a text as JSON, for a <script> of data: nothing in it ends the element or begins
 * another.  The text is one that is shown, as that of html_append_text. */
void html_append_json (GString *bytes, const char *json);
void html_append_json_string (GString *bytes, const char *text);

/* Appends the beginning of a page, up to <body>.  Its policy allows these scripts and styles alone
 * (up to NULL); the styles are in it. */
void html_append_head (GString *bytes, const char *title, const struct embedded_file *const *files);

/* Appends the end of a page, with the scripts among the files. */
void html_append_end (GString *bytes, const struct embedded_file *const *files);

#endif
