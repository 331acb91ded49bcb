/* dump-fields.h -- the fields of headers and events, as JSON or text. */
#ifndef PROFLOG_DUMP_FIELDS_H
#define PROFLOG_DUMP_FIELDS_H

#include "decoder/views/mlpd/dump.h"

/* The members of a header's object, without braces, or the text after the kind. */
void dump_put_header (const struct dump *dump, const struct mlpd_item *item, GString *out);

/* The same of an event; and one of its fields that is a list: its value, as JSON.  That of a list
 * of methods is its addresses; `names`: their names. */
void dump_put_event (const struct dump *dump, const struct mlpd_item *item, GString *out);
void dump_put_field (const struct dump *dump, const struct mlpd_item *item,
                     const struct mlpd_field *field, bool names, GString *out);

#endif
