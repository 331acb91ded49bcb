/* sql-events.h -- functions of the cursors over events of both formats. */
#ifndef PROFLOG_SQL_EVENTS_H
#define PROFLOG_SQL_EVENTS_H

#include "decoder/sql/sql-table.h"

/* Where the value of a column comes from. */
enum sql_event_source {
  SQL_EVENT_OFFSET = 1,
  SQL_EVENT_SIZE,
  SQL_EVENT_TIME,
  SQL_EVENT_ELAPSED,
  SQL_EVENT_THREAD,
  SQL_EVENT_CAP,
  SQL_EVENT_KIND,
  SQL_EVENT_FIELDS,
  SQL_EVENT_FIELD,      /* column->field */
  SQL_EVENT_FIELD_NAME, /* the name of its value */
  SQL_EVENT_REASON,
  SQL_EVENT_MESSAGE,
  SQL_EVENT_MISSING,
  SQL_EVENT_LENGTH,
  SQL_EVENT_END,
};

/* The tables of both formats: the key of each. */
#define SQL_KEY_EVENTS "events"
#define SQL_KEY_BLOCKS "blocks"
#define SQL_KEY_DAMAGE "damage"

extern const struct sql_cursor_class sql_mono_events, sql_ghc_events;

/* Adds the tables of all kinds of events, and of events, blocks and damage. */
void sql_add_event_tables (GPtrArray *tables);

#endif
