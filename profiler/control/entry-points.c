/* entry-points.c -- functions that a recorded program may call (proflog/program.h). */
#include "config.h"

#include "agent/requests.h"
#include "profiler/control/verbs.h"
#include "profiler/record/recorder.h"
#include <proflog/program.h>

__attribute__ ((visibility ("default"))) int
proflog_control (const char *request, char *text, size_t size)
{
  if (text != NULL && size != 0)
    text[0] = 0;
  return recorder_running () ? control_inside (&module_verbs, request, text, size)
                             : PROFLOG_NOT_RECORDED;
}
