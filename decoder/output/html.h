/* html.h -- pages of HTML. */
#ifndef PROFLOG_HTML_H
#define PROFLOG_HTML_H

#include "decoder/output/embedded-file.h"
#include "decoder/output/emitter.h"
#include <glib.h>

/* ---- pages that are one file, load nothing and send nothing ---- */

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

/* ---- further contents of a page: ready HTML, scripts, styles and their data ---- */

/* All of this does nothing in other formats.
 *
 * A script finds the report as follows.  Each section is an element with data-section=KEY, and its
 * parts have data-key=KEY, with the keys of JSON.  A table has data-section=KEY of its section and
 * data-table=KEY of its own; the heads of its columns have data-key=KEY.  Numbers have their exact
 * value in data-value, as JSON does.  In a page of several logs each is an <article> with
 * data-log=NAME.  Scripts run after the page's own, and call its refreshTable (table) when they
 * have replaced rows. */

/* Puts ready HTML here. */
void emitter_html_block (struct emitter *emitter, const char *html);

/* Adds an element of a block to the list of sections; `id` is the element's, and no section's.  The
 * element is there for a script, which shows its link, too. */
void emitter_html_link (struct emitter *emitter, const char *id, const char *title);

/* Adds a script or style (borrowed) to the page, whose policy allows it; each once, in the order in
 * which they are added. */
void emitter_html_add_file (struct emitter *emitter, const struct embedded_file *file);

/* Adds JSON for the scripts, as <script type="application/json"> with this id. */
void emitter_html_add_data (struct emitter *emitter, const char *id, const char *json);

/* The number of the report in the page, from 1 on; for ids. */
unsigned emitter_html_report_number (const struct emitter *emitter);

#endif
