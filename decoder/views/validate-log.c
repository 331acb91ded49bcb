/* validate-log.c -- begins the verdicts on a log. */
#include "config.h"

#include "decoder/views/validate-log.h"

void
validate_begin_log (struct emitter *e, const char *log_name, bool is_valid)
{
  emitter_begin (e, VALIDATE_SCHEMA);
  emitter_open (e, "log", emitter_has_log (e) ? "Log" : NULL);
  emitter_text (e, "name", "Name", log_name);
  emitter_truth (e, "valid", NULL, is_valid);
  emitter_close (e);
}
