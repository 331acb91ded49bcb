/* log-verdicts.c -- follows the events of a log through state machines, and writes their verdicts.
 */
#include "config.h"

#include "decoder/log/log-verdicts.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-ordered.h"
#include "decoder/log/log-reads.h"
#include "decoder/views/ghc/validate.h"
#include "decoder/views/mlpd/mono-validate.h"

static bool
handle_item (void *data, const struct ghc_item *item)
{
  return validate_item (data, item);
}

/* Returns the status, worse if the verdicts cannot be written. */
static int
write_verdicts (struct log_verdicts *v, int status)
{
  if (!output_write (&v->command->output, v->text))
    status = CLI_INPUT;
  log_command_separate (v->command, v->text);
  return status;
}

static void
name_log (const struct log_verdicts *v, const char *path)
{
  if (v->command->logs[1] != NULL)
    emitter_set_log (v->emitter, path);
}

static int
validate_ghc (void *data, const char *path)
{
  struct log_verdicts *v = data;
  struct validate run;
  bool has_header;
  validate_init (&run, v->selected[LOG_GHC], v->duplicates);
  int status = log_command_follow_threads (v->command, path, handle_item, &run, &has_header);
  if (has_header) {
    name_log (v, path);
    validate_write (v->emitter, path, &run, v->view);
    if (status == CLI_OK && !validate_is_valid (&run))
      status = CLI_TRUE;
    status = write_verdicts (v, status);
  }
  validate_clear (&run);
  return status;
}

static bool
handle_mono_item (void *data, const struct mlpd_item *item, uint64_t time)
{
  return mono_validate_item (data, item, time);
}

static int
validate_mono (void *data, const char *path)
{
  struct log_verdicts *v = data;
  int status;
  struct ordered_log *log = ordered_log_open (v->command, path, true, &status);
  if (log == NULL)
    return status;
  const struct mlpd_order *order = &log->mono.order;
  struct mono_validate run;
  mono_validate_init (&run, v->selected[LOG_MONO], order->is_part, v->duplicates, log->mono.names);
  run.dump.first_time = order->first_time;
  mlpd_order_events (order, log->input, handle_mono_item, &run);
  name_log (v, path);
  mono_validate_write (v->emitter, path, &run, v->view);
  if (!mono_validate_is_valid (&run))
    status = CLI_TRUE;
  status = write_verdicts (v, status);
  mono_validate_clear (&run);
  ordered_log_close (log);
  return status;
}

int
log_verdicts_put (struct log_verdicts *v, const char *path)
{
  static const char lack[] = "it has none of these machines";
  const struct log_action actions[]
      = { [LOG_MONO] = { .run = v->selected[LOG_MONO] != 0 ? validate_mono : NULL, .lack = lack },
          [LOG_GHC] = { .run = v->selected[LOG_GHC] != 0 ? validate_ghc : NULL, .lack = lack } };
  return log_kind_run (v->command, path, false, actions, v);
}

void
log_verdicts_select_all (struct log_verdicts *v)
{
  v->selected[LOG_GHC] = (1u << GHC_VALIDATIONS) - 1;
  v->selected[LOG_MONO] = (1u << LOG_VALIDATIONS) - 1;
}
